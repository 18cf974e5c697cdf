/** B3: arms of robots, reachable places and orientations of their flange, from the pose at zero. */

import { Pose, Rig, WorldPose } from '@tautline/ik'
import { parseMjcf } from '@tautline/ik/mjcf'
import type { Body } from '../solver.js'
import { dataText, HINGE, setHinge, TARGET, writeTargets } from './body.js'
import { Random } from './random.js'

export const ROBOTS = ['iiwa14', 'ur5e'] as const

export interface BodyTask {
  readonly name: string
  readonly text: string
  readonly body: Body
  readonly start: Pose
  /** Numbers of all effectors of a target together. */
  readonly targets: Float64Array
  readonly count: number
  readonly iterations: number
  /** [m], and [rad] */
  readonly tolerance: number
  /** A slower solve is a failed one [ms]. */
  readonly patience: number
}

const SEED = 31
/** Joints that turn farther than this have targets within it [rad]. */
const MOST = Math.PI

/** `undefined` where the robot's file is absent. */
export function robotTask(robot: (typeof ROBOTS)[number], count: number): BodyTask | undefined {
  const text = dataText(`robots/${robot}.xml`)
  if (text === undefined) return undefined
  const { bones, ends } = parseMjcf(text)
  const make = (): Rig => Rig.from(bones)
  const rig = make()
  const flange = ends[ends.length - 1]
  const body: Body = {
    kind: 'robot',
    rig: make,
    effectors: [{ bone: rig.indexOf(flange.bone), point: flange.position, turns: true }],
    limbs: [],
  }
  return {
    name: `robot-${robot}`,
    text: `${robot}, ${count} places and orientations of random joints inside limits, from zero, 1e-5 on six axes, 5 ms`,
    body,
    start: new Pose(rig),
    targets: randomTargets(body, rig, count, new Random(SEED)),
    count,
    iterations: 200,
    tolerance: 1e-5,
    patience: 5,
  }
}

/** Targets of poses whose hinges are uniform in their limits; `prepare` may move the root before. */
export function randomTargets(
  body: Body,
  rig: Rig,
  count: number,
  random: Random,
  prepare?: (pose: Pose) => void,
): Float64Array {
  const size = TARGET * body.effectors.length
  const targets = new Float64Array(size * count)
  const world = new WorldPose(rig)
  for (let t = 0; t < count; t++) {
    const pose = new Pose(rig)
    prepare?.(pose)
    for (let i = 0; i < rig.count; i++) {
      const { kind, limits } = rig.joints[i]
      if (kind === HINGE) setHinge(rig, i, random.between(Math.max(limits[0], -MOST), Math.min(limits[1], MOST)), pose)
    }
    writeTargets(body, rig, world, pose, targets, size * t)
  }
  return targets
}
