/**
 * A captured person reaches down in front of the feet: both feet stay where the capture has them, the centre of mass stays
 * over them, the hips are free, and every joint keeps to an adult's ranges.
 *
 * CMU motion capture, subject 1, trial 1 (mocap.cs.cmu.edu). The file's unit is 5.64 cm.
 */

import { CentreGoal, IkSolver, OrientationGoal, Pose, PositionGoal, Rig, WorldPose } from '@tautline/ik'
import { parseBvh } from '@tautline/ik/bvh'
import { humanoidJoints, humanoidRoles, type Role } from '@tautline/ik/vrm'
import { dataFile } from './data.js'
import { distance, jointAt, type PoseScene, share, type SkippedScene } from './scene.js'

/** Metres a unit of the file. */
const UNIT = 0.0564
/** A frame at which the person stands. */
const FRAME = 1000
const FRAMES = 120
/** Frames in which the target gets to its place. */
const MOVE = 90
/** Where it ends: in front of the hips, and above the feet [m]. */
const AHEAD = 0.5
const ABOVE = 0.35
/** Half width of the support beside the line through each foot [m]. */
const HALF_FOOT = 0.05

type Vector = [number, number, number]

export function reachScene(): PoseScene | SkippedScene {
  const name = 'reach'
  const input = dataFile('mocap/01_01.bvh')
  if ('missing' in input) return { name, skipped: input.missing }
  const bvh = parseBvh(new TextDecoder().decode(input.bytes), { scale: UNIT })
  const rig = Rig.from(bvh.bones).root('free')
  const roles = humanoidRoles(rig.names)
  rig.setJoints(humanoidJoints(rig, roles))
  const pose = new Pose(rig)
  bvh.pose(FRAME, pose)

  const world = new WorldPose(rig).update(rig, pose)
  const bone = (role: Role): number => rig.indexOf(roles[role] ?? role)
  const at = (role: Role): Vector => jointAt(world.positions, bone(role))
  const feet = (['leftFoot', 'rightFoot'] as const).map((role) => ({ role, start: at(role) }))
  const solver = new IkSolver(rig)
  for (const { role, start } of feet) {
    solver.add(new PositionGoal(rig, bone(role), start))
    const k = 4 * bone(role)
    const [x, y, z, w] = world.rotations.subarray(k, k + 4)
    solver.add(new OrientationGoal(rig, bone(role), [x, y, z, w]))
  }
  const front = frontOf(at('leftUpperLeg'), at('rightUpperLeg'))
  solver.add(new CentreGoal(rig, { support: supportOf(at, front) }))

  const start = at('rightHand')
  const hips = at('hips')
  const end = [hips[0] + AHEAD * front[0], feet[1].start[1] + ABOVE, hips[2] + AHEAD * front[2]]
  const hand = solver.add(new PositionGoal(rig, bone('rightHand'), start, { point: [0, 0, 0] }))
  return {
    name,
    rig,
    solver,
    pose,
    frames: FRAMES,
    beforeFrame(frame) {
      const s = share(frame + 1, MOVE)
      for (let k = 0; k < 3; k++) hand.target[k] = start[k] + s * (end[k] - start[k])
    },
    measure() {
      world.update(rig, pose)
      const slide = Math.max(...feet.map((foot) => distance(at(foot.role), foot.start)))
      return {
        'hand from its target': { value: 1000 * distance(at('rightHand'), hand.target), unit: 'mm' },
        'feet moved': { value: 1000 * slide, unit: 'mm' },
        'hips lowered': { value: 100 * (hips[1] - at('hips')[1]), unit: 'cm' },
      }
    },
  }
}

/** Level, at right angles to the line from the right to the left hip: left × up. */
function frontOf(left: Vector, right: Vector): Vector {
  const [x, z] = [left[0] - right[0], left[2] - right[2]]
  const length = Math.sqrt(x * x + z * z)
  return [-z / length, 0, x / length]
}

/** What the feet stand on, from their heels to their toes: corners from x towards z. */
function supportOf(at: (role: Role) => Vector, front: Vector): [number, number][] {
  const outward = [front[2], -front[0]]
  const corner = (role: Role, side: number): [number, number] => {
    const [x, , z] = at(role)
    return [x + side * HALF_FOOT * outward[0], z + side * HALF_FOOT * outward[1]]
  }
  return [corner('leftFoot', 1), corner('leftToes', 1), corner('rightToes', -1), corner('rightFoot', -1)]
}
