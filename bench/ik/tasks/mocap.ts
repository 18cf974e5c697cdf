/**
 * B7: five points of a recorded motion rebuild it: where head, hands and feet are; how head and hands are turned may help.
 *
 * Five points do not tell how a back bends: the rig's is straight, its neck and shoulders are stiff, and bones without a role
 * are still. Its limits are a humanoid's, which the recording leaves: it twists forearms in the elbow.
 */

import { acos } from '@tautline/core/kernel'
import { Pose, Rig, WorldPose } from '@tautline/ik'
import { parseBvh } from '@tautline/ik/bvh'
import { humanoidJoints, humanoidRoles, type Role } from '@tautline/ik/vrm'
import type { Body, Effector, Limb } from '../solver.js'
import { dataText, TARGET, writeTargets } from './body.js'

export interface MocapTask {
  readonly name: string
  readonly text: string
  readonly body: Body
  readonly start: Pose
  readonly targets: Float64Array
  readonly frames: number
  readonly iterations: number
  /** [m], and [rad] */
  readonly tolerance: number
  /** Bend of each limb's middle in each frame, 0 straight [rad]. */
  readonly bends: Float64Array
  /** Positions of all bones in each frame [m]. */
  readonly positions: Float64Array
}

/** The file's unit: CMU's skeletons are in inches / 0.45. */
const UNIT = 0.0254 / 0.45
const EVERY = 4
const POINTS: readonly Role[] = ['leftHand', 'rightHand', 'leftFoot', 'rightFoot', 'head']
const LIMBS: readonly [Role, Role, Role][] = [
  ['leftUpperArm', 'leftLowerArm', 'leftHand'],
  ['rightUpperArm', 'rightLowerArm', 'rightHand'],
  ['leftUpperLeg', 'leftLowerLeg', 'leftFoot'],
  ['rightUpperLeg', 'rightLowerLeg', 'rightFoot'],
]

const STILL: readonly Role[] = ['spine', 'chest', 'upperChest', 'leftToes', 'rightToes']
/** Of neck and shoulders. */
const STIFF: readonly Role[] = ['neck', 'head', 'leftShoulder', 'rightShoulder']
const STIFFNESS = 10
/** The recording's second bone of the neck, which has no role. */
const NECK = 'Neck1'

/** `undefined` where the recording is absent. */
export function mocapTask(): MocapTask | undefined {
  const text = dataText('mocap/01_01.bvh')
  if (text === undefined) return undefined
  const bvh = parseBvh(text, { scale: UNIT })
  const roles = humanoidRoles(bvh.bones.map(({ name }) => name))
  const make = (): Rig => {
    const rig = Rig.from(bvh.bones)
    const named = (some: readonly Role[]): (string | undefined)[] => some.map((role) => roles[role])
    const [still, stiff] = [named(STILL), named(STIFF)]
    const joints = humanoidJoints(rig, roles)
    for (const name of rig.names) {
      const joint = name === NECK ? joints[roles.neck ?? ''] : joints[name]
      if (joint === undefined || still.includes(name)) rig.joint(name, { kind: 'locked' })
      else rig.joint(name, name === NECK || stiff.includes(name) ? { ...joint, stiffness: STIFFNESS } : joint)
    }
    return rig.root('free')
  }
  const rig = make()
  const row = (role: Role): number => rig.indexOf(roles[role] ?? '', `mocap: ${role}`)
  const effectors = POINTS.map((role): Effector => ({ bone: row(role), point: [0, 0, 0], turns: false }))
  const limbs = LIMBS.map(([start, middle, end]): Limb => ({ start: row(start), middle: row(middle), end: row(end) }))
  const body: Body = { kind: 'figure', rig: make, effectors, limbs }
  const frames = Math.ceil(bvh.frameCount / EVERY)
  const size = TARGET * effectors.length
  const targets = new Float64Array(size * frames)
  const bends = new Float64Array(limbs.length * frames)
  const positions = new Float64Array(3 * rig.count * frames)
  const pose = new Pose(rig)
  const world = new WorldPose(rig)
  const start = new Pose(rig)
  for (let frame = 0; frame < frames; frame++) {
    bvh.pose(EVERY * frame, pose)
    if (frame === 0) for (let k = 0; k < 3; k++) start.positions[k] = pose.positions[k]
    writeTargets(body, rig, world, pose, targets, size * frame)
    positions.set(world.positions, 3 * rig.count * frame)
    limbs.forEach((limb, l) => (bends[limbs.length * frame + l] = bendOf(limb, world.positions)))
  }
  return {
    name: 'mocap',
    text: `CMU 01_01, every ${EVERY}th frame, ${frames} of them: head, hands and feet, free root, a humanoid's limits`,
    body,
    start,
    targets,
    frames,
    iterations: 10,
    tolerance: 1e-3,
    bends,
    positions,
  }
}

/** Angle between the two bones of a limb, 0 when it is straight [rad]. */
export function bendOf({ start, middle, end }: Limb, x: Float64Array): number {
  let [uv, uu, vv] = [0, 0, 0]
  for (let k = 0; k < 3; k++) {
    const u = x[3 * middle + k] - x[3 * start + k]
    const v = x[3 * end + k] - x[3 * middle + k]
    uv += u * v
    uu += u * u
    vv += v * v
  }
  return acos(Math.max(-1, Math.min(1, uv / Math.sqrt(uu * vv))))
}
