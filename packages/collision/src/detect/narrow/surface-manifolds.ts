/**
 * Contacts with many triangles, put together to manifolds: those whose normals are nearly the same become one manifold.
 *
 * A box on a floor touches one flat manifold, whatever the floor is made of; a ball in a corner touches two. The deepest contact
 * leads its manifold and gives the normal. A manifold is named by its normal, coarsely, so that it has the same name while a body
 * slides from triangle to triangle.
 */

import { type Manifold, ManifoldList, NORMAL_ON_B } from './manifold.js'
import { addPoint, FOUND, keepPoints } from './found-points.js'

/** cos of the angle within which normals make one manifold: 1.1°. */
const TOGETHER = 0.9998
/** Steps that the name of a manifold tells apart in each component of its normal. */
const STEPS = 16

/** Contacts with single triangles, in the frame of a. */
const single = /* @__PURE__ */ new ManifoldList()
let taken = new Int32Array(16)

/** Forgets all triangles. */
export function beginManifolds(): void {
  single.clear()
}

/** The manifold for the next triangle, empty. */
export function nextTriangle(): Manifold {
  return single.next()
}

/** Takes the last triangle back. */
export function dropTriangle(): void {
  single.count--
}

/** Appends the manifolds of all triangles since `beginPatches`; T is where b, whose manifolds they are, stands. */
export function endManifolds(T: Float64Array, list: ManifoldList): void {
  const { items, count } = single
  const first = list.count
  if (count > taken.length) taken = new Int32Array(2 * count)
  taken.fill(0, 0, count)
  for (;;) {
    const leader = deepest(items, count)
    if (leader < 0) return
    const { normal, roundA } = items[leader]
    const manifold = list.next()
    FOUND.begin(normal)
    for (let m = 0; m < count; m++) {
      const other = items[m].normal
      const cosine = normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2]
      // The leader always belongs to its own manifold: a normal that is not of unit length is not parallel to itself.
      if (taken[m] !== 0 || (m !== leader && !(cosine >= TOGETHER))) continue
      taken[m] = 1
      for (let k = 0; k < items[m].count; k++) addPoint(items[m], k)
    }
    manifold.carrier = NORMAL_ON_B
    manifold.roundA = roundA
    manifold.normal.set(normal)
    keepPoints(manifold)
    manifold.key = freeKey(nameOf(normal, T), list, first)
  }
}

/** The contact with the deepest point of those left, the first of equal ones; −1 if none is left. */
function deepest(items: readonly Manifold[], count: number): number {
  let best = -1
  let least = Infinity
  for (let m = 0; m < count; m++) {
    if (taken[m] !== 0) continue
    const { separation, count: size } = items[m]
    for (let k = 0; k < size; k++) {
      if (separation[k] < least) {
        least = separation[k]
        best = m
      }
    }
  }
  return best
}

/** The normal in the frame of b, each component in steps, as one number from 1 on. */
function nameOf(n: Float64Array, T: Float64Array): number {
  let name = 0
  for (let k = 0; k < 3; k++) {
    const local = T[3 + k] * n[0] + T[6 + k] * n[1] + T[9 + k] * n[2]
    name = name * (2 * STEPS + 1) + Math.floor(local * STEPS + 0.5) + STEPS
  }
  return name + 1
}

/** The next name from `key` on that no manifold since `first` has. */
function freeKey(key: number, list: ManifoldList, first: number): number {
  let free = key
  for (let m = first; m < list.count - 1; m++) {
    if (list.items[m].key === free) {
      free++
      m = first - 1
    }
  }
  return free
}
