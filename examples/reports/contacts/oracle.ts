/**
 * A slow and simple oracle for the narrow phase, written from support functions alone; it shares no code with it.
 *
 * Two convex sets A and B are s(n) = min_A n·x − max_B n·x apart along a unit n, and their signed distance is the largest
 * s(n) of all n. So
 *
 * - any n bounds it from below: the reported normal must attain the reported distance;
 * - a point of A and one of B bound it from above while they are apart. A round shape is a core with a ball of radius r around
 *   it, and the cores can be apart when the shapes overlap: the reported points, pushed back by r along n, must lie in the
 *   cores, and then the two bounds meet. This proves the distance, and nothing has to be searched;
 * - where the cores overlap, no n may be better. For polytopes the maximum lies at the normal of a face or across an edge of
 *   each: all are tried, none is pruned. For cylinders and cones the best of these and of many directions all around are
 *   climbed by a simplex search (Nelder and Mead 1965).
 */

import type { Shape } from '@tautline/collision'

export type Vector = [number, number, number]

/** A convex shape where it stands, in world axes: balls around points, or a cylinder; less its rounding. */
export interface Solid {
  kind: string
  /** Rounding radius [m] taken off: the same all around. */
  round: number
  /** Corners of the core, x, y, z and radius each. */
  balls: number[]
  /** Centre, axis, radius, half height. */
  cylinder: { c: Vector; y: Vector; r: number; h: number } | null
  /** Outward unit normals and offsets of the faces, n and d. */
  planes: number[]
  /** Directions of edges, and of the side of a cylinder or cone, with the height of its normals along them: 4 numbers. */
  lines: number[]
  /** The half space n·x <= d. */
  half: { n: Vector; d: number } | null
}

/** What is to be checked: distance, normal from b to a, a point of each. */
export interface Claim {
  distance: number
  normal: Vector
  pointA: Vector
  pointB: Vector
}

