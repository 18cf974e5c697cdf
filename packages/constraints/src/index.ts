/** Tautline constraints: one file a type. */

export { ballSocket } from './ball-socket.js'
export type { BallSocketDef } from './ball-socket.js'
export { distance } from './distance.js'
export type { DistanceDef } from './distance.js'
export type { LengthMode } from './parts/length-mode.js'
