/** Row 2.10: the six joints that Wedekind names. */

import { ImpulseSolver } from '@tautline/impulse-compat'
import { freedoms, JOINT_KINDS, type JointKind, jointZoo, worstErrors } from '../../scenes/impulse/index.js'
import { figure, type ReportRow } from '../report.js'

/** Asked: degrees of freedom between two bodies, and errors [m], [rad]. The spring of hinge-2 is a slider of its own. */
const FREEDOMS: Readonly<Record<JointKind, number>> = {
  ballInSocket: 3,
  hinge: 1,
  slider: 1,
  universal: 2,
  hinge2: 2,
  fixed: 0,
}
const LINEAR = 5e-3
const ANGULAR = 1e-2
const SECONDS = 5

function jointRow(id: string, kind: JointKind): ReportRow {
  return {
    id,
    claim: `Joint: ${kind}`,
    asked: `leaves ${FREEDOMS[kind]} freedoms; error <= ${1e3 * LINEAR} mm and ${ANGULAR} rad`,
    scene: `two bodies of 0.5 m moving along what is free, under gravity, ${SECONDS} s; split push, k = 0.2, 4 substeps of 10 iterations, warm, 60 Hz`,
    measure() {
      const { world, bodies, joints } = jointZoo(kind)
      // The second joins the two bodies.
      const left = freedoms(bodies, [joints[1]]) - 6
      const solver = new ImpulseSolver(world, { substeps: 4 })
      let [linear, angular] = [0, 0]
      for (let step = 0; step < 60 * SECONDS; step++) {
        solver.step(1 / 60)
        const errors = worstErrors(world)
        linear = Math.max(linear, errors.linear)
        angular = Math.max(angular, errors.angular)
      }
      const after = freedoms(bodies, [joints[1]]) - 6
      return {
        figures: `${left} freedoms (${after} after ${SECONDS} s), ${figure(1e3 * linear)} mm, ${figure(angular, 2)} rad`,
        holds: left === FREEDOMS[kind] && after === left && linear <= LINEAR && angular <= ANGULAR,
      }
    },
  }
}

export const joints: readonly ReportRow[] = JOINT_KINDS.map((kind, k) => jointRow(`2.10.${k + 1}`, kind))
