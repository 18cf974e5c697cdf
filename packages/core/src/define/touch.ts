/** A contact of particles with what does not give way, as the direct solution takes it along with joints. */

/**
 * The point p = Σ s_k x_k of one or two particles meets a plane: n̂·p >= d, λ_n >= 0, and slips by the part of p − o across n̂, with a
 * multiplier in the disc of radius ν λ_n. All but λ stays as it is through a substep.
 */
export interface Touch {
  /** Rows of the particles; the second is −1 where there is one. */
  readonly bodies: Int32Array
  /** s of both. */
  readonly shares: Float64Array
  /** n̂, t̂₁, t̂₂, world. */
  readonly axes: Float64Array
  /** o [m]: where p is if it sticks. */
  readonly origin: Float64Array
  /** By `OFFSET` d [m], by `STATIC_FRICTION` and `SLIDING_FRICTION` ν. */
  readonly numbers: Float64Array
}

/** Place in `Touch.numbers` of d, where the plane is along its normal [m]. */
export const OFFSET = 0
/** Place in `Touch.numbers` of the coefficient of static friction. */
export const STATIC_FRICTION = 1
/** Place in `Touch.numbers` of the coefficient of sliding friction. */
export const SLIDING_FRICTION = 2

/** A new one, to be written over. */
export function makeTouch(): Touch {
  return {
    bodies: new Int32Array(2),
    shares: new Float64Array(2),
    axes: new Float64Array(9),
    origin: new Float64Array(3),
    numbers: new Float64Array(3),
  }
}
