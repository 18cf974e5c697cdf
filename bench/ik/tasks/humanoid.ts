/** B6: MuJoCo's humanoid with a free root: hands and head placed, feet placed and turned, 21 rows in all. */

import { Pose, Rig } from '@tautline/ik'
import { parseMjcf } from '@tautline/ik/mjcf'
import type { Body, Effector } from '../solver.js'
import { dataText } from './body.js'
import { fromVector } from './kinematics.js'
import { Random } from './random.js'
import { type BodyTask, randomTargets } from './robot.js'

const EFFECTORS: readonly [string, boolean][] = [
  ['right_hand', false],
  ['left_hand', false],
  ['head', false],
  ['right_foot', true],
  ['left_foot', true],
]

const SEED = 61
/** How far the root is from its place at rest, in any direction [m], and turned, about any axis [rad]. */
const MOVED = 0.5
const TURNED = 0.5

/** `undefined` where the humanoid's file is absent. */
export function humanoidTask(count: number): BodyTask | undefined {
  const text = dataText('robots/humanoid.xml')
  if (text === undefined) return undefined
  const { bones } = parseMjcf(text)
  const make = (): Rig => Rig.from(bones).root('free')
  const rig = make()
  const effectors = EFFECTORS.map(([name, turns]): Effector => ({ bone: rig.indexOf(name), point: [0, 0, 0], turns }))
  const body: Body = { kind: 'humanoid', rig: make, effectors, limbs: [] }
  const random = new Random(SEED)
  const targets = randomTargets(body, rig, count, random, (pose) => {
    random.inBall(MOVED).forEach((x, k) => (pose.positions[k] += x))
    pose.rotations.set(fromVector(...random.inBall(TURNED)))
  })
  return {
    name: 'humanoid',
    text: `MuJoCo's humanoid, free root, hands, head and feet of ${count} random poses inside limits, 1 mm and 1 mrad`,
    body,
    start: new Pose(rig),
    targets,
    count,
    iterations: 200,
    tolerance: 1e-3,
    patience: Infinity,
  }
}
