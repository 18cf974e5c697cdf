/** A measure watches a scene step by step and ends as a metric. This file has what all scenes share: tolerances with their reasons, and the simple measures. */

import type { Body } from '@tautline/core'
import type { Tolerance } from './metric.js'

/** Something that is watched during a run. */
export interface Measure {
  readonly name: string
  readonly unit: string
  readonly bound: number
  readonly tolerance: Tolerance
  /** Looks at the scene after each step; `step` counts from 0. */
  sample?(step: number): void
  /** The figure, after the last step. */
  value(): number
}

/**
 * Tolerances by kind. Non-time metrics repeat exactly, so these only have to allow for what a harmless change of method does: round-off that grows in chaotic
 * scenes. Piles and figures were run with bodies moved by a nanometre (`--nudge`), and most metrics stay within these.
 */
export const TOLERANCES = {
  /** Below 1 µm gaps are round-off, which any change moves. */
  gap: { relative: 0.5, absolute: 1e-6 },
  /** Half a millimetre cannot be seen. */
  depth: { relative: 0.25, absolute: 5e-4 },
  /** Shares: a thousandth is the order of the integration error at 8 substeps. */
  share: { relative: 0.25, absolute: 1e-3 },
  seconds: { relative: 0.2, absolute: 0.25 },
  speed: { relative: 0.5, absolute: 5e-3 },
  length: { relative: 0.5, absolute: 1e-3 },
  angle: { relative: 0.25, absolute: 1e-3 },
  /** Any further one is worse. */
  count: { relative: 0, absolute: 0.5 },
  /** Failures of the solver come in bursts. */
  failures: { relative: 0.25, absolute: 3 },
  /** Of the energy guard: where it acts at all, it does so from a few times to a dozen. */
  interventions: { relative: 1, absolute: 10 },
  solves: { relative: 0.1, absolute: 0.05 },
  /** Quotients of processor times on two loaded cores repeat within a third, those of a tenth of a millisecond less well; `gate.ts` repeats what is above. */
  time: { relative: 0.5, absolute: 0.1 },
} as const satisfies Record<string, Tolerance>

/** Units of the kinds. */
const UNITS: Readonly<Record<keyof typeof TOLERANCES, string>> = {
  gap: 'm',
  depth: 'm',
  share: '',
  seconds: 's',
  speed: 'm/s',
  length: 'm',
  angle: 'rad',
  count: '',
  failures: '',
  interventions: '',
  solves: '',
  time: '× ref',
}

export type Kind = keyof typeof TOLERANCES

/** Unit and tolerance of a kind, with the tolerance changed where a scene needs another. */
function ofKind(kind: Kind, tolerance: Partial<Tolerance>): Pick<Measure, 'unit' | 'tolerance'> {
  return { unit: UNITS[kind], tolerance: { ...TOLERANCES[kind], ...tolerance } }
}

/** The value of `read` after the last step. */
export function atEnd(
  kind: Kind,
  name: string,
  bound: number,
  read: () => number,
  tolerance: Partial<Tolerance> = {},
): Measure {
  return { name, bound, ...ofKind(kind, tolerance), value: read }
}

/** The largest value of `read` over the steps from `from` on; `Math.max` keeps NaN. */
export function worstOf(
  kind: Kind,
  name: string,
  bound: number,
  read: () => number,
  { from = 0, ...tolerance }: Partial<Tolerance> & { from?: number } = {},
): Measure {
  let worst = -Infinity
  return {
    name,
    bound,
    ...ofKind(kind, tolerance),
    sample(step) {
      if (step >= from) worst = Math.max(worst, read())
    },
    value: () => worst,
  }
}

/** The sum of `read` over all steps. */
export function sumOf(kind: Kind, name: string, bound: number, read: () => number): Measure {
  let sum = 0
  return {
    name,
    bound,
    ...ofKind(kind, {}),
    sample() {
      sum += read()
    },
    value: () => sum,
  }
}

/** Speed of the centre of the fastest body [m/s]. */
export function topSpeed(bodies: readonly Body[]): number {
  return largest(bodies, ({ velocity: [x, y, z] }) => Math.sqrt(x * x + y * y + z * z))
}

/** The largest of a value over a list, 0 for an empty list; NaN stays. */
export function largest<T>(list: readonly T[], value: (item: T, k: number) => number): number {
  return list.length === 0 ? 0 : Math.max(...list.map(value))
}

/** Below this the bodies of a scene count as resting [m/s]: 5 cm a second is hardly seen as motion. */
const RESTS = 0.05

/** Time of the last step in which a body moved [s]: the whole run where something never rests. */
export function timeUntilRest(bodies: readonly Body[], bound: number, dt: number, tolerance = {}): Measure {
  let last = 0
  return {
    name: 'time until rest',
    bound,
    ...ofKind('seconds', tolerance),
    sample(step) {
      if (!(topSpeed(bodies) <= RESTS)) last = (step + 1) * dt
    },
    value: () => last,
  }
}

/** Largest speed from step `from` on, when the scene should rest [m/s]. */
export function speedAtRest(bodies: readonly Body[], bound: number, from: number): Measure {
  return worstOf('speed', 'speed at rest', bound, () => topSpeed(bodies), { from })
}
