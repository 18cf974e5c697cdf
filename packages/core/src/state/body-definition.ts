/** What a body is made of: the checks of its mass, inertia and locks. */

import { axisFlags, finiteVector, knownFields, positive, shown, unitQuaternion } from '../define/assert.js'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { type PrincipalAxes, checkReal } from '../mass/principal-axes.js'
import { DYNAMIC, KINEMATIC, STATIC } from './body-columns.js'

/** What a user writes to make a body. Plain data, SI units; every field may be left out. */
export interface BodyDef {
  /** Shown in messages and reports. @defaultValue none */
  name?: string
  /** `static` and `kinematic` bodies move everything and are moved by nothing. @defaultValue 'dynamic' */
  type?: BodyType
  /** Centre of mass [m]. @defaultValue [0, 0, 0] */
  position?: ReadonlyVec3
  /** Unit quaternion `[x, y, z, w]`, body to world. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** Of the centre of mass [m/s]. @defaultValue [0, 0, 0] */
  velocity?: ReadonlyVec3
  /** World frame [rad/s]. @defaultValue [0, 0, 0] */
  angularVelocity?: ReadonlyVec3
  /** Mass [kg]; `Infinity` makes a dynamic body static. @defaultValue 1 for a dynamic body, otherwise `Infinity` */
  mass?: number
  /**
   * Inertia about the centre of mass [kg m²]: three principal moments along the body's axes, one number for all three, or
   * `principalAxes(tensor)` of a full tensor, none of them above the sum of the other two, as in every real body; left out, the body
   * is a particle, which nothing turns. @defaultValue none: a particle
   */
  inertia?: number | ArrayLike<number> | PrincipalAxes
  /** Multiplies the world's gravity. @defaultValue 1 */
  gravityScale?: number
  /** Rate at which velocity decays [1/s]. @defaultValue 0 */
  linearDamping?: number
  /** Rate at which angular velocity decays [1/s]. @defaultValue 0 */
  angularDamping?: number
  /** World axes along which the body does not move, x, y, z. @defaultValue [false, false, false] */
  lockTranslation?: readonly [boolean, boolean, boolean]
  /** World axes about which the body does not turn, x, y, z. @defaultValue [false, false, false] */
  lockRotation?: readonly [boolean, boolean, boolean]
}

/** What `world.addBodies` takes: typed arrays, a body after the other. */
export interface BodiesDef {
  /** How many. */
  count: number
  /** 3 numbers a body [m]. */
  positions: ArrayLike<number>
  /** 4 numbers a body `[x, y, z, w]`. @defaultValue none is turned */
  orientations?: ArrayLike<number>
  /** 3 numbers a body [m/s]. @defaultValue at rest */
  velocities?: ArrayLike<number>
  /** 3 numbers a body [rad/s]. @defaultValue at rest */
  angularVelocities?: ArrayLike<number>
  /** One for all, or a number a body [kg]; `Infinity` is static. @defaultValue 1 */
  mass?: number | ArrayLike<number>
  /** 3 principal moments a body [kg m²], or 3 for all; left out, they are particles. @defaultValue none: particles */
  inertia?: ArrayLike<number>
  /** For all of them. @defaultValue 1 */
  gravityScale?: number
  /** For all of them [1/s]. @defaultValue 0 */
  linearDamping?: number
  /** For all of them [1/s]. @defaultValue 0 */
  angularDamping?: number
}

/** The fields of {@link BodyDef}. */
export const BODY_FIELDS: readonly (keyof BodyDef)[] = [
  'name',
  'type',
  'position',
  'orientation',
  'velocity',
  'angularVelocity',
  'mass',
  'inertia',
  'gravityScale',
  'linearDamping',
  'angularDamping',
  'lockTranslation',
  'lockRotation',
]

/** What moves a body: joints, contacts and forces (`dynamic`), its own velocity or target (`kinematic`), or nothing (`static`). */
export type BodyType = 'dynamic' | 'static' | 'kinematic'

/** The tag of a body type. */
export function tagOf(where: string, type: BodyType): number {
  if (type === 'static') return STATIC
  if (type === 'kinematic') return KINEMATIC
  if (type !== 'dynamic') throw new TypeError(`${where}: type must be dynamic, static or kinematic, got ${shown(type)}`)
  return DYNAMIC
}

/** The tag of a definition: what weighs infinitely much is static. */
export function kindOf(where: string, def: BodyDef): number {
  const tag = tagOf(where, def.type ?? 'dynamic')
  return tag === DYNAMIC && def.mass === Infinity ? STATIC : tag
}

/** Principal moments [kg m²] and the rotation from their axes to the body; a particle does not turn. */
export interface Inertia {
  moments: ArrayLike<number>
  frame: ArrayLike<number>
  turns: boolean
}

/** Share of the largest moment that moments may be off by where they are written: files round to three digits, or two. */
const ROUNDED = 0.01

/** No rotation. */
export const IDENTITY: readonly number[] = [0, 0, 0, 1]
/** No inertia. */
export const PARTICLE: Inertia = { moments: [0, 0, 0], frame: IDENTITY, turns: false }

/** A mass above 0 [kg], or `Infinity`. */
export function massOf(where: string, mass: number): number {
  return mass === Infinity ? mass : invertible(where, mass)
}

/** A positive number whose inverse is finite too: that is what a step works with. */
function invertible(where: string, value: number): number {
  if (1 / positive(where, value) === Infinity) throw new RangeError(`${where} must be >= 6e-309, got ${value}`)
  return value
}

/** Inertia from one moment, three, or principal axes [kg m²]. */
export function inertiaOf(where: string, inertia: number | ArrayLike<number> | PrincipalAxes): Inertia {
  if (typeof inertia === 'number') {
    const i = invertible(where, inertia)
    return { moments: [i, i, i], frame: IDENTITY, turns: true }
  }
  if (typeof inertia === 'object' && inertia !== null && !('length' in inertia)) {
    knownFields(where, inertia, ['moments', 'orientation'])
    const moments = momentsOf(`${where}.moments`, inertia.moments)
    return { moments, frame: unitQuaternion(`${where}.orientation`, inertia.orientation), turns: true }
  }
  if (typeof inertia === 'object' && inertia?.length === 9)
    throw new RangeError(`${where} must be principalAxes(tensor), got the 9 numbers of a tensor`)
  return { moments: momentsOf(where, inertia), frame: IDENTITY, turns: true }
}

function momentsOf(where: string, moments: ArrayLike<number>): ArrayLike<number> {
  finiteVector(where, moments, 3)
  for (let i = 0; i < 3; i++) invertible(`${where}[${i}]`, moments[i])
  // What no body has turns into speed without end: the energy of its spin about the large moment is free to go to the small ones.
  checkReal(where, moments, ROUNDED * Math.max(moments[0], moments[1], moments[2]))
  return moments
}

/** Three bits: which axes are locked. */
export function locksOf(where: string, locks: readonly boolean[] | undefined): number {
  if (locks === undefined) return 0
  const [x, y, z] = axisFlags(where, locks)
  return (x ? 1 : 0) + (y ? 2 : 0) + (z ? 4 : 0)
}
