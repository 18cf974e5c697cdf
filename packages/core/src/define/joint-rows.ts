/**
 * What a joint writes of itself for the fast solution of joint trees (direct/articulated.ts): where its two bodies share a point, and what holds or
 * drives the rotation of b against a.
 *
 *   point    c = p_a − p_b = 0 [m], rigid; multipliers 0 to 2
 *   angle    a scalar row:  e = s c + d (n·δ − h rate) + a λ = 0,  n = ∂c/∂θ_b = −∂c/∂θ_a,  lower <= λ <= upper
 *   couple   three rows:    e = s c + d (δ − h rate) + a λ = 0,    ∂c/∂θ_a = 1 = −∂c/∂θ_b,  ‖λ‖ <= radius
 *
 * δ: how far b (of a couple: a) has turned in the substep against the other. λ, and its bounds, are force times h². A rigid row has s = 1, d = a = 0.
 */

/** Most angles and couples of a joint. */
export const MOST_ANGLES = 7
export const MOST_COUPLES = 2

/** Numbers of one angle, which begin with its axis n (3). */
export const ANGLE_STRIDE = 8
/** Place of c in an angle [rad]. */
export const ANGLE_ERROR = 3
/** Place of s in an angle. */
export const ANGLE_SCALE = 4
/** Place of d in an angle. */
export const ANGLE_DAMPING = 5
/** Place of a in an angle [1/(kg m²)]. */
export const ANGLE_SOFTNESS = 6
/** Place of h times the wanted rate in an angle [rad]. */
export const ANGLE_RATE = 7

/** Numbers of one couple, which begin with c (3) [rad]. */
export const COUPLE_STRIDE = 10
/** Place of s in a couple. */
export const COUPLE_SCALE = 3
/** Place of d in a couple. */
export const COUPLE_DAMPING = 4
/** Place of a in a couple [1/(kg m²)]. */
export const COUPLE_SOFTNESS = 5
/** Place of the largest ‖λ‖ in a couple [kg m²]. */
export const COUPLE_RADIUS = 6
/** Place of h times the wanted rate (3) in a couple [rad]. */
export const COUPLE_RATE = 7

/** The rows of one joint at the present pose. */
export class JointRows {
  /** Length of the substep [s], in memory: a number among arguments would be boxed. */
  readonly substep: Float64Array = new Float64Array(1)
  /** Levers from the centres of mass of a and b to the middle of the anchors, and p_a − p_b [m]. */
  readonly point: Float64Array = new Float64Array(9)
  angleCount = 0
  readonly angles: Float64Array = new Float64Array(ANGLE_STRIDE * MOST_ANGLES)
  readonly lower: Float64Array = new Float64Array(MOST_ANGLES)
  readonly upper: Float64Array = new Float64Array(MOST_ANGLES)
  /** Multiplier of an angle within its joint; the first of a couple. */
  readonly angleMultiplier: Int32Array = new Int32Array(MOST_ANGLES)
  coupleCount = 0
  readonly couples: Float64Array = new Float64Array(COUPLE_STRIDE * MOST_COUPLES)
  readonly coupleMultiplier: Int32Array = new Int32Array(MOST_COUPLES)

  clear(): void {
    this.angleCount = this.coupleCount = 0
  }

  /** Opens a rigid angle about n at `o` in `axis` without bounds, and returns where its numbers stand; the error is the caller's. */
  angle(multiplier: number, axis: Float64Array, o: number): number {
    const { angles } = this
    const k = this.angleCount++
    const at = ANGLE_STRIDE * k
    angles[at] = axis[o]
    angles[at + 1] = axis[o + 1]
    angles[at + 2] = axis[o + 2]
    angles[at + ANGLE_SCALE] = 1
    angles[at + ANGLE_DAMPING] = angles[at + ANGLE_SOFTNESS] = angles[at + ANGLE_RATE] = 0
    this.lower[k] = -Infinity
    this.upper[k] = Infinity
    this.angleMultiplier[k] = multiplier
    return at
  }

  /** Opens a rigid couple without bound and returns where its numbers stand. */
  couple(multiplier: number): number {
    const { couples } = this
    const k = this.coupleCount++
    const at = COUPLE_STRIDE * k
    couples.fill(0, at, at + COUPLE_STRIDE)
    couples[at + COUPLE_SCALE] = 1
    couples[at + COUPLE_RADIUS] = Infinity
    this.coupleMultiplier[k] = multiplier
    return at
  }
}
