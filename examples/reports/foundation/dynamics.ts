/** Rows 5 to 7: oscillators, the tumbling body, the rotating rod. */

import { oscillator, rotatingRod, tumblingBody } from '../../scenes/paper.js'
import { figure, figures, type ReportRow } from '../report.js'

/** Largest departure of the amplitude from (1 + (ωh)²)^(−1/2) a substep, as a share of the first amplitude. */
function amplitudeError(frequency: number, substeps: number): number {
  const { world, particle, omega, rest, amplitude } = oscillator('row', frequency, substeps)
  const h = 1 / 60 / substeps
  let worst = 0
  for (let step = 1; step <= 60; step++) {
    world.step(1 / 60)
    const x = particle.position[0] - rest
    const measured = Math.hypot(x, particle.velocity[0] / omega)
    const expected = amplitude * (1 + (omega * h) ** 2) ** (-0.5 * step * substeps)
    worst = Math.max(worst, Math.abs(measured - expected) / amplitude)
  }
  return worst
}

/** Frequency of a mass on a spring [Hz], from its downward zero crossings over two seconds. */
function springFrequency(frequency: number): number {
  const { world, particle, rest } = oscillator('spring', frequency, 20)
  const crossings: number[] = []
  let last = particle.position[0] - rest
  for (let step = 1; step <= 120; step++) {
    world.step(1 / 60)
    const x = particle.position[0] - rest
    if (last > 0 && x <= 0) crossings.push((step - 1 + last / (last - x)) / 60)
    last = x
  }
  return (crossings.length - 1) / (crossings[crossings.length - 1] - crossings[0])
}

const amplitude: ReportRow = {
  id: '5.1',
  claim: 'Oscillator on a compliant row: amplitude follows (1 + (ωh)²)^(−1/2) a substep',
  asked: 'within 1e-3 of the first amplitude',
  scene: '1 and 5 Hz, 1, 8 and 20 substeps at 60 Hz, 1 s',
  measure() {
    const errors = [1, 5].flatMap((f) => [1, 8, 20].map((substeps) => amplitudeError(f, substeps)))
    return { figures: figures(errors, 2), holds: errors.every((error) => error <= 1e-3) }
  },
}

const frequency: ReportRow = {
  id: '5.2',
  claim: 'Frequency of a mass on a spring',
  asked: 'within 1 % at 20 substeps',
  scene: '1 and 5 Hz, 2 s at 60 Hz',
  measure() {
    const measured = [1, 5].map(springFrequency)
    return {
      figures: `${figures(measured, 6)} Hz`,
      holds: Math.abs(measured[0] - 1) <= 0.01 && Math.abs(measured[1] / 5 - 1) <= 0.01,
    }
  },
}

const tumbling: ReportRow = {
  id: '6',
  claim: 'Tumbling body: energy ratio and flips',
  asked: '1.0000 ± 0.0005, 6 flips',
  scene: 'moments 0.1, 0.5, 0.6 kg m², ω = (0.03, 5, 0.03) rad/s, 20 s at 60 Hz, 1 substep',
  measure() {
    const { world, body } = tumblingBody()
    const before = world.energy().kinetic
    let flips = 0
    let side = 1
    for (let step = 0; step < 1200; step++) {
      world.step(1 / 60)
      const now = body.toWorld([0, 1, 0])[1] > 0 ? 1 : -1
      if (now !== side) flips++
      side = now
    }
    const ratio = world.energy().kinetic / before
    return { figures: `${figure(ratio, 8)}, ${flips} flips`, holds: Math.abs(ratio - 1) <= 5e-4 && flips === 6 }
  },
}

/** Largest departure of L/L₀ from `expected(t, h)` in 10 s. */
function rodError(
  substeps: number,
  jacobians: 'fresh' | 'start',
  expected: (t: number, h: number) => number,
  keeps = false,
): number {
  const world = rotatingRod(substeps, jacobians, 2, keeps)
  const start = world.momentum().angular[2]
  let worst = 0
  for (let step = 1; step <= 600; step++) {
    world.step(1 / 60)
    const ratio = world.momentum().angular[2] / start
    worst = Math.max(worst, Math.abs(ratio - expected(step / 60, 1 / 60 / substeps)))
  }
  return worst
}

const rod: ReportRow = {
  id: '7.1',
  claim: 'Rotating rod, by the scheme alone: L(t)/L₀ follows (1 + 2ω₀²ht)^(−1/2)',
  asked: 'within 1e-4',
  scene:
    'two unit masses 1 m apart, ω₀ = 2 rad/s, 10 s at 60 Hz, largest of all steps at 4, 8 and 20 substeps (and at 1)',
  measure() {
    const expected = (t: number, h: number): number => (1 + 8 * h * t) ** -0.5
    const errors = [4, 8, 20].map((substeps) => rodError(substeps, 'fresh', expected))
    const coarse = rodError(1, 'fresh', expected)
    return {
      figures: `${figures(errors, 2)} (at one substep, where the closed form's own h² shows, ${figure(coarse, 2)})`,
      holds: errors.every((error) => error <= 1e-4),
    }
  },
}

const shake: ReportRow = {
  id: '7.2',
  claim: 'The same with start-of-step gradients: L is kept',
  asked: 'within 1e-10',
  scene: 'as 7.1, 1, 8 and 20 substeps',
  measure() {
    const errors = [1, 8, 20].map((substeps) => rodError(substeps, 'start', () => 1))
    return { figures: figures(errors, 2), holds: errors.every((error) => error <= 1e-10) }
  },
}

const kept: ReportRow = {
  id: '7.3',
  claim: 'The same by a world as it is: what is free keeps L',
  asked: 'within 1e-10',
  scene: 'as 7.1, 1, 8 and 20 substeps, gradients of the moment',
  measure() {
    const errors = [1, 8, 20].map((substeps) => rodError(substeps, 'fresh', () => 1, true))
    return { figures: figures(errors, 2), holds: errors.every((error) => error <= 1e-10) }
  },
}

export const dynamics: readonly ReportRow[] = [amplitude, frequency, tumbling, rod, shake, kept]
