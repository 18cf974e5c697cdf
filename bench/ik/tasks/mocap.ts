/** B7: five points of a recorded walk rebuild it: head, hands and feet, placed and turned as trackers on them would tell. */

import { acos } from '@tautline/core'
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
const POINTS: readonly [Role, boolean][] = [
  ['leftHand', true],
  ['rightHand', true],
  ['leftFoot', true],
  ['rightFoot', true],
  ['head', true],
]
const LIMBS: readonly [Role, Role, Role][] = [
  ['leftUpperArm', 'leftLowerArm', 'leftHand'],
  ['rightUpperArm', 'rightLowerArm', 'rightHand'],
  ['leftUpperLeg', 'leftLowerLeg', 'leftFoot'],
  ['rightUpperLeg', 'rightLowerLeg', 'rightFoot'],
]

/** `undefined` where the recording is absent. `frames`: at most. */
export function mocapTask(turns: boolean, most = Infinity): MocapTask | undefined {
  const text = dataText('mocap/01_01.bvh')
  if (text === undefined) return undefined
  const bvh = parseBvh(text, { scale: UNIT })
  const roles = humanoidRoles(bvh.bones.map(({ name }) => name))
  const make = (): Rig => {
    const rig = Rig.from(bvh.bones)
    for (const [name, joint] of Object.entries(humanoidJoints(rig, roles))) rig.joint(name, joint)
    return rig.root('free')
  }
  const rig = make()
  const row = (role: Role): number => rig.indexOf(roles[role] ?? '', `mocap: ${role}`)
  const effectors = POINTS.map(
    ([role, isTurned]): Effector => ({ bone: row(role), point: [0, 0, 0], turns: turns && isTurned }),
  )
  const limbs = LIMBS.map(([start, middle, end]): Limb => ({ start: row(start), middle: row(middle), end: row(end) }))
  const body: Body = { kind: 'figure', rig: make, effectors, limbs }
  const frames = Math.min(most, Math.ceil(bvh.frameCount / EVERY))
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
    name: turns ? 'mocap' : 'mocap-points',
    text: `CMU 01_01, every ${EVERY}th frame, ${frames} of them: head, hands and feet placed${turns ? ' and turned' : ''}, free root, humanoid limits`,
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
