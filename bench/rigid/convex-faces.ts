/** Faces of the hull of few points by the definition: triangles with every other point behind them. */

import type { Triple } from '../../examples/scenes/contacts/layouts.js'

/** Share of the size of the hull by which a point may lie in front of a face. */
const FLAT = 1e-9

/** Triangles, counter-clockwise seen from outside. For points of which no four of the hull lie in a plane. */
export function convexFaces(points: readonly Triple[]): Triple[] {
  const faces: Triple[] = []
  const n = points.length
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      for (let k = j + 1; k < n; k++) {
        const normal = cross(minus(points[j], points[i]), minus(points[k], points[i]))
        const sides = points.map((point) => dot(normal, minus(point, points[i])))
        const size = FLAT * dot(normal, normal) ** 0.75
        if (sides.every((side) => side <= size)) faces.push([i, j, k])
        else if (sides.every((side) => side >= -size)) faces.push([i, k, j])
      }
    }
  }
  return faces
}

function minus(a: Triple, b: Triple): Triple {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
