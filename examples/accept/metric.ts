/** What a scene is judged by. Of every metric, lower is better. */

/** By how much a metric may grow before it counts as worse: a share of its former value plus an absolute amount in its unit. */
export interface Tolerance {
  readonly relative: number
  readonly absolute: number
}

/** One figure of one scene. */
export interface Metric {
  readonly name: string
  readonly unit: string
  /** `null` where it is not a finite number: worse than any bound. */
  readonly value: number | null
  /** The largest value that is acceptable. */
  readonly bound: number
  readonly tolerance: Tolerance
  /** A share of processor time, which differs from run to run and from machine to machine. */
  readonly isTime: boolean
}

/** What a scene found, or why it failed. */
export interface SceneResult {
  readonly scene: string
  readonly metrics: readonly Metric[]
  /** Processor time of its process [s]. */
  readonly busy: number
  /** The error that ended the scene. */
  readonly failed?: string
}

/** Whether a metric is within its bound. */
export function isWithinBound({ value, bound }: Pick<Metric, 'value' | 'bound'>): boolean {
  return value !== null && value <= bound
}

/** Whether `after` is above `before` by more than the tolerance. A value that is not finite is worse than any number. */
export function isWorse(before: number | null, after: number | null, { relative, absolute }: Tolerance): boolean {
  if (before === null) return false
  if (after === null) return true
  return after - before > relative * Math.abs(before) + absolute
}

/** JSON has no infinity and no NaN. */
export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
