/** Rows 3: every constraint type stepped by both solvers from one state; as h goes to 0 they make the same motion. */

import type { Body } from '@tautline/core'
import { ImpulseSolver } from '@tautline/impulse-compat'
import { type SmoothMotion, smoothMotions } from '../../scenes/impulse/index.js'
import { figure, figures, type ReportRow } from '../report.js'

/** Motions are compared at these instants [Hz], for so long [s]. */
const MARKS = 120
const SECONDS = 0.4
/** Steps between two marks. */
const REFINEMENTS = [1, 2, 4, 8, 16] as const
/** Asked of the order. */
const ORDER = 0.9
/** Motions closer than this are the same: the two solvers' equations are, to round-off [m or rad]. */
const SAME = 1e-9
/** Enough for every step to be solved. */
const BY_DISPLACEMENTS = { substeps: 1, iterations: 10, tolerance: 1e-12, maxIterations: 400 } as const
const BY_IMPULSES = { iterations: 400, tolerance: 1e-12 } as const

/** Largest difference of two poses: of a coordinate [m], or the angle between orientations [rad]. */
function apart(first: Body, second: Body): number {
  const [p, q] = [first.orientation, second.orientation]
  const turned = Math.hypot(
    p[3] * q[0] - p[0] * q[3] - p[1] * q[2] + p[2] * q[1],
    p[3] * q[1] - p[1] * q[3] - p[2] * q[0] + p[0] * q[2],
    p[3] * q[2] - p[2] * q[3] - p[0] * q[1] + p[1] * q[0],
  )
  const moved = [0, 1, 2].map((k) => Math.abs(first.position[k] - second.position[k]))
  return Math.max(2 * Math.asin(Math.min(1, turned)), ...moved)
}

/** How far the two motions are ever apart, with `steps` between two marks. */
function difference(motion: SmoothMotion, steps: number): number {
  const displaced = motion.build(BY_DISPLACEMENTS)
  const pushed = motion.build()
  const solver = new ImpulseSolver(pushed.world, BY_IMPULSES)
  const h = 1 / (MARKS * steps)
  let worst = 0
  for (let mark = 0; mark < Math.round(SECONDS * MARKS); mark++) {
    for (let k = 0; k < steps; k++) {
      displaced.world.step(h)
      solver.step(h)
    }
    displaced.bodies.forEach((body, k) => {
      const off = apart(body, pushed.bodies[k])
      worst = Number.isNaN(off) ? Infinity : Math.max(worst, off)
    })
  }
  return worst
}

function motionRow(id: string, motion: SmoothMotion): ReportRow {
  return {
    id,
    claim: `Same motion as h → 0: ${motion.name}`,
    asked: `difference falls with order >= ${ORDER} from the last h to the one before (or is round-off, ${SAME})`,
    scene: `${SECONDS} s, h = 1/${MARKS} to 1/${MARKS * REFINEMENTS[REFINEMENTS.length - 1]} s, each step solved to 1e-12; split push`,
    measure() {
      const differences = REFINEMENTS.map((steps) => difference(motion, steps))
      const orders = differences.slice(1).map((finer, k) => Math.log2(differences[k] / finer))
      const least = differences[differences.length - 1]
      if (Math.max(...differences) <= SAME)
        return { figures: `the same to ${figure(Math.max(...differences), 2)}`, holds: true }
      return {
        figures: `${figure(least)} at the finest; order ${figures(orders, 2)}`,
        holds: orders[orders.length - 1] >= ORDER,
      }
    },
  }
}

export const convergence: readonly ReportRow[] = smoothMotions.map((motion, k) => motionRow(`3.${k + 1}`, motion))
