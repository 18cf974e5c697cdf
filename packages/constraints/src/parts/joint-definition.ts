/** What definitions of joints that turn share: who can be turned, softness of the angular rows, frames, references. */

import { type PairDef } from '@tautline/core'
import { type BodyColumns, nonNegative, rotateVector, unitQuaternion } from '@tautline/core/kernel'
import type { ReadonlyQuat } from 'gl-matrix'
import { conjugate, multiply, pairRows, type PointDef, relativeOrientation, resolveAnchors } from './definition.js'

/** Fields of `AngularDef` and `ReferenceDef`, for `ConstraintType.fields`. */
export const ANGULAR_FIELDS: readonly string[] = ['angularCompliance', 'angularDamping', 'reference']

type Triple = [number, number, number]
type Quadruple = [number, number, number, number]

/** Softness of a joint's angular rows; `compliance` and `damping` are those of its linear ones. */
export interface AngularDef {
  /** Softness of the angular rows [rad/(N m)]; 0 is rigid. @defaultValue 0 */
  angularCompliance?: number
  /** Damping of the angular rows [N m s/rad]; acts where there is angular compliance. @defaultValue 0 */
  angularDamping?: number
}

/** Where a joint's angles are zero. */
export interface ReferenceDef {
  /** Orientation `[x, y, z, w]` of `b` seen from `a` at which all angles are 0. @defaultValue the present one */
  reference?: ReadonlyQuat
}

/** Columns of the angular softness. The core's `frequency` looks for the first by name. */
export const ANGULAR_COLUMNS = { angularCompliance: 1, angularRayleigh: 1 } as const

const SCRATCH = /* @__PURE__ */ new Float64Array(3)
/** 1 + cosine of two directions below which the shortest turn between them is lost to round-off. */
const OPPOSED = 1e-4
const IDENTITY: Quadruple = [0, 0, 0, 1]

/** Throws when neither body can be turned: particles and the world. */
export function requireInertia(where: string, def: PairDef): void {
  const turns = [def.a, def.b].some((body) => body !== null && body !== undefined && !body.isParticle)
  if (turns) return
  throw new RangeError(
    `${where}: a or b must have inertia to turn with, got particles: give addBody of the world inertia, as of solidBox, ` +
      'or make a body by addBody of collisions, which takes it from the shape',
  )
}

export function resolveAngular(where: string, def: AngularDef): Required<AngularDef> {
  return {
    angularCompliance: nonNegative(`${where}: angularCompliance`, def.angularCompliance ?? 0),
    angularDamping: nonNegative(`${where}: angularDamping`, def.angularDamping ?? 0),
  }
}

export function writeAngular(
  columns: Record<'angularCompliance' | 'angularRayleigh', Float64Array>,
  row: number,
  def: AngularDef,
): void {
  columns.angularCompliance[row] = def.angularCompliance ?? 0
  columns.angularRayleigh[row] = (def.angularDamping ?? 0) * (def.angularCompliance ?? 0)
}

/** Friction torque or force: finite or not, never negative. */
export function resolveFriction(where: string, value: number | undefined): number {
  return value === Infinity ? value : nonNegative(where, value ?? 0)
}

export function resolveReference(where: string, def: PairDef & ReferenceDef, bodies: BodyColumns): Quadruple {
  if (def.reference !== undefined) return unitQuaternion(`${where}: reference`, def.reference)
  const [a, b] = pairRows(def)
  return relativeOrientation(bodies, a, b)
}

/** Anchors; without any, both are where the centre of mass of `a` is, or that of `b` where `a` is the world. */
export function resolveAnchorsOrCentre(
  where: string,
  def: PointDef,
  bodies: BodyColumns,
): { anchorA: Triple; anchorB: Triple } {
  const isGiven = def.point !== undefined || def.anchorA !== undefined || def.anchorB !== undefined
  if (isGiven) return resolveAnchors(where, def, bodies)
  const centre: Triple = [0, 0, 0]
  const atA = def.a !== null && def.a !== undefined
  return resolveAnchors(where, { ...def, ...(atA ? { anchorA: centre } : { anchorB: centre }) }, bodies)
}

/** R(q) v. */
export function rotated(q: ArrayLike<number>, v: ArrayLike<number>): Triple {
  rotateVector(Float64Array.from(q), 0, v[0], v[1], v[2], SCRATCH, 0)
  return [SCRATCH[0], SCRATCH[1], SCRATCH[2]]
}

/** The `k`-th axis of a frame. */
export function axisOf(frame: ArrayLike<number>, k: 0 | 1 | 2): Triple {
  return rotated(frame, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0])
}

/**
 * `frame` turned the short way so that its `k`-th axis is `axis`. Where that is half a turn, give or take a degree, it is
 * turned half way about its next axis first.
 */
export function frameOnto(frame: ArrayLike<number>, k: 0 | 1 | 2, axis: ArrayLike<number>): Quadruple {
  const [x, y, z] = axisOf(frame, k)
  const w = 1 + x * axis[0] + y * axis[1] + z * axis[2]
  if (w < OPPOSED) {
    const [nx, ny, nz] = axisOf(frame, ((k + 1) % 3) as 0 | 1 | 2)
    return frameOnto(multiply([nx, ny, nz, 0], frame), k, axis)
  }
  const q = [y * axis[2] - z * axis[1], z * axis[0] - x * axis[2], x * axis[1] - y * axis[0], w]
  return normalised(multiply(normalised(q), frame))
}

/** A frame whose x axis is `axis`: the shortest turn of x onto it, but for the neighbourhood of −x. */
export function frameAlong(axis: ArrayLike<number>): Quadruple {
  return frameOnto(IDENTITY, 0, axis)
}

/** q/|q|. */
export function normalised(q: ArrayLike<number>): Quadruple {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length]
}

/** `frame` of `a`, as `b` sees it when the orientation of `b` seen from `a` is `reference`. */
export function frameInB(reference: ArrayLike<number>, frame: ArrayLike<number>): Quadruple {
  return normalised(multiply(conjugate(reference), frame))
}
