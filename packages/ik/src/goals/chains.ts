/** Chains of goals, the bones from a goal's own one up to the first that may move for it (−1: the root), and scratch for writing rows. */

import { SLIDER } from '../joints.js'
import type { Rig } from '../rig.js'
import type { Goal } from './goal.js'

/** Scratch of goals while they write their rows, one goal at a time. Holds nothing between calls. */
export const v: Float64Array = /* @__PURE__ */ new Float64Array(3)
export const w: Float64Array = /* @__PURE__ */ new Float64Array(3)
/** Sine and cosine of an angle, then the angle. */
export const angleTo: Float64Array = /* @__PURE__ */ new Float64Array(2)

/** Whether no bone hangs on it. */
export function isLeaf(rig: Rig, bone: number): boolean {
  return !rig.parent.includes(bone)
}

/** Throws `RangeError` where a goal's chain does not lead to a bone that it moves: it would be taken from the root. */
export function checkChain(where: string, { rig, chain }: Goal, bone: number): void {
  if (chain < 0 || chain === bone || isAbove(rig, chain, bone)) return
  throw new RangeError(`${where}: chain must be "${rig.names[bone]}" or above it, got "${rig.names[chain]}"`)
}

/** Whether one bone carries the other. */
export function isAbove(rig: Rig, above: number, below: number): boolean {
  for (let i = rig.parent[below]; i >= 0; i = rig.parent[i]) if (i === above) return true
  return false
}

/** The first bone of a chain to `bone`. */
export function chainRoot(rig: Rig, bone: number, chain: number): number {
  let i = bone
  while (i !== chain && rig.parent[i] >= 0) i = rig.parent[i]
  return i
}

/** From the joint of its first bone to a point of its last, in that one's space, at rest with sliders drawn out [m]. */
export function chainLength(rig: Rig, bone: number, chain: number, point: Float64Array): number {
  let sum = Math.sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2])
  const root = chainRoot(rig, bone, chain)
  for (let i = bone; i !== root; i = rig.parent[i]) {
    const [x, y, z] = [0, 1, 2].map((k) => rig.restPosition[3 * i + k])
    const { kind, limits } = rig.joints[i]
    sum += Math.sqrt(x * x + y * y + z * z) + (kind === SLIDER ? Math.max(Math.abs(limits[0]), Math.abs(limits[1])) : 0)
  }
  return sum
}
