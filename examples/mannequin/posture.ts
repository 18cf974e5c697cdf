/**
 * Postures of the mannequin in a person's terms, and what they are as a pose of its rig.
 *
 * Angles are degrees from standing with the arms at the sides, palms towards the thighs; the figure faces +z. A hand or a foot may be
 * held where it is to be: the limb is then solved by `TwoBone`, in the plane in which the angles bend it.
 */

import { type Pose, type Rig, TwoBone, WorldPose } from '@tautline/ik'
import type { Vector } from '../data/adult.js'
import { about, blend, mirrored, mix, type Quaternion, times } from './vectors.js'

/** [°] */
export interface ArmAngles {
  /** To the front, and away from the side. */
  readonly raise: number
  readonly spread: number
  /** Inward, about the arm's length. */
  readonly twist: number
  readonly elbow: number
  /** Of the forearm, thumb inward. */
  readonly pronation: number
  /** Of the hand, towards the palm. */
  readonly wrist: number
}

/** [°] */
export interface LegAngles {
  /** To the front, away from the middle, toes outward. */
  readonly raise: number
  readonly spread: number
  readonly turnout: number
  readonly knee: number
  /** Of the foot and of the toes, up. */
  readonly ankle: number
  readonly toes: number
}

/** Where a hand or a foot is held. */
export interface Hold {
  /** Of the wrist or the ankle [m]. */
  readonly at: Vector
  /** In the world, from the T-pose. */
  readonly turn: Quaternion
  /** 1 holds it there, 0 leaves it as the angles have it. */
  readonly share: number
}

/** Trunk [°]: to the front, to the left about up, over to the right, and to the left about its own length. */
export interface Bend {
  readonly forward: number
  readonly turn: number
  readonly side: number
  readonly roll?: number
}

export interface Posture {
  /** Of the hips' bone [m], and how it is turned. */
  readonly hips: Vector
  readonly lean: Bend
  /** Of the back against the hips, shared by its two joints; of the head against the chest, likewise. */
  readonly back: Bend
  readonly head: Bend
  readonly arms: readonly [left: ArmAngles, right: ArmAngles]
  readonly legs: readonly [left: LegAngles, right: LegAngles]
  readonly hands?: readonly [left: Hold, right: Hold]
  readonly feet?: readonly [left: Hold, right: Hold]
}

/** Turn about up, then forward, then sideways, then about its length. */
export function bendTurn({ forward, turn, side, roll = 0 }: Bend, share = 1): Quaternion {
  return times(
    about('y', share * turn),
    about('x', share * forward),
    about('z', -share * side),
    about('y', share * roll),
  )
}

/** Poses a rig of `mannequinRig` by postures. */
export class Poser {
  readonly rig: Rig
  private readonly world: WorldPose
  private readonly limbs: readonly (readonly [arm: TwoBone, leg: TwoBone])[]

  constructor(rig: Rig) {
    this.rig = rig
    this.world = new WorldPose(rig)
    this.limbs = SIDES.map((side) => [
      new TwoBone(rig, { start: `${side}UpperArm`, middle: `${side}LowerArm`, end: `${side}Hand`, point: [0, 0, 0] }),
      new TwoBone(rig, { start: `${side}UpperLeg`, middle: `${side}LowerLeg`, end: `${side}Foot`, point: [0, 0, 0] }),
    ])
  }

  /** Writes a posture to a pose. */
  write(posture: Posture, pose: Pose): void {
    const { hips, lean, back, head, arms, legs, hands, feet } = posture
    pose.positions.set(hips, 3 * this.rig.indexOf('hips'))
    this.turn(pose, 'hips', bendTurn(lean))
    for (const bone of ['spine', 'chest']) this.turn(pose, bone, bendTurn(back, 0.5))
    for (const bone of ['neck', 'head']) this.turn(pose, bone, bendTurn(head, 0.5))
    SIDES.forEach((side, k) => {
      for (const [bone, turn] of Object.entries({ ...armTurns(arms[k]), ...legTurns(legs[k]) })) {
        this.turn(pose, side + bone, k === 0 ? turn : mirrored(turn))
      }
      if (feet !== undefined) this.hold(pose, `${side}Foot`, this.limbs[k][1], feet[k])
      if (hands !== undefined) this.hold(pose, `${side}Hand`, this.limbs[k][0], hands[k])
    })
  }

  private turn(pose: Pose, bone: string, q: Quaternion): void {
    pose.rotations.set(q, 4 * this.rig.indexOf(bone))
  }

  /** Solves a limb for where its end is held, and turns the end as it is to be. */
  private hold(pose: Pose, bone: string, limb: TwoBone, { at, turn, share }: Hold): void {
    if (share === 0) return
    const { rig, world } = this
    const i = rig.indexOf(bone)
    world.update(rig, pose)
    const free = world.rotations.slice(4 * i, 4 * i + 4)
    limb.target.set(mix(world.point(bone) as Vector, at, share))
    limb.solve(pose)
    world.update(rig, pose)
    const p = 4 * rig.parent[i]
    const [x, y, z, w] = world.rotations.subarray(p, p + 4)
    this.turn(pose, bone, times(Float64Array.of(-x, -y, -z, w), blend(free, turn, share)))
  }
}

const SIDES = ['left', 'right'] as const

/** Of the left arm, by bone. */
function armTurns({ raise, spread, twist, elbow, pronation, wrist }: ArmAngles): Record<string, Quaternion> {
  // Beyond a quarter the collar bone goes along.
  const lift = 0.25 * Math.max(spread + Math.max(raise - 60, 0), 0)
  return {
    Shoulder: about('z', lift),
    UpperArm: times(about('z', -lift), about('x', -raise), about('z', spread - 90), about('x', twist)),
    LowerArm: times(about('y', -elbow), about('x', 0.6 * pronation)),
    Hand: times(about('x', 0.4 * pronation), about('z', -wrist)),
  }
}

/** Of the left leg, by bone. */
function legTurns({ raise, spread, turnout, knee, ankle, toes }: LegAngles): Record<string, Quaternion> {
  return {
    UpperLeg: times(about('x', -raise), about('z', spread), about('y', turnout)),
    LowerLeg: about('x', Math.max(knee, LEAST_KNEE)),
    Foot: about('x', -ankle),
    Toes: about('x', -toes),
  }
}

/** Shows a straight knee which way it bends [°]. */
const LEAST_KNEE = 1
