/**
 * The mannequin's skin as an implicit surface: tapered limbs, ellipsoids and balls, each on a bone, melted into each other.
 *
 *   limb        distance to a cone with round ends, radii ra and rb (I. Quilez, "Round cone"), in space squeezed across `flat`
 *   ellipsoid   k₀ (k₀ − 1)/k₁, k₀ = |p/r|, k₁ = |p/r²| (first order)
 *   melt        min(a, b) − h² k/4, h = max(k − |a − b|, 0)/k (I. Quilez, quadratic smooth minimum)
 *
 * Shapes are told in the T-pose, in metres from the joint of their bone: x to the left, y up, z to the front, on the left side;
 * what is not on the middle line has its mirror image. `place` puts them where another pose has the bones.
 */

import type { Vector } from '../data/adult.js'
import { length, minus, mix, plus, type Quaternion, turned } from './vectors.js'

/** A cone with round ends, or an ellipsoid. */
export interface Shape {
  readonly bone: string
  /** Ends from the bone's joint, or the centre twice [m]. */
  readonly from: Vector
  readonly to: Vector
  /** At the ends [m]; of an ellipsoid along x, y, z. */
  readonly radii: readonly number[]
  /** Factor on the thickness along one of the bone's axes. */
  readonly flat?: { readonly axis: 0 | 1 | 2; readonly factor: number }
  /** How far it melts into the others [m]. */
  readonly melt: number
  /** Whether a point is counted to its bone by it: balls at joints are not asked. @defaultValue true */
  readonly owns?: boolean
}

const limb = (bone: string, from: Vector, to: Vector, ra: number, rb: number, melt = 0.03): Shape => ({
  bone,
  from,
  to,
  radii: [ra, rb],
  melt,
})
const flatLimb = (shape: Shape, axis: 0 | 1 | 2, factor: number): Shape => ({ ...shape, flat: { axis, factor } })
const ellipsoid = (bone: string, at: Vector, radii: Vector, melt = 0.03): Shape => ({
  bone,
  from: at,
  to: at,
  radii,
  melt,
})
const ball = (bone: string, at: Vector, r: number): Shape => ({ ...limb(bone, at, at, r, r, 0.015), owns: false })

/** On the middle line. */
const MIDDLE: readonly Shape[] = [
  flatLimb(limb('hips', [-0.072, -0.012, 0], [0.072, -0.012, 0], 0.108, 0.108, 0.05), 2, 0.9),
  flatLimb(limb('spine', [-0.036, -0.04, 0.008], [0.036, -0.04, 0.008], 0.108, 0.108, 0.06), 2, 0.88),
  flatLimb(limb('spine', [-0.034, 0.08, 0.012], [0.034, 0.08, 0.012], 0.102, 0.102, 0.06), 2, 0.88),
  ellipsoid('chest', [0, 0.03, 0.022], [0.168, 0.185, 0.116], 0.05),
  flatLimb(limb('chest', [-0.09, 0.125, 0.006], [0.09, 0.125, 0.006], 0.082, 0.082, 0.05), 2, 0.95),
  limb('neck', [0, -0.06, 0.012], [0, 0.07, 0.022], 0.062, 0.05, 0.035),
  ellipsoid('head', [0, 0.07, 0.012], [0.073, 0.1, 0.092], 0.03),
  limb('head', [0, -0.005, 0.052], [0, 0.04, 0.05], 0.042, 0.055, 0.045),
]

