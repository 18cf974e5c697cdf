/** Where bodies are between two steps, in plain numbers. Nothing here allocates, and nothing of three is imported. */

import { type BodyColumns, rotateVector, rotationBetween, rotate } from '@tautline/core/kernel'

/** Numbers of a pose: x, y, z, then a unit quaternion. */
export const POSE = 7

const turned = /* @__PURE__ */ new Float64Array(3)
const quad = /* @__PURE__ */ new Float64Array(4)

/**
 * Writes the pose of row `i`, at `alpha` from its start of the last step (0) to its end (1), to out[o…o + 6]: along the line,
 * and about the shortest turn at constant speed.
 */
export function writePose(c: BodyColumns, i: number, alpha: number, out: Float64Array, o: number): void {
  const p = 4 * i
  if (alpha === 1) {
    for (let k = 0; k < 3; k++) out[o + k] = c.position[p + k]
    for (let k = 0; k < 4; k++) out[o + 3 + k] = c.orientation[p + k]
    return
  }
  writePosition(c, i, alpha, out, o)
  rotationBetween(c.orientation, p, c.previousOrientation, p, turned, 0)
  for (let k = 0; k < 4; k++) quad[k] = c.previousOrientation[p + k]
  rotate(quad, 0, alpha * turned[0], alpha * turned[1], alpha * turned[2])
  for (let k = 0; k < 4; k++) out[o + 3 + k] = quad[k]
}

/** Position alone, as {@link writePose}. */
export function writePosition(c: BodyColumns, i: number, alpha: number, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    const from = c.previousPosition[3 * i + k]
    const to = c.position[4 * i + k]
    out[o + k] = alpha === 1 ? to : from + alpha * (to - from)
  }
}

/** out ← p ∘ q, poses of seven numbers; `out` may be either. */
export function composePoses(
  p: Float64Array,
  o: number,
  q: Float64Array,
  u: number,
  out: Float64Array,
  k: number,
): void {
  rotateVector(p, o + 3, q[u], q[u + 1], q[u + 2], turned, 0)
  const x = p[o] + turned[0]
  const y = p[o + 1] + turned[1]
  const z = p[o + 2] + turned[2]
  const ax = p[o + 3]
  const ay = p[o + 4]
  const az = p[o + 5]
  const aw = p[o + 6]
  const bx = q[u + 3]
  const by = q[u + 4]
  const bz = q[u + 5]
  const bw = q[u + 6]
  out[k] = x
  out[k + 1] = y
  out[k + 2] = z
  out[k + 3] = aw * bx + ax * bw + ay * bz - az * by
  out[k + 4] = aw * by - ax * bz + ay * bw + az * bx
  out[k + 5] = aw * bz + ax * by - ay * bx + az * bw
  out[k + 6] = aw * bw - ax * bx - ay * by - az * bz
}

/** out ← p⁻¹. */
export function invertPose(p: Float64Array, out: Float64Array): void {
  const x = p[0]
  const y = p[1]
  const z = p[2]
  for (let k = 3; k < 6; k++) out[k] = -p[k]
  out[6] = p[6]
  rotateVector(out, 3, -x, -y, -z, turned, 0)
  for (let k = 0; k < 3; k++) out[k] = turned[k]
}
