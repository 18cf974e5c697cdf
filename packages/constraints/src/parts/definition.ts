/** Checks that definitions of pair constraints share: anchors, axes, frames. */

import type { CommonDef, PairDef } from '@tautline/core'
import {
  type BodyColumns,
  finiteVector,
  rotateVector,
  rotateVectorInverse,
  shown,
  unitQuaternion,
  unitVector,
} from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'

/** Where a pair is joined. */
export interface PointDef extends PairDef {
  /** World point [m] at which both bodies are joined, at the present pose; wins over the anchors. @defaultValue none */
  point?: ReadonlyVec3
  /** Body-space anchor on `a` [m]; world space where `a` is `null`. @defaultValue b's anchor, at the present pose */
  anchorA?: ReadonlyVec3
  /** Body-space anchor on `b` [m]; world space where `b` is `null`. @defaultValue a's anchor, at the present pose */
  anchorB?: ReadonlyVec3
}

/** About what a pair turns, or along what it slides. */
export interface AxisDef extends PairDef {
  /** World axis, at the present pose; wins over the body axes. @defaultValue none */
  axis?: ReadonlyVec3
  /** Body-space axis on `a`. @defaultValue b's axis, at the present pose */
  axisA?: ReadonlyVec3
  /** Body-space axis on `b`. @defaultValue a's axis, at the present pose */
  axisB?: ReadonlyVec3
}

/** Fields of `PointDef` and `AxisDef`, for `ConstraintType.fields`. */
export const POINT_FIELDS: readonly string[] = ['a', 'b', 'point', 'anchorA', 'anchorB']
export const AXIS_FIELDS: readonly string[] = ['a', 'b', 'axis', 'axisA', 'axisB']

/** Refuses ways to say softness that a type with its own has no use for. */
export function refuseSoftness(where: string, def: CommonDef, fields: readonly (keyof CommonDef)[]): void {
  for (const field of fields) {
    if (def[field] === undefined) continue
    throw new TypeError(`${where}: ${field} must be left out, as it has its own, got ${shown(def[field])}`)
  }
}

type Triple = [number, number, number]
type Quadruple = [number, number, number, number]

/** Where a pair is joined, in the spaces of its bodies [m]. */
interface Anchors {
  anchorA: Triple
  anchorB: Triple
}

const SCRATCH = /* @__PURE__ */ new Float64Array(3)
const CENTRE = [0, 0, 0] as const

/** The rows of `a` and `b`; 0 is the world. */
export function pairRows(def: PairDef): [number, number] {
  return [def.a?.index ?? 0, def.b?.index ?? 0]
}

function rotated(bodies: BodyColumns, i: number, v: ArrayLike<number>): Triple {
  rotateVector(bodies.orientation, 4 * i, v[0], v[1], v[2], SCRATCH, 0)
  return [SCRATCH[0], SCRATCH[1], SCRATCH[2]]
}

function unrotated(bodies: BodyColumns, i: number, v: ArrayLike<number>): Triple {
  rotateVectorInverse(bodies.orientation, 4 * i, v[0], v[1], v[2], SCRATCH, 0)
  return [SCRATCH[0], SCRATCH[1], SCRATCH[2]]
}

/** A body-space point in world space. */
export function pointInWorld(bodies: BodyColumns, i: number, anchor: ArrayLike<number>): Triple {
  const r = rotated(bodies, i, anchor)
  for (let k = 0; k < 3; k++) r[k] += bodies.position[4 * i + k]
  return r
}

/** A world point in body space. */
export function pointInBody(bodies: BodyColumns, i: number, point: ArrayLike<number>): Triple {
  return unrotated(
    bodies,
    i,
    [0, 1, 2].map((k) => point[k] - bodies.position[4 * i + k]),
  )
}

/** A body-space direction in world space. */
export function directionInWorld(bodies: BodyColumns, i: number, axis: ArrayLike<number>): Triple {
  return rotated(bodies, i, axis)
}

/** A world direction in body space. */
export function directionInBody(bodies: BodyColumns, i: number, axis: ArrayLike<number>): Triple {
  return unrotated(bodies, i, axis)
}

/** A new object with the fields of a definition but `point`, for which anchors are stored. */
export function withoutPoint<Def extends PointDef>(def: Def): Omit<Def, 'point'> {
  // To take a field out of an object takes much longer than to copy it, and sheets of thousands of rows have none. `assign`, as to add to what was
  // spread into a literal takes V8 ten times as long.
  if (!('point' in def)) return Object.assign({}, def)
  const { point: _point, ...rest } = def
  return rest
}

