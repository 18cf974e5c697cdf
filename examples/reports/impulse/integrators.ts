/** Row 2.9: Wedekind's chains, by Runge–Kutta 4 with four solves a step and by semi-implicit Euler with four steps. */

import { ImpulseSolver, type ImpulseOptions } from '@tautline/impulse-compat'
import { jointChain, jointGap, totalEnergy } from '../../scenes/impulse/index.js'
import { figure, type ReportRow } from '../report.js'

const LINKS = 5
const SECONDS = 5
/** Weight of the links times how far their centres fall from level to hanging [J]: what energy errors are measured by. */
const FALL = LINKS * 9.81 * 0.25 * LINKS
const CHAINS = ['ballSocket', 'hinge'] as const
const STABILIZATIONS = ['baumgarte', 'none'] as const
/** Wedekind starts each solve at zero. */
const SETTINGS = { iterations: 20, warmStart: 0 } as const

interface Drift {
  gap: number
  energy: number
}

/** Worst joint gap [m] and worst energy error as a share of `FALL`. */
function drift(joint: (typeof CHAINS)[number], options: ImpulseOptions): Drift {
  const scene = jointChain(joint, LINKS)
  const solver = new ImpulseSolver(scene.world, { ...SETTINGS, ...options })
  let [gap, energy] = [0, 0]
  for (let step = 0; step < 60 * SECONDS; step++) {
    solver.step(1 / 60)
    gap = Math.max(gap, jointGap(scene))
    energy = Math.max(energy, Math.abs(totalEnergy(scene)) / FALL)
  }
  return { gap, energy }
}

function chainRow(id: string, joint: (typeof CHAINS)[number]): ReportRow {
  return {
    id,
    claim: `Wedekind: chain of ${joint === 'hinge' ? 'hinges' : 'ball joints'}, Runge–Kutta 4 against semi-implicit Euler at equal cost`,
    asked: 'worst gap and energy error of both, finite; which is smaller is printed, and no winner asked',
    scene: `${LINKS} boxes of 0.5 m let go from level (a plane motion, the same for both joints), ${SECONDS} s, 240 solves of ${SETTINGS.iterations} iterations a second: 60 Hz × 4 stages, and 240 Hz; cold; push k = 0.2, and none`,
    measure() {
      const told: string[] = []
      let isFinite = true
      for (const stabilization of STABILIZATIONS) {
        const staged = drift(joint, { stabilization, integrator: 'rungeKutta4' })
        const euler = drift(joint, { stabilization, substeps: 4 })
        const tell = ({ gap, energy }: Drift): string => `gap ${figure(1e3 * gap)} mm, energy ${figure(100 * energy)} %`
        const better = (key: keyof Drift): string => (staged[key] < euler[key] ? 'Runge–Kutta' : 'Euler')
        const name = stabilization === 'none' ? 'no push' : 'push'
        told.push(
          `${name}: Runge–Kutta ${tell(staged)}; Euler ${tell(euler)}; smaller gap ${better('gap')}, energy error ${better('energy')}`,
        )
        isFinite &&= [staged, euler].every(({ gap, energy }) => Number.isFinite(gap + energy))
      }
      return { figures: told.join('; '), holds: isFinite }
    },
  }
}

export const integrators: readonly ReportRow[] = CHAINS.map((joint, k) => chainRow(`2.9.${k + 1}`, joint))
