/**
 * The convex hull of points as triangles: C. Barber, D. Dobkin and H. Huhdanpaa 1996, "The quickhull algorithm for
 * convex hulls".
 *
 * A facet keeps the points that lie beyond it. The farthest of them joins the hull: the facets it sees go, and a fan
 * from it to their rim, the horizon, takes their place and their points.
 *
 * Whether a point lies beyond a facet is decided without error (J. Shewchuk 1997, "Adaptive precision floating-point
 * arithmetic and fast robust geometric predicates"). So nothing can happen here for which the paper gives its facets a
 * thickness: the facets seen are one disc, its rim is one loop, and no triangle is degenerate, as a point on the line of
 * the horizon's edge would lie in the plane of the facet that it sees. Which point is farthest, and whether it is far
 * enough to matter, is computed in plain doubles: an error there picks another point, and breaks nothing.
 */

import { orient3d } from 'robust-predicates'
import { at, cross, distanceToSegment, dot, length, minus, unit } from './vector.js'
import type { Vector } from './vector.js'

/** A closed surface of triangles. */
export interface TriangleSurface {
  /** Three points a triangle, counter-clockwise seen from outside. */
  readonly triangles: Int32Array
  /** The triangle beyond each edge: 0→1, 1→2, 2→0. */
  readonly beyond: Int32Array
}

/** A triangle of the hull as it grows. */
class Facet {
  /** Points that it keeps, all of them beyond it. */
  outside: number[] = []
  /** Facets beyond the edges 0→1, 1→2, 2→0. */
  readonly beyond: Facet[] = []
  alive = true
  index = -1
  readonly corners: Vector
  readonly normal: Vector

  constructor(points: Float64Array, corners: Vector) {
    const [a, b, c] = corners.map((k) => at(points, k))
    this.corners = corners
    this.normal = unit(cross(minus(b, a), minus(c, a)))
  }
}

/**
 * The hull of `points`, without points that lie within `tolerance` [m] of the hull of the others.
 * @param where - names the points in error messages
 * @throws RangeError - where all points lie within `tolerance` of a point, a line or a plane
 */
export function quickhull(where: string, points: Float64Array, tolerance: number): TriangleSurface {
  const facets = tetrahedron(points, simplex(where, points, tolerance))
  for (let p = 0; 3 * p < points.length; p++) keep(points, facets, p)
  const pending = facets.slice()
  for (let facet = pending.pop(); facet !== undefined; facet = pending.pop()) {
    if (!facet.alive) continue
    const p = takeFarthest(points, facet, tolerance)
    if (p < 0) continue
    const seen = seenFrom(points, facet, p)
    const fan = replace(points, seen, p)
    for (const { outside } of seen) for (const q of outside) keep(points, fan, q)
    facets.push(...fan)
    pending.push(...fan)
  }
  const alive = facets.filter((facet) => facet.alive)
  alive.forEach((facet, index) => (facet.index = index))
  return {
    triangles: Int32Array.from(alive.flatMap((facet) => facet.corners)),
    beyond: Int32Array.from(alive.flatMap((facet) => facet.beyond.map((other) => other.index))),
  }
}

/** Four points far from each other: the extremes of an axis, then the farthest from their line, and from their plane. */
function simplex(where: string, points: Float64Array, tolerance: number): [number, number, number, number] {
  const count = points.length / 3
  const farthest = (distance: (p: Vector) => number): number => {
    let best = 0
    for (let k = 1; k < count; k++) if (distance(at(points, k)) > distance(at(points, best))) best = k
    return best
  }
  // Written so that a NaN, from numbers too large or too small to multiply, is refused as well.
  const refuseUnless = (far: boolean, what: string): void => {
    if (!far) throw new RangeError(`${where} must span a volume, got ${count} points that ${what}`)
  }
  const start = farthest((p) => -p[0] - p[1] - p[2])
  const a = farthest((p) => length(minus(p, at(points, start))))
  const b = farthest((p) => length(minus(p, at(points, a))))
  const [A, B] = [at(points, a), at(points, b)]
  refuseUnless(length(minus(B, A)) > tolerance, 'coincide')
  const along = unit(minus(B, A))
  const fromLine = (p: Vector): number => length(cross(minus(p, A), along))
  const c = farthest(fromLine)
  refuseUnless(fromLine(at(points, c)) > tolerance, 'lie on a line')
  const normal = unit(cross(minus(B, A), minus(at(points, c), A)))
  const fromPlane = (p: Vector): number => Math.abs(dot(minus(p, A), normal))
  const d = farthest(fromPlane)
  refuseUnless(
    fromPlane(at(points, d)) > tolerance && sees(points, a, b, c, d) !== sees(points, a, c, b, d),
    'lie in a plane',
  )
  return sees(points, a, b, c, d) ? [a, c, b, d] : [a, b, c, d]
}

