/** What a row of contact of a face, or of an edge, with a collider stores. */

import type { Batch } from '@tautline/core/kernel'

/** Multipliers: normal, two of friction. */
export const ROWS = 3
/** Corners of a face; an edge has its second one twice. */
export const CORNERS = 3
/** Bodies of a row: three particles, and the collider's. */
export const BODIES = 4

/** n̂, world, of this substep; a body that does not give way has its surface at n̂·x = d, the radius included. */
export const N = 0
export const D = 3
/** How far the surface moves in this substep [m], where the body does not give way. */
export const CARRY = 4
/** Where the point of the face is when it touches, in the frame of a dynamic body. */
export const LOCAL_POINT = 4
/** n̂ and offset [m] in the frame of the body, where that gives way. */
export const LOCAL_N = 7
export const LOCAL_S = 10
/** Shares of the corners in the point that touches. */
export const SHARES = 11
/** Static and dynamic ν, restitution, push-out [m/s], radius at each corner [m]. */
export const FRICTION = 14
export const RESTITUTION = 16
export const PUSH = 17
export const RADIUS = 18
/** Speed of approach at the prediction [m/s]. */
export const APPROACH = 21
/** 1 where the face may come to touch in this substep beside its corners, 2 where it is fast; 1 where the body gives way. */
export const NEAR = 22
export const GIVES = 23
/** Gap [m] when it was measured last, below 0 before, and where the corners were then, in the frame of the shape. */
export const GAP = 24
export const SEEN = 25
/** Energy that the normal row has taken in this substep, times h² [kg m²]: see `bounce.ts`. */
export const TAKEN = 34
export const RECORD = 35

/** Columns and their strides. */
export const FACE_COLUMNS: { readonly who: 4; readonly touching: 1; readonly impulse: 1; readonly record: 35 } = {
  /** Set, number of the face in it, collider, part of the collider (child or triangle; 0). */
  who: 4,
  /** 1 when it has pushed in the step; normal impulse of the step so far [N s]. */
  touching: 1,
  impulse: 1,
  record: RECORD,
}

/** Name of a column. */
export type FaceColumn = keyof typeof FACE_COLUMNS

/** A batch of contacts of faces with colliders. */
export type FaceContacts = Batch<FaceColumn>

/** In `NEAR`: it acts, and is solved with the joints of its particles. */
export const DIRECT = 3
