/**
 * Shapes of parts: fitted to the vertices that a part carries, else to its bone.
 *
 * A capsule lies along the bone; its line goes through the middle of the vertices across it, its radius holds three quarters of them. Boxes lie
 * along the bone too, and are turned about it to where vertices spread most. Single vertices that stand out, as of a sword in a hand, do not count.
 */

import { box, capsule, convexHull, type Shape, sphere, taperedCapsule } from '@tautline/collision'
import {
  across,
  cross,
  difference,
  direction,
  dot,
  frameOf,
  fromTo,
  NO_TURN,
  perpendicular,
  type Quat,
  scaled,
  size,
  sum,
  rotated,
  type Vec3,
} from './algebra.js'

/** Kinds of shapes that a part may have. */
export type PartShape = 'capsule' | 'taperedCapsule' | 'box' | 'hull' | 'sphere'

/** A shape and where it stands in the rigid frame of a bone. */
export interface Fitted {
  readonly shape: Shape
  readonly position: Vec3
  readonly turn: Quat
}

/** What a part is without vertices, in the rigid frame of its bone: a line with a radius, or a box. */
export interface Bare {
  readonly kind: 'capsule' | 'box'
  readonly from: Vec3
  readonly to: Vec3
  readonly radius: number
  /** Of a box: half sides along its axes, x along the line; `y` is where its second axis points. */
  readonly half?: Vec3
  readonly y?: Vec3
  /** Whether a box's second axis is `y` with a skin as well: soles lie level, however the skin bulges. */
  readonly level?: boolean
}

/** Share of vertices that a shape holds, along and across. */
const ALONG = 0.02
const HOLDS = 0.75
/** Fewest vertices that tell a shape. */
const FEWEST = 8
/** Least radius, as a share of the length. */
const THIN = 0.03

/** A shape for the vertices of a part, or by its bone where they are too few. */
export function fitPart(kind: PartShape, points: readonly Vec3[], bare: Bare): Fitted {
  return points.length < FEWEST ? bareShape(kind, bare) : skinShape(kind, points, bare)
}

/** A capsule's y axis is the line's. */
const Y_AXIS: Vec3 = [0, 1, 0]

function bareShape(kind: PartShape, bare: Bare): Fitted {
  const { from, to, radius } = bare
  const middle = scaled(sum(from, to), 0.5)
  const line = difference(to, from)
  const length = size(line)
  const along = direction(line) ?? Y_AXIS
  if (kind === 'sphere') return { shape: sphere(Math.max(radius, 0.5 * length)), position: middle, turn: [...NO_TURN] }
  if (kind === 'box' || kind === 'hull') {
    const half = bare.half ?? [0.5 * length, radius, radius]
    const turn = frameOf(along, bare.y ?? perpendicular(along))
    return { shape: box(half), position: middle, turn }
  }
  return capsuleOn(middle, along, length, radius)
}

/** A capsule whose ends, caps included, are `length` apart; a ball where that is too short. */
function capsuleOn(middle: Vec3, along: Vec3, length: number, radius: number): Fitted {
  const r = Math.max(radius, THIN * length)
  const half = 0.5 * length - r
  const turn = fromTo(Y_AXIS, along, [0, 0, 1])
  if (half < 1e-3 * r) return { shape: sphere(r), position: middle, turn }
  return { shape: capsule(r, half), position: middle, turn }
}

