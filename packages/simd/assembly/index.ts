// The kernels: what `npm run simd` compiles into src/binary.ts.

export { sweepDihedralBends } from './dihedral-bends'
export { sweepIsometricBends } from './isometric-bends'
export { sweepLengths } from './lengths'
export { solveBackedLine } from './line-backed'
export { sweepLineBends } from './line-bends'
export { sweepLinePair } from './lines'
export {
  prepare as prepareManifolds,
  rebound as reboundManifolds,
  renewMoved as renewManifolds,
  sweep as sweepManifolds,
} from '../../collision/src/contact/loops/passes'
export {
  finishVelocities as finishManifolds,
  relax as relaxManifolds,
} from '../../collision/src/contact/loops/velocities'
export { isBounded } from './multipliers'
export { preparePairs } from './particle-pairs'
export { predict, velocities } from './particles'
export { meetSurfaces } from '../../collision/src/particles/loops/meet-surfaces'
export { sweepTetraVolumes } from './tetra-volumes'
export { sweepNeoHookean } from './neo-hookean'