/** On the left; lengths of the limbs as the mean man has them. */
const LEFT: readonly Shape[] = [
  ellipsoid('hips', [0.078, -0.055, -0.045], [0.082, 0.09, 0.085], 0.05),
  flatLimb(limb('chest', [0.05, 0.075, 0.075], [0.1, 0.09, 0.06], 0.06, 0.056, 0.04), 1, 1),
  limb('Shoulder', [-0.01, 0.02, -0.025], [0.135, -0.002, -0.014], 0.062, 0.056, 0.045),
  ball('UpperArm', [0.006, 0, 0], 0.066),
  limb('UpperArm', [0.012, 0, 0], [0.12, 0, 0.004], 0.06, 0.051, 0.02),
  limb('UpperArm', [0.12, 0, 0.004], [0.272, 0, 0], 0.051, 0.038, 0.02),
  ball('LowerArm', [0, 0, -0.003], 0.042),
  limb('LowerArm', [0.012, 0, 0], [0.085, 0, 0.004], 0.04, 0.044, 0.02),
  limb('LowerArm', [0.085, 0, 0.004], [0.258, 0, 0], 0.044, 0.027, 0.02),
  ball('Hand', [0, 0, 0], 0.0295),
  flatLimb(limb('Hand', [0.03, -0.002, 0.004], [0.085, -0.004, 0.002], 0.034, 0.043, 0.02), 1, 0.52),
  flatLimb(limb('Hand', [0.09, -0.004, 0.002], [0.16, -0.009, 0], 0.041, 0.027, 0.02), 1, 0.5),
  limb('Hand', [0.03, -0.008, 0.028], [0.088, -0.014, 0.064], 0.017, 0.013, 0.018),
  ball('UpperLeg', [0.012, 0, 0.004], 0.1),
  limb('UpperLeg', [0.008, -0.02, 0], [0.004, -0.16, 0.008], 0.088, 0.083, 0.04),
  limb('UpperLeg', [0.004, -0.16, 0.008], [0, -0.41, 0.006], 0.083, 0.055, 0.03),
  ball('LowerLeg', [0, 0, 0.004], 0.059),
  limb('LowerLeg', [0, -0.012, 0], [0, -0.13, -0.018], 0.052, 0.058, 0.03),
  limb('LowerLeg', [0, -0.13, -0.018], [0, -0.425, -0.016], 0.058, 0.034, 0.03),
  ball('Foot', [0, 0, -0.002], 0.039),
  limb('Foot', [0, -0.03, -0.036], [0, -0.026, 0.01], 0.036, 0.04, 0.03),
  limb('Foot', [0, -0.008, 0.012], [0.004, -0.036, 0.105], 0.04, 0.034, 0.03),
  flatLimb(limb('Foot', [-0.014, -0.042, 0.1], [0.018, -0.042, 0.09], 0.034, 0.034, 0.03), 1, 0.9),
  flatLimb(limb('Toes', [-0.01, -0.006, 0.012], [-0.006, -0.01, 0.044], 0.037, 0.031, 0.02), 1, 0.72),
  flatLimb(limb('Toes', [0.016, -0.008, 0.005], [0.018, -0.011, 0.03], 0.03, 0.028, 0.02), 1, 0.7),
]

/** Steps on the way to the surface, and how close is there [m]. */
const PROJECTIONS = 12
const CLOSE = 1e-6
/** Of the soles' edge [m]. */
const SOLE_EDGE = 0.012

/** How far the sides melt into the middle, and thigh into thigh [m]. */
const SIDES_MELT = 0.04
const LEGS_MELT = 0.02

const MIDLINE_BONES = ['hips', 'spine', 'chest', 'neck', 'head']

/** All shapes, those on the right mirrored. */
export function shapes(): Shape[] {
  const sided = (shape: Shape, side: 'left' | 'right'): Shape => {
    const flip = ([x, y, z]: Vector): Vector => (side === 'left' ? [x, y, z] : [-x, y, z])
    const bone = MIDLINE_BONES.includes(shape.bone) ? shape.bone : side + shape.bone
    return { ...shape, bone, from: flip(shape.from), to: flip(shape.to) }
  }
  return [...MIDDLE, ...LEFT.map((shape) => sided(shape, 'left')), ...LEFT.map((shape) => sided(shape, 'right'))]
}

/** Where a bone is. */
export interface Placed {
  readonly position: Vector
  readonly rotation: Quaternion
}

/** The signed distance from a point to one shape [m], in its bone's space. */
function distanceTo({ from, to, radii, flat }: Shape, p: Vector): number {
  if (radii.length === 3) {
    const d = minus(p, from)
    const k0 = length([d[0] / radii[0], d[1] / radii[1], d[2] / radii[2]])
    const k1 = length([d[0] / (radii[0] * radii[0]), d[1] / (radii[1] * radii[1]), d[2] / (radii[2] * radii[2])])
    return k1 === 0 ? -Math.min(...radii) : (k0 * (k0 - 1)) / k1
  }
  if (flat === undefined) return roundCone(p, from, to, radii[0], radii[1])
  const squeeze = (v: Vector): Vector => {
    const out: [number, number, number] = [...v]
    out[flat.axis] = from[flat.axis] + (v[flat.axis] - from[flat.axis]) / flat.factor
    return out
  }
  return Math.min(flat.factor, 1) * roundCone(squeeze(p), from, squeeze(to), radii[0], radii[1])
}

function roundCone(p: Vector, a: Vector, b: Vector, ra: number, rb: number): number {
  const [ax, ay, az] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const [px, py, pz] = [p[0] - a[0], p[1] - a[1], p[2] - a[2]]
  const l2 = ax * ax + ay * ay + az * az
  if (l2 < 1e-12) return Math.sqrt(px * px + py * py + pz * pz) - ra
  const rr = ra - rb
  const a2 = l2 - rr * rr
  const y = px * ax + py * ay + pz * az
  const z = y - l2
  const [cx, cy, cz] = [px * l2 - ax * y, py * l2 - ay * y, pz * l2 - az * y]
  const x2 = cx * cx + cy * cy + cz * cz
  const k = Math.sign(rr) * rr * rr * x2
  if (Math.sign(z) * a2 * z * z * l2 > k) return Math.sqrt(x2 + z * z * l2) / l2 - rb
  if (Math.sign(y) * a2 * y * y * l2 < k) return Math.sqrt(x2 + y * y * l2) / l2 - ra
  return (Math.sqrt((x2 * a2) / l2) + y * rr) / l2 - ra
}

