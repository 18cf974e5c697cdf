/** A whole scene as plain data: `from-json.ts` reads it. */

import type { Batch } from '../state/batch.js'
import { Body } from '../state/body.js'
import type { BodyDef } from '../state/body-definition.js'
import {
  ANY_ROTATION_LOCK,
  ANY_TRANSLATION_LOCK,
  ARRIVED,
  ASLEEP,
  type BodyColumn,
  DYNAMIC,
  DISTURBED,
  RESET,
  EDITED,
  RETARGETED,
  FROZEN,
  HAS_TARGET,
  KINEMATIC,
  LOCK_ROTATION,
  LOCK_TRANSLATION,
  ROTATES,
  WORLD_BODY,
} from '../state/body-columns.js'
import type { WorldOptions, Clock } from '../state/settings.js'
import type { WorldState } from '../state/world-state.js'
import { constraintsOf } from '../edit/constraint.js'

/** Version that this build writes and reads. */
export const SCENE_VERSION = 1

/** A scene as plain data. */
export interface SceneJson {
  /** Always `tautline`. */
  format: 'tautline'
  version: number
  options: WorldOptions
  clock: Clock
  bodies: BodyJson[]
  /** Rows that removed bodies have left and that are given out again, lowest first; absent where there are none. */
  free?: number[]
  constraints: ConstraintJson[]
  /** What stages of the step add, by name. */
  stages?: Record<string, unknown>
}

/** A body: its definition, and what a step has left behind. Lists of numbers as in the columns. */
export interface BodyJson extends BodyDef {
  /** `pull` is the name that `jointAcceleration` had. */
  state: Partial<Record<BodyColumn | 'pull', number[]>>
}

/** A constraint: its type's name, its definition with bodies as `{ body: index }`, and its state. */
export interface ConstraintJson {
  type: string
  def: Record<string, unknown>
  lambda: number[]
  broken: boolean
  /** Substeps in a row in which it was not finite; absent where it was. */
  faults?: number
  state: Record<string, number[]>
}

/** Columns that a definition does not carry. */
export const BODY_STATE: readonly (readonly [BodyColumn, number])[] = [
  ['force', 3],
  ['torque', 3],
  ['startPosition', 4],
  ['startOrientation', 4],
  ['previousPosition', 3],
  ['previousOrientation', 4],
  ['targetPosition', 3],
  ['targetOrientation', 4],
  ['inertiaFrame', 4],
  ['inverseInertia', 9],
  ['stillTime', 1],
  ['jointAcceleration', 6],
  ['lostEnergy', 1],
]

/** A whole scene as plain data that `JSON.stringify` takes; `fromJSON` reads it. */
export function sceneOf(world: WorldState): SceneJson {
  world.refreshOrder()
  const bodies = world.bodies.all()
  const indexOf = new Map(bodies.map((body, k) => [body.index, k]))
  const free: number[] = []
  for (let row = WORLD_BODY + 1; row < world.bodies.count; row++) if (!indexOf.has(row)) free.push(row)
  const { gravity, ...options } = world.settings
  const stages = Object.fromEntries(
    world.stages
      .filter((stage) => stage.toJSON !== undefined)
      .map((stage) => [stage.name, stage.toJSON?.((row) => indexOf.get(row) ?? -1)]),
  )
  return {
    format: 'tautline',
    version: SCENE_VERSION,
    options: encode({ ...options, gravity }, indexOf) as WorldOptions,
    clock: { ...world.clock },
    bodies: bodies.map((body) => bodyToJson(world, body)),
    ...(free.length > 0 ? { free } : {}),
    constraints: constraintsOf(world).map((constraint) => {
      const { batch } = constraint
      const row = constraint.row()
      const slice = (column: Float64Array, stride: number): number[] =>
        Array.from(column.subarray(stride * row, stride * (row + 1)))
      return {
        type: batch.type.name,
        def: encode(constraint.def, indexOf) as Record<string, unknown>,
        lambda: slice(batch.common.lambda, batch.type.multipliers),
        broken: constraint.broken,
        ...(batch.common.faults[row] > 0 ? { faults: batch.common.faults[row] } : {}),
        state: Object.fromEntries([...stateOf(batch, batch.type.saved?.state, slice), ...hintsOf(batch, slice)]),
      }
    }),
    ...(Object.keys(stages).length > 0 ? { stages } : {}),
  }
}

