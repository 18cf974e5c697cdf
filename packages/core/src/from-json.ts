/** Reads what `to-json.ts` writes. Apart from it, so that a page that only steps does not carry it. */

import { checkType } from './define/definition.js'
import {
  finiteVector,
  flag,
  inContext,
  integer,
  knownFields,
  nonNegative,
  object,
  positive,
  shown,
  unitQuaternion,
} from './define/assert.js'
import type { SavedColumns } from './define/contract.js'
import type { AnyType } from './state/batch.js'
import type { Body } from './state/body.js'
import {
  ARRIVED,
  ASLEEP,
  DISTURBED,
  RESET,
  DYNAMIC,
  EDITED,
  FROZEN,
  HAS_TARGET,
  RESTS,
  RETARGETED,
} from './state/body-columns.js'
import { MOST_FAULTS } from './step/faults.js'
import { checkCount, checkSize, resolveLimits, type SceneLimits } from './define/scene-limits.js'
import { type Kernels, openKernels } from './define/kernels.js'
import { type Clock, CLOCK_FIELDS } from './state/settings.js'
import { BODY_STATE, type BodyJson, isMark, SCENE_VERSION, type SceneJson } from './readout/to-json.js'
import { World } from './world.js'

/** Makes a stage of a world anew from what its `toJSON` gave; `bodies` in the order of the scene. */
export type StageReader = (world: World, data: unknown, bodies: readonly Body[]) => void

/** Fields of the clock that are whole. */
const COUNTS: readonly string[] = ['steps', 'iterations', 'sequence']
/** Fields of a scene. */
const SCENE_FIELDS = ['format', 'version', 'options', 'clock', 'bodies', 'free', 'constraints', 'stages']
const CONSTRAINT_FIELDS = ['type', 'def', 'lambda', 'broken', 'faults', 'state']
/** Fields of a body's state that are rotations; a target may be none. */
const ROTATIONS = ['startOrientation', 'previousOrientation', 'inertiaFrame', 'targetOrientation']

function decode(value: unknown, bodies: readonly Body[], where: string): unknown {
  if (value === 'Infinity') return Infinity
  if (value === '-Infinity') return -Infinity
  if (Array.isArray(value)) return value.map((entry) => decode(entry, bodies, where))
  if (typeof value !== 'object' || value === null) return value
  if (isMark(value)) {
    if ('plain' in value)
      return typeof value.plain === 'object' ? decodeEntries(value.plain, bodies, where) : value.plain
    return bodies[integer(`${where}: body`, value.body, 0, bodies.length - 1)]
  }
  return decodeEntries(value, bodies, where)
}

function decodeEntries(value: object | null, bodies: readonly Body[], where: string): unknown {
  return Object.fromEntries(Object.entries(value ?? {}).map(([key, entry]) => [key, decode(entry, bodies, where)]))
}

/**
 * A world from what `world.toJSON()` gave, as an object or as text. `types` are the constraint types that the scene uses.
 * `stages` read back what stages of the step had written, by name. The world goes on bit for bit where the other one was. A scene of another version, of a type that is not given, or with
 * a value that is not a number is an error that says where, and so is one that goes beyond `limits`: it may come from
 * anywhere. `kernels` are as those of `new World`: a scene holds none. What it takes is linear in the size of the scene.
 */
