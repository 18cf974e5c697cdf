/**
 * How deep bodies are in each other, from their poses alone: the same judge for every engine, and none of their code.
 *
 *   depth = min over unit n of  h_A(n) + h_B(−n),      h(n) = max n·x over the shape, the support function
 *
 * which is below 0 where n separates them. The minimum is searched from normals of faces, the line of centres and an even
 * spread of directions, then downhill in shrinking steps: an upper bound of the depth, good to some micrometres.
 */

import type { Triple } from '../../examples/scenes/contacts/layouts.js'
import { convexFaces } from './convex-faces.js'
import type { SceneData, ShapeData } from './data.js'

/** Directions of the first look, and how many of the best are followed. */
const SPREAD = 64
const FOLLOWED = 3
/** Steps of the descent [rad]: first and last. */
const WIDEST = 0.3
const FINEST = 1e-6

interface Placed {
  readonly shape: ShapeData
  /** Centre, and the rotation matrix row by row. */
  readonly t: Float64Array
  readonly r: Float64Array
  readonly reach: number
  /** Normals worth trying first, in world space. */
  readonly normals: readonly Triple[]
}

/** Deepest overlap of two bodies or of a body and what stands still [m]; 0 when nothing overlaps. NaN when a pose is not finite. */
export function penetrationOf(scene: SceneData, poses: readonly Float64Array[]): number {
  if (!poses.every((pose) => pose.every(Number.isFinite))) return NaN
  const bodies = scene.bodies.map(({ shape }, i) => placed(shape, poses[i]))
  const fixed = scene.fixed.map(({ halfExtents, position }) =>
    placed({ kind: 'box', halfExtents }, Float64Array.of(...position, 0, 0, 0, 1)),
  )
  let deepest = 0
  bodies.forEach((a, i) => {
    for (const b of fixed) deepest = Math.max(deepest, depthOf(a, b, deepest))
    for (let j = 0; j < i; j++) {
      const b = bodies[j]
      if (passes(scene, i, j)) continue
      const apart = Math.hypot(a.t[0] - b.t[0], a.t[1] - b.t[1], a.t[2] - b.t[2])
      if (apart < a.reach + b.reach) deepest = Math.max(deepest, depthOf(a, b, deepest))
    }
  })
  return deepest
}

/** Whether two bodies are parts of a figure that pass through each other. */
function passes({ bodies, apart }: SceneData, i: number, j: number): boolean {
  const [a, b] = [bodies[i], bodies[j]]
  if (a.figure === undefined || a.figure !== b.figure) return false
  return apart.some(([p, q]) => (p === a.part && q === b.part) || (p === b.part && q === a.part))
}

/** Depth, or anything not above `known` when it is not above it. */
function depthOf(a: Placed, b: Placed, known: number): number {
  const between: Triple = [b.t[0] - a.t[0], b.t[1] - a.t[1], b.t[2] - a.t[2]]
  const starts = [between, ...a.normals, ...b.normals.map(opposite), ...DIRECTIONS]
    .filter((n) => Math.hypot(...n) > 0)
    .map((n) => along(a, b, n))
    .sort((p, q) => p.depth - q.depth)
    .slice(0, FOLLOWED)
  let least = starts[0].depth
  for (const start of starts) {
    if (least <= known) return least
    least = Math.min(least, descend(a, b, start))
  }
  return least
}

interface Tried {
  readonly n: Triple
  readonly depth: number
}

function along(a: Placed, b: Placed, direction: Triple): Tried {
  const length = Math.hypot(...direction)
  const n = direction.map((x) => x / length) as Triple
  return { n, depth: support(a, n) + support(b, opposite(n)) }
}

function descend(a: Placed, b: Placed, start: Tried): number {
  let best = start
  for (let size = WIDEST; size > FINEST; size *= 0.5) {
    for (let k = 0; k < 24; k++) {
      const [x, y, z] = DIRECTIONS[(7 * k) % SPREAD]
      const tried = along(a, b, [best.n[0] + size * x, best.n[1] + size * y, best.n[2] + size * z])
      if (tried.depth < best.depth) best = tried
    }
  }
  return best.depth
}

/** max n·x over a shape in its place. */
function support({ shape, t, r }: Placed, n: Triple): number {
  const x = r[0] * n[0] + r[3] * n[1] + r[6] * n[2]
  const y = r[1] * n[0] + r[4] * n[1] + r[7] * n[2]
  const z = r[2] * n[0] + r[5] * n[1] + r[8] * n[2]
  return t[0] * n[0] + t[1] * n[1] + t[2] * n[2] + localSupport(shape, x, y, z)
}

function localSupport(shape: ShapeData, x: number, y: number, z: number): number {
  switch (shape.kind) {
    case 'sphere':
      return shape.radius
    case 'capsule':
      return shape.radius + shape.halfHeight * Math.abs(y)
    case 'box': {
      const [hx, hy, hz] = shape.halfExtents
      return hx * Math.abs(x) + hy * Math.abs(y) + hz * Math.abs(z)
    }
    case 'cylinder':
      return shape.radius * Math.sqrt(x * x + z * z) + shape.halfHeight * Math.abs(y)
    case 'hull':
      return shape.points.reduce((most, [px, py, pz]) => Math.max(most, px * x + py * y + pz * z), -Infinity)
  }
}

function placed(shape: ShapeData, pose: Float64Array): Placed {
  const [x, y, z, w] = unit(pose.subarray(3, 7))
  const r = Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  )
  const turned = ([a, b, c]: Triple): Triple => [
    r[0] * a + r[1] * b + r[2] * c,
    r[3] * a + r[4] * b + r[5] * c,
    r[6] * a + r[7] * b + r[8] * c,
  ]
  return { shape, t: pose.slice(0, 3), r, reach: reachOf(shape), normals: localNormals(shape).map(turned) }
}

function unit(q: Float64Array): Float64Array {
  const length = Math.hypot(...q)
  return q.map((part) => part / length)
}

function reachOf(shape: ShapeData): number {
  switch (shape.kind) {
    case 'sphere':
      return shape.radius
    case 'capsule':
      return shape.radius + shape.halfHeight
    case 'box':
      return Math.hypot(...shape.halfExtents)
    case 'cylinder':
      return Math.hypot(shape.radius, shape.halfHeight)
    case 'hull':
      return Math.max(...shape.points.map((point) => Math.hypot(...point)))
  }
}

const AXES: readonly Triple[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
]

function localNormals(shape: ShapeData): readonly Triple[] {
  if (shape.kind === 'box') return AXES
  if (shape.kind === 'cylinder') return AXES.slice(2, 4)
  if (shape.kind !== 'hull') return []
  return convexFaces(shape.points).map(([i, j, k]) => {
    const [p, q, s] = [shape.points[i], shape.points[j], shape.points[k]]
    const u = [q[0] - p[0], q[1] - p[1], q[2] - p[2]]
    const v = [s[0] - p[0], s[1] - p[1], s[2] - p[2]]
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
  })
}

function opposite([x, y, z]: Triple): Triple {
  return [-x, -y, -z]
}

/** Points of a spiral on the unit sphere, evenly spread (Saff and Kuijlaars 1997). */
const DIRECTIONS: readonly Triple[] = Array.from({ length: SPREAD }, (_, k) => {
  const y = 1 - (2 * k + 1) / SPREAD
  const angle = k * Math.PI * (3 - Math.sqrt(5))
  const radius = Math.sqrt(1 - y * y)
  return [radius * Math.cos(angle), y, radius * Math.sin(angle)]
})
