/** Rows 2.4 and 2.5: Tamis and Maggiore's pendulum wave and pendulum grid. */

import { ImpulseSolver } from '@tautline/impulse-compat'
import {
  fellThrough,
  isCarrying,
  pendulumGrid,
  pendulumWave,
  phaseErrors,
  push,
  WAVE,
} from '../../scenes/impulse/index.js'
import { figure, type ReportRow } from '../report.js'

/** Asked of phases [turns]. */
const PHASE = 0.01

/** How far the worst phase is off after the period [turns]. */
function worstPhase(rate: number): number {
  const scene = pendulumWave()
  const solver = new ImpulseSolver(scene.world, { iterations: 1 })
  for (let step = 1; step <= rate * WAVE.period; step++) solver.step(1 / rate)
  return phaseErrors(scene).reduce((most, error) => Math.max(most, Math.abs(error)), 0)
}

const wave: ReportRow = {
  id: '2.4',
  claim: `Tamis 10.3: ${WAVE.count} pendulums of graded length come together again after ${WAVE.period} s`,
  asked: 'phases within 1 % of a turn, with h for which the step turns them by less (n (ωh)²/24)',
  scene: `${WAVE.slowest} to ${WAVE.slowest + WAVE.count - 1} swings, split push, 1 iteration (a row a pendulum), 240 Hz; 60 Hz beside`,
  measure() {
    const [fine, coarse] = [240, 60].map(worstPhase)
    return { figures: `${figure(100 * fine)} % at 240 Hz; ${figure(100 * coarse)} % at 60 Hz`, holds: fine <= PHASE }
  },
}

const FRAME = 1 / 60
/** Asked of the grid [s]; then one load is pushed [N], and the others are watched [s]. */
const CARRIES = 10
const FORCE = 200
const AFTER = 3

const grid: ReportRow = {
  id: '2.5',
  claim: 'Tamis 10.3: a grid of 5×5 pendulums carries shapes, and parts under force',
  asked: `all six loads lie on it for ${CARRIES} s; the ball that is pushed falls through, the others stay`,
  scene: `balls of 0.5 m and 10 kg, loads of 0.5 kg, ν = 0.5, pushed down with ${FORCE} N; split push, 10 iterations, slop 5 mm, warm, 60 Hz`,
  measure() {
    const scene = pendulumGrid()
    const solver = new ImpulseSolver(scene.world)
    let carries = true
    for (let step = 1; step <= CARRIES / FRAME; step++) {
      solver.step(FRAME)
      carries &&= isCarrying(scene)
    }
    let through = Infinity
    for (let step = 1; step <= AFTER / FRAME; step++) {
      if (through === Infinity) push(scene, FORCE)
      solver.step(FRAME)
      if (through === Infinity && fellThrough(scene, scene.pushed)) through = step * FRAME
    }
    const others = isCarrying(scene, [scene.pushed])
    const lying = carries ? `carries ${CARRIES} s` : `does not carry ${CARRIES} s`
    return {
      figures: `${lying}; the ball is through after ${figure(through)} s; the others ${others ? 'stay' : 'fall'} (${AFTER} s)`,
      holds: carries && through < Infinity && others,
    }
  },
}

export const pendulums: readonly ReportRow[] = [wave, grid]
