/** The clock of a world: what a step leaves behind besides bodies and constraints. Saved with them. */

/** Time, and what the last substep was. */
export interface Clock {
  /** [s] */
  time: number
  /** Steps made. */
  steps: number
  /** Time not yet simulated by `advance` [s]. */
  accumulator: number
  /** Length of the last substep [s]; 0 before the first. */
  substepLength: number
  /** Sweeps of the last substep. */
  iterations: number
  /** Constraints made. */
  sequence: number
}

/** What the clock holds, in the order of snapshots. */
export const CLOCK_FIELDS: readonly (keyof Clock)[] = [
  'time',
  'steps',
  'accumulator',
  'substepLength',
  'iterations',
  'sequence',
]

/** A clock before the first step. */
export function newClock(): Clock {
  return { time: 0, steps: 0, accumulator: 0, substepLength: 0, iterations: 0, sequence: 0 }
}
