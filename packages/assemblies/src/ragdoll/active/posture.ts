/** Postures: how trunk, head and arms are held, as turns from rest seen from the root. */

import {
  difference,
  direction,
  fromTo,
  inverse,
  normalized,
  type Quat,
  scaled,
  sum,
  times,
  rotationAt,
  vectorAt,
  type Vec3,
} from '../algebra.js'
import { BonePlaces, type BonePose, placeBones } from '../pose.js'
import type { Ragdoll } from '../ragdoll.js'
import type { BodyPlan } from './body-plan.js'
import { partRotation } from './readings.js'

/** By part. */
export type Posture = Quat[]

/** How far arms that hang are from the body: the tangent. */
const OUT = 0.15

/** That of rest, with the arms down. */
export function hangingArms({ asset, axes, rest, arms }: BodyPlan): Posture {
  const posture = asset.parts.map((): Quat => [0, 0, 0, 1])
  for (const { upper, lower, end, side } of arms ?? []) {
    const bone = direction(difference(vectorAt(rest.positions, lower), vectorAt(rest.positions, upper))) as Vec3
    const down = direction(sum(scaled(axes.up, -1), scaled(axes.left, OUT * side))) as Vec3
    const turn = fromTo(bone, down, axes.front)
    for (const part of [upper, lower, end]) posture[part] = turn
  }
  return posture
}

/** That of a pose. */
export function postureOf({ asset, rest }: BodyPlan, pose: BonePose): Posture {
  const bones = new BonePlaces(asset.skeleton.names.length)
  const space = { position: new Float64Array(3), orientation: Float64Array.of(0, 0, 0, 1) }
  placeBones(asset.skeleton, pose, space, bones)
  const turns = asset.parts.map(({ bone }, part) =>
    times(rotationAt(bones.rotations, bone), inverse(rotationAt(rest.rotations, part))),
  )
  return fromRoot(turns)
}

/** The one that a doll is in. */
export function postureNow(doll: Ragdoll, plan: BodyPlan): Posture {
  return fromRoot(plan.asset.parts.map((_, part) => partRotation(doll, plan, part)))
}

function fromRoot(turns: readonly Quat[]): Posture {
  const back = inverse(turns[0])
  return turns.map((turn) => times(back, turn))
}

/** From one to another, eased: by chords, the short way round. */
export function blendPostures(a: Posture, b: Posture, share: number): Posture {
  if (share >= 1) return b
  const s = share * share * (3 - 2 * share)
  return a.map((p, part) => {
    const q = b[part]
    const t = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -s : s
    const mix = (k: number): number => (1 - s) * p[k] + t * q[k]
    return normalized([mix(0), mix(1), mix(2), mix(3)])
  })
}
