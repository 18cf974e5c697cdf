/**
 * Bones between two parts: a chain of which the doll has only the ends.
 *
 * The doll's joint has all of the turn between the two parts. In a pose it is spread over the chain, as over an elastic rod (mapper.ts of `@tautline/ik/poses`);
 * parts stay where they are. Collar bones and the like, which lead to one of a pair of limbs, keep still: the joint is the limb's own.
 */

import { createPoseMapper, mapToHigh, type PoseMapper } from '@tautline/ik/poses'
import type { RagdollAsset } from './data.js'
import { type BonePose, restPose } from './pose.js'

/** Chains of a skeleton, with room for work. */
export interface ChainsBetween {
  readonly mapper: PoseMapper
  /** Rows of bones by chain, the part's at its end last. */
  readonly chains: readonly Int32Array[]
  readonly room: BonePose
}

/** Finds the chains between parts that bend with them; none: `undefined`. */
export function chainsBetween({ skeleton, parts, partOf }: RagdollAsset): ChainsBetween | undefined {
  const { names, parent } = skeleton
  if (!parts.some(({ bone }) => parent[bone] >= 0 && isBetween(partOf, parts, parent[bone]))) return undefined
  const bones = parts.map(({ bone }) => names[bone])
  const mapper = createPoseMapper(skeleton, skeleton, { bones })
  const { chainStart, chainBones, twist } = mapper.high
  const chains = Array.from(chainStart.subarray(1), (end, c) => [chainStart[c], end] as const)
    .filter(([, end]) => twist[end - 1] > 0)
    .map(([begin, end]) => chainBones.slice(begin, end))
  return chains.length === 0 ? undefined : { mapper, chains, room: restPose(skeleton) }
}

/** Whether a bone is folded into a part. */
function isBetween(partOf: Int32Array, parts: RagdollAsset['parts'], bone: number): boolean {
  return partOf[bone] >= 0 && parts[partOf[bone]].bone !== bone
}

/**
 * Bends the chains of a pose in which bones between parts stand as in `lead`: those whose end is turned otherwise than there. `isLoose` says which
 * parts have places of their own, such as those that were cut off; chains to them stay.
 */
export function bendBetween(
  { mapper, chains, room }: ChainsBetween,
  { partOf }: RagdollAsset,
  lead: BonePose,
  isLoose: (part: number) => boolean,
  out: BonePose,
): void {
  let mapped = false
  for (let c = 0; c < chains.length; c++) {
    const chain = chains[c]
    const end = chain[chain.length - 1]
    if (isLoose(partOf[end]) || isTurnedAlike(out, lead, end)) continue
    if (!mapped) mapToHigh(mapper, room, out, lead)
    mapped = true
    for (let n = 0; n < chain.length; n++) copyBone(room, chain[n], out)
  }
}

function isTurnedAlike(a: BonePose, b: BonePose, i: number): boolean {
  for (let k = 4 * i; k < 4 * i + 4; k++) if (a.rotations[k] !== b.rotations[k]) return false
  return true
}

function copyBone(from: BonePose, i: number, out: BonePose): void {
  for (let k = 3 * i; k < 3 * i + 3; k++) out.positions[k] = from.positions[k]
  for (let k = 4 * i; k < 4 * i + 4; k++) out.rotations[k] = from.rotations[k]
}
