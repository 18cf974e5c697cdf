/** Row 8: the two-link pendulum against its ordinary differential equation, and its energy beside other engines. */

import type { WorldOptions } from '@tautline/core'
import {
  endsOf,
  endsOfState,
  halfStepBack,
  type PendulumState,
  RELEASED,
  ROD,
  solvePendulum,
  twoLinks,
} from '../../scenes/trees/index.js'
import { figure, figures, type ReportRow } from '../report.js'
import { bench, NOT_INSTALLED } from './process.js'

/** Step of the equation [s], time that is compared [s], and steps a second. */
const FINE = 1e-5
const SECONDS = 1
const RATES = [120, 240, 480, 960, 1920]
/** How near the order at the finest step must come to a whole one. */
const NEAR = 0.05

const RODS = `two rods of ${ROD.length} m and ${ROD.mass} kg on ball joints, the upper let go from the horizontal, the lower hanging`

/** Worst distance of an end from the equation's after `SECONDS`, by rate. */
function errors(options: WorldOptions, start: (h: number) => PendulumState): number[] {
  const wanted = endsOfState(solvePendulum(RELEASED, SECONDS, FINE))
  return RATES.map((rate) => {
    const scene = twoLinks(start(1 / rate), { dt: 1 / rate, ...options })
    for (let step = 0; step < SECONDS * rate; step++) scene.world.step()
    return Math.max(...endsOf(scene).map((x, k) => Math.abs(x - wanted[k])))
  })
}

/** Orders between neighbouring rates, each twice the one before. */
function orders(of: readonly number[]): number[] {
  return of.slice(1).map((error, k) => Math.log2(of[k] / error))
}

function text(name: string, of: readonly number[]): string {
  return `${name}: ${figures(of)} m, orders ${figures(orders(of))}`
}

const order: ReportRow = {
  id: '8.1',
  claim: 'Two-link pendulum converges to the ordinary differential equation',
  asked: `order of convergence, printed; holds within ${NEAR} of 1 (gradients fresh) and of 2 (gradients of the start, speeds half a step back) at the finest step`,
  scene: `${RODS}; worst coordinate of both ends after ${SECONDS} s beside Runge–Kutta 4 at ${FINE} s; one substep, ${RATES.join(', ')} Hz`,
  measure() {
    const fresh = errors({}, () => RELEASED)
    const start = errors({ jacobians: 'start' }, () => RELEASED)
    const back = errors({ jacobians: 'start' }, (h) => halfStepBack(RELEASED, h))
    const [first, second] = [fresh, back].map((of) => orders(of).at(-1) as number)
    return {
      figures: [
        text('first order, gradients fresh', fresh),
        text("second order, jacobians 'start', speeds half a step back at the start", back),
        text("jacobians 'start' from the same speeds, which then are those of half a step later", start),
      ].join('; '),
      holds: Math.abs(first - 1) <= NEAR && Math.abs(second - 2) <= NEAR,
    }
  },
}

/** What `bench/trees/pendulum.ts` prints. */
interface PendulumResult {
  engine: string
  drift: number | null
  most: number | null
}

const ENERGY_RATES = [60, 240]
const NAMES: Readonly<Record<string, string>> = {
  tautline: 'first order, one substep',
  'tautline-8': 'first order, the default of 8 substeps',
  'tautline-start': "second order (jacobians 'start'), one substep",
  'rapier-simd': 'Rapier SIMD, 4 iterations',
  mujoco: 'MuJoCo, its default integrator',
}

async function drift(engine: string, rate: number): Promise<PendulumResult | typeof NOT_INSTALLED> {
  return bench<PendulumResult>('pendulum', ['--engine', engine, '--rate', String(rate)])
}

function share(value: number | null): string {
  return value === null ? 'not finite' : `${figure(100 * value)} %`
}

function energy(id: string, claim: string, own: string, others: readonly string[]): ReportRow {
  return {
    id,
    claim,
    asked: 'energy drift over 60 s below that of Rapier at equal time step',
    scene: `${RODS}; mean energy of the last 10 s less that at the start, as a share of it above hanging down (largest difference at any instant in brackets); ${ENERGY_RATES.join(' and ')} Hz`,
    async measure() {
      const shown: string[] = []
      let holds = true
      for (const rate of ENERGY_RATES) {
        const drifts = new Map<string, number>()
        const parts: string[] = []
        for (const name of [own, ...others]) {
          const result = await drift(name, rate)
          parts.push(
            `${NAMES[name]} ${result === NOT_INSTALLED ? result : `${share(result.drift)} (${share(result.most)})`}`,
          )
          if (result !== NOT_INSTALLED) drifts.set(name, Math.abs(result.drift ?? Infinity))
        }
        shown.push(`${rate} Hz: ${parts.join(', ')}`)
        holds &&= (drifts.get(own) as number) < (drifts.get('rapier-simd') ?? Infinity)
      }
      return { figures: shown.join('; '), holds }
    },
  }
}

export const pendulum: readonly ReportRow[] = [
  order,
  energy('8.2', 'Energy of the two-link pendulum, first-order scheme', 'tautline', [
    'tautline-8',
    'rapier-simd',
    'mujoco',
  ]),
  energy('8.3', 'Energy of the two-link pendulum, second-order option', 'tautline-start', [
    'tautline',
    'rapier-simd',
    'mujoco',
  ]),
]
