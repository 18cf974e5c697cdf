/**
 * What a frame is: a header and a record a row of the body table, in one Float64Array, so that what is drawn has the bits of the world. A record names its
 * body, so a frame can be read without knowing what else has been told.
 */

/** Numbers of a header. */
export const HEADER = 16
/** Raised whenever bodies have come or gone: where each lies may be looked up anew. */
export const LAYOUT = 0
/** How many records there are. */
export const ROWS = 1
/** Numbers of a record. */
export const STRIDE = 2
/** The last message of calls that it knows of. */
export const BATCH = 3
/** Steps made. */
export const STEPS = 4
/** Simulated time [s]. */
export const TIME = 5
/** Length of a step [s]. */
export const STEP_LENGTH = 6
/** Time of frames that was not simulated yet [s]. */
export const ACCUMULATOR = 7
/** When it was written, by the wall clock [ms]. */
export const WRITTEN = 8
/** Simulated seconds a second while the world runs by itself; 0 where it does not. */
export const TIME_SCALE = 9
/** Its number, from 1. */
export const NUMBER = 10

/** Places in a record: number of the handle, 0 for none; flags; pose at the start and at the end of the last step. */
export const ID = 0
export const FLAGS = 1
export const PREVIOUS_POSITION = 2
export const PREVIOUS_ORIENTATION = 5
export const POSITION = 9
export const ORIENTATION = 12
/** Numbers without velocities. */
export const POSES = 16
/** Only where they were asked for. */
export const VELOCITY = 16
export const ANGULAR_VELOCITY = 19
export const POSES_AND_VELOCITIES = 22

/** Flags of a record. */
export const SLEEPS = 1
export const IS_FROZEN = 2
export const IS_PARTICLE = 4
export const IS_DYNAMIC = 8

/** Numbers of a frame. */
export function frameLength(rows: number, stride: number): number {
  return HEADER + rows * stride
}
