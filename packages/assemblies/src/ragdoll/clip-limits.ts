/** Limits of joints from what a clip does. */

import { array, nonNegative } from '@tautline/core/kernel'
import type { RagdollAsset } from './data.js'
import { BonePlaces, type BonePose, checkPose, placeBones, placeParts } from './pose.js'
import { fittedTo, type PartPlaces } from './validate.js'

const WHERE = 'limitsFromClip'
const ORIGIN = {
  position: /* @__PURE__ */ new Float64Array(3),
  orientation: /* @__PURE__ */ Float64Array.of(0, 0, 0, 1),
}

/**
 * The asset with limits that hold all poses of a clip, and `margin` [rad, m of sliders] more: for figures of which no table tells. Throws
 * `TypeError`/`RangeError` for what are no poses of its skeleton.
 */
export function limitsFromClip(asset: RagdollAsset, poses: readonly BonePose[], margin = 0.1): RagdollAsset {
  nonNegative(`${WHERE}: margin`, margin)
  if (array(`${WHERE}: poses`, poses).length === 0)
    throw new RangeError(`${WHERE}: poses must be at least one, got none`)
  const n = asset.parts.length
  const bones = new BonePlaces(asset.skeleton.names.length)
  const series = poses.map((pose, k): PartPlaces => {
    const places = { positions: new Float64Array(3 * n), rotations: new Float64Array(4 * n) }
    placeBones(asset.skeleton, checkPose(`${WHERE}: poses[${k}]`, asset.skeleton, pose), ORIGIN, bones)
    placeParts(asset, bones, places)
    return places
  })
  return fittedTo(asset, series, margin)
}
