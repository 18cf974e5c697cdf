/** Row 2.13: Waterson's figures 1, 6 and 7, by impulses beside displacements. */

import { ImpulseSolver, type ImpulseOptions } from '@tautline/impulse-compat'
import { jointChain, jointGap, totalEnergy } from '../../scenes/impulse/index.js'
import { gridCloth, threeNodes } from '../../scenes/paper.js'
import { figure, type ReportRow } from '../report.js'

/** Frame rates [Hz], and the impulse on the last of ten boxes [N s]. */
const RATES = [60, 20, 10] as const
const BLOW = 100
const SECONDS = 5
/** Share of the energy that it may rise above what the blow put in: round-off. */
const ROUND_OFF = 1e-9

/** Worst gap [m] of a chain that is struck, and its highest energy as a share of that at the start. */
function struckChain(rate: number, options: ImpulseOptions | undefined): { gap: number; energy: number } {
  const scene = jointChain('ballSocket', 10, { substeps: 8, iterations: 1 })
  const solver = options === undefined ? scene.world : new ImpulseSolver(scene.world, options)
  scene.bodies[9].applyImpulse([0, 0, BLOW])
  const start = totalEnergy(scene)
  let [gap, energy] = [0, 0]
  for (let step = 0; step < SECONDS * rate; step++) {
    solver.step(1 / rate)
    const share = totalEnergy(scene) / start
    gap = Math.max(gap, jointGap(scene))
    energy = Number.isNaN(share) ? Infinity : Math.max(energy, share)
  }
  return { gap, energy }
}

const figure1: ReportRow = {
  id: '2.13.1',
  claim: 'Waterson figure 1: stable at large steps and under high impact forces',
  asked: 'displacements: energy never above the start; impulses printed',
  scene: `ten boxes of 0.5 m and 1 kg on ball joints, the last struck with ${BLOW} N s, ${RATES.join(', ')} Hz, ${SECONDS} s; both 8 substeps of 1 iteration; split and soft push`,
  measure() {
    const told: string[] = []
    let holds = true
    for (const rate of RATES) {
      const tell = (name: string, { gap, energy }: { gap: number; energy: number }): string =>
        energy <= 1 + ROUND_OFF
          ? `${name} gap ${figure(1e3 * gap)} mm, energy ${figure(energy)}`
          : `${name} explodes (energy ${figure(energy, 1)})`
      const displaced = struckChain(rate, undefined)
      const pushes = (['split', 'soft'] as const).map((stabilization) =>
        tell(stabilization, struckChain(rate, { substeps: 8, iterations: 1, stabilization })),
      )
      told.push(`${rate} Hz: ${tell('displacements', displaced)}, ${pushes.join(', ')}`)
      holds &&= displaced.energy <= 1 + ROUND_OFF
    }
    return { figures: told.join('; '), holds }
  },
}

const SPAN = 0.2
/** The whole error in one step, as displacements repair it. */
const WHOLE = { beta: 1, stabilization: 'split' } as const

/** Share of the start error, the larger of the two segments', that one step of `iterations` leaves of figure 6. */
function ropeLeft(rows: 'pairwise' | 'total', iterations: number, byImpulses: boolean): number {
  const { world, middle, length, error } = threeNodes(rows, iterations, SPAN, byImpulses ? 'placed' : 'thrown')
  const measure = (): number => {
    const half = 0.5 * SPAN * length
    const [x, y] = middle.position
    return Math.max(...[half, -half].map((end) => Math.abs(Math.hypot(x - end, y) - length / 2)))
  }
  if (byImpulses) new ImpulseSolver(world, { ...WHOLE, iterations }).step(1 / 60)
  else world.step(1 / 60)
  return measure() / error
}

/** Iterations that pairwise rows need until no more is left than `share`. */
function pairwiseIterations(share: number, byImpulses: boolean): number {
  for (let n = 1; n < 1000; n++) if (ropeLeft('pairwise', n, byImpulses) <= share) return n
  return Infinity
}

/** What is many iterations against one. */
const MANY = 5

const figure6: ReportRow = {
  id: '2.13.2',
  claim: 'Waterson figure 6: one iteration of the total length against many of pairs on three nodes',
  asked: `pairs need ${MANY} iterations or more for what one of the total length does, in both schools`,
  scene:
    'rope 10 % too long (predicted so by displacements), ends fixed 0.2 of its length apart; one step, impulses with β = 1, split push',
  measure() {
    const found = [false, true].map((byImpulses) => {
      const left = ropeLeft('total', 1, byImpulses)
      return { left, again: ropeLeft('total', 10, byImpulses), pairs: pairwiseIterations(left, byImpulses) }
    })
    const told = found.map(
      ({ left, again, pairs }, k) =>
        `${k === 0 ? 'displacements' : 'impulses'}: total length leaves ${figure(100 * left)} % after 1 (${figure(100 * again, 2)} % after 10), pairs need ${pairs}`,
    )
    return { figures: told.join('; '), holds: found.every(({ pairs }) => pairs >= MANY && pairs < Infinity) }
  },
}

/** Sum of |length − rest| over all links of figure 7's cloth, mean of the last second of four [m]. */
function clothError(total: boolean, options: ImpulseOptions | undefined): number {
  const { world, links } = gridCloth(20, total)
  const solver = options === undefined ? world : new ImpulseSolver(world, options)
  let sum = 0
  for (let step = 0; step < 240; step++) {
    solver.step(1 / 60)
    if (step >= 180) for (const link of links) sum += link.error / 60
  }
  return sum
}

const HALVED = 0.55

const figure7: ReportRow = {
  id: '2.13.3',
  claim: 'Waterson figure 7: summed length error of a cloth with total-length rows over that without',
  asked: `displacements, which the paper shows, <= ${HALVED}; impulses printed`,
  scene:
    '400 nodes hanging from two corners, g = 100 m/s², 4 s, mean of the last second; 1 substep of 8 iterations; impulses with plain push, k = 0.2, also with 8 substeps of 1',
  measure() {
    const cases: readonly [string, ImpulseOptions | undefined][] = [
      ['displacements', undefined],
      ['impulses', { stabilization: 'baumgarte', iterations: 8 }],
      ['impulses in substeps', { stabilization: 'baumgarte', iterations: 1, substeps: 8 }],
    ]
    const found = cases.map(([name, options]) => {
      const [without, withRows] = [clothError(false, options), clothError(true, options)]
      const ratio = withRows / without
      return { ratio, text: `${name} ${figure(ratio)} (${figure(withRows)} m over ${figure(without)} m)` }
    })
    return { figures: found.map(({ text }) => text).join('; '), holds: found[0].ratio <= HALVED }
  },
}

export const waterson: readonly ReportRow[] = [figure1, figure6, figure7]
