/** Room for work of a ragdoll. */

import { type ChainsBetween, chainsBetween } from './between.js'
import type { RagdollAsset } from './data.js'
import { BonePlaces, type BonePose, restPose } from './pose.js'
import type { PartPlaces } from './validate.js'

/** Places and a pose to work with, and what bends between parts. */
export interface Room {
  readonly bones: BonePlaces
  readonly places: PartPlaces
  readonly before: PartPlaces
  readonly pose: BonePose
  readonly between: ChainsBetween | undefined
}

/** Room for a ragdoll of an asset. */
export function roomOf(asset: RagdollAsset): Room {
  const n = asset.parts.length
  const places = (): PartPlaces => ({ positions: new Float64Array(3 * n), rotations: new Float64Array(4 * n) })
  return {
    bones: new BonePlaces(asset.skeleton.names.length),
    places: places(),
    before: places(),
    pose: restPose(asset.skeleton),
    between: chainsBetween(asset),
  }
}
