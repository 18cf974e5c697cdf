/** The support polygon: the convex hull of what touches the ground, seen along up. */

import { across, cross, direction, dot, scaled, sum, type Vec3 } from '../algebra.js'

type Flat = readonly [number, number]

/** The point of the hull of `points` that is nearest to `x`, at the height of `x`; `x` itself inside. */
export function nearestInSupport(points: readonly Vec3[], x: Vec3, up: Vec3): Vec3 {
  const u = direction(across(Math.abs(up[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], up)) as Vec3
  const v = cross(up, u)
  const flat = (p: Vec3): Flat => [dot(p, u), dot(p, v)]
  const q = flat(x)
  const hull = convexHull(points.map(flat))
  if (hull.every((a, k) => sideOf(a, hull[(k + 1) % hull.length], q) >= 0)) return x
  const feet = hull.map((a, k) => nearestOnEdge(a, hull[(k + 1) % hull.length], q))
  const away = feet.map((p) => (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]))
  const [s, t] = feet[away.indexOf(Math.min(...away))]
  return sum(sum(scaled(u, s), scaled(v, t)), scaled(up, dot(x, up)))
}

/** Above 0 where q is to the left of the way from a to b. */
function sideOf(a: Flat, b: Flat, q: Flat): number {
  return (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
}

function nearestOnEdge(a: Flat, b: Flat, q: Flat): Flat {
  const [x, y] = [b[0] - a[0], b[1] - a[1]]
  const square = x * x + y * y
  const t = square > 0 ? Math.min(1, Math.max(0, ((q[0] - a[0]) * x + (q[1] - a[1]) * y) / square)) : 0
  return [a[0] + t * x, a[1] + t * y]
}

/** Counterclockwise (A. Andrew 1979: two monotone chains). */
function convexHull(points: Flat[]): Flat[] {
  const sorted = points.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const chain = (list: readonly Flat[]): Flat[] => {
    const found: Flat[] = []
    for (const p of list) {
      while (found.length > 1 && sideOf(found[found.length - 2], found[found.length - 1], p) <= 0) found.pop()
      found.push(p)
    }
    found.pop()
    return found
  }
  return [...chain(sorted), ...chain(sorted.slice().reverse())]
}