/** The tetrahedron whose corner d lies behind a, b, c. */
function tetrahedron(points: Float64Array, [a, b, c, d]: [number, number, number, number]): Facet[] {
  const base = new Facet(points, [a, b, c])
  const ab = new Facet(points, [b, a, d])
  const bc = new Facet(points, [c, b, d])
  const ca = new Facet(points, [a, c, d])
  base.beyond.push(ab, bc, ca)
  ab.beyond.push(base, ca, bc)
  bc.beyond.push(base, ab, ca)
  ca.beyond.push(base, bc, ab)
  return [base, ab, bc, ca]
}

/** Whether p lies beyond the plane of a, b, c, which are counter-clockwise seen from there. */
function sees(v: Float64Array, a: number, b: number, c: number, p: number): boolean {
  const [i, j, k, l] = [3 * a, 3 * b, 3 * c, 3 * p]
  // prettier-ignore
  return orient3d(v[i], v[i + 1], v[i + 2], v[j], v[j + 1], v[j + 2], v[k], v[k + 1], v[k + 2], v[l], v[l + 1], v[l + 2]) < 0
}

/** Gives p to that one of the facets that it is farthest beyond. A point beyond none lies in the hull, and is forgotten. */
function keep(points: Float64Array, facets: readonly Facet[], p: number): void {
  let best: Facet | null = null
  for (const facet of facets) {
    const [a, b, c] = facet.corners
    if (!sees(points, a, b, c, p)) continue
    if (best === null || height(points, facet, p) > height(points, best, p)) best = facet
  }
  best?.outside.push(p)
}

/** Distance of p from a facet's plane. */
function height(points: Float64Array, facet: Facet, p: number): number {
  return dot(minus(at(points, p), at(points, facet.corners[0])), facet.normal)
}

/**
 * Takes the point to join out of those that a facet keeps; −1 where all are too near.
 *
 * A point less than `tolerance` above the plane can still be far from the hull, off a sharp edge: then it joins as well.
 */
function takeFarthest(points: Float64Array, facet: Facet, tolerance: number): number {
  const { outside } = facet
  let far = -1
  let most = tolerance
  for (let k = 0; k < outside.length; k++) {
    const h = height(points, facet, outside[k])
    if (h <= most) continue
    most = h
    far = k
  }
  if (far >= 0) return outside.splice(far, 1)[0]
  for (let p = outside.pop(); p !== undefined; p = outside.pop()) {
    // What is dropped here stays dropped: the hull only comes nearer.
    const gaps = Array.from(seenFrom(points, facet, p), (other) => distance(points, other, p))
    if (Math.min(...gaps) > tolerance) return p
  }
  return -1
}

/** Distance of p from a triangle. */
function distance(points: Float64Array, facet: Facet, p: number): number {
  const P = at(points, p)
  const [a, b, c] = facet.corners.map((k) => at(points, k))
  const within = (from: Vector, to: Vector): boolean => dot(cross(minus(to, from), minus(P, from)), facet.normal) >= 0
  if (within(a, b) && within(b, c) && within(c, a)) return Math.abs(dot(minus(P, a), facet.normal))
  return Math.min(distanceToSegment(P, a, b), distanceToSegment(P, b, c), distanceToSegment(P, c, a))
}

/** The facets that p lies beyond, found by walking from one of them. */
function seenFrom(points: Float64Array, first: Facet, p: number): Set<Facet> {
  const seen = new Set([first])
  // A set hands out what is added to it while it is walked.
  for (const { beyond } of seen) {
    for (const facet of beyond) {
      if (seen.has(facet)) continue
      const [a, b, c] = facet.corners
      if (sees(points, a, b, c, p)) seen.add(facet)
    }
  }
  return seen
}

/** Puts a fan from p to the horizon in the place of the facets that p sees. */
function replace(points: Float64Array, seen: ReadonlySet<Facet>, p: number): Facet[] {
  for (const facet of seen) facet.alive = false
  const fan = new Map<number, Facet>()
  for (const facet of seen) {
    for (let k = 0; k < 3; k++) {
      const other = facet.beyond[k]
      if (!other.alive) continue
      const from = facet.corners[k]
      const added = new Facet(points, [from, facet.corners[(k + 1) % 3], p])
      added.beyond.push(other)
      other.beyond[other.beyond.indexOf(facet)] = added
      fan.set(from, added)
    }
  }
  for (const added of fan.values()) {
    const next = fan.get(added.corners[1])!
    added.beyond[1] = next
    next.beyond[2] = added
  }
  return [...fan.values()]
}
