// The kernels: what `npm run simd` compiles into src/binary.ts.

export { sweepLengths } from './lengths'
export { sweepLineBends } from './line-bends'
export { sweepLinePair } from './lines'
export { predict, velocities } from './particles'