/** How far a claim is from the truth [m]. */
export interface Verdict {
  /** |s(n) − distance|. */
  attained: number
  /** By how much the distance is not the largest: too far apart for what the points prove, or beaten by a direction. */
  optimal: number
  /** How far the points are from the surfaces, and from lying `distance` n apart. */
  points: number
  /** The direction that beats the claim. */
  better?: Vector
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const add = (a: Vector, b: Vector, s = 1): Vector => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
const unit = (a: Vector): Vector => {
  const length = Math.hypot(...a)
  return [a[0] / length, a[1] / length, a[2] / length]
}

/** A shape at a transform of 12 numbers. */
export function solidOf(shape: Shape, T: ArrayLike<number>): Solid {
  const turn = (x: number, y: number, z: number): Vector => [
    T[3] * x + T[4] * y + T[5] * z,
    T[6] * x + T[7] * y + T[8] * z,
    T[9] * x + T[10] * y + T[11] * z,
  ]
  const place = (x: number, y: number, z: number): Vector => add(turn(x, y, z), [T[0], T[1], T[2]])
  const solid: Solid = {
    kind: shape.name,
    round: 0,
    balls: [],
    cylinder: null,
    planes: [],
    lines: [],
    half: null,
  }
  const p = shape.params
  const corner = (x: number, y: number, z: number, r = 0): void => void solid.balls.push(...place(x, y, z), r)
  switch (shape.name) {
    case 'sphere':
      corner(0, 0, 0)
      solid.round = p[0]
      break
    case 'capsule':
      corner(0, p[1], 0)
      corner(0, -p[1], 0)
      solid.round = p[0]
      solid.lines.push(...turn(0, 1, 0), 0)
      break
    case 'taperedCapsule':
      solid.round = Math.min(p[0], p[1])
      corner(0, p[2], 0, p[0] - solid.round)
      corner(0, -p[2], 0, p[1] - solid.round)
      solid.lines.push(...turn(0, 1, 0), (p[1] - p[0]) / (2 * p[2]))
      break
    case 'cylinder':
      solid.cylinder = { c: place(0, 0, 0), y: turn(0, 1, 0), r: p[0], h: p[1] }
      solid.lines.push(...turn(0, 1, 0), 0)
      for (const s of [1, -1]) solid.planes.push(...turn(0, s, 0), dot(turn(0, s, 0), place(0, s * p[1], 0)))
      break
    case 'plane': {
      const n = turn(p[0], p[1], p[2])
      solid.half = { n, d: p[3] + dot(n, [T[0], T[1], T[2]]) }
      break
    }
    case 'box':
      for (let k = 0; k < 8; k++) corner(k & 1 ? p[0] : -p[0], k & 2 ? p[1] : -p[1], k & 4 ? p[2] : -p[2])
      break
    case 'triangle':
      for (let k = 0; k < 9; k += 3) corner(p[k], p[k + 1], p[k + 2])
      break
    case 'convexHull': {
      const { vertices } = shape.hull!
      for (let k = 0; k < vertices.length; k += 3) corner(vertices[k], vertices[k + 1], vertices[k + 2])
      break
    }
    case 'compound':
    case 'heightfield':
    case 'triangleMesh':
    default:
      throw new RangeError(`oracle: a ${shape.name} is not convex`)
  }
  if (solid.balls.length > 8 && solid.round === 0) findFaces(solid)
  return solid
}

/** Planes of three corners with all others on one side; edges are the pairs of corners on two of them. */
function findFaces(solid: Solid): void {
  const { balls, planes, lines } = solid
  const count = balls.length / 4
  const at = (k: number): Vector => [balls[4 * k], balls[4 * k + 1], balls[4 * k + 2]]
  const corners = Array.from({ length: count }, (_, k) => at(k))
  const size = Math.max(...corners.map((c) => Math.hypot(...add(c, corners[0], -1))))
  const onFaces: number[][] = corners.map(() => [])
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) {
        const m = cross(add(corners[j], corners[i], -1), add(corners[k], corners[i], -1))
        if (Math.hypot(...m) < 1e-12 * size * size) continue
        const n = unit(m)
        for (const s of [1, -1]) {
          const normal: Vector = [s * n[0], s * n[1], s * n[2]]
          const d = dot(normal, corners[i])
          if (corners.some((c) => dot(normal, c) > d + 1e-9 * size)) continue
          let face = 0
          while (4 * face < planes.length && dot(normal, planes.slice(4 * face, 4 * face + 3) as Vector) < 1 - 1e-14)
            face++
          if (4 * face === planes.length) planes.push(...normal, d)
          for (const c of [i, j, k]) if (!onFaces[c].includes(face)) onFaces[c].push(face)
        }
      }
    }
  }
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const shared = onFaces[i].filter((face) => onFaces[j].includes(face))
      if (shared.length >= 2) lines.push(...unit(add(corners[j], corners[i], -1)), 0)
    }
  }
}

/** Largest d·x in the core. */
export function reach({ balls, cylinder, half }: Solid, x: number, y: number, z: number): number {
  if (half !== null) return x * half.n[0] + y * half.n[1] + z * half.n[2] > 1 - 1e-12 ? half.d : Infinity
  if (cylinder !== null) {
    const { c, y: a, r, h } = cylinder
    const up = a[0] * x + a[1] * y + a[2] * z
    return (
      c[0] * x + c[1] * y + c[2] * z + h * Math.abs(up) + r * Math.hypot(x - up * a[0], y - up * a[1], z - up * a[2])
    )
  }
  let most = -Infinity
  for (let k = 0; k < balls.length; k += 4) {
    const value = x * balls[k] + y * balls[k + 1] + z * balls[k + 2] + balls[k + 3]
    if (value > most) most = value
  }
  return most
}

/** s(n) of the cores. */
export function apart(a: Solid, b: Solid, x: number, y: number, z: number): number {
  return -reach(a, -x, -y, -z) - reach(b, x, y, z)
}

