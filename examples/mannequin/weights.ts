/**
 * Skin weights: each vertex belongs to the bone whose shape is nearest, then weights spread along the skin as heat does, the farther
 * the thicker the limb. They never jump through the air, from an arm to the side or from thigh to thigh.
 *
 *   wᵢ ← wᵢ + c (mean of the neighbours − wᵢ), some times over                 width ≈ edge √(c n)
 */

import type { Vector } from '../data/adult.js'
import { length, minus } from './vectors.js'

/** Of one vertex, by row of the bones; their sum is 1. */
export type Weights = number[]

/** Bones that a vertex may hang on: what glTF's JOINTS_0 has room for. */
export const FOUR = 4

/** How far weights spread, as a share of the limb's radius. */
const SPREAD = 0.6
/** Passes over the mesh. */
const PASSES = 60

/** All of a vertex to its owner. */
export function ownedBy(owners: readonly { bone: string }[], names: readonly string[]): Weights[] {
  return owners.map(({ bone }) => names.map((name) => (name === bone ? 1 : 0)))
}

/** Spreads weights over a mesh, by the thickness of the limb at each vertex [m]. */
export function diffuse(
  weights: readonly Weights[],
  triangles: readonly number[],
  points: readonly Vector[],
  owners: readonly { thickness: number }[],
): Weights[] {
  const near = neighbours(triangles, points.length)
  const rate = near.map((ring, i) => {
    const edge = ring.reduce((sum, j) => sum + length(minus(points[i], points[j])), 0) / ring.length
    const width = (SPREAD * owners[i].thickness) / edge
    return Math.min((width * width) / PASSES, 0.9)
  })
  let now = weights.map((row) => [...row])
  for (let pass = 0; pass < PASSES; pass++) {
    now = now.map((row, i) =>
      row.map((w, bone) => {
        let sum = 0
        for (const j of near[i]) sum += now[j][bone]
        return w + rate[i] * (sum / near[i].length - w)
      }),
    )
  }
  return now
}

/** The four largest weights, in 1/255, which add up to 255; the bones of those that are nought are the first. */
export function strongest(weights: Weights): { bones: number[]; shares: number[] } {
  const order = weights.map((_, bone) => bone).sort((a, b) => weights[b] - weights[a] || a - b)
  const four = order.slice(0, FOUR)
  const sum = four.reduce((total, bone) => total + weights[bone], 0)
  const shares = four.map((bone) => Math.round((255 * weights[bone]) / sum))
  shares[0] += 255 - shares.reduce((total, share) => total + share, 0)
  return { bones: four.map((bone, k) => (shares[k] === 0 ? 0 : bone)), shares }
}

function neighbours(triangles: readonly number[], count: number): number[][] {
  const rings = Array.from({ length: count }, () => new Set<number>())
  for (let k = 0; k < triangles.length; k += 3) {
    for (let c = 0; c < 3; c++) {
      const [a, b] = [triangles[k + c], triangles[k + ((c + 1) % 3)]]
      rings[a].add(b)
      rings[b].add(a)
    }
  }
  return rings.map((ring) => [...ring].sort((a, b) => a - b))
}
