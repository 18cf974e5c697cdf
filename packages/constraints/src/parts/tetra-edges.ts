/** Edges of a tetrahedron from its first body to the others, x, y, z each [m]. */

import type { ManyDef } from '@tautline/core'
import type { BodyColumns } from '@tautline/core/kernel'

export function presentEdges({ position: x }: Pick<BodyColumns, 'position'>, def: ManyDef): number[] {
  const o = 4 * def.bodies[0].index
  return def.bodies.slice(1).flatMap(({ index }) => [0, 1, 2].map((k) => x[4 * index + k] - x[o + k]))
}

/** The longest of three edges, squared [m²]. */
export function longestSquared(edges: readonly number[]): number {
  let longest = 0
  for (let k = 0; k < 9; k += 3) {
    longest = Math.max(longest, edges[k] * edges[k] + edges[k + 1] * edges[k + 1] + edges[k + 2] * edges[k + 2])
  }
  return longest
}

export function determinant([a, b, c, d, e, f, g, h, i]: readonly number[]): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}
