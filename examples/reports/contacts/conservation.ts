/** Row 11: momentum and energy. */

import { collidingCloud, momentumScale, randomPile, run } from '../../scenes/contacts/index.js'
import { figure, type ReportRow } from '../report.js'

/** Asked of linear momentum, as a share of Σ m |v|. */
const MOMENTUM = 1e-10
const PILES = 1000
/** How long each pile is watched [s]. */
const WATCHED = 2
/** Share of the energy at the start that round-off may add. */
const ROUND_OFF = 1e-9

const momentum: ReportRow = {
  id: '11.1',
  claim: 'Momentum of free collisions is kept',
  asked: 'linear within 1e-10 of Σ m|v| (angular, as a share of Σ m|v| times the size of the cloud, printed)',
  scene:
    '125 mixed shapes without weight flying together, seed 17, e random, ν = 0.5, 2 s; 8 substeps of 1 sweep, 60 Hz',
  measure() {
    const scene = collidingCloud(125)
    const scale = momentumScale(scene)
    const size = Math.max(...scene.bodies.map(({ position }) => Math.hypot(position[0], position[1], position[2])))
    const start = scene.world.momentum()
    const kinetic = scene.world.energy().kinetic
    let [linear, angular] = [0, 0]
    run(scene, 2, () => {
      const now = scene.world.momentum()
      linear = Math.max(linear, Math.hypot(...now.linear.map((p, k) => p - start.linear[k])) / scale)
      angular = Math.max(angular, Math.hypot(...now.angular.map((l, k) => l - start.angular[k])) / (scale * size))
    })
    const kept = scene.world.energy().kinetic / kinetic
    return {
      figures: `linear ${figure(linear, 2)}, angular ${figure(angular, 2)} (kinetic energy left ${figure(100 * kept)} %)`,
      holds: linear <= MOMENTUM,
    }
  },
}

/** Most that the energy of a pile was ever above its start, as a share of that: potential energy is zero on the floor. */
export function energyGain(seed: number): number {
  const scene = randomPile(seed)
  const start = scene.world.energy().total
  let gain = -Infinity
  run(scene, WATCHED, () => {
    const now = scene.world.energy().total / start - 1
    gain = Number.isNaN(now) ? Infinity : Math.max(gain, now)
  })
  return gain
}

const energy: ReportRow = {
  id: '11.2',
  claim: `No energy gain in ${PILES} random piles`,
  asked: `never above the start (round-off ${ROUND_OFF})`,
  scene: `2 to 10 mixed shapes thrown on a floor, ν and e random, seeds 1 to ${PILES}, ${WATCHED} s; 8 substeps of 1 sweep, 60 Hz`,
  measure() {
    const gains = Array.from({ length: PILES }, (_, k) => energyGain(k + 1))
    const gaining = gains.filter((gain) => gain > ROUND_OFF).length
    const most = Math.max(...gains)
    return {
      figures: `${gaining} gain; most ${figure(most, 2)} of the energy, seed ${gains.indexOf(most) + 1}`,
      holds: gaining === 0,
    }
  },
}

export const conservation: readonly ReportRow[] = [momentum, energy]
