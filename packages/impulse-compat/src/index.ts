/** Tautline impulse-compat: the velocity-level school on the same world, and the comparison of the two. */

export { ImpulseSolver } from './impulse-solver.js'
export type { ImpulseMethod, ImpulseOptions, ImpulseSettings, Stabilization } from './options.js'
export type { SolveReport } from './solve.js'
export type { RowSystem } from './row-system.js'
export * from './compare.js'
export { complementarityResidual, mlcp, mlcpSlack } from './mlcp/problem.js'
export type { Mlcp, MlcpSolution } from './mlcp/problem.js'
export { gaussSeidel, jacobi, projectedGaussSeidel } from './mlcp/iterate.js'
export type { IterateOptions } from './mlcp/iterate.js'
export { isDiagonallyDominant, isPositiveDefinite, spectralRadius } from './mlcp/theory.js'
export { lemke } from './mlcp/lemke.js'
