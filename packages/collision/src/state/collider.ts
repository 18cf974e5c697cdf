/** What a collider is: a shape fixed to a body, with a surface and a filter. Its definition and its record. */

import { type Body } from '@tautline/core'
import { finiteVector, flag, knownFields, object, shown, ROTATES, unitQuaternion } from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { type Material, type MaterialDef, resolveMaterial } from './material.js'
import { Shape, SPHERE } from '../shapes/shape.js'

/** What a collider meets. */
export interface FilterDef {
  /** Layers that it is on, a bit each. @defaultValue 1 */
  layer?: number
  /** Layers that it meets, a bit each; both must meet the other. @defaultValue all */
  mask?: number
  /** Colliders of one group other than 0: above 0 they always meet, below 0 never, whatever their layers. @defaultValue 0 */
  group?: number
}

/** What a user writes to make a collider. */
export interface ColliderDef extends MaterialDef, FilterDef {
  /** What it is like: `box(…)`, `sphere(…)` and others. */
  shape: Shape
  /** Where the shape's origin is in the frame of the body, from its centre of mass [m]. @defaultValue [0, 0, 0] */
  position?: ReadonlyVec3
  /** How the shape is turned in the frame of the body. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** It tells what overlaps it and pushes nothing. @defaultValue false */
  sensor?: boolean
  /**
   * Whether a sensor also sees bodies that cross it within a step: their motion between the poses of substeps is tested. Takes time for each collider that
   * moves. Throws a `RangeError` if it is true and `sensor` is not. @defaultValue false: poses at the start of each step
   */
  continuous?: boolean
  /** Shown in messages. @defaultValue none */
  name?: string
}

/** What may change while it exists. */
export type ColliderChanges = Partial<Omit<ColliderDef, 'name'>>

/** What the world knows of a collider; replaced as a whole when it changes. */
export interface ColliderRecord {
  /** `null`: the world. */
  readonly body: Body | null
  readonly shape: Shape
  /** Shape to body: x, y, z, then the rotation row by row. */
  readonly local: Float64Array
  readonly orientation: readonly [number, number, number, number]
  readonly material: Material
  readonly layer: number
  readonly mask: number
  readonly group: number
  readonly sensor: boolean
  readonly continuous: boolean
  readonly name: string | undefined
  /** How often its number had been given out before. */
  readonly generation: number
  /** Steps that the world had made when it was added or changed. */
  readonly placed: number
}

/** A record that has no number yet. */
export type NewRecord = Omit<ColliderRecord, 'generation' | 'placed'>

/** The fields of {@link ColliderDef}. */
export const COLLIDER_FIELDS: readonly (keyof ColliderDef)[] = [
  'shape',
  'position',
  'orientation',
  'sensor',
  'continuous',
  'name',
  'friction',
  'dynamicFriction',
  'torsionalFriction',
  'rollingFriction',
  'restitution',
  'maxPushOut',
  'layer',
  'mask',
  'group',
]

/** Checks a definition over `base`, what it changes; changes nothing. */
export function resolveCollider(
  where: string,
  body: Body | null,
  def: Partial<ColliderDef>,
  base?: ColliderRecord,
): NewRecord {
  object(`${where}: definition`, def)
  knownFields(where, def, COLLIDER_FIELDS)
  if (def.name !== undefined && typeof def.name !== 'string') {
    throw new TypeError(`${where}: name must be a text, got ${shown(def.name)}`)
  }
  const shape = def.shape === undefined ? base?.shape : def.shape
  if (!(shape instanceof Shape)) throw new TypeError(`${where}: shape must be a shape, got ${shown(shape)}`)
  const position = finiteVector(`${where}: position`, def.position ?? base?.local.subarray(0, 3) ?? [0, 0, 0], 3)
  const orientation = unitQuaternion(`${where}: orientation`, def.orientation ?? base?.orientation ?? [0, 0, 0, 1])
  const sensor = def.sensor ?? base?.sensor ?? false
  if (typeof sensor !== 'boolean') throw new TypeError(`${where}: sensor must be a boolean, got ${shown(sensor)}`)
  const continuous = flag(`${where}: continuous`, def.continuous ?? (sensor && base?.continuous === true))
  if (continuous && !sensor) {
    throw new RangeError(
      `${where}: continuous must be false where sensor is false (what pushes is always swept), got true`,
    )
  }
  return {
    body,
    shape,
    local: transformOf(position, orientation),
    orientation,
    material: resolveMaterial(where, def, base?.material),
    layer: integer(`${where}: layer`, def.layer ?? base?.layer ?? 1),
    mask: integer(`${where}: mask`, def.mask ?? base?.mask ?? -1),
    group: integer(`${where}: group`, def.group ?? base?.group ?? 0, 0x7fffffff),
    sensor,
    continuous,
    name: def.name ?? base?.name,
  }
}

/** An integer of 32 bits up to `most`: bits may be written with a sign or without. */
export function integer(where: string, value: unknown, most: number = 0xffffffff): number {
  if (!Number.isInteger(value) || (value as number) < -0x80000000 || (value as number) > most) {
    const message = `${where} must be an integer of 32 bits, got ${shown(value)}`
    throw typeof value === 'number' ? new RangeError(message) : new TypeError(message)
  }
  return (value as number) | 0
}

function transformOf(p: ArrayLike<number>, q: readonly [number, number, number, number]): Float64Array {
  const [x, y, z, w] = q
  return Float64Array.of(
    p[0],
    p[1],
    p[2],
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  )
}

/** Throws unless a body that moves can have the shape. */
export function checkMovable(where: string, shape: Shape): void {
  if (!shape.movable)
    throw new TypeError(`${where}: shape must be one that moves on a dynamic body, got a ${shape.name}`)
}

/** Throws unless a dynamic body of these flags can turn as its collider asks: a ball about the centre of mass, and a sensor, do not. */
export function checkInertia(where: string, flags: number, body: Body, { shape, local, sensor }: NewRecord): void {
  const isCentredBall = shape.kind === SPHERE && local[0] === 0 && local[1] === 0 && local[2] === 0
  if ((flags & ROTATES) !== 0 || isCentredBall || sensor) return
  throw new TypeError(
    `${where}: body must have inertia to turn with a ${shape.name}, got ${body.label} without: ` +
      'give it inertia, or make it by addBody of collisions, which takes it from the shape',
  )
}
