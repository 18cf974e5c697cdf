/** Limits of joints from what a clip does. */

import { array, nonNegative } from '@tautline/core/kernel'
import { checkAsset, type RagdollAsset } from './data.js'
import { BonePlaces, type BonePose, checkPose, placeBones, placeParts } from './pose.js'
import { fittedTo, type PartPlaces, widenedTo } from './validate.js'

const ORIGIN = {
  position: /* @__PURE__ */ new Float64Array(3),
  orientation: /* @__PURE__ */ Float64Array.of(0, 0, 0, 1),
}

/**
 * The asset with limits that hold all poses of a clip, and `margin` [rad, m of sliders] more: for figures of which no table tells. Throws
 * `TypeError`/`RangeError` for what are no poses of its skeleton.
 */
export function limitsFromClip(asset: RagdollAsset, poses: readonly BonePose[], margin = 0.1): RagdollAsset {
  nonNegative('limitsFromClip: margin', margin)
  return fittedTo(asset, placesOf('limitsFromClip', asset, poses), margin)
}

/**
 * The asset with its limits, and room beyond them for all poses of clips and `margin` [rad, m of sliders] more, where they leave them: what is driven through a
 * clip is not held back by a limit that the clip does not keep. Throws as {@link limitsFromClip}.
 */
export function widenLimits(asset: RagdollAsset, poses: readonly BonePose[], margin = 0.02): RagdollAsset {
  nonNegative('widenLimits: margin', margin)
  return widenedTo(asset, placesOf('widenLimits', asset, poses), margin)
}

/** Where the poses put parts. */
function placesOf(where: string, asset: RagdollAsset, poses: readonly BonePose[]): PartPlaces[] {
  if (array(`${where}: poses`, poses).length === 0)
    throw new RangeError(`${where}: poses must be at least one, got none`)
  checkAsset(`${where}: asset`, asset)
  const n = asset.parts.length
  const bones = new BonePlaces(asset.skeleton.names.length)
  return poses.map((pose, k): PartPlaces => {
    const places = { positions: new Float64Array(3 * n), rotations: new Float64Array(4 * n) }
    placeBones(asset.skeleton, checkPose(`${where}: poses[${k}]`, asset.skeleton, pose), ORIGIN, bones)
    placeParts(asset, bones, places)
    return places
  })
}