export function fromJSON(
  json: unknown,
  types: readonly AnyType[],
  stages: Readonly<Record<string, StageReader>> = {},
  limits: SceneLimits = {},
  kernels?: Kernels,
): World {
  if (!Array.isArray(types)) throw new TypeError(`fromJSON: types must be an array, got ${shown(types)}`)
  object('fromJSON: stages', stages)
  const most = resolveLimits('fromJSON: limits', limits)
  const scene = parse(json, most)
  const world = new World(decode(scene.options, [], 'fromJSON: options') as SceneJson['options'])
  world.kernels = openKernels('fromJSON', kernels)
  const { substeps, iterations, maxIterations, tolerance } = world.settings
  const sweeps = tolerance > 0 ? Math.max(iterations, maxIterations) : iterations
  checkCount('fromJSON: options: substeps × iterations', substeps * sweeps, most.sweeps)
  const byName = new Map(
    types.map((type, k) => {
      checkType(`fromJSON: types[${k}]`, type)
      return [type.name, type] as const
    }),
  )
  const bodies = bodiesFromJson(world, scene, most)
  scene.constraints.forEach((entry, k) => {
    const where = `fromJSON: constraints[${k}]`
    knownFields(where, entry, CONSTRAINT_FIELDS)
    object(`${where}: def`, entry.def)
    flag(`${where}: broken`, entry.broken)
    const type = byName.get(entry.type)
    if (type === undefined) {
      throw new RangeError(
        `${where}: type must be one of the types that fromJSON is given (${[...byName.keys()].join(', ') || 'none'}), got ${shown(entry.type)}`,
      )
    }
    const { state = [], hints = [] }: SavedColumns = (type as AnyType).saved ?? {}
    knownFields(`${where}: state`, entry.state, [...state, ...hints])
    const def = decode(entry.def, bodies, where) as object
    const constraint = inContext(where, () => world.addSaved<object>(type, def))
    const { batch } = constraint
    const row = constraint.row()
    setNumbers(where, batch.common.lambda, type.multipliers, row, entry.lambda)
    if (entry.broken) {
      batch.common.broken[row] = 1
      batch.common.enabled[row] = 0
    }
    if (entry.faults !== undefined) batch.common.faults[row] = nonNegative(`${where}: faults`, entry.faults)
    if (batch.common.faults[row] >= MOST_FAULTS) batch.common.enabled[row] = 0
    for (const name of [...state, ...hints.filter((hint) => hint in entry.state)]) {
      setNumbers(where, batch.columns[name], type.columns[name], row, entry.state[name])
    }
  })
  // After the constraints: to add one wakes its bodies.
  bodies.forEach((body, k) => readState(world, body, scene.bodies[k], `fromJSON: bodies[${k}]`))
  for (const [name, data] of Object.entries(scene.stages ?? {})) {
    if (!Object.prototype.hasOwnProperty.call(stages, name) || typeof stages[name] !== 'function') {
      throw new RangeError(
        `fromJSON: stages must have a reader for each stage of the scene, got none for ${name}: { ${name}: … }, as of ${name}FromJSON`,
      )
    }
    stages[name](world, data, bodies)
  }
  for (const field of CLOCK_FIELDS) world.clock[field] = scene.clock[field]
  for (const { rows } of world.batches) rows.substep = world.clock.substepLength
  return world
}

function parse(json: unknown, most: Required<SceneLimits>): SceneJson {
  const scene = (typeof json === 'string' ? parseText(json) : json) as Partial<SceneJson> | null
  if (typeof scene !== 'object' || scene === null || scene.format !== 'tautline') {
    throw new TypeError(`fromJSON: scene must be a tautline scene, got ${describe(scene)}`)
  }
  if (scene.version !== SCENE_VERSION) {
    throw new RangeError(`fromJSON: version must be ${SCENE_VERSION}, got ${shown(scene.version)}`)
  }
  checkSize('fromJSON: scene', scene, most)
  knownFields('fromJSON: scene', scene, SCENE_FIELDS)
  for (const field of ['options', 'clock', 'bodies', 'constraints'] as const) {
    if (typeof scene[field] !== 'object' || scene[field] === null) {
      throw new TypeError(`fromJSON: ${field} must be there, got ${describe(scene[field])}`)
    }
  }
  for (const list of ['bodies', 'constraints'] as const) {
    if (!Array.isArray(scene[list])) throw new TypeError(`fromJSON: ${list} must be an array, got an object`)
    checkCount(`fromJSON: number of ${list}`, (scene[list] as unknown[]).length, most[list])
  }
  const clock = knownFields('fromJSON: clock', scene.clock, CLOCK_FIELDS) as unknown as Clock
  for (const field of CLOCK_FIELDS) {
    nonNegative(`fromJSON: clock.${field}`, clock[field])
    if (COUNTS.includes(field)) integer(`fromJSON: clock.${field}`, clock[field], 0)
  }
  if (scene.stages !== undefined) object('fromJSON: stages', scene.stages)
  return scene as SceneJson
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`fromJSON: text must be JSON, got ${(error as Error).message}`, { cause: error })
  }
}

function describe(value: unknown): string {
  return value === undefined ? 'nothing' : value === null ? 'null' : typeof value
}

/** Bodies in the rows that they had: what is added later is given the same ones. */
function bodiesFromJson(world: World, { bodies, free = [] }: SceneJson, most: Required<SceneLimits>): Body[] {
  if (!Array.isArray(free)) throw new TypeError(`fromJSON: free must be an array, got ${shown(free)}`)
  checkCount('fromJSON: number of free', free.length, most.bodies)
  const rows = bodies.length + free.length
  free.forEach((row, k) => integer(`fromJSON: free[${k}]`, row, k === 0 ? 1 : free[k - 1] + 1, rows))
  const fillers: Body[] = []
  const fill = (): void => {
    while (free[fillers.length] === world.bodies.count) fillers.push(world.addBody({}))
  }
  const made = bodies.map((body, k) => {
    fill()
    return bodyFromJson(world, body, `fromJSON: bodies[${k}]`)
  })
  fill()
  for (const filler of fillers) filler.remove()
  return made
}

