/**
 * Offsets in what a row of contact manifolds stores.
 *
 * A module of numbers alone, which imports nothing: bundlers write them where they are used.
 */

/** Multipliers of a manifold: four normals, two of friction, twist, two of rolling. */
export const ROWS = 9
export const FRICTION = 4
export const TWIST = 6
export const ROLLING = 7

/** n̂, t̂₁, t̂₂ in world space, of this substep. */
export const FRAME = 0
/** Where lever arms start: a's centre when the manifold was prepared. */
export const ORIGIN = 9
/** Lever arm to point i × n̂; lever arms to the manifold centre × t̂₁ and × t̂₂ [m]. */
export const ARM_N = 12
export const ARM_T = 24
/** n̂ in the frame of its carrier. */
export const LOCAL_N = 30
/** Carrier's share of c_i, rounding included [m]; point i of the other body, in its frame and signed (`gaps.ts`) [m]. */
export const SHARE = 33
export const POINT = 37
/** What c_i is driven to [m]; the speed after an impact [m/s]; distance from the manifold centre [m]. */
export const GOAL = 49
export const BOUNCE = 53
export const SPREAD = 57
/** LDLᵀ of the normal rows of G: soft, and rigid. 1/D (4), then L by rows (6). */
export const SOFT_FACTOR = 61
export const RIGID_FACTOR = 71
/** G: normals (lower triangle, 10); normals by friction and twist (4 × 3); ss, st, tt, and twist by s, t, twist. */
export const G_NORMAL = 81
export const G_CROSS = 91
export const G_PLANE = 103
/** Rolling: ss, st, tt. */
export const G_ROLL = 109
/** 1 while an overlap is pushed out fast. */
export const DEEP = 112
/** Load Σ λ_i that the substep started with. */
export const FIRST = 113
/** Numbers of a record. */
export const RECORD = 114
