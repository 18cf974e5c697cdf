import { atan2, cos, sin } from '@tautline/core/kernel'
import { IkSolver, Pose, PositionGoal, WorldPose } from '@tautline/ik'
import { FINGER_NAMES, handRig } from '../../../scenes/ik/hand.js'
import type { Exhibit } from '../exhibit.js'
import { capsuleParts, goalPart, LedHandle, livePose } from '../pose-live.js'
import { numberOf } from '../settings.js'
import { ITERATIONS } from '../standard.js'

/** A hand whose fingertips follow goals. */
export const ikHand: Exhibit = {
  id: 'ik-hand',
  title: 'IK hand',
  blurb: 'Five fingertips follow five goals, within the ranges of real joints.',
  tries: ['Drag a goal; the others stay where you left them.', 'Drag one out of reach.'],
  text: [
    'Fifteen joints with an adult’s ranges, five goals, one solve.',
    'A goal out of reach is approached as far as the joints allow.',
  ],
  group: 'Inverse kinematics',
  settings: [ITERATIONS],
  view: { centre: [0, 0.09, 0.015], radius: 0.125, turn: -0.35, tilt: 0.15 },
  pose: 40,
  build(values) {
    const { rig, capsules, tips } = handRig()
    const solver = new IkSolver(rig, { iterations: numberOf(values, 'iterations') })
    const pose = new Pose(rig)
    const world = new WorldPose(rig).update(rig, pose)
    const tipOf = (bone: number): [number, number, number] => {
      const [x, y, z] = world.point(
        bone,
        rig.tip.subarray(3 * bone, 3 * bone + 3) as unknown as [number, number, number],
      )
      return [x, y, z]
    }
    const starts = tips.map(tipOf)
    const knuckles = world.positions.slice()
    const handles = tips.map((bone, k) => {
      const goal = solver.add(new PositionGoal(rig, bone, starts[k]))
      return new LedHandle(FINGER_NAMES[k], goal.target, () => tipOf(bone))
    })
    return livePose({
      rig,
      solver,
      pose,
      world,
      handles,
      parts: [...capsuleParts(world, capsules), ...handles.map((handle) => goalPart(handle, 0.0095))],
      lead(time) {
        handles.forEach((handle, k) => {
          if (handle.isTaken) return
          // The fingers close one after the other, and open again: a wave.
          const close = 0.5 * (1 - cos(1.8 * time - 0.55 * k))
          const [x, y, z] = starts[k]
          if (k === 0) {
            handle.target.set([x + 0.02 * close, y - 0.004 * close, z + 0.018 * close])
            return
          }
          // About the knuckle, and nearer to it.
          const o = 3 * (tips[k] - 2)
          const [kx, ky, kz] = knuckles.subarray(o, o + 3)
          const length = Math.sqrt((x - kx) * (x - kx) + (y - ky) * (y - ky)) * (0.995 - 0.4 * close)
          const way = atan2(x - kx, y - ky)
          const bend = 1.45 * close
          handle.target.set([
            kx + length * sin(way) * cos(bend),
            ky + length * cos(way) * cos(bend),
            kz + length * sin(bend),
          ])
        })
      },
      configure: (now) => void solver.configure({ iterations: numberOf(now, 'iterations') }),
      figures: () => ({ 'Worst goal': { value: 1000 * worst(solver), unit: 'mm' } }),
    })
  },
}

/** The largest error of goals of a place [m]. */
export function worst(solver: IkSolver): number {
  return solver.goals.reduce((most, goal) => (goal.isLength ? Math.max(most, goal.error) : most), 0)
}
