/** Numbers of manifolds, in a module of their own: compiled loops read it too. */

/** Points that a manifold keeps. */
export const MAX_POINTS = 4

/** Who carries the normal: its body's rotation turns it. */
export const NORMAL_ON_A = 0
export const NORMAL_ON_B = 1
/** Nobody: where both sides are round neither turns it. Not for the narrow phase, which names the rounder of the two. */
export const NORMAL_FIXED = 2
