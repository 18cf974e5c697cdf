/**
 * What a joint of a skeleton is: which of a bone's motions against its parent are free, and how far. The fields are those of
 * the dynamic joints of `@tautline/constraints`, so that one definition serves both.
 *
 * A joint sits at its bone's origin. Its frame is given in the bone's own space, at rest: x is the twist axis of a ball, the
 * axis of a hinge and of a slider, and a universal joint's axis on the parent; z is a universal joint's axis on the bone.
 */

import {
  finite,
  finiteVector,
  frameX,
  frameZ,
  nonNegative,
  oneOf,
  unitQuaternion,
  unitVector,
  knownFields,
  object,
} from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'

/** A range [rad or m], counted from the rest pose, which need not be in it; `min` must be <= `max`. */
export interface RangeDef {
  /** Least value [rad] or [m]. @defaultValue -Infinity */
  min?: number
  /** Largest value [rad] or [m]. @defaultValue Infinity */
  max?: number
}

/** Fields of every joint. */
export interface AnyJointDef {
  /** How little it likes to move, against its neighbours: its share of the metric is multiplied by 1 + stiffness. @defaultValue 0 */
  stiffness?: number
}

/** Free in three directions: swing and twist within limits, as `swingTwist`. */
export interface BallJointDef extends AnyJointDef {
  /** Tells the joints apart. */
  kind: 'ball'
  /** Twist axis in the bone's space. @defaultValue along the bone */
  axis?: ReadonlyVec3
  /** Joint frame in the bone's space [x, y, z, w], x the twist axis; wins over `axis`. @defaultValue by `axis` */
  frame?: ReadonlyQuat
  /** Ranges of the swing about the y and z axes of the joint's frame [rad]. @defaultValue open */
  swing?: { y?: RangeDef; z?: RangeDef }
  /** `cone`: an ellipse through the four limits, which must be finite and include 0. @defaultValue 'pyramid' */
  swingShape?: 'pyramid' | 'cone'
  /** Range of the twist [rad]. @defaultValue open */
  twist?: RangeDef
  /** Rotation [x, y, z, w] from rest that it prefers. @defaultValue none */
  preferred?: ReadonlyQuat
}

/** Free about one axis, as `hinge`. */
export interface HingeJointDef extends AnyJointDef {
  /** Tells the joints apart. */
  kind: 'hinge'
  /** In the bone's space at rest, which is the same before and after it turns. */
  axis: ReadonlyVec3
  /** [rad] from rest, counter-clockwise about the axis. @defaultValue open */
  limits?: RangeDef
  /** Angle that it prefers [rad], within its limits. @defaultValue the nearest to 0 in its limits */
  preferred?: number
}

/** Free about an axis on the parent and one on the bone, at right angles, as `universal`. */
export interface UniversalJointDef extends AnyJointDef {
  /** Tells the joints apart. */
  kind: 'universal'
  /** The one that stays with the parent, in the bone's space at rest. */
  axisA: ReadonlyVec3
  /** The one that stays with the bone, in its space; at right angles to `axisA`. */
  axisB: ReadonlyVec3
  /** [rad] about `axisA` from rest. @defaultValue open */
  limitsA?: RangeDef
  /** [rad] about `axisB` from rest. @defaultValue open */
  limitsB?: RangeDef
}

/** Free along one axis, as `slider`. */
export interface SliderJointDef extends AnyJointDef {
  /** Tells the joints apart. */
  kind: 'slider'
  /** In the bone's space at rest. */
  axis: ReadonlyVec3
  /** [m] from rest. @defaultValue open */
  limits?: RangeDef
  /** Way that it prefers [m], within its limits. @defaultValue the nearest to 0 in its limits */
  preferred?: number
}

/** Does not move against its parent. */
export interface LockedJointDef extends AnyJointDef {
  /** Tells the joints apart. */
  kind: 'locked'
}

/** Any joint. */
export type JointDef = BallJointDef | HingeJointDef | UniversalJointDef | SliderJointDef | LockedJointDef

export const LOCKED = 0
export const BALL = 1
export const HINGE = 2
export const UNIVERSAL = 3
export const SLIDER = 4
export const FREE = 5

/** How many coordinates each kind has. */
export const FREEDOMS: readonly number[] = [0, 3, 1, 2, 1, 6]

/** A joint as the solver reads it. */
export interface Joint {
  readonly kind: number
  /** Joint frame in the bone's space, and its x and z axes there. */
  readonly frame: Float64Array
  readonly axes: Float64Array
  /** Bounds [min, max]: of hinge and slider; of α, β; of swing y, swing z, twist. */
  readonly limits: Float64Array
  readonly isCone: boolean
  readonly stiffness: number
  /** Preferred coordinate: of hinge and slider; a rotation from rest of a ball. */
  readonly preferred: Float64Array
}

/** Names of the fields of each kind, besides those of every joint. */
const FIELDS: Readonly<Record<JointDef['kind'], readonly string[]>> = {
  ball: ['axis', 'frame', 'swing', 'swingShape', 'twist', 'preferred'],
  hinge: ['axis', 'limits', 'preferred'],
  universal: ['axisA', 'axisB', 'limitsA', 'limitsB'],
  slider: ['axis', 'limits', 'preferred'],
  locked: [],
}

