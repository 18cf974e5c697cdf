/** Poses of a character put where it stands in the world, and the pose of a ragdoll seen from there. */

import type { Ragdoll } from '../ragdoll.js'
import { inverse, type Quat, sum, times, rotationAt, rotated, type Vec3, vectorAt } from '../algebra.js'
import { readPlaces } from '../places.js'
import { BonePlaces, type BonePose, placeBones, placeParts, readPose, type Space } from '../pose.js'
import type { PartPlaces } from '../validate.js'

/** Where a character stands: the origin of its clips in the world, and how they are turned. */
export interface Standing {
  readonly position: Vec3
  readonly orientation: Quat
}

/** The world as seen from itself. */
const ORIGIN: Space = {
  position: /* @__PURE__ */ new Float64Array(3),
  orientation: /* @__PURE__ */ Float64Array.of(0, 0, 0, 1),
}

/** Moves the roots of a pose from the space of its clip to where the character stands, in the space of the ragdoll's poses. */
export function placeRoots(doll: Ragdoll, pose: BonePose, { position, orientation }: Standing): void {
  const { skeleton } = doll.asset
  const { parent, unit, mirror } = skeleton
  const { position: origin, orientation: facing } = doll.settings
  const back = inverse(facing as readonly number[] as Quat)
  for (let i = 0; i < parent.length; i++) {
    if (parent[i] >= 0) continue
    const at = vectorAt(pose.positions, i).map((x, k) => x * unit[3 * i + k]) as Vec3
    const rigid = rotationAt(pose.rotations, i).map((x, k) => (k < 3 ? x * mirror[3 * i + k] : x)) as Quat
    const world = sum(position, rotated(orientation, at))
    const local = rotated(back, [world[0] - origin[0], world[1] - origin[1], world[2] - origin[2]])
    const turn = times(back, times(orientation, rigid))
    for (let k = 0; k < 3; k++) {
      pose.positions[3 * i + k] = local[k] / unit[3 * i + k]
      pose.rotations[4 * i + k] = turn[k] * mirror[3 * i + k]
    }
    pose.rotations[4 * i + 3] = turn[3]
  }
}

/** Room for places of a ragdoll's parts. */
export function partPlaces({ asset }: Ragdoll): PartPlaces {
  const n = asset.parts.length
  return { positions: new Float64Array(3 * n), rotations: new Float64Array(4 * n) }
}

/** Where a pose of a clip puts parts, in the clip's own space. */
export function clipPlaces(doll: Ragdoll, pose: BonePose): PartPlaces {
  return placesIn(doll, pose, ORIGIN)
}

/** Where a pose puts parts in the world. */
export function posePlaces(doll: Ragdoll, pose: BonePose): PartPlaces {
  return placesIn(doll, pose, spaceOf(doll))
}

function placesIn(doll: Ragdoll, pose: BonePose, space: Space): PartPlaces {
  const bones = new BonePlaces(doll.asset.skeleton.names.length)
  const places = partPlaces(doll)
  placeBones(doll.asset.skeleton, pose, space, bones)
  placeParts(doll.asset, bones, places)
  return places
}

/** Where the space of its poses is in the world. */
function spaceOf({ settings: { position, orientation } }: Ragdoll): Space {
  return { position: Float64Array.from(position), orientation: Float64Array.from(orientation) }
}

/** Where the parts are in the world; those whose bodies were removed at the origin. */
export function partsNow(doll: Ragdoll): PartPlaces {
  const places = partPlaces(doll)
  const none = partPlaces(doll)
  for (let o = 3; o < none.rotations.length; o += 4) none.rotations[o] = 1
  readPlaces(doll.asset, doll, none, 1, places)
  return places
}

/**
 * The pose that the ragdoll is in, with roots where `lead` has them: bones that are no parts stand as it shows them now, bones above the hips as in `lead`,
 * so that a blend from the one to the other does not swing about a far root.
 */
export function poseFrom(doll: Ragdoll, lead: BonePose): BonePose {
  const { asset } = doll
  const { skeleton, partOf } = asset
  const pose = doll.pose()
  const around = { positions: pose.positions.slice(), rotations: pose.rotations.slice() }
  for (let i = 0; i < skeleton.names.length; i++) {
    if (partOf[i] >= 0) continue
    for (let k = 3 * i; k < 3 * i + 3; k++) around.positions[k] = lead.positions[k]
    for (let k = 4 * i; k < 4 * i + 4; k++) around.rotations[k] = lead.rotations[k]
  }
  const isLoose = (part: number): boolean =>
    asset.parts[part].joint?.kind === 'slider' || doll.joint(asset.parts[part].name) === undefined
  readPose(asset, partsNow(doll), around, spaceOf(doll), isLoose, new BonePlaces(skeleton.names.length), pose)
  return pose
}
