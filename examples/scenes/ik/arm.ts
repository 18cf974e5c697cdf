/**
 * A robot arm is dragged by its flange along a figure of eight, the flange looking down. Six hinges, made of plain bones from
 * the table of Denavit and Hartenberg that Universal Robots publishes for its UR5e: z is up, joint k turns about z of its
 * bone, and the next bone stands at (a, 0, d), turned by α about x.
 */

import { cos, sin } from '@tautline/core/kernel'
import { type BoneDef, IkSolver, OrientationGoal, Pose, PositionGoal, Rig, WorldPose, writeJoint } from '@tautline/ik'
import { distance, type PoseScene, share } from './scene.js'

const QUARTER = Math.PI / 2
/** a [m], d [m], α [rad] after each joint. */
const TABLE = [
  [0, 0.1625, QUARTER],
  [-0.425, 0, 0],
  [-0.3922, 0, 0],
  [0, 0.1333, QUARTER],
  [0, 0.0997, -QUARTER],
  [0, 0.0996, 0],
] as const
/** Where the joints stand at first [rad]: the elbow up. */
const READY = [0, -1.2, 1.8, -2.17, -QUARTER, 0]
/** Each way [rad]; the elbow's is the shorter. */
const RANGES = [2, 2, 0.95, 2, 2, 2].map((share) => share * Math.PI)

const FRAMES = 240
/** Frames in which the path grows to its size. */
const START = 40
/** Half length and half width of the eight, level [m]. */
const LENGTH = 0.25
const WIDTH = 0.12

export function armScene(): PoseScene {
  const rig = Rig.from(TABLE.map((_, k) => link(k)))
  const pose = new Pose(rig)
  READY.forEach((angle, k) => writeJoint(rig, pose, k, [angle]))
  const flange = TABLE.length - 1
  const world = new WorldPose(rig).update(rig, pose)
  const [x, y, z, w] = world.rotations.subarray(4 * flange)
  const solver = new IkSolver(rig)
  // The flange is the tip of the last bone, along its z.
  const tip = TABLE[flange][1]
  const centre = [0, 1, 2].map((k) => world.positions[3 * flange + k] + tip * axisZ(x, y, z, w)[k])
  const place = solver.add(new PositionGoal(rig, flange, [centre[0], centre[1], centre[2]]))
  const facing = solver.add(new OrientationGoal(rig, flange, [x, y, z, w]))
  let longest = 0
  return {
    name: 'arm',
    rig,
    solver,
    pose,
    frames: FRAMES,
    beforeFrame(frame) {
      const angle = (4 * Math.PI * (frame + 1)) / FRAMES
      const s = share(frame + 1, START)
      const before = place.target.slice()
      place.target[0] = centre[0] + s * WIDTH * sin(2 * angle)
      place.target[1] = centre[1] + s * LENGTH * sin(angle)
      place.target[2] = centre[2] + s * 0.5 * WIDTH * (1 - cos(angle))
      longest = Math.max(longest, distance(before, place.target))
    },
    measure() {
      return {
        'flange from its target': { value: 1e6 * place.error, unit: 'µm' },
        'flange off its direction': { value: 1e3 * facing.error, unit: 'mrad' },
        'dragged at most': { value: 1000 * longest, unit: 'mm a frame' },
      }
    },
  }
}

function link(k: number): BoneDef {
  const bone: BoneDef = {
    name: `joint ${k + 1}`,
    parent: k === 0 ? null : k - 1,
    position: [0, 0, 0],
    joint: { kind: 'hinge', axis: [0, 0, 1], limits: { min: -RANGES[k], max: RANGES[k] } },
  }
  if (k > 0) {
    const [a, d, alpha] = TABLE[k - 1]
    bone.position = [a, 0, d]
    bone.rotation = [sin(0.5 * alpha), 0, 0, cos(0.5 * alpha)]
  }
  if (k === TABLE.length - 1) bone.tip = [TABLE[k][0], 0, TABLE[k][1]]
  return bone
}

/** ẑ turned by a quaternion. */
function axisZ(x: number, y: number, z: number, w: number): [number, number, number] {
  return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
}
