import { atan2, cos, sin } from '@tautline/core/kernel'
import { WorldPose } from '@tautline/ik'
import { CHAIN, figureChain, PseudoInverseChain } from '../../../scenes/ik/figure-10.js'
import type { Exhibit } from '../exhibit.js'
import { type Part } from '../parts.js'
import { goalPart, LedHandle, livePose } from '../pose-live.js'
import { numberOf, type NumberSetting } from '../settings.js'
import { ITERATIONS } from '../standard.js'

/** Between the two chains [m]. */
const APART = 0.6
/** How far the goal swings about the root [rad], how fast [rad/s], and how much its distance breathes. */
const SWING = { angle: 1.1, pace: 0.9, breath: 0.12 } as const

const LINKS: NumberSetting = { kind: 'number', name: 'links', label: 'Links', min: 3, max: 24, step: 1, value: 8 }

/** Figure 10 of the paper. */
export const ikChain: Exhibit = {
  id: 'ik-chain',
  title: 'IK chain',
  blurb: 'The same goal twice: weighed by mass, and by the pseudo-inverse.',
  tries: ['Drag the goal of either chain.', 'Give the chains more links.'],
  text: [
    'Figure 10 of Waterson’s paper. Both chains reach the goal. Ours weighs every turn by the mass that it moves: the root turns less, the tip more. The pseudo-inverse makes the sum of squared turns least.',
  ],
  group: 'Inverse kinematics',
  settings: [LINKS, ITERATIONS],
  view: { centre: [0.42, 0.05, 0], radius: 1.4, turn: 0, tilt: 0 },
  pose: 70,
  build(values) {
    const links = numberOf(values, 'links')
    const { rig, solver, pose, goal, bone } = figureChain(links)
    solver.configure({ iterations: numberOf(values, 'iterations') })
    const world = new WorldPose(rig)
    const other = new PseudoInverseChain(links)
    const [x] = goal.target
    const tip = [CHAIN.length / links, 0, 0] as const
    const handle = new LedHandle('goal', goal.target, () => {
      const [px, py, pz] = world.point(bone, tip)
      return [px, py, pz]
    })
    const radius = 0.03
    const chain = (
      write: (out: Float64Array) => void,
      shift: readonly [number, number, number],
      tone: 'body' | 'second',
    ): Part[] => [
      { kind: 'tube', count: links + 1, radius: 0.55 * radius, tone, shift, write },
      { kind: 'beads', count: links + 1, radius, tone, shift, write },
    ]
    const ours = (out: Float64Array): void => {
      out.set(world.positions)
      const [px, py, pz] = world.point(bone, tip)
      out.set([px, py, pz], 3 * links)
    }
    const up = [0, APART, 0] as const
    const down = [0, -APART, 0] as const
    world.update(rig, pose)
    const before = [new Float64Array(3 * links + 3), other.points.slice()]
    ours(before[0])
    const starts = before.map((points) => points.slice())
    /** How far the mass has gone [m]. */
    const gone = [0, 0]
    const now = new Float64Array(3 * links + 3)
    const live = livePose({
      rig,
      solver,
      pose,
      world,
      parts: [
        ...chain(ours, up, 'body'),
        ...chain((out) => out.set(other.points), down, 'second'),
        { ...goalPart(handle, 0.055), shift: up } as Part,
        { ...goalPart(handle, 0.055), shift: down } as Part,
        { kind: 'label', text: 'Tautline', at: [-0.16, APART + 0.16, 0] },
        { kind: 'label', text: 'Pseudo-inverse', at: [-0.16, -APART + 0.16, 0] },
      ],
      handles: [handle],
      configure: (values) => void solver.configure({ iterations: numberOf(values, 'iterations') }),
      lead(time) {
        if (!handle.isTaken) {
          const angle = SWING.angle * sin(SWING.pace * time)
          const far = x * (1 - SWING.breath * (1 - cos(1.7 * SWING.pace * time)))
          handle.target.set([far * cos(angle), far * sin(angle), 0])
        }
        handle.target[2] = 0
        other.solve(handle.target)
      },
      afterSolve() {
        ours(now)
        ;[now, other.points].forEach((points, which) => {
          gone[which] += way(before[which], points)
          before[which].set(points)
        })
      },
      figures: () => ({
        'Mass has moved, Tautline': { value: gone[0], unit: 'm' },
        'Mass has moved, pseudo-inverse': { value: gone[1], unit: 'm' },
      }),
      plots: [
        {
          title: 'Turn of the root from its start',
          unit: 'rad',
          curves: [
            { name: 'Tautline', value: () => rootTurn(starts[0], world.positions) },
            { name: 'pseudo-inverse', value: () => rootTurn(starts[1], other.points) },
          ],
        },
      ],
    })
    return live
  },
}

/** Root mean square of the ways of the links' middles, whose mass is their length [m]. */
function way(from: Float64Array, to: Float64Array): number {
  const links = from.length / 3 - 1
  let sum = 0
  for (let k = 0; k < links; k++) {
    for (let i = 0; i < 2; i++) {
      const part = 0.5 * (to[3 * k + i] + to[3 * k + 3 + i] - from[3 * k + i] - from[3 * k + 3 + i])
      sum += part * part
    }
  }
  return Math.sqrt(sum / links)
}

function rootTurn(from: Float64Array, to: Float64Array): number {
  return Math.abs(atan2(from[3] * to[4] - from[4] * to[3], from[3] * to[3] + from[4] * to[4]))
}
