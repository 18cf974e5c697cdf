/** What can be read from a soft body. */

import type { LeanWorld } from '@tautline/core'
import { gradient } from '@tautline/core/kernel'
import { edgesOf } from '../parts/topology.js'
import type { SoftBodyState } from './state.js'

/** How a soft body is at present. */
export interface SoftBodyReadout {
  /** Volume within [m³]. */
  readonly volume: number
  /** Energy that it stores [J]. */
  readonly energy: number
  /** Share by which outer edges are longer than at rest: mean of |·|, and the most. */
  readonly stretch: { readonly mean: number; readonly max: number }
  /** Kinetic energy [J]. */
  readonly kinetic: number
}

/** Looks at a soft body. */
export function readSoftBody(state: SoftBodyState, world: LeanWorld): SoftBodyReadout {
  const { velocity, position, inverseMass } = world.bodies.columns
  let kinetic = 0
  for (const { alive, index: i } of state.nodes) {
    if (!alive || position[4 * i + 3] === 0) continue
    const [x, y, z] = velocity.subarray(3 * i, 3 * i + 3)
    kinetic += (0.5 * (x * x + y * y + z * z)) / inverseMass[i]
  }
  return {
    volume: volumeWithin(state, world),
    energy: storedIn(state),
    stretch: stretchOf(state, world),
    kinetic,
  }
}

/** Volume within the outside [m³]. */
export function volumeWithin({ asset: { surface }, nodes }: SoftBodyState, world: LeanWorld): number {
  if (surface.length === 0) return 0
  const { position: x } = world.bodies.columns
  const o = 4 * nodes[surface[0]].index
  let six = 0
  for (let t = 0; t < surface.length; t += 3) {
    const [p, q, r] = [0, 1, 2].map((k) => 4 * nodes[surface[t + k]].index)
    const [ax, ay, az] = [x[p] - x[o], x[p + 1] - x[o + 1], x[p + 2] - x[o + 2]]
    const [bx, by, bz] = [x[q] - x[o], x[q + 1] - x[o + 1], x[q + 2] - x[o + 2]]
    const [cx, cy, cz] = [x[r] - x[o], x[r + 1] - x[o + 1], x[r + 2] - x[o + 2]]
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
  }
  return six / 6
}

/** ½ c²/compliance of all rows [J]. */
function storedIn({ rows }: SoftBodyState): number {
  let sum = 0
  for (const row of rows) {
    if (!row.alive || !row.enabled) continue
    for (const { compliance, rows: list } of gradient(row)) {
      if (compliance > 0) for (const { error } of list) sum += (0.5 * error * error) / compliance
    }
  }
  return sum
}

function stretchOf(
  { asset: { surface, positions }, nodes }: SoftBodyState,
  world: LeanWorld,
): { mean: number; max: number } {
  const { position } = world.bodies.columns
  const { ends, count } = edgesOf(surface, nodes.length)
  let [sum, max] = [0, 0]
  for (let e = 0; e < count; e++) {
    const [v, w] = [ends[2 * e], ends[2 * e + 1]]
    const [p, q] = [4 * nodes[v].index, 4 * nodes[w].index]
    let [now, rest] = [0, 0]
    for (let k = 0; k < 3; k++) {
      now += (position[p + k] - position[q + k]) * (position[p + k] - position[q + k])
      rest += (positions[3 * v + k] - positions[3 * w + k]) * (positions[3 * v + k] - positions[3 * w + k])
    }
    const stretch = Math.sqrt(now / rest) - 1
    sum += Math.abs(stretch)
    max = Math.max(max, stretch)
  }
  return { mean: sum / Math.max(count, 1), max }
}