/** Anchors from `point`, or from what is given of the two, each missing one placed where the other is. */
export function resolveAnchors(where: string, def: PointDef, bodies: BodyColumns): Anchors {
  const [a, b] = pairRows(def)
  const anchorA = def.anchorA === undefined ? undefined : triple(finiteVector(`${where}: anchorA`, def.anchorA, 3))
  const anchorB = def.anchorB === undefined ? undefined : triple(finiteVector(`${where}: anchorB`, def.anchorB, 3))
  if (def.point !== undefined) {
    return {
      anchorA: anchorAt(`${where}: point`, bodies, a, def.point),
      anchorB: anchorAt(`${where}: point`, bodies, b, def.point),
    }
  }
  if (anchorA === undefined && anchorB === undefined) {
    throw new TypeError(`${where}: point, anchorA or anchorB must be given, got none`)
  }
  return {
    anchorA: anchorA ?? across(`${where}: anchorB`, bodies, b, anchorB as Triple, a),
    anchorB: anchorB ?? across(`${where}: anchorA`, bodies, a, anchorA as Triple, b),
  }
}

/** The same; an anchor of which nothing is said is the centre of mass. */
export function resolveAnchorsOrCentres(where: string, def: PointDef, bodies: BodyColumns): Anchors {
  const { anchorA = CENTRE, anchorB = CENTRE } = def
  return resolveAnchors(where, def.point === undefined ? { anchorA, anchorB } : def, bodies)
}

/** Distance of two anchors at the present pose [m]. */
export function lengthBetween(bodies: BodyColumns, def: PairDef, { anchorA, anchorB }: Anchors): number {
  const [a, b] = pairRows(def)
  const p = pointInWorld(bodies, a, anchorA)
  const q = pointInWorld(bodies, b, anchorB)
  const x = p[0] - q[0]
  const y = p[1] - q[1]
  const z = p[2] - q[2]
  return Math.sqrt(x * x + y * y + z * z)
}

/** A world point in the space of a body; so far off that this overflows it is no anchor. */
export function anchorAt(where: string, bodies: BodyColumns, i: number, point: unknown): Triple {
  const given = finiteVector(where, point, 3)
  return near(where, pointInBody(bodies, i, given), given)
}

/** A point of body `from`, seen from body `to`. */
function across(where: string, bodies: BodyColumns, from: number, anchor: Triple, to: number): Triple {
  return near(where, pointInBody(bodies, to, pointInWorld(bodies, from, anchor)), anchor)
}

function near(where: string, seen: Triple, given: ArrayLike<number>): Triple {
  if (seen.every(Number.isFinite)) return seen
  throw new RangeError(`${where} must be near enough, got [${Array.from(given).join(', ')}]`)
}

/** Unit axes from `axis`, or from what is given of the two, each missing one along the other. */
export function resolveAxes(where: string, def: AxisDef, bodies: BodyColumns): { axisA: Triple; axisB: Triple } {
  const [a, b] = pairRows(def)
  const axisA = def.axisA === undefined ? undefined : unitVector(`${where}: axisA`, def.axisA)
  const axisB = def.axisB === undefined ? undefined : unitVector(`${where}: axisB`, def.axisB)
  if (def.axis !== undefined) {
    const axis = unitVector(`${where}: axis`, def.axis)
    return { axisA: directionInBody(bodies, a, axis), axisB: directionInBody(bodies, b, axis) }
  }
  if (axisA === undefined && axisB === undefined) {
    throw new TypeError(`${where}: axis, axisA or axisB must be given, got none`)
  }
  return {
    axisA: axisA ?? directionInBody(bodies, a, directionInWorld(bodies, b, axisB as Triple)),
    axisB: axisB ?? directionInBody(bodies, b, directionInWorld(bodies, a, axisA as Triple)),
  }
}

/** The orientation of `b` as seen from `a`: q̄_a q_b. */
export function relativeOrientation(bodies: BodyColumns, a: number, b: number): Quadruple {
  const q = bodies.orientation
  return multiply(conjugate(quadruple(q, 4 * a)), quadruple(q, 4 * b))
}

/** A body-space rotation given in a definition, normalised. */
export function resolveFrame(where: string, frame: ReadonlyQuat): Quadruple {
  return unitQuaternion(where, frame)
}

export function multiply(p: ArrayLike<number>, q: ArrayLike<number>): Quadruple {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ]
}

export function conjugate(q: ArrayLike<number>): Quadruple {
  return [-q[0], -q[1], -q[2], q[3]]
}

export function quadruple(q: ArrayLike<number>, o = 0): Quadruple {
  return [q[o], q[o + 1], q[o + 2], q[o + 3]]
}

export function triple(v: ArrayLike<number>): Triple {
  return [v[0], v[1], v[2]]
}
