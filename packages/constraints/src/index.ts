/** Tautline constraints: one file a type. */

export { ballSocket } from './ball-socket.js'
export type { BallSocketDef } from './ball-socket.js'
export { contact } from './contact.js'
export type { ContactDef } from './contact.js'
export { distance } from './distance.js'
export type { DistanceDef } from './distance.js'
export type { LengthMode } from './parts/length-mode.js'
export { spring } from './spring.js'
export type { SpringDef } from './spring.js'