type Slice = (column: Float64Array, stride: number) => number[]

function stateOf({ columns, type }: Batch, names: readonly string[] | undefined, slice: Slice): [string, number[]][] {
  return (names ?? []).map((name) => [name, slice(columns[name], type.columns[name])])
}

/** Those that say something. */
function hintsOf(batch: Batch, slice: Slice): [string, number[]][] {
  return stateOf(batch, batch.type.saved?.hints, slice).filter(([, values]) => values.some((value) => value !== 0))
}

function bodyToJson(world: WorldState, body: Body): BodyJson {
  const c = world.bodies.columns
  const i = body.index
  const three = (column: Float64Array, stride: number): [number, number, number] => [
    column[stride * i],
    column[stride * i + 1],
    column[stride * i + 2],
  ]
  const flags = c.flags[i]
  const lock = (first: number): [boolean, boolean, boolean] => [
    (flags & first) !== 0,
    (flags & (first << 1)) !== 0,
    (flags & (first << 2)) !== 0,
  ]
  const q = 4 * i
  const json: BodyJson = {
    type: c.kind[i] === DYNAMIC ? 'dynamic' : c.kind[i] === KINEMATIC ? 'kinematic' : 'static',
    position: three(c.position, 4),
    orientation: [c.orientation[q], c.orientation[q + 1], c.orientation[q + 2], c.orientation[q + 3]],
    velocity: three(c.velocity, 3),
    angularVelocity: three(c.angularVelocity, 3),
    gravityScale: c.gravityScale[i],
    linearDamping: c.linearDamping[i],
    angularDamping: c.angularDamping[i],
    state: {
      inverseMass: [c.inverseMass[i]],
      flags: [flags & (FROZEN | ASLEEP | HAS_TARGET | ARRIVED | EDITED | RETARGETED | DISTURBED | RESET)],
    },
  }
  if (body.name !== undefined) json.name = body.name
  if (c.inverseMass[i] > 0) json.mass = 1 / c.inverseMass[i]
  if ((flags & ROTATES) !== 0) json.inertia = three(c.principalInertia, 3)
  if ((flags & ANY_TRANSLATION_LOCK) !== 0) json.lockTranslation = lock(LOCK_TRANSLATION)
  if ((flags & ANY_ROTATION_LOCK) !== 0) json.lockRotation = lock(LOCK_ROTATION)
  for (const [name, stride] of BODY_STATE) json.state[name] = Array.from(c[name].subarray(stride * i, stride * (i + 1)))
  return json
}

/** Lists and objects inside each other: what refers to itself has no end. `fromJSON` takes as many by default. */
const DEEPEST = 56

/**
 * Bodies become `{ body: index }`, typed arrays lists, infinities text: JSON has none of them. What looks like one of
 * these but is the user's own is wrapped: `{ plain: … }`.
 */
function encode(value: unknown, indexOf: ReadonlyMap<number, number>, depth = 0): unknown {
  if (depth > DEEPEST) throw new RangeError(`toJSON: definitions must be at most ${DEEPEST} deep, got deeper`)
  if (value instanceof Body) return { body: indexOf.get(value.index) }
  if (value === Infinity) return 'Infinity'
  if (value === -Infinity) return '-Infinity'
  if (value === 'Infinity' || value === '-Infinity') return { plain: value }
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array)
  if (Array.isArray(value)) return value.map((entry) => encode(entry, indexOf, depth + 1))
  if (typeof value === 'object' && value !== null) {
    const plain = Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, encode(entry, indexOf, depth + 1)]),
    )
    return isMark(value) ? { plain } : plain
  }
  return value
}

/** Whether an object is one of the wrappings above, or would be taken for one. */
export function isMark(value: object): value is { body: number } | { plain: unknown } {
  const keys = Object.keys(value)
  return keys.length === 1 && (keys[0] === 'body' || keys[0] === 'plain')
}
