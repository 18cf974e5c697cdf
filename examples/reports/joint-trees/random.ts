/** Row 4: random trees. */

import fc from 'fast-check'
import type { Body } from '@tautline/core'
import { type PlanOptions, treePlans } from '../../lib/tree-plans.js'
import type { JointScene } from '../../scenes/impulse/index.js'
import { plannedTree } from '../../scenes/trees/index.js'
import { figure, type ReportRow } from '../report.js'

const SEED = 1
const STEPS = 3
/** Trees of a run, and of the whole one that was asked for. */
const TREES = 1000
const ALL_TREES = 10_000
/** A visit that counts as solved leaves no joint with more than this [m, rad]: its own bound is a tenth of it, a row. */
const MET = 1e-8

/** Generators like what is next to nothing: ranges too, that a step leaves at once by both ends. Beside them, ranges of some width. */
const ROOM = 0.05

interface Tally {
  trees: number
  bodies: number
  passes: number
  solves: number
  met: number
  unsolved: number
  halved: number
  /** Steps that left a joint violated and said nothing. */
  silent: number
  nan: number
}

/** Worst error of all joints [m, rad]; NaN where one is. */
function worstError({ joints }: JointScene): number {
  return joints.reduce((worst, { error }) => (error <= worst ? worst : error), 0)
}

/** Three steps of a tree, counted. */
function count(scene: JointScene, tally: Tally): void {
  tally.trees++
  tally.bodies += scene.bodies.length
  for (let step = 0; step < STEPS; step++) {
    scene.world.step()
    const { direct, nonFinite } = scene.world.report
    const worst = worstError(scene)
    tally.passes += direct.passes
    tally.solves += direct.solves
    tally.unsolved += direct.unsolved
    tally.halved += direct.halved
    if (!Number.isFinite(worst) || nonFinite.length > 0) tally.nan++
    else if (direct.unsolved > 0) continue
    else if (worst > MET) tally.silent++
    else tally.met++
  }
}

function tallyOf(options: PlanOptions, numRuns: number): Tally {
  const tally = { trees: 0, bodies: 0, passes: 0, solves: 0, met: 0, unsolved: 0, halved: 0, silent: 0, nan: 0 }
  // fc.sample keeps all of its values: by hundreds.
  for (let done = 0; done < numRuns; done += 100) {
    const plans = fc.sample(treePlans(options), { numRuns: Math.min(100, numRuns - done), seed: SEED + done })
    for (const plan of plans) count(plannedTree(plan), tally)
  }
  return tally
}

function text({ trees, bodies, passes, solves, met, unsolved, halved, silent, nan }: Tally): string {
  return `${trees} trees of ${figure(bodies / trees)} bodies, ${passes} passes: ${met} solved, ${unsolved} unsolved but better, ${halved} halved, ${silent} violated without a word, ${nan} not finite; ${figure(solves / passes)} solves a pass`
}

export function robust(id: string, trees: number, slow: boolean): ReportRow {
  return {
    id,
    claim: 'Random trees: what is not solved is reported, and nothing is NaN',
    asked: `every step leaves joints within ${MET} m or rad, or reports less residual than found or the fall-back; no NaN in ${trees} trees each`,
    scene: `fast-check seed ${SEED}: 3 to 64 bodies, mass ratios to 10⁶, nine joint types, half with limits, starts violated by up to 1.2 m and any angle, and starts that satisfy their joints; one substep, ${STEPS} steps of 1/60 s`,
    slow,
    measure() {
      const [violated, satisfied, roomy] = [
        { violated: true },
        { violated: false },
        { violated: false, room: ROOM },
      ].map((options) => tallyOf(options, trees))
      return {
        figures: `violated: ${text(violated)}; satisfied: ${text(satisfied)}; satisfied, limits ${ROOM} rad or m away at least: ${text(roomy)}`,
        holds: [violated, satisfied, roomy].every(({ silent, nan }) => silent === 0 && nan === 0),
      }
    },
  }
}

/** Substep of the comparison with Gauss–Seidel [s], steps before it, and when that has converged [m, rad]. */
const RATE = 960
const BEFORE = 2
const CONVERGED = 1e-9
const AGREES = 1e-6
const COMPARED = 60

/** Largest difference of a position [m] or of a component of a rotation. */
function apart(a: readonly Body[], b: readonly Body[]): number {
  let worst = 0
  a.forEach((body, i) => {
    const other = b[i]
    for (let k = 0; k < 3; k++) worst = Math.max(worst, Math.abs(body.position[k] - other.position[k]))
    const [p, q] = [body.orientation, other.orientation]
    const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
    for (let k = 0; k < 4; k++) worst = Math.max(worst, Math.abs(p[k] - (dot < 0 ? -q[k] : q[k])))
  })
  return worst
}

const limit: ReportRow = {
  id: '4.3',
  claim: 'The solution is that of converged Gauss–Seidel',
  asked: `${AGREES} m or rad where that converges, to ${CONVERGED}`,
  scene: `fast-check seed ${SEED}, ${COMPARED} trees of 3 to 64 bodies, mass ratios to 10, nine joint types, starts that satisfy their joints; ${BEFORE} steps of 1/${RATE} s, then one more by either (at most 5000 sweeps). Gauss–Seidel adds up rotations sweep by sweep, so that the two differ by second order in what a step corrects: hence the small step`,
  measure() {
    let [converged, solved, worst] = [0, 0, 0]
    for (const plan of fc.sample(treePlans({ violated: false, decades: 1 }), { numRuns: COMPARED, seed: SEED })) {
      const [direct, swept] = [0, 1].map(() => plannedTree(plan, { dt: 1 / RATE }))
      for (let step = 0; step < BEFORE; step++) for (const { world } of [direct, swept]) world.step()
      swept.world.configure({ solver: 'sweep', tolerance: 0.01 * CONVERGED, maxIterations: 5000 })
      for (const { world } of [direct, swept]) world.step()
      if (worstError(swept) > CONVERGED) continue
      converged++
      const { unsolved } = direct.world.report.direct
      if (unsolved === 0) solved++
      worst = Math.max(worst, apart(direct.bodies, swept.bodies))
    }
    return {
      figures: `Gauss–Seidel converged in ${converged} of ${COMPARED} trees (of these ${solved} solved directly to the end); worst difference ${figure(worst)}`,
      holds: converged > 0 && worst <= AGREES,
    }
  },
}

export const random: readonly ReportRow[] = [robust('4.1', TREES, false), robust('4.2', ALL_TREES, true), limit]
