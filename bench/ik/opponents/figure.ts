/** `@tautline/ik` on a figure of motion capture: five points, and wishes for what they do not tell. */

import { type IkOptions, IkSolver, OrientationGoal, Pose, PositionGoal } from '@tautline/ik'
import type { Body, BodyRun, Solved } from '../solver.js'
import { TARGET } from '../tasks/body.js'

export const FIGURE: IkOptions = { iterations: 2, posture: 0.2 }
/** Behind positions, and weaker than the head's turn. */
const WISH = { priority: 1, weight: 0.1 }

export class FigureRun implements BodyRun {
  private readonly solver: IkSolver
  private readonly positions: PositionGoal[]
  private readonly turns: { goal: OrientationGoal; at: number }[]
  private readonly own: Pose

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
    this.turns = [turn(last, 1), ...limbs.slice(0, 2).map((_, e) => turn(e, WISH.weight))]
    solver.add(new OrientationGoal(rig, 0, [0, 0, 0, 1], { ...WISH, free: [false, true, false] }))
    this.own = new Pose(rig)
  }

  reset(pose: Pose): void {
    this.own.copy(pose)
  }

  solve(targets: Float64Array, _iterations: number, tolerance: number): Solved {
    const { own, positions, solver, turns } = this
    const asked = tolerance / solver.rig.size
    if (solver.settings.tolerance !== asked) solver.configure({ tolerance: asked })
    for (let e = 0; e < positions.length; e++) {
      for (let k = 0; k < 3; k++) positions[e].target[k] = targets[TARGET * e + k]
    }
    for (const { goal, at } of turns) for (let k = 0; k < 4; k++) goal.target[k] = targets[at + k]
    const { iterations, error, status } = solver.solve(own)
    return { iterations, error, status }
  }

  pose(out: Pose): void {
    out.copy(this.own)
  }
}
