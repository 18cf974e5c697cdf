/** The closed form for limbs of two bones on a figure, its trunk told by the head. */

import { Pose, TwoBone } from '@tautline/ik'
import type { Body, BodyRun, BodySolver, Opponents, Solved } from '../solver.js'
import { TARGET } from '../tasks/body.js'
import { Trunk } from './trunk.js'

/** As far as limbs are stretched, of their length. */
const SOFT_REACH = 0.98

class TwoBoneFigure implements BodyRun {
  private readonly limbs: TwoBone[]
  private readonly trunk: Trunk
  private readonly own: Pose

  constructor(body: Body) {
    const rig = body.rig()
    this.limbs = body.limbs.map((limb) => new TwoBone(rig, { ...limb, softReach: SOFT_REACH }))
    this.trunk = new Trunk(rig, body)
    this.own = new Pose(rig)
  }

  reset(pose: Pose): void {
    this.own.copy(pose)
  }

  solve(targets: Float64Array): Solved {
    this.trunk.place(targets, this.own)
    for (let l = 0; l < this.limbs.length; l++) {
      const limb = this.limbs[l]
      for (let k = 0; k < 3; k++) limb.target[k] = targets[TARGET * l + k]
      limb.solve(this.own)
    }
    return { iterations: 1, error: 0 }
  }

  pose(out: Pose): void {
    out.copy(this.own)
  }
}

const figure: BodySolver = {
  name: 'twoBone',
  note: `closed form a limb, drawn in to ${SOFT_REACH} of its reach, a humanoid's limits, trunk at rest under the head`,
  make: (body) => new TwoBoneFigure(body),
}

export const opponents: Opponents = { chains: [], bodies: [figure] }
