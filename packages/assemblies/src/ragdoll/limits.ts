/**
 * Limits that open for a pose that violates them, and close again.
 *
 * A limit that is violated would be repaired at once, which throws a limb: where a pose is taken over, a limit opens as far as the pose goes, and closes
 * within a third of a second, as fast as a hand would push it. What it then pushes is what it closes by, and nothing more.
 */

import { type RagdollAsset } from './data.js'
import { setLimits } from './dynamics.js'
import type { Motion } from './motion.js'
import { COORDINATES } from './part-joint.js'
import type { RagdollState } from './state.js'
import { coordinatesAt, type PartPlaces } from './validate.js'

/** Time in which limits close [s]. */
const CLOSING = 0.35
/** Limits open this much farther than the pose goes [rad or m]. */
const ROOM = 1e-4

const angles = /* @__PURE__ */ new Float64Array(3)

/** Opens the limits that places of parts violate, of the parts given. */
export function openLimits(
  asset: RagdollAsset,
  { joints }: RagdollState,
  { open, closing }: Motion,
  places: PartPlaces,
  chosen: readonly number[],
): void {
  for (const part of chosen) {
    const { joint } = asset.parts[part]
    const constraint = joints[part]
    if (joint === undefined || constraint?.alive !== true) continue
    coordinatesAt(asset.parts, places, part, angles)
    let isOpen = false
    for (let k = 0; k < 2 * COORDINATES[joint.kind].length; k++) {
      const bound = joint.limits[k]
      const over = k % 2 === 0 ? bound - angles[k >> 1] : angles[k >> 1] - bound
      const o = 6 * part + k
      if (over > 0) open[o] = over + ROOM
      else if (open[o] === 0) continue
      else open[o] = 0
      closing[o] = open[o] / CLOSING
      isOpen = true
    }
    if (isOpen) setLimits(constraint, joint, open, 6 * part)
  }
}

/** Closes what is open by a step of `dt` [s]. */
export function closeLimits(
  asset: RagdollAsset,
  { joints }: RagdollState,
  { open, closing }: Motion,
  dt: number,
): void {
  for (let part = 0; part < asset.parts.length; part++) {
    const { joint } = asset.parts[part]
    const constraint = joints[part]
    if (joint === undefined || constraint?.alive !== true) continue
    let changed = false
    for (let o = 6 * part; o < 6 * part + 6; o++) {
      if (open[o] === 0) continue
      open[o] = Math.max(0, open[o] - closing[o] * dt)
      changed = true
    }
    if (changed) setLimits(constraint, joint, open, 6 * part)
  }
}