function bodyFromJson(world: World, json: BodyJson, where: string): Body {
  object(where, json)
  knownFields(`${where}: state`, json.state, STATE_FIELDS)
  const { state: _, ...def } = json
  return inContext(where, () => world.addBody(def))
}

// `pull` is written by former versions.
const STATE_FIELDS: readonly string[] = [...BODY_STATE.map(([name]) => name), 'inverseMass', 'flags', 'pull']
/** All that a scene says of a body by flags. */
const SAVED_FLAGS = FROZEN | ASLEEP | HAS_TARGET | ARRIVED | EDITED | RETARGETED | DISTURBED | RESET

/** Refuses a state that no step leaves behind: masses below 0, rotations that are none, flags of other meaning. */
function checkState(where: string, body: Body, state: BodyJson['state']): void {
  for (const name of ROTATIONS as (keyof typeof state)[]) {
    const q = finiteVector(`${where}.${name}`, state[name], 4)
    const isNone = name === 'targetOrientation' && Array.prototype.every.call(q, (x) => x === 0)
    if (!isNone) unitQuaternion(`${where}.${name}`, q)
  }
  const [inverseMass] = Array.from(finiteVector(`${where}.inverseMass`, state.inverseMass, 1))
  if (body.type === 'dynamic') positive(`${where}.inverseMass[0]`, inverseMass)
  else nonNegative(`${where}.inverseMass[0]`, inverseMass)
  const [flags] = Array.from(finiteVector(`${where}.flags`, state.flags, 1))
  if (!Number.isInteger(flags) || flags < 0 || (flags & ~SAVED_FLAGS) !== 0 || flags > SAVED_FLAGS) {
    throw new RangeError(`${where}.flags[0] must be of flags that are saved, got ${flags}`)
  }
  if (state.stillTime !== undefined)
    nonNegative(`${where}.stillTime[0]`, finiteVector(`${where}.stillTime`, state.stillTime, 1)[0])
  const I = finiteVector(`${where}.inverseInertia`, state.inverseInertia, 9)
  for (let k = 0; k < 9; k += 4) nonNegative(`${where}.inverseInertia[${k}]`, I[k])
}

function readState(world: World, body: Body, { state, orientation }: BodyJson, where: string): void {
  const c = world.bodies.columns
  const i = body.index
  checkState(`${where}: state`, body, state)
  setNumbers(where, c.orientation, 4, i, orientation as number[])
  for (const [name, stride] of BODY_STATE) {
    const values = state[name] ?? (name === 'jointAcceleration' ? state.pull : undefined)
    if (LATER_STATE.has(name) && values === undefined) continue
    setNumbers(`${where}.${name}`, c[name], stride, i, values)
  }
  setNumbers(`${where}.inverseMass`, c.inverseMass, 1, i, state.inverseMass)
  setNumbers(`${where}.flags`, FLAGS, 1, 0, state.flags)
  // A joint that sags was disturbed when it was added, and was not in the scene that was saved.
  c.flags[i] = (c.flags[i] & ~(DISTURBED | RESET)) | FLAGS[0]
  const moves = c.kind[i] === DYNAMIC && (c.flags[i] & RESTS) === 0
  c.position[4 * i + 3] = moves ? c.inverseMass[i] : 0
}

/** What scenes of older versions do not have: from before bodies slept, joints were solved as trees, or there was a guard. */
const LATER_STATE: ReadonlySet<string> = /* @__PURE__ */ new Set(['stillTime', 'jointAcceleration', 'lostEnergy'])

const FLAGS = /* @__PURE__ */ new Float64Array(1)

/** Writes a list of finite numbers into a row; anything else is an error that says where. */
function setNumbers(where: string, column: Float64Array, stride: number, row: number, values: unknown): void {
  if (!Array.isArray(values) || values.length !== stride || !values.every((x) => Number.isFinite(x))) {
    throw new TypeError(`${where}: state must be ${stride} finite numbers, got ${JSON.stringify(values) ?? 'nothing'}`)
  }
  column.set(values as number[], stride * row)
}
