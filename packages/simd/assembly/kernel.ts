// What loops that are compiled twice import of the core (docs/kernels.md).

export * from './numbers'
export { addLoad, rotateBy } from './host'
export { RUNAWAY } from '../../core/src/step/limits'
export { B_S, B_T, K_SS, K_ST, K_TT, SLIP_RADIUS, solveDisc, STICK_RADIUS } from '../../core/src/step/disc'