function skinShape(kind: PartShape, points: readonly Vec3[], bare: Bare): Fitted {
  if (kind === 'hull') return hullOf(points, bare)
  const along = direction(difference(bare.to, bare.from)) ?? Y_AXIS
  const centre = scaled(
    points.reduce((total, point) => sum(total, point), [0, 0, 0] as Vec3),
    1 / points.length,
  )
  const own = bare.level === true ? bare.y : undefined
  const frame = frameOf(along, own ?? spreadAcross(points, centre, along))
  const axes = [0, 1, 2].map((k) => rotated(frame, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]))
  const spans = axes.map((axis) => span(points.map((point) => dot(point, axis))))
  const middle = axes.reduce((total, axis, k) => sum(total, scaled(axis, 0.5 * (spans[k][0] + spans[k][1]))), [
    0, 0, 0,
  ] as Vec3)
  const half = spans.map(([least, most]) => Math.max(0.5 * (most - least), 1e-4)) as Vec3
  if (kind === 'box') return { shape: box(half), position: middle, turn: frame }
  if (kind === 'sphere')
    return {
      shape: sphere(
        quantile(
          points.map((p) => size(difference(p, middle))),
          HOLDS,
        ),
      ),
      position: middle,
      turn: frame,
    }
  const distances = points.map((point) => size(across(difference(point, middle), along)))
  const radius = Math.max(quantile(distances, HOLDS), THIN * half[0])
  if (kind === 'capsule') return capsuleOn(middle, along, 2 * half[0], radius)
  return taperedOn(points, middle, along, half[0], radius)
}

/** Radii of both halves apart. */
function taperedOn(points: readonly Vec3[], middle: Vec3, along: Vec3, half: number, radius: number): Fitted {
  const ends = [1, -1].map((side) => {
    const own = points.filter((point) => side * dot(difference(point, middle), along) > 0)
    if (own.length < FEWEST) return radius
    return Math.max(
      quantile(
        own.map((point) => size(across(difference(point, middle), along))),
        HOLDS,
      ),
      THIN * half,
    )
  })
  const [top, bottom] = ends
  const reach = half - 0.5 * (top + bottom)
  if (Math.abs(top - bottom) >= 1.8 * reach || reach <= 0) return capsuleOn(middle, along, 2 * half, radius)
  const position = sum(middle, scaled(along, 0.5 * (bottom - top)))
  return { shape: taperedCapsule(top, bottom, reach), position, turn: fromTo(Y_AXIS, along, [0, 0, 1]) }
}

function hullOf(points: readonly Vec3[], bare: Bare): Fitted {
  try {
    return { shape: convexHull(extremes(points).flat()), position: [0, 0, 0], turn: [...NO_TURN] }
  } catch {
    // Vertices in a plane or on a line have none.
    return skinShape('box', points, bare)
  }
}

/** The farthest vertices in the 26 directions of a cube's faces, edges and corners: a hull of more costs more in each contact. */
function extremes(points: readonly Vec3[]): Vec3[] {
  const found = new Set<Vec3>()
  for (let k = 0; k < 27; k++) {
    if (k === 13) continue
    const way: Vec3 = [(k % 3) - 1, (Math.floor(k / 3) % 3) - 1, Math.floor(k / 9) - 1]
    found.add(points.reduce((best, point) => (dot(point, way) > dot(best, way) ? point : best)))
  }
  return [...found]
}

/** The direction across an axis in which points spread most: of the larger eigenvalue of their second moments there. */
function spreadAcross(points: readonly Vec3[], centre: Vec3, along: Vec3): Vec3 {
  const u = perpendicular(along)
  const v = cross(along, u)
  let [a, b, c] = [0, 0, 0]
  for (const point of points) {
    const [p, q] = [dot(difference(point, centre), u), dot(difference(point, centre), v)]
    a += p * p
    b += p * q
    c += q * q
  }
  const root = Math.sqrt(0.25 * (a - c) * (a - c) + b * b)
  const most = 0.5 * (a + c) + root
  const way: Vec3 = Math.abs(b) > 1e-12 * most ? sum(scaled(u, b), scaled(v, most - a)) : a >= c ? u : v
  return direction(way) ?? u
}

/** From where to where values go, without the last few on both sides. */
function span(values: readonly number[]): [number, number] {
  return [quantile(values, ALONG), quantile(values, 1 - ALONG)]
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((r, s) => r - s)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))]
}
