import { WorldPose } from '@tautline/ik'
import { armScene } from '../../../scenes/ik/arm.js'
import type { Exhibit } from '../exhibit.js'
import { type Part } from '../parts.js'
import { capitals } from '../measures.js'
import { numberOf } from '../settings.js'
import { ITERATIONS } from '../standard.js'
import { goalPart, LedHandle, livePose } from '../pose-live.js'

/** A robot arm that is dragged by its flange. */
export const arm: Exhibit = {
  id: 'ik-arm',
  title: 'Robot arm',
  blurb: 'Six hinges after a published table follow a figure of eight, the flange looking down.',
  tries: ['Drag the goal.'],
  text: ['The arm of a UR5e by its Denavit–Hartenberg table. Place and direction of the flange are goals.'],
  group: 'Inverse kinematics',
  settings: [ITERATIONS],
  view: { centre: [-0.25, 0.25, 0], radius: 0.75, turn: 0.5, tilt: 0.2, floor: -0.06 },
  pose: 60,
  build(values) {
    const scene = armScene()
    const { rig, solver, pose } = scene
    solver.configure({ iterations: numberOf(values, 'iterations') })
    const world = new WorldPose(rig)
    const goal = solver.goals.find((each) => each.isLength) as unknown as { target: Float64Array; bone: number }
    const last = rig.count - 1
    const tip = rig.tip.subarray(3 * last, 3 * last + 3) as unknown as [number, number, number]
    // The table has z up: what is drawn and dragged has y up.
    const shown = new Float64Array(3)
    const toScreen = (): void => shown.set([goal.target[0], goal.target[2], -goal.target[1]])
    toScreen()
    const handle = new LedHandle('flange', shown, () => {
      const [x, y, z] = world.point(last, tip)
      return [x, z, -y]
    })
    const count = rig.count + 1
    const write = (out: Float64Array): void => {
      const { positions } = world
      for (let k = 0; k < rig.count; k++)
        out.set([positions[3 * k], positions[3 * k + 2], -positions[3 * k + 1]], 3 * k)
      out.set(handle.reached(), 3 * rig.count)
    }
    const parts: Part[] = [
      { kind: 'tube', count, radius: 0.035, tone: 'body', write },
      { kind: 'beads', count, radius: 0.05, tone: 'second', write },
      goalPart(handle, 0.065),
      {
        kind: 'solid',
        form: { kind: 'cylinder', radius: 0.1, half: 0.03 },
        tone: 'fixed',
        place: (out) => out.set([0, -0.03, 0, 0, 0, 0, 1]),
      },
    ]
    let frame = 0
    return livePose({
      rig,
      solver,
      pose,
      world,
      handles: [handle],
      configure: (now) => void solver.configure({ iterations: numberOf(now, 'iterations') }),
      parts,
      lead() {
        if (handle.isTaken) goal.target.set([shown[0], -shown[2], shown[1]])
        else {
          scene.beforeFrame(frame++)
          toScreen()
        }
      },
      figures: () => capitals(scene.measure()),
    })
  },
}
