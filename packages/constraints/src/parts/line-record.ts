/** The records of scratch of the lines: where things are in that of a row, and what the solves share. */

/**
 * From this κ (w + w) on the turning of the tension is part of the system. At 1 a cloth at few substeps is stable by a hair and
 * stretches twenty times more, at ½ it takes longer and is no better.
 */
export const STIFF = 0.75
/**
 * Least pivot, share of w. A line pulled straight between two bodies that do not move has one row more than it can meet, and a
 * last pivot of 0.
 */
export const LEAST_PIVOT = 1e-9
/** A one-sided row counts as met within this share of its length, lest round-off takes it in and out. */
export const MET = 1e-9

/** Where things are in a row's record of scratch. n, ‖δp‖, ξ e, a; how it takes part, λ before; L of LDLᵀ, Δλ, F. */
export const NX = 0
export const NY = 1
export const NZ = 2
export const DISTANCE = 3
export const ERROR = 4
export const SOFT = 5
export const PART = 6
export const BEFORE = 7
export const FACTOR = 8
export const STEP = 9
export const FX = 10
export const FY = 11
export const FZ = 12
/** w of the body before it, until there are forces; where that body was. */
export const W: number = FX
export const X0 = 13
export const Y0 = 14
export const Z0 = 15

/** How a row takes part: not at all, not yet, solved, let go for this pass. */
export const ABSENT = 0
export const WAITING = 1
export const SOLVED = 2
export const LET_GO = 3
