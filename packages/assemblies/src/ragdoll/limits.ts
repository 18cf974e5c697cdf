/**
 * Limits that open for a pose that violates them, and close again.
 *
 * A limit that is violated would be repaired at once, which throws a limb: where a pose is taken over, a limit opens as far as the pose goes, and closes
 * within a third of a second, slowly at first and at last. What it then pushes is what it closes by, and nothing more.
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

/** Time for which a joint may go on outward beyond a limit that it violates, before that closes [s]. */
const AHEAD = 0.1

const angles = /* @__PURE__ */ new Float64Array(3)
const earlier = /* @__PURE__ */ new Float64Array(3)

/** Where parts were, and how long ago [s]. */
export interface Earlier {
  readonly places: PartPlaces
  readonly dt: number
}

/** Opens the limits that places of parts violate, of the parts given; by more where `before` says that they go on outward. */
export function openLimits(
  asset: RagdollAsset,
  { joints }: RagdollState,
  { open, opened, openFor }: Motion,
  places: PartPlaces,
  chosen: readonly number[],
  before?: Earlier,
): void {
  for (const part of chosen) {
    const { joint } = asset.parts[part]
    const constraint = joints[part]
    if (joint === undefined || constraint?.alive !== true) continue
    coordinatesAt(asset.parts, places, part, angles)
    if (before !== undefined) coordinatesAt(asset.parts, before.places, part, earlier)
    let isOpen = false
    for (let k = 0; k < 2 * COORDINATES[joint.kind].length; k++) {
      const bound = joint.limits[k]
      const outward = k % 2 === 0 ? -1 : 1
      const over = outward * (angles[k >> 1] - bound)
      const rate = before === undefined ? 0 : (outward * (angles[k >> 1] - earlier[k >> 1])) / before.dt
      const o = 6 * part + k
      if (over > 0) open[o] = over + ROOM + AHEAD * Math.max(rate, 0)
      else if (open[o] === 0) continue
      else open[o] = 0
      opened[o] = open[o]
      openFor[o] = 0
      isOpen = true
    }
    if (isOpen) setLimits(constraint, joint, open, 6 * part)
  }
}

/** Closes what is open by a step of `dt` [s]. */
export function closeLimits(
  asset: RagdollAsset,
  { joints }: RagdollState,
  { open, opened, openFor }: Motion,
  dt: number,
): void {
  for (let part = 0; part < asset.parts.length; part++) {
    const { joint } = asset.parts[part]
    const constraint = joints[part]
    if (joint === undefined || constraint?.alive !== true) continue
    let changed = false
    for (let o = 6 * part; o < 6 * part + 6; o++) {
      if (open[o] === 0) continue
      openFor[o] += dt
      const t = Math.min(openFor[o] / CLOSING, 1)
      open[o] = opened[o] * (1 - t * t * (3 - 2 * t))
      changed = true
    }
    if (changed) setLimits(constraint, joint, open, 6 * part)
  }
}