/** The smaller of two distances, rounded off where they differ by less than `k`. */
function melt(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0) / k
  return (a < b ? a : b) - 0.25 * h * h * k
}

/** The skin with its bones in some pose. */
export class Surface {
  private readonly list: readonly Shape[] = shapes()
  private readonly places: readonly Placed[]
  /** Axes of the bone of each shape. */
  private readonly axes: readonly (readonly Vector[])[]
  /** A ball about each shape. */
  private readonly centres: readonly Vector[]
  private readonly bounds: readonly number[]

  private readonly sole: number

  /** `sole` is the height at which the soles are flat [m]. */
  constructor(place: (bone: string) => Placed, sole: number) {
    this.sole = sole
    this.places = this.list.map(({ bone }) => place(bone))
    this.axes = this.places.map(({ rotation }) => [
      turned(rotation, [1, 0, 0]),
      turned(rotation, [0, 1, 0]),
      turned(rotation, [0, 0, 1]),
    ])
    this.centres = this.list.map(({ from, to }, i) => out(this.places[i], mix(from, to, 0.5)))
    this.bounds = this.list.map(({ from, to, radii }) => 0.5 * length(minus(to, from)) + Math.max(...radii))
  }

  /** The signed distance [m], negative within; not quite to scale where shapes melt. The same on both sides of the middle plane. */
  distance(p: Vector): number {
    const left = this.melted(p, MIDDLE.length, MIDDLE.length + LEFT.length)
    const right = this.melted(p, MIDDLE.length + LEFT.length, this.list.length)
    const skin = melt(this.melted(p, 0, MIDDLE.length), melt(left, right, LEGS_MELT), SIDES_MELT)
    // Nothing is below the soles, whose edge is round.
    return -melt(-skin, p[1] - this.sole, SOLE_EDGE)
  }

  /** Of the shapes from one to before another, melted in their order. */
  private melted(p: Vector, from: number, to: number): number {
    let nearest = Infinity
    for (let i = from; i < to; i++) {
      const shape = this.list[i]
      const c = this.centres[i]
      const [x, y, z] = [p[0] - c[0], p[1] - c[1], p[2] - c[2]]
      // Too far off to have a say, by half the distance to the ball about it: what is flat counts less than its distance.
      if (0.5 * (Math.sqrt(x * x + y * y + z * z) - this.bounds[i]) > nearest + shape.melt) continue
      nearest = melt(nearest, distanceTo(shape, this.within(i, p)), shape.melt)
    }
    return nearest
  }

  /** The gradient of the distance, of unit length. */
  normal([x, y, z]: Vector): Vector {
    const e = 1e-4
    const g: Vector = [
      this.distance([x + e, y, z]) - this.distance([x - e, y, z]),
      this.distance([x, y + e, z]) - this.distance([x, y - e, z]),
      this.distance([x, y, z + e]) - this.distance([x, y, z - e]),
    ]
    const size = length(g)
    return size === 0 ? [0, 1, 0] : [g[0] / size, g[1] / size, g[2] / size]
  }

  /** The point of the surface that is reached along the gradient. */
  project(p: Vector): Vector {
    let at = p
    for (let k = 0; k < PROJECTIONS; k++) {
      const d = this.distance(at)
      if (Math.abs(d) < CLOSE) break
      const n = this.normal(at)
      at = [at[0] - d * n[0], at[1] - d * n[1], at[2] - d * n[2]]
    }
    return at
  }

  /** The bone whose shapes are nearest, and how thick it is there [m]. */
  owner(p: Vector): { bone: string; thickness: number } {
    let [nearest, bone, thickness] = [Infinity, '', 0]
    this.list.forEach((shape, i) => {
      if (shape.owns === false) return
      const d = distanceTo(shape, this.within(i, p))
      if (d >= nearest) return
      nearest = d
      bone = shape.bone
      thickness = Math.max(...shape.radii)
    })
    return { bone, thickness }
  }

  /** A point in the space of the bone of shape `i`. */
  private within(i: number, p: Vector): Vector {
    const { position } = this.places[i]
    const [u, v, w] = this.axes[i]
    const [x, y, z] = [p[0] - position[0], p[1] - position[1], p[2] - position[2]]
    return [x * u[0] + y * u[1] + z * u[2], x * v[0] + y * v[1] + z * v[2], x * w[0] + y * w[1] + z * w[2]]
  }
}

/** Where a point of a bone is. */
export function out({ position, rotation }: Placed, p: Vector): Vector {
  return plus(position, turned(rotation, p))
}
