/** Orientations of links along a rod. */

import { compose, cos, sin } from '@tautline/core/kernel'
import type { quat } from 'gl-matrix'

/** 1 + cosine of two directions below which the shortest turn between them is lost: the rod turns back on itself. */
const OPPOSED = 1e-6

/**
 * A frame a link of `nodes`, y along it: each turned from the one before by the shortest turn (parallel transport: Bishop, 1975), so that none is
 * twisted against the next, and then about y by its share of `twist` [rad].
 */
export function framesAlong(nodes: Float64Array, twist: number): quat[] {
  const count = nodes.length / 3 - 1
  const q = Float64Array.of(0, 0, 0, 1)
  const change = new Float64Array(4)
  let before: readonly number[] = [0, 1, 0]
  return Array.from({ length: count }, (_, k) => {
    const along = direction(nodes, k)
    shortestTurn(before, along, change)
    compose(change, 0, q, 0, q, 0)
    before = along
    // Between links, so that there are count − 1 shares.
    const angle = count > 1 ? (twist * k) / (count - 1) : 0
    const turned = new Float64Array(4)
    compose(q, 0, Float64Array.of(0, sin(0.5 * angle), 0, cos(0.5 * angle)), 0, turned, 0)
    const size = Math.sqrt(turned.reduce((sum, x) => sum + x * x, 0))
    return Array.from(turned, (x) => x / size) as unknown as quat
  })
}

function direction(nodes: Float64Array, k: number): readonly number[] {
  const d = [0, 1, 2].map((n) => nodes[3 * k + 3 + n] - nodes[3 * k + n])
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
  return length > 0 ? d.map((x) => x / length) : [0, 1, 0]
}

/** The shortest turn from u to v; half a turn is about any axis across. */
function shortestTurn(u: readonly number[], v: readonly number[], out: Float64Array): void {
  const w = 1 + u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
  if (w > OPPOSED) out.set([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0], w])
  else if (Math.abs(u[0]) < 0.5) out.set([0, u[2], -u[1], 0])
  else out.set([-u[2], 0, u[0], 0])
  const size = Math.sqrt(out.reduce((sum, x) => sum + x * x, 0))
  for (let k = 0; k < 4; k++) out[k] /= size
}