/** How far a point is outside the core; negative inside. */
export function outside({ balls, cylinder, planes, half }: Solid, p: Vector): number {
  if (half !== null) return dot(half.n, p) - half.d
  if (cylinder !== null) {
    const { c, y, r, h } = cylinder
    const d = add(p, c, -1)
    const up = dot(d, y)
    const out = Math.hypot(...add(d, y, -up)) - r
    const above = Math.abs(up) - h
    return out > 0 && above > 0 ? Math.hypot(out, above) : Math.max(out, above)
  }
  if (planes.length > 0) {
    let most = -Infinity
    for (let k = 0; k < planes.length; k += 4) {
      most = Math.max(most, planes[k] * p[0] + planes[k + 1] * p[1] + planes[k + 2] * p[2] - planes[k + 3])
    }
    return most
  }
  const centre = (k: number): Vector => [balls[k], balls[k + 1], balls[k + 2]]
  if (balls.length === 4) return Math.hypot(...add(p, centre(0), -1)) - balls[3]
  // Two balls: |p − c(t)| − r(t) is convex in t.
  const u = add(centre(4), centre(0), -1)
  const value = (t: number): number =>
    Math.hypot(...add(add(p, centre(0), -1), u, -t)) - balls[3] - t * (balls[7] - balls[3])
  let [low, high] = [0, 1]
  for (let k = 0; k < 80; k++) {
    const [s, t] = [low + (high - low) * 0.382, low + (high - low) * 0.618]
    if (value(s) < value(t)) high = t
    else low = s
  }
  return value(0.5 * (low + high))
}

/** Checks a claim on solids a and b. */
export function judge(a: Solid, b: Solid, { distance, normal, pointA, pointB }: Claim): Verdict {
  const rounding = a.round + b.round
  const attained = Math.abs(apart(a, b, ...normal) - rounding - distance)
  const coreA = add(pointA, normal, a.round)
  const coreB = add(pointB, normal, -b.round)
  const gap = add(add(pointA, pointB, -1), normal, -distance)
  const [outA, outB] = [outside(a, coreA), outside(b, coreB)]
  const points = Math.max(Math.abs(outA), Math.abs(outB), Math.hypot(...gap))
  const verdict: Verdict = { attained, optimal: 0, points }
  if (distance + rounding > 0) {
    // The cores are apart, as the normal shows; the points prove that they are no farther.
    verdict.optimal = Math.max(outA, outB, Math.abs(Math.hypot(...add(coreA, coreB, -1)) - rounding - distance))
    // A core point inside a core is a proof, if not one of the surface.
    verdict.points = Math.max(outA, outB, Math.hypot(...gap))
    return verdict
  }
  const best = deepest(a, b, normal)
  verdict.optimal = best.value - rounding - distance
  if (verdict.optimal > 1e-9) verdict.better = best.normal
  return verdict
}

const SPHERE_DIRECTIONS = 600
const directions = Array.from({ length: SPHERE_DIRECTIONS }, (_, k): Vector => {
  // Fibonacci's lattice.
  const y = 1 - (2 * k + 1) / SPHERE_DIRECTIONS
  const r = Math.sqrt(1 - y * y)
  const angle = k * Math.PI * (3 - Math.sqrt(5))
  return [r * Math.cos(angle), y, r * Math.sin(angle)]
})
/** Directions that are climbed from. */
const CLIMBS = 6

