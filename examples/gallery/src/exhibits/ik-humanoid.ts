import { cos, sin } from '@tautline/core/kernel'
import { CentreGoal, IkSolver, OrientationGoal, Pose, PositionGoal, WorldPose } from '@tautline/ik'
import { adultRig } from '../../../scenes/ik/humanoid.js'
import type { Exhibit } from '../exhibit.js'
import { capsuleParts, goalPart, LedHandle, livePose } from '../pose-live.js'
import { numberOf } from '../settings.js'
import { ITERATIONS } from '../standard.js'
import { worst } from './ik-hand.js'

/** What is led, and where its goal stands at first from where its joint is at rest [m]. */
const GOALS = [
  { bone: 'leftHand', rest: [-0.35, -0.35, 0.3] },
  { bone: 'rightHand', rest: [0.35, -0.35, 0.3] },
  { bone: 'leftFoot', rest: [0.04, 0, 0.06] },
  { bone: 'rightFoot', rest: [-0.04, 0, -0.06] },
] as const

/** Half the width of a foot, and how far it goes to the front and back of the ankle [m]. */
const FOOT = { half: 0.05, front: 0.17, back: 0.05 } as const

/** A person who reaches. */
export const ikHumanoid: Exhibit = {
  id: 'ik-humanoid',
  title: 'IK humanoid',
  blurb: 'Drag hands and feet: the whole body follows, keeps its balance and its joints’ ranges.',
  tries: ['Drag a hand to the floor: the knees give way.', 'Switch “Keep balance” off.'],
  text: [
    'Goals for both hands and both feet, the feet flat on the floor, the centre of mass over them, the hips free, every joint within an adult’s ranges: one solve a frame.',
  ],
  group: 'Inverse kinematics',
  settings: [ITERATIONS, { kind: 'switch', name: 'balance', label: 'Keep balance', value: true }],
  view: { centre: [0, 0.92, 0.05], radius: 1.2, turn: 0.12, tilt: 0.08, floor: 0 },
  pose: 50,
  build(values) {
    const { rig, capsules } = adultRig()
    const solver = new IkSolver(rig, { iterations: numberOf(values, 'iterations'), posture: 0.02 })
    const pose = new Pose(rig)
    const world = new WorldPose(rig).update(rig, pose)
    const handles = GOALS.map(({ bone, rest }) => {
      const [x, y, z] = world.point(bone)
      const place = [x + rest[0], y + rest[1], z + rest[2]] as const
      const goal = solver.add(new PositionGoal(rig, bone, place, { point: [0, 0, 0] }))
      return new LedHandle(bone, goal.target, () => {
        const [px, py, pz] = world.point(bone)
        return [px, py, pz]
      })
    })
    for (const foot of ['leftFoot', 'rightFoot']) solver.add(new OrientationGoal(rig, foot, [0, 0, 0, 1]))
    const balance = values.balance === true ? solver.add(new CentreGoal(rig, { support: support(handles) })) : undefined
    const starts = handles.map(({ target }) => target.slice())
    return livePose({
      rig,
      solver,
      pose,
      world,
      handles,
      parts: [
        ...capsuleParts(world, capsules, (bone) => (/head|Hand|Foot/.test(rig.names[bone]) ? 'second' : 'body')),
        ...handles.map((handle) => goalPart(handle, 0.05)),
      ],
      lead(time) {
        handles.forEach((handle, k) => {
          if (handle.isTaken || k > 1) return
          const [x, y, z] = starts[k]
          const phase = 0.9 * time + (k === 0 ? 0 : Math.PI)
          handle.target.set([x + 0.12 * sin(phase), y + 0.3 * sin(phase) - 0.04, z + 0.12 * cos(2 * phase) - 0.12])
        })
        balance?.support.set(support(handles).flat())
      },
      configure: (now) => void solver.configure({ iterations: numberOf(now, 'iterations') }),
      figures: () => ({ 'Worst goal': { value: 1000 * worst(solver), unit: 'mm' } }),
    })
  },
}

/** Four corners about both feet, in order. */
function support(handles: readonly LedHandle[]): [number, number][] {
  const [left, right] = [handles[2].target, handles[3].target]
  const { half, front, back } = FOOT
  return [
    [left[0] + half, left[2] - back],
    [left[0] + half, left[2] + front],
    [right[0] - half, right[2] + front],
    [right[0] - half, right[2] - back],
  ]
}
