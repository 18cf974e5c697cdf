/** Tautline in a worker, the page's side: `connect` gives a world whose calls are posted. The worker's side is `@tautline/worker/host`. */

export { connect, RemoteWorld, type ConnectOptions } from './client/remote-world.js'
export { RemoteCollisions } from './client/remote-collisions.js'
export type { RemoteQueryOptions, RemoteTriggerHandlers } from './client/remote-collisions.js'
export { RemoteBody, type BodyReading } from './client/remote-body.js'
export { RemoteCollider, RemoteConstraint, RemoteParticles, RemoteSnapshot } from './client/remote-handles.js'
export type { ColliderReading, ConstraintReading, Remote } from './client/remote-handles.js'
export type {
  ListenOptions,
  RemoteErrorEvent,
  RemoteEventName,
  RemoteEvents,
  RemoteTriggerEvent,
} from './client/events.js'
export { RemoteHandle, type RemoteOwner } from './client/remote-handle.js'
export type { FrameView } from './client/frame-view.js'
export type { PortLike } from './wire/port.js'
