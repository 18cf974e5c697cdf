/** Numbers beyond which a solution is none. */

/** Rows of the largest group that is solved at once: four bodies of six coordinates. */
export const LARGEST_GROUP = 24
/** Multipliers this large [kg m] are none: no body that they could belong to stays within any measure. */
export const RUNAWAY = 1e50
/** A row whose w + a is below this moves nothing that can be moved: skip it. */
export const IMMOVABLE = 1e-300