/** Checks a definition for the bone named in `where`; `along` is the bone's own direction. Throws `TypeError`/`RangeError`. */
export function resolveJoint(where: string, def: JointDef, along: ReadonlyVec3): Joint {
  object(`${where}: joint`, def)
  oneOf(`${where}: kind`, def.kind, ['ball', 'hinge', 'universal', 'slider', 'locked'])
  knownFields(`${where}: ${def.kind}`, def, ['kind', 'stiffness', ...FIELDS[def.kind]])
  const stiffness = nonNegative(`${where}: stiffness`, def.stiffness ?? 0)
  if (def.kind === 'locked') return joint(LOCKED, [0, 0, 0, 1], [], false, stiffness, [])
  if (def.kind === 'ball') return resolveBall(where, def, along, stiffness)
  if (def.kind === 'universal') return resolveUniversal(where, def, stiffness)
  const frame = frameAlong(unitVector(`${where}: axis`, def.axis))
  const limits = range(`${where}: limits`, def.limits)
  const preferred = finite(`${where}: preferred`, def.preferred ?? Math.min(Math.max(0, limits[0]), limits[1]))
  if (preferred < limits[0] || preferred > limits[1]) {
    throw new RangeError(`${where}: preferred must be within its limits, got ${preferred}`)
  }
  return joint(def.kind === 'hinge' ? HINGE : SLIDER, frame, limits, false, stiffness, [preferred])
}

function resolveBall(where: string, def: BallJointDef, along: ReadonlyVec3, stiffness: number): Joint {
  const frame =
    def.frame !== undefined
      ? unitQuaternion(`${where}: frame`, def.frame)
      : frameAlong(unitVector(`${where}: axis`, def.axis ?? along))
  const shape = oneOf(`${where}: swingShape`, def.swingShape ?? 'pyramid', ['pyramid', 'cone'])
  if (def.swing !== undefined) knownFields(`${where}: swing`, def.swing, ['y', 'z'])
  const y = range(`${where}: swing.y`, def.swing?.y)
  const z = range(`${where}: swing.z`, def.swing?.z)
  const twist = range(`${where}: twist`, def.twist)
  const bounds = [...y, ...z]
  if (shape === 'cone') {
    for (const bound of bounds) finite(`${where}: swing of a cone`, bound)
    if (y[0] > 0 || y[1] < 0 || z[0] > 0 || z[1] < 0) {
      throw new RangeError(`${where}: swing of a cone must include 0, got ${bounds.join(', ')}`)
    }
  }
  const preferred = unitQuaternion(`${where}: preferred`, def.preferred ?? [0, 0, 0, 1])
  return joint(BALL, frame, [...bounds, ...twist], shape === 'cone', stiffness, preferred)
}

function resolveUniversal(where: string, def: UniversalJointDef, stiffness: number): Joint {
  const a = unitVector(`${where}: axisA`, def.axisA)
  const b = unitVector(`${where}: axisB`, def.axisB)
  const along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
  if (Math.abs(along) > PERPENDICULAR)
    throw new RangeError(`${where}: axisB must be at right angles to axisA, got ${along} along it`)
  const limits = [...range(`${where}: limitsA`, def.limitsA), ...range(`${where}: limitsB`, def.limitsB)]
  return joint(UNIVERSAL, frameOf(a, b), limits, false, stiffness, [])
}

/** Cosine between axes that count as perpendicular. */
const PERPENDICULAR = 1e-6

function joint(
  kind: number,
  frame: ArrayLike<number>,
  limits: readonly number[],
  isCone: boolean,
  stiffness: number,
  preferred: ArrayLike<number>,
): Joint {
  const q = Float64Array.from(frame)
  const axes = new Float64Array(6)
  frameX(q, 0, axes, 0)
  frameZ(q, 0, axes, 3)
  return {
    kind,
    frame: q,
    axes,
    limits: Float64Array.from(limits),
    isCone,
    stiffness,
    preferred: Float64Array.from(preferred),
  }
}

function range(where: string, def: RangeDef | undefined): [number, number] {
  if (def !== undefined) knownFields(where, def, ['min', 'max'])
  const min = def?.min ?? -Infinity
  const max = def?.max ?? Infinity
  if (min !== -Infinity) finite(`${where}.min`, min)
  if (max !== Infinity) finite(`${where}.max`, max)
  if (min > max) throw new RangeError(`${where}: min must be <= max, got min ${min} and max ${max}`)
  return [min, max]
}

/** The shortest rotation of x̂ onto a unit vector. */
export function frameAlong(n: ArrayLike<number>): [number, number, number, number] {
  // Opposite to x̂: half a turn about ẑ.
  if (n[0] < -1 + 1e-12) return [0, 0, 1, 0]
  const w = Math.sqrt(0.5 * (1 + n[0]))
  return [0, -n[2] / (2 * w), n[1] / (2 * w), w]
}

/** The rotation whose x axis is `x` and whose z axis is `z`, unit vectors at right angles. */
function frameOf(x: ArrayLike<number>, z: ArrayLike<number>): [number, number, number, number] {
  const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]]
  // Four times the squares of w, x, y, z; the largest is safe to divide by.
  const squares = [1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2]]
  const best = squares.indexOf(Math.max(...squares))
  const s = 0.5 / Math.sqrt(squares[best])
  const [a, b, c] = [s * (y[2] - z[1]), s * (z[0] - x[2]), s * (x[1] - y[0])]
  const [d, e, f] = [s * (x[1] + y[0]), s * (x[2] + z[0]), s * (y[2] + z[1])]
  const own = s * squares[best]
  if (best === 0) return [a, b, c, own]
  if (best === 1) return [own, d, e, a]
  if (best === 2) return [d, own, f, b]
  return [e, f, own, c]
}

/** Components of a vector given by a user. */
export function triple(where: string, value: unknown): [number, number, number] {
  const v = finiteVector(where, value, 3)
  return [v[0], v[1], v[2]]
}
