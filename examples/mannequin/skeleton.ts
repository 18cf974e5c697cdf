/**
 * The mannequin's bones: joints of `adult`, named by VRM's humanoid roles, in a T-pose that faces +z; no bone is turned at rest.
 *
 * Heights and lengths are the adult's. Its table has the breadth of shoulders and hips, not the distance of the joints within:
 * those are taken as shares of the breadths. Not from a table either: where the back's joints lie from front to back, the collar
 * bones, the skull's joint, and the ball of the foot.
 */

import { type BoneDef, Rig } from '@tautline/ik'
import { type Adult, adult, type Vector } from '../data/adult.js'
import { MEAN_STATURE } from '../data/anthropometry.js'
import { minus } from './vectors.js'

/** Stature [m] and mass [kg] of the table's mean man. */
export const STATURE = MEAN_STATURE / 1000
export const MASS = 73

/** Distance of the joints as a share of the breadth. */
const SHOULDERS = 0.84
const HIPS = 0.55

/** A bone's joint, and what it hangs on. */
export interface Bone {
  readonly name: string
  readonly parent: string | null
  /** Of its joint in the T-pose [m]. */
  readonly joint: Vector
  /** Its far end in the T-pose [m]. */
  readonly end: Vector
}

/** Joints of the adult, by name. */
function jointsOf({ joints }: Adult): (name: string) => Vector {
  return (name) => joints.find((joint) => joint.name === name)!.point
}

/** Bones with parents before children. */
export function mannequinBones(stature: number = STATURE, mass: number = MASS): Bone[] {
  const body = adult(stature, mass)
  const at = jointsOf(body)
  const size = stature / STATURE
  const part = (name: string) => body.parts.find((each) => each.name === name)!
  const hips: Vector = [0, at('left hip')[1] + 0.02 * size, 0]
  const spine: Vector = [0, at('waist')[1], -0.012 * size]
  const chest: Vector = [0, at('chest')[1], -0.022 * size]
  const neck: Vector = [0, at('neck')[1] - 0.012 * size, -0.03 * size]
  const head: Vector = [0, neck[1] + 0.085 * size, -0.008 * size]
  const top: Vector = [0, head[1] + 0.165 * size, head[2]]
  const bones: Bone[] = [
    { name: 'hips', parent: null, joint: hips, end: spine },
    { name: 'spine', parent: 'hips', joint: spine, end: chest },
    { name: 'chest', parent: 'spine', joint: chest, end: neck },
    { name: 'neck', parent: 'chest', joint: neck, end: head },
    { name: 'head', parent: 'neck', joint: head, end: top },
  ]
  for (const side of ['left', 'right'] as const) {
    const sign = side === 'left' ? 1 : -1
    const shoulder = at(`${side} shoulder`)
    const [, elbow, wrist] = ['shoulder', 'elbow', 'wrist'].map((name) => at(`${side} ${name}`))
    const inward = (1 - SHOULDERS) * shoulder[0]
    const arm = ([x, y]: Vector): Vector => [x - inward, y, -0.012 * size]
    const hand = part(`${side} hand`)
    const tip: Vector = [wrist[0] + sign * (hand.from[1] - hand.to[1]), wrist[1], 0]
    const hip = at(`${side} hip`)
    const leg = ([, y]: Vector, z: number): Vector => [HIPS * hip[0], y, z * size]
    const knee = leg(at(`${side} knee`), 0.006)
    const ankle = leg(at(`${side} ankle`), -0.012)
    const foot = part(`${side} foot`)
    const span = foot.to[2] - foot.from[2]
    const ball: Vector = [ankle[0], 0.028 * size, ankle[2] + 0.47 * span]
    const toes: Vector = [ankle[0], 0.02 * size, ankle[2] + 0.72 * span]
    const name = (part: string): string => side + part
    bones.push(
      {
        name: name('Shoulder'),
        parent: 'chest',
        joint: [sign * 0.025 * size, shoulder[1] + 0.012 * size, 0],
        end: arm(shoulder),
      },
      { name: name('UpperArm'), parent: name('Shoulder'), joint: arm(shoulder), end: arm(elbow) },
      { name: name('LowerArm'), parent: name('UpperArm'), joint: arm(elbow), end: arm(wrist) },
      { name: name('Hand'), parent: name('LowerArm'), joint: arm(wrist), end: arm(tip) },
      { name: name('UpperLeg'), parent: 'hips', joint: leg(hip, 0), end: knee },
      { name: name('LowerLeg'), parent: name('UpperLeg'), joint: knee, end: ankle },
      { name: name('Foot'), parent: name('LowerLeg'), joint: ankle, end: ball },
      { name: name('Toes'), parent: name('Foot'), joint: ball, end: toes },
    )
  }
  return bones
}

/** The bones as a rig with a free root. */
export function mannequinRig(bones: readonly Bone[]): Rig {
  const jointOf = new Map(bones.map(({ name, joint }) => [name, joint]))
  const defs = bones.map(({ name, parent, joint, end }): BoneDef => {
    const position = parent === null ? joint : minus(joint, jointOf.get(parent)!)
    return { name, parent, position: [...position], tip: [...minus(end, joint)] }
  })
  return Rig.from(defs).root('free')
}
