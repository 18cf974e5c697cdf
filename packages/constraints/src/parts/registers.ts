/** Names of the numbers that columns and scratch arrays hold side by side. */

/** In `STEP`: stiffness and damping of the row, its softness, ξ, the largest length of κ, and the first number of the error. */
export const ROW_STIFFNESS = 0
export const ROW_DAMPING = 1
export const ROW_SOFTNESS = 2
export const RELAXATION = 3
export const RADIUS = 4
export const ERROR = 5

/** In the column of a limit. */
export const MIN = 0
export const MAX = 1
export const COMPLIANCE = 2
export const RAYLEIGH = 3

/** In the column of a drive along one coordinate, and of an orientation: stiffness, damping, largest force or torque. */
export const STIFFNESS = 0
export const DAMPING = 1
export const MAX_FORCE = 2

/** In the column of a drive along one coordinate: targets, and 1 for `acceleration`. */
export const POSITION_TARGET = 3
export const VELOCITY_TARGET = 4
export const ACCELERATION_MODE = 5

/** In the column of a drive of an orientation: the first number of the wanted angular velocity, and 1 for `acceleration`. */
export const SPIN_TARGET = 3
export const SPIN_ACCELERATION_MODE = 6
