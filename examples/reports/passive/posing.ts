/** Row 1.10: five-point posing without jumps. */

import { type FullBodyBones, fullBody, IkSolver, Pose, Rig, WorldPose } from '@tautline/ik'
import { parseBvh } from '@tautline/ik/bvh'
import { humanoidJoints, humanoidRoles } from '@tautline/ik/vrm'
import { dataFile } from '../../scenes/ik/data.js'
import { figure, type ReportRow, skipped } from '../report.js'

const FILE = 'mocap/01_01.bvh'
/** The file's unit: CMU's skeletons are in inches / 0.45 [m]. */
const UNIT = 0.0254 / 0.45
const POINTS = ['head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'] as const
/** Frame 0 is a T-pose. */
const FIRST = 1
const FRAMES = 1600
/** A joint that goes farther in a frame while the recorded one does not has jumped [m]. */
const JUMP = 0.1

interface Posed {
  jumps: number
  /** Most that an elbow or knee went in a frame beyond the recorded one [m]. */
  most: number
  /** Mean error of the place of elbows and knees, and worst of the points [m]. */
  off: number
  worst: number
  iterations: number
}

function posed(text: string, hinges: boolean): Posed {
  const bvh = parseBvh(text, { scale: UNIT })
  const rig = Rig.from(bvh.bones)
  const roles = humanoidRoles(rig.names)
  rig.setJoints(humanoidJoints(rig, roles))
  const solver = new IkSolver(rig)
  const body = fullBody(rig, solver, roles as FullBodyBones, 5, { hinges })
  const [pose, recorded] = [new Pose(rig), new Pose(rig)]
  const [is, was, asked, before] = [0, 1, 2, 3].map(() => new WorldPose(rig))
  let [jumps, most, off, worst, iterations] = [0, 0, 0, 0, 0]
  for (let frame = FIRST; frame < FIRST + FRAMES; frame++) {
    bvh.pose(frame, recorded)
    asked.update(rig, recorded)
    for (const point of POINTS) {
      const { position, orientation } = body.goals[point]
      position.target.set(asked.positions.subarray(3 * position.bone, 3 * position.bone + 3))
      orientation.target.set(asked.rotations.subarray(4 * position.bone, 4 * position.bone + 4))
    }
    body.prepare(pose)
    iterations += solver.solve(pose).iterations / FRAMES
    is.update(rig, pose)
    for (const point of POINTS) worst = Math.max(worst, body.goals[point].position.error)
    for (const { middle } of body.poles) {
      off += distance(is, asked, middle) / (4 * FRAMES)
      if (frame === FIRST) continue
      const [went, should] = [distance(is, was, middle), distance(asked, before, middle)]
      most = Math.max(most, went - should)
      if (went > JUMP && should <= JUMP) jumps++
    }
    was.positions.set(is.positions)
    before.positions.set(asked.positions)
  }
  return { jumps, most, off, worst, iterations }
}

function distance(a: WorldPose, b: WorldPose, bone: number): number {
  const [x, y, z] = [0, 1, 2].map((k) => a.positions[3 * bone + k] - b.positions[3 * bone + k])
  return Math.sqrt(x * x + y * y + z * z)
}

export const posing: readonly ReportRow[] = [
  {
    id: '1.10',
    claim:
      'Five points pose a figure without jumps (before: 56 jumps of elbows and knees beyond 10 cm in a frame; in this scene 24 with balls and 43 with hinges)',
    asked: 'no elbow or knee goes more than 0.1 m in a frame of 1/120 s while the recorded one does not',
    scene: `CMU 01_01, frames ${FIRST} to ${FIRST + FRAMES - 1}; an adult's limits, fullBody with five points and their orientations, defaults; elbows and knees as the limits have them, then as hinges`,
    measure() {
      const file = dataFile(FILE)
      if ('missing' in file) return skipped(file.missing)
      const text = new TextDecoder().decode(file.bytes)
      const runs = [false, true].map((hinges) => ({ hinges, ...posed(text, hinges) }))
      return {
        figures: runs
          .map(
            ({ hinges, jumps, most, off, worst, iterations }) =>
              `${hinges ? 'hinges' : 'balls'}: ${jumps} jumps, at most ${figure(most)} m beyond the recorded, elbows and knees ${figure(off)} m off in the mean, points ${figure(1e3 * worst, 2)} mm at worst, ${figure(iterations)} iterations a frame`,
          )
          .join('; '),
        holds: runs.every(({ jumps }) => jumps === 0),
      }
    },
  },
]
