/** What a solve reports. */

/** How a solve ended. */
export interface IkResult {
  /**
   * - `converged`: every goal is met.
   * - `stalled`: no step made it better.
   * - `limit`: the iterations were spent.
   * - `unreachable`: it ended without, and some target is farther than its chain is long.
   * - `invalid`: a goal or the pose has what cannot be, as `reason` says; the pose is as it was.
   */
  status: 'converged' | 'stalled' | 'limit' | 'unreachable' | 'invalid'
  /** Steps made, of all starts. */
  iterations: number
  /**
   * The largest error of the goals that count, lengths as shares of the reach, angles in radians; ∞ where the status is `invalid`.
   * Goals with a compliance or a priority do not count.
   */
  error: number
  /** By bone, 1 where a bound held the joint. */
  readonly atLimit: Uint8Array
  /** Σ of the squared turns of all bones against their parents since the solve began [rad²]: how much it moved. */
  work: number
  /** What is wrong where the status is `invalid`. */
  reason: string
}
