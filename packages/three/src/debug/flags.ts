/** What is drawn, by what it is coloured, and how large: what the parts of debug drawing are told. */

/** Switches and sizes of a drawing. */
export interface DrawFlags {
  joints: boolean
  limits: boolean
  links: boolean
  contacts: boolean
  forces: boolean
  colour: 'kind' | 'error' | 'force'
  /** At `SIZE`, `HALF`, `CROSS` and `ARROW`. */
  readonly sizes: Float64Array
  /** Error [m or rad] and force [N or N m] that are as bright as can be. */
  readonly scales: Float64Array
}

/** Length of axes and radius of arcs [m]. */
export const SIZE = 0
/** Half of it: axes of a frame, normals. */
export const HALF = 1
/** Size of crosses [m]. */
export const CROSS = 2
/** Length of arrows [m/N, m/(N m)]. */
export const ARROW = 3
