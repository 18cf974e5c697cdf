/** Row 5: what bounces. */

import { bounceHeight, bouncingBall, bouncingGrid, DROP, run } from '../../scenes/contacts/index.js'
import { figure, figures, type ReportRow } from '../report.js'

/** Asked: share of the height of a peak, and of the energy. */
const PEAK = 0.02
const DRIFT = 0.01

/**
 * The first peaks of a dropped ball [m]: at a sample between neighbours that are lower, the height plus what its speed still
 * adds, v²/(2 g), so that it does not matter where in the step the peak falls.
 */
export function peaks(restitution: number, count: number): number[] {
  const scene = bouncingBall(restitution)
  const heights: number[] = []
  const speeds: number[] = []
  run(scene, 3, () => {
    heights.push(bounceHeight(scene))
    speeds.push(scene.bodies[0].velocity[1])
  })
  const found: number[] = []
  for (let k = 1; k + 1 < heights.length && found.length < count; k++) {
    const isPeak = heights[k] > heights[k - 1] && heights[k] >= heights[k + 1]
    // A ball at rest has ripples, not peaks.
    if (isPeak && heights[k] > 1e-3 * DROP) found.push(heights[k] + speeds[k] ** 2 / (2 * 9.81))
  }
  return found
}

const bounces: ReportRow = {
  id: '5.1',
  claim: 'Restitution: the first three peaks are e²ᵏ h',
  asked: 'within 2 %; for e = 0 none above 2 % of h',
  scene: 'ball dropped from h = 1 m, e = 0, 0.5, 1; 20 substeps of 1 sweep, 60 Hz',
  measure() {
    const found = [0, 0.5, 1].map((e) => ({ e, heights: peaks(e, 3) }))
    const right = found.map(({ e, heights }) => {
      if (e === 0) return heights.every((height) => height <= PEAK * DROP)
      const wanted = [1, 2, 3].map((k) => e ** (2 * k) * DROP)
      return heights.length === 3 && heights.every((height, k) => Math.abs(height / wanted[k] - 1) <= PEAK)
    })
    return {
      figures: found
        .map(({ e, heights }) => `e ${e}: ${heights.length > 0 ? `${figures(heights, 4)} m` : 'none'}`)
        .join('; '),
      holds: right.every((it) => it),
    }
  },
}

const noGain: ReportRow = {
  id: '5.2',
  claim: 'Restitution e = 1 never gains height',
  asked: 'never above the start',
  scene: 'as 5.1, 20 s, about 22 bounces',
  measure() {
    const scene = bouncingBall(1)
    const start = bounceHeight(scene)
    let [highest, sinceBounce] = [-Infinity, -Infinity]
    let last = 0
    let fell = false
    run(scene, 20, () => {
      const height = bounceHeight(scene)
      const rising = scene.bodies[0].velocity[1] > 0
      if (rising && fell) {
        last = sinceBounce
        sinceBounce = -Infinity
      }
      fell = !rising
      sinceBounce = Math.max(sinceBounce, height)
      highest = Math.max(highest, height)
    })
    return {
      figures: `highest ${figure(highest - start, 2)} m beside the start, last peak ${figure(last, 5)} m`,
      holds: highest <= start,
    }
  },
}

const grid: ReportRow = {
  id: '5.3',
  claim: 'SimBenchmark bounce: 7 × 7 balls, e = 1: energy',
  asked: 'drift < 1 % in 20 s',
  scene: '10 kg, radius 0.1 m, centres 5 m up, no friction; 20 substeps of 1 sweep, 60 Hz',
  measure() {
    const scene = bouncingGrid()
    const start = scene.world.energy().total
    let worst = 0
    run(scene, 20, () => {
      const change = scene.world.energy().total / start - 1
      if (!(Math.abs(change) <= Math.abs(worst))) worst = change
    })
    return { figures: `${figure(100 * worst)} %`, holds: Math.abs(worst) < DRIFT }
  },
}

export const restitution: readonly ReportRow[] = [bounces, noGain, grid]
