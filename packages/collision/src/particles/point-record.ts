/**
 * Offsets in what a row of contact of a particle stores.
 *
 * A module of numbers alone: compiled loops read it too.
 */

/** Multipliers: normal, two of friction. */
export const ROWS = 3

/** n̂, world, of this substep; a body that does not give way has its surface at n̂·x = d, the particle's radius included. */
export const N = 0
export const D = 3
/** How far the surface moves in this substep [m], where the body does not give way. */
export const CARRY = 4
/** Where the particle's centre is when it touches, in the frame of a dynamic body. */
export const LOCAL_POINT = 4
/** n̂ and offset [m] in the frame of the body, where that gives way. */
export const LOCAL_N = 7
export const LOCAL_S = 10
/** Static and dynamic ν, restitution, push-out [m/s], radius of the particle [m]. */
export const FRICTION = 11
export const RESTITUTION = 13
export const PUSH = 14
export const RADIUS = 15
/** Speed of approach at the prediction [m/s]. */
export const APPROACH = 16
/** 1 where the particle may come to touch in this substep, `UNSEEN` before its first one; 1 where the body gives way. */
export const NEAR = 17
export const GIVES = 18
/** Gap [m] when it was measured last, and where the particle was then, in the frame of the shape. */
export const GAP = 19
export const SEEN = 20
/** Energy that the normal row has taken in this substep, times h² [kg m²]: see `bounce.ts`. */
export const TAKEN = 23
export const RECORD = 24

/** In `NEAR`: not looked at yet. */
export const UNSEEN = 2

/** In `NEAR`: it acts, and is solved with the joints of its particles. */
export const DIRECT = 3
