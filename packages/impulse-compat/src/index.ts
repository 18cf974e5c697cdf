/** Tautline impulse-compat: the velocity-level school on the same world, and the comparison of the two. */

export { ImpulseSolver } from './impulse-solver.js'
export type { ImpulseMethod, ImpulseOptions, ImpulseSettings, Stabilization } from './options.js'
export type { SolveReport } from './solve.js'
export type { RowSystem } from './row-system.js'
export * from './compare.js'
