/** How a figure that lies gets up: which clip, and where that is put. */

import { clipDuration, type PoseClip, sampleClip } from '@tautline/ik/poses'
import {
  difference,
  fromTo,
  inverse,
  scaled,
  size,
  sum,
  times,
  rotationAt,
  rotated,
  type Vec3,
  vectorAt,
} from '../algebra.js'
import { type BonePose, restPose } from '../pose.js'
import type { Ragdoll } from '../ragdoll.js'
import { restPlaces, type PartPlaces } from '../validate.js'
import { footing, standingPlaces, type Surroundings, surroundingsOf, upOf } from './ground.js'
import { fitShape, type PoseShape, shapeOf, rotationAboutY, turnRadius } from './match.js'
import { clipPlaces, partsNow } from './place.js'

/** The start of a clip as it is compared with how the figure lies. */
interface Start {
  readonly shape: PoseShape
  readonly places: PartPlaces
}

/** What of the clips is known beforehand. */
export interface Starts {
  readonly starts: readonly Start[]
  /** Radius at which turns of parts count [m]. */
  readonly radius: number
  /** Of the standing figure [m]. */
  readonly height: number
}

/** How it gets up: plain data. */
export interface GetUpPlan {
  /** Number of the clip. */
  readonly clip: number
  /** How far the start of the clip is from how the figure lies [m]: see `fitShape`. */
  readonly distance: number
  /** Where the clip's origin is at its start, and from when the feet stand on. */
  readonly from: Vec3
  readonly to: Vec3
  /** How the clip is turned. */
  readonly orientation: readonly number[]
  /** Whether there is ground and room where it will stand. */
  readonly isClear: boolean
}

/** Looks at the starts of clips. */
export function startsOf(doll: Ragdoll, clips: readonly PoseClip[]): Starts {
  const { asset } = doll
  const radius = turnRadius(asset, restPlaces(asset))
  const poses = clips.map((clip) => sampleClip(restPose(asset.skeleton), clip, 0))
  const ends = clips.map((clip) => sampleClip(restPose(asset.skeleton), clip, clipDuration(clip)))
  return {
    radius,
    height: Math.max(...ends.map((pose) => heightOf(doll, pose))),
    starts: poses.map((pose) => {
      const places = clipPlaces(doll, pose)
      return { places, shape: shapeOf(asset, places, radius) }
    }),
  }
}

/** Height of the highest joint or middle of a part above y = 0 [m]. */
function heightOf(doll: Ragdoll, pose: BonePose): number {
  const { positions, rotations } = clipPlaces(doll, pose)
  return Math.max(
    ...doll.asset.parts.map(({ matter }, part) => {
      const middle = sum(vectorAt(positions, part), rotated(rotationAt(rotations, part), matter.centre))
      return Math.max(2 * middle[1] - positions[3 * part + 1], positions[3 * part + 1])
    }),
  )
}

/** What a clip whose end is blocked counts farther away than it is [m]. */
const BLOCKED = 0.5

/** The clip whose start is nearest to how the figure lies now, and where it goes. */
export function planGetUp(doll: Ragdoll, known: Starts): GetUpPlan {
  const upright = fromTo([0, 1, 0], upOf(doll))
  const lying = seenFrom(partsNow(doll), upright)
  const now = shapeOf(doll.asset, lying, known.radius)
  const centre = rotated(upright, vectorAt(now.centre, 0))
  const lowest = Math.min(...doll.asset.parts.map((_, part) => lying.positions[3 * part + 1]))
  const around = surroundingsOf(doll, known.height, lowest)
  const ground = around.below(centre) ?? lowest - now.centre[1]
  const plans = known.starts.map(({ shape, places }, clip): GetUpPlan => {
    const fit = fitShape(doll.asset, shape, now)
    const orientation = times(upright, rotationAboutY(fit))
    // Centres of mass one above the other; the clip's ground is that under the body.
    const [x, , z] = shape.centre
    const origin = difference(centre, rotated(orientation, [x, 0, z]))
    const free = sum(origin, roomToLie(around, centre, origin, orientation, places, known.height))
    const from = sum(free, scaled(around.up, ground))
    const to = placeToStand(around, centre, free, ground, known.height)
    return {
      clip,
      distance: fit.distance,
      from,
      to: to ?? from,
      orientation: [...orientation],
      isClear: to !== undefined,
    }
  })
  const cost = (plan: GetUpPlan): number => plan.distance + (plan.isClear ? 0 : BLOCKED)
  return plans.reduce((best, plan) => (cost(plan) < cost(best) ? plan : best))
}

/** How much higher or lower than under its body a figure stands up, by its height. */
const LEVEL = 0.35

/** The first place with ground and room, near the one wished; all at the height of the middle. */
function placeToStand(
  around: Surroundings,
  middle: Vec3,
  wish: Vec3,
  ground: number,
  height: number,
): Vec3 | undefined {
  for (const place of standingPlaces(middle, wish, around.up, height)) {
    const level = footing(around, place, height)
    if (level === undefined || Math.abs(level - ground) > LEVEL * height) continue
    const at = sum(place, scaled(around.up, level))
    if (around.hasRoom(at)) return at
  }
  return undefined
}

/** Gap that a lying figure keeps from walls beyond its joints, by its height. */
const GAP = 0.1

/** How far the clip's origin is moved so that no joint of its first pose is behind a wall, as seen from the body. */
function roomToLie(
  { free }: Surroundings,
  middle: Vec3,
  origin: Vec3,
  orientation: ReturnType<typeof times>,
  { positions }: PartPlaces,
  height: number,
): Vec3 {
  let moved: Vec3 = [0, 0, 0]
  for (let part = 0; 3 * part < positions.length; part++) {
    const [x, , z] = vectorAt(positions, part)
    const joint = sum(sum(origin, moved), rotated(orientation, [x, 0, z]))
    const way = difference(joint, middle)
    const length = size(way)
    if (length < 1e-6) continue
    const over = length + GAP * height - free(middle, way, length + GAP * height)
    moved = difference(moved, scaled(way, over / length))
  }
  return moved
}

/** Places turned so that up is y. */
function seenFrom({ positions, rotations }: PartPlaces, upright: ReturnType<typeof fromTo>): PartPlaces {
  const back = inverse(upright)
  const out = { positions: positions.slice(), rotations: rotations.slice() }
  for (let part = 0; 3 * part < positions.length; part++) {
    out.positions.set(rotated(back, vectorAt(positions, part)), 3 * part)
    out.rotations.set(times(back, rotationAt(rotations, part)), 4 * part)
  }
  return out
}
