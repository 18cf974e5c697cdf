/**
 * The triangles of a convex surface, put together into polygons where they lie in a plane up to a tolerance.
 *
 * From the largest triangle down: the triangles connected with it that are not taken, face the same way and lie within the
 * tolerance of its plane become one face. Its plane holds the whole hull behind it, so all triangles near it form one disc,
 * and their outline is convex. Only where an earlier face took a part of that disc, at bends near the tolerance, can the rest
 * be no disc or not convex: such a face is given up, and its triangles stay as they are.
 *
 * At the rim of a thin sheet the other side is as near, but faces away: a face with both sides would fold around the rim, and
 * the corners there would be lost with its inside.
 *
 * A vertex inside a face is gone with it. One where but two faces meet is left out if it lies on the line between those
 * before and after it, up to the tolerance.
 */

import type { TriangleSurface } from './quickhull.js'
import { areaVector, at, cross, distanceToSegment, dot, length, minus, unit } from './vector.js'

/**
 * Share of the tolerance by which a corner may bend inwards: far more than rounding leaves of a straight line. One that
 * bends in by the tolerance itself can be higher than its neighbours and yet lower, by much, than what lies farther on.
 */
const BENT_IN = 1e-4

/** Polygons that cover a convex surface: a list of points each, counter-clockwise seen from outside. */
export function mergeFaces(points: Float64Array, surface: TriangleSurface, tolerance: number): number[][] {
  const alone = new Uint8Array(surface.triangles.length / 3)
  for (;;) {
    const owner = regions(points, surface, tolerance, alone)
    const outlines = outlinesOf(surface, owner)
    const dropped = collinear(points, surface, [...outlines.values()], tolerance, alone)
    const faces: number[][] = []
    const bad = new Set<number>()
    for (const [seed, loop] of outlines) {
      const face = loop.filter((v) => dropped[v] === 0)
      faces.push(face)
      if (alone[seed] === 0 && !isConvex(points, face, tolerance)) bad.add(seed)
    }
    if (bad.size === 0) return faces
    // Each further round has more triangles alone, and a surface of nothing else is good.
    for (let t = 0; t < alone.length; t++) if (bad.has(owner[t])) alone[t] = 1
  }
}

/** The first triangle of the face that each one belongs to. */
function regions(points: Float64Array, surface: TriangleSurface, tolerance: number, alone: Uint8Array): Int32Array {
  const { triangles, beyond } = surface
  const owner = new Int32Array(alone.length).fill(-1)
  for (const seed of fromLargest(points, triangles)) {
    if (owner[seed] >= 0) continue
    owner[seed] = seed
    if (alone[seed] === 1) continue
    const a = at(points, triangles[3 * seed])
    const normal = unit(areaVector(points, triangles.subarray(3 * seed, 3 * seed + 3)))
    const isNear = (k: number): boolean => Math.abs(dot(minus(at(points, k), a), normal)) <= tolerance
    const face = [seed]
    for (const t of face) {
      for (let k = 3 * t; k < 3 * t + 3; k++) {
        const other = beyond[k]
        if (owner[other] >= 0 || alone[other] === 1) continue
        const corners = triangles.subarray(3 * other, 3 * other + 3)
        if (!corners.every(isNear) || dot(areaVector(points, corners), normal) <= 0) continue
        owner[other] = seed
        face.push(other)
      }
    }
  }
  return owner
}

function fromLargest(points: Float64Array, triangles: Int32Array): number[] {
  const areas = Array.from({ length: triangles.length / 3 }, (_, t) => {
    return length(areaVector(points, triangles.subarray(3 * t, 3 * t + 3)))
  })
  return Array.from(areas.keys()).sort((s, t) => areas[t] - areas[s] || s - t)
}

/** The rim of each face from one of its vertices on; an empty one where it has several, or meets itself. */
function outlinesOf({ triangles, beyond }: TriangleSurface, owner: Int32Array): Map<number, number[]> {
  const rims = new Map<number, { next: Map<number, number>; edges: number }>()
  for (let k = 0; k < triangles.length; k++) {
    const t = Math.floor(k / 3)
    if (owner[t] === owner[beyond[k]]) continue
    let rim = rims.get(owner[t])
    if (rim === undefined) rims.set(owner[t], (rim = { next: new Map(), edges: 0 }))
    rim.next.set(triangles[k], triangles[3 * t + ((k + 1) % 3)])
    rim.edges++
  }
  const outlines = new Map<number, number[]>()
  for (const [seed, { next, edges }] of rims) {
    const [first] = next.keys()
    const loop = [first]
    for (let v = next.get(first)!; v !== first && loop.length < edges; v = next.get(v)!) loop.push(v)
    outlines.set(seed, loop.length === edges ? loop : [])
  }
  return outlines
}

/** Marks the vertices where but two faces meet and which lie on the line between their neighbours. */
function collinear(
  points: Float64Array,
  { triangles }: TriangleSurface,
  outlines: readonly (readonly number[])[],
  tolerance: number,
  alone: Uint8Array,
): Uint8Array {
  const degree = new Int32Array(points.length / 3)
  for (const loop of outlines) for (const v of loop) degree[v]++
  // A triangle that stands alone keeps its three.
  triangles.forEach((v, k) => {
    if (alone[Math.floor(k / 3)] === 1) degree[v] = 3
  })
  const dropped = new Uint8Array(degree.length)
  const decided = new Uint8Array(degree.length)
  for (const loop of outlines) {
    const start = loop.findIndex((v) => degree[v] !== 2)
    if (start < 0) continue
    let from = loop[start]
    let between: number[] = []
    for (let k = 1; k <= loop.length; k++) {
      const v = loop[(start + k) % loop.length]
      const after = loop[(start + k + 1) % loop.length]
      // The face on the other side comes along here backwards, and has to find what was decided.
      if (degree[v] !== 2 || decided[v] === 1) {
        from = v
        between = []
        continue
      }
      decided[v] = 1
      between.push(v)
      const [a, b] = [at(points, from), at(points, after)]
      if (between.every((u) => distanceToSegment(at(points, u), a, b) <= tolerance)) {
        dropped[v] = 1
      } else {
        from = v
        between = []
      }
    }
  }
  return dropped
}

/** Whether a polygon has three corners or more and turns one way. */
function isConvex(points: Float64Array, face: readonly number[], tolerance: number): boolean {
  if (face.length < 3) return false
  const normal = unit(areaVector(points, face))
  return face.every((v, k) => {
    const before = at(points, face[(k + face.length - 1) % face.length])
    const after = at(points, face[(k + 1) % face.length])
    const chord = minus(after, before)
    return dot(cross(minus(at(points, v), before), chord), normal) >= -BENT_IN * tolerance * length(chord)
  })
}
