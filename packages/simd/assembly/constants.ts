// Bounds of the loops in TypeScript: the same numbers, or the bits differ where they count.

/** A row that is shorter has no direction [m] (constraints: length-row.ts). */
export const TOO_SHORT: f64 = 1e-12
/** A row whose w + a is below this moves nothing (constraints: vector.ts). */
export const IMMOVABLE: f64 = 1e-300
/** Multipliers beyond this are not used (core: group-system.ts). */
export const RUNAWAY: f64 = 1e50
/** A pose beyond this is lost [m] (core: motion.ts). */
export const FARTHEST: f64 = 1e50
/** A turn below this has no direction [rad] (constraints: line-bend.ts, isometric-bend.ts). */
export const UNBENT: f64 = 1e-9
/** Tension from which its turning counts, and least pivot, share of w (constraints: line-record.ts). */
export const STIFF: f64 = 0.75
export const LEAST_PIVOT: f64 = 1e-9
/** A gradient with Σ w|J|² below this share of Σ w is noise (constraints: centres.ts). */
export const NOISE: f64 = 1e-12
