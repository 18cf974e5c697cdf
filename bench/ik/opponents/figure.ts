/** `@tautline/ik` on a figure of motion capture: five points, and wishes for what they do not tell. */

import { type IkOptions, IkSolver, OrientationGoal, PoleGoal, Pose, PositionGoal } from '@tautline/ik'
import type { Body, BodyRun, Solved } from '../solver.js'
import { TARGET } from '../tasks/body.js'

export const FIGURE: IkOptions = { iterations: 10, posture: 0.2 }
/** Behind those of positions, and weaker than the head's. */
const WISH = { priority: 1, weight: 0.1 }
/** Where elbows point: that far below the head, and behind it [m]. */
const BELOW = 1.5
const BEHIND = 1

export class FigureRun implements BodyRun {
  private readonly solver: IkSolver
  private readonly positions: PositionGoal[]
  private readonly turns: { goal: OrientationGoal; at: number }[]
  private readonly poles: PoleGoal[]
  private readonly own: Pose
  private readonly head: number

  constructor({ effectors, limbs, rig: make }: Body) {
    const rig = make()
    const solver = new IkSolver(rig, FIGURE)
    this.solver = solver
    this.positions = effectors.map(({ bone, point }) => solver.add(new PositionGoal(rig, bone, [0, 0, 0], { point })))
    const turn = (e: number, weight: number): { goal: OrientationGoal; at: number } => {
      const goal = new OrientationGoal(rig, effectors[e].bone, [0, 0, 0, 1], { priority: 1, weight })
      return { goal: solver.add(goal), at: TARGET * e + 3 }
    }
    const last = effectors.length - 1
    const arms = limbs.slice(0, 2)
    this.turns = [turn(last, 1), ...arms.map((_, e) => turn(e, WISH.weight))]
    this.poles = arms.map((arm) => solver.add(new PoleGoal(rig, arm, [0, 0, 0], WISH)))
    solver.add(new OrientationGoal(rig, 0, [0, 0, 0, 1], { ...WISH, free: [false, true, false] }))
    this.own = new Pose(rig)
    this.head = TARGET * last
  }

  reset(pose: Pose): void {
    this.own.copy(pose)
  }

  solve(targets: Float64Array, _iterations: number, tolerance: number): Solved {
    const { head: h, own, poles, positions, solver, turns } = this
    const asked = tolerance / solver.rig.size
    if (solver.settings.tolerance !== asked) solver.configure({ tolerance: asked })
    for (let e = 0; e < positions.length; e++) {
      for (let k = 0; k < 3; k++) positions[e].target[k] = targets[TARGET * e + k]
    }
    for (const { goal, at } of turns) for (let k = 0; k < 4; k++) goal.target[k] = targets[at + k]
    const [x, y, z, w] = targets.subarray(h + 3, h + 7)
    for (const { target } of poles) {
      target[0] = targets[h] - 2 * BEHIND * (x * z + w * y)
      target[1] = targets[h + 1] - BELOW
      target[2] = targets[h + 2] - BEHIND * (1 - 2 * (x * x + y * y))
    }
    const { iterations, error, status } = solver.solve(own)
    return { iterations, error, status }
  }

  pose(out: Pose): void {
    out.copy(this.own)
  }
}
