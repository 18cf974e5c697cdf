/** How bodies that a solver holds together answer a push on one of them, in place of by their own mass alone. */

export interface Responses {
  /** By body: the number of what it is held together with, from 1; 0 where it answers alone. */
  readonly group: Int32Array
  /** Whether any body answers together with others. */
  readonly isNeeded: boolean
  /** Whether pushes move what hangs on a body: from the first solution of a substep to its end. */
  acts: boolean
  /** The 6 × 6 by which body i answers a push on itself, row-major, by the last solution [1/kg, 1/(kg m), 1/(kg m²)]; false where there is none. */
  respond(i: number, out: Float64Array): boolean
  /** A number that changes when the response of a body may have: in each step, and within one with the set of limits that bear, or a turn; 0 where it answers alone. */
  version(i: number): number
  /** Whether a push on body i moves what hangs on it now. */
  answers(i: number): boolean
  /** Whether a push on body i is to be told by `load` now: between the prediction of a substep and its first solution. */
  takesLoads(i: number): boolean
  /** Adds a push to what the first solution of the substep bears. */
  load(i: number, push: Float64Array, o: number): void
  /**
   * Pushes body i: force and moment about its centre of mass at `o`, times h² [kg m, kg m²]. Bodies move where they are brought up to date, or all at
   * `endPushes`.
   */
  displace(i: number, push: Float64Array, o: number): void
  /** Moves body i to where pushes so far have it. */
  bringPose(i: number): void
  /** Moves all bodies to where pushes have them. */
  endPushes(): void
  /** The same by impulses [N s, N m s] of velocities. */
  accelerate(i: number, impulse: Float64Array, o: number): void
  bringVelocity(i: number): void
  endImpulses(): void
}