/** The largest s(n) of the cores that can be found. */
export function deepest(a: Solid, b: Solid, hint: Vector): { value: number; normal: Vector } {
  if (a.half !== null) return { value: apart(a, b, -a.half.n[0], -a.half.n[1], -a.half.n[2]), normal: hint }
  if (b.half !== null) return { value: apart(a, b, ...b.half.n), normal: hint }
  const tried: { value: number; normal: Vector }[] = []
  const attempt = (normal: Vector): void => void tried.push({ value: apart(a, b, ...normal), normal })
  attempt(hint)
  for (const { planes } of [a, b]) {
    for (let k = 0; k < planes.length; k += 4) {
      attempt([planes[k], planes[k + 1], planes[k + 2]])
      attempt([-planes[k], -planes[k + 1], -planes[k + 2]])
    }
  }
  for (let i = 0; i < a.lines.length; i += 4) {
    for (let j = 0; j < b.lines.length; j += 4) {
      const u = a.lines.slice(i, i + 3) as Vector
      const v = b.lines.slice(j, j + 3) as Vector
      const w = cross(u, v)
      const ww = dot(w, w)
      if (ww < 1e-16) continue
      const uv = dot(u, v)
      const [ru, rv] = [-a.lines[i + 3], b.lines[j + 3]]
      const flat = add([0, 0, 0], u, (ru - rv * uv) / ww)
      const base = add(flat, v, (rv - ru * uv) / ww)
      const rest = 1 - dot(base, base)
      if (rest < 0) continue
      for (const s of [1, -1]) attempt(unit(add(base, w, s * Math.sqrt(rest / ww))))
    }
  }
  const curved =
    a.cylinder !== null || b.cylinder !== null || a.kind === 'taperedCapsule' || b.kind === 'taperedCapsule'
  if (curved) {
    for (const direction of directions) attempt(direction)
    tried.sort((r, s) => s.value - r.value)
    const starts: Vector[] = []
    for (const { normal } of tried) {
      if (starts.length === CLIMBS) break
      if (starts.every((other) => dot(other, normal) < 0.99)) starts.push(normal)
    }
    for (const start of starts) tried.push(climb(a, b, start))
  }
  return tried.reduce((r, s) => (s.value > r.value ? s : r))
}

/** Nelder and Mead's search in the plane across `start`, begun anew until it wins nothing. */
function climb(a: Solid, b: Solid, start: Vector): { value: number; normal: Vector } {
  let best = { value: apart(a, b, ...start), normal: start }
  let size = 0.05
  for (let round = 0; round < 8; round++) {
    const before = best.value
    best = nelderMead(a, b, best, size)
    size *= 0.3
    if (round > 1 && best.value < before + 1e-10) break
  }
  return best
}

function nelderMead(
  a: Solid,
  b: Solid,
  from: { value: number; normal: Vector },
  size: number,
): { value: number; normal: Vector } {
  const n = from.normal
  const u = unit(cross(n, Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]))
  const v = cross(n, u)
  const at = (s: number, t: number): { s: number; t: number; value: number; normal: Vector } => {
    const normal = unit(add(add(n, u, s), v, t))
    return { s, t, value: apart(a, b, ...normal), normal }
  }
  let points = [at(0, 0), at(size, 0), at(-0.5 * size, 0.9 * size)]
  for (let step = 0; step < 80; step++) {
    points.sort((p, q) => q.value - p.value)
    const [best, middle, worst] = points
    if (Math.abs(best.s - worst.s) + Math.abs(best.t - worst.t) < 1e-9) break
    const s = 0.5 * (best.s + middle.s)
    const t = 0.5 * (best.t + middle.t)
    const reflected = at(2 * s - worst.s, 2 * t - worst.t)
    if (reflected.value > best.value) {
      const farther = at(3 * s - 2 * worst.s, 3 * t - 2 * worst.t)
      points[2] = farther.value > reflected.value ? farther : reflected
    } else if (reflected.value > middle.value) {
      points[2] = reflected
    } else {
      const nearer = at(0.5 * (s + worst.s), 0.5 * (t + worst.t))
      if (nearer.value > worst.value) points[2] = nearer
      else
        points = [
          best,
          at(0.5 * (best.s + middle.s), 0.5 * (best.t + middle.t)),
          at(0.5 * (best.s + worst.s), 0.5 * (best.t + worst.t)),
        ]
    }
  }
  points.sort((p, q) => q.value - p.value)
  return points[0].value > from.value ? points[0] : from
}
