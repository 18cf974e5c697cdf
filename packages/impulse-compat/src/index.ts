/** Tautline impulse-compat: the velocity-level school on the same world. */

export { ImpulseSolver } from './impulse-solver.js'
export type { ImpulseMethod, ImpulseOptions, ImpulseSettings, Stabilization } from './options.js'
export type { SolveReport } from './solve.js'
