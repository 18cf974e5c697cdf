/**
 * How near a pose is to others, but for where it is and how it is turned about the vertical.
 *
 * A part is its centre of mass x and three points at a radius ρ along its axes u: with masses m, and the turn R about the vertical that fits best,
 *
 *   d² = Σ m (|R a − b|² + ρ² Σ |R u_a − u_b|²) / Σ m,   a, b: centres of mass from that of the whole
 *
 * R is closed form: of Σ m a·(R b) only its horizontal part varies, A cos θ + B sin θ (B. K. P. Horn 1987, for one angle).
 */

import { rotateVector } from '@tautline/core/kernel'
import type { RagdollAsset } from '../data.js'
import type { PartPlaces } from '../validate.js'

/** What is compared of a pose: twelve numbers a part (its centre, its axes by ρ), from the centre of mass of the whole. */
export interface PoseShape {
  readonly points: Float64Array
  readonly centre: Float64Array
}

/** A fit of one shape to another. */
export interface Fit {
  /** Distance of the two [m]: a root of a mean of squares. */
  readonly distance: number
  /** Cosine and sine of the turn about y that brings the first to the second. */
  readonly cos: number
  readonly sin: number
}

const POINTS = 12
/** Radius at which turns of parts count, by the mean distance of parts from the middle of the figure. */
const RADIUS = 0.35

const v = /* @__PURE__ */ new Float64Array(3)

/** Radius at which turns of a figure's parts count [m]. */
export function turnRadius(asset: RagdollAsset, rest: PartPlaces): number {
  const { points } = shapeOf(asset, rest, 0)
  let [sum, mass] = [0, 0]
  asset.parts.forEach(({ matter }, part) => {
    const o = POINTS * part
    const [x, y, z] = [points[o], points[o + 1], points[o + 2]]
    sum += matter.mass * Math.sqrt(x * x + y * y + z * z)
    mass += matter.mass
  })
  return (RADIUS * sum) / mass
}

/** The shape of a pose, y up. */
export function shapeOf(
  { parts, mass }: RagdollAsset,
  { positions, rotations }: PartPlaces,
  radius: number,
): PoseShape {
  const points = new Float64Array(POINTS * parts.length)
  const centre = new Float64Array(3)
  parts.forEach(({ matter }, part) => {
    const [o, q] = [POINTS * part, 4 * part]
    const [x, y, z] = matter.centre
    rotateVector(rotations, q, x, y, z, points, o)
    for (let k = 0; k < 3; k++) {
      points[o + k] += positions[3 * part + k]
      centre[k] += (matter.mass / mass) * points[o + k]
      rotateVector(rotations, q, k === 0 ? radius : 0, k === 1 ? radius : 0, k === 2 ? radius : 0, v, 0)
      points.set(v, o + 3 * (k + 1))
    }
  })
  for (let o = 0; o < points.length; o += POINTS) for (let k = 0; k < 3; k++) points[o + k] -= centre[k]
  return { points, centre }
}

/** Turns the first shape about y as near to the second as it gets. */
export function fitShape({ parts, mass }: RagdollAsset, from: PoseShape, to: PoseShape): Fit {
  const [a, b] = [from.points, to.points]
  let [along, around, upright, squares] = [0, 0, 0, 0]
  for (let part = 0; part < parts.length; part++) {
    const m = parts[part].matter.mass / mass
    for (let o = POINTS * part; o < POINTS * (part + 1); o += 3) {
      along += m * (a[o] * b[o] + a[o + 2] * b[o + 2])
      around += m * (a[o + 2] * b[o] - a[o] * b[o + 2])
      upright += m * a[o + 1] * b[o + 1]
      for (let k = o; k < o + 3; k++) squares += m * (a[k] * a[k] + b[k] * b[k])
    }
  }
  const length = Math.sqrt(along * along + around * around)
  const distance = Math.sqrt(Math.max(0, squares - 2 * (length + upright)))
  return length > 0 ? { distance, cos: along / length, sin: around / length } : { distance, cos: 1, sin: 0 }
}

/** The turn about y of a cosine and a sine. */
export function rotationAboutY({ cos, sin }: Pick<Fit, 'cos' | 'sin'>): [number, number, number, number] {
  const half = Math.sqrt(Math.max(0, 0.5 * (1 - cos)))
  return [0, sin < 0 ? -half : half, 0, Math.sqrt(Math.max(0, 0.5 * (1 + cos)))]
}
