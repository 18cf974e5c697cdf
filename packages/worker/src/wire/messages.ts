/** What goes over the port. Tuples, led by their kind: small, and the same after structured clone. */

import type { CollisionOptions } from '@tautline/collision'
import type { SceneJson, WorldOptions } from '@tautline/core'

/** What the other side is asked to make. */
export interface OpenRequest {
  /** Tells two of one page apart: a request that comes twice is the same one. */
  session: number
  world: WorldOptions
  collisions: CollisionOptions | false | undefined
  scene: SceneJson | string | undefined
  /** Whether frames lie in shared memory, and whether they hold velocities. */
  shared: boolean
  velocities: boolean
}

/**
 * A call: its name, the number of the handle that it is made on, the number of the (first) handle that it makes, the number that its reply
 * bears, and arguments. 0 stands for none.
 */
export type Call = readonly [name: string, on: number, makes: number, reply: number, args: readonly unknown[]]

/** From the page. */
export type ToHost =
  | readonly ['open', OpenRequest]
  /** Calls of a task, and which message of calls it is. */
  | readonly ['calls', batch: number, calls: readonly Call[]]
  /** The memory of a frame that was read. */
  | readonly ['return', buffer: ArrayBuffer]
  /** The page is done with it. */
  | readonly ['close']

/** An error in plain data. */
export interface ErrorData {
  name: string
  message: string
  stack: string | undefined
  cause: ErrorData | undefined
}

/** What became of calls, and what happened, in the order in which it did. */
export type Result =
  | readonly ['reply', reply: number, value: unknown]
  | readonly ['reject', reply: number, error: ErrorData]
  /** A call without a reply that threw, and the handle it was made on. */
  | readonly ['error', call: string, on: number, error: ErrorData]
  | readonly ['event', kind: string, data: unknown]

/** From the worker. */
export type ToPage =
  /** It serves now; calls may be posted. */
  | readonly ['hello']
  | readonly ['opened', session: number]
  | readonly ['refused', session: number, error: ErrorData]
  | readonly ['results', results: readonly Result[]]
  /** Shared memory of frames from now on. */
  | readonly ['room', buffer: SharedArrayBuffer]
  /** A frame, transferred. */
  | readonly ['frame', buffer: ArrayBuffer]

/** Which events the page listens for. */
export interface Subscriptions {
  contact?: boolean
  persist?: boolean
  trigger?: boolean
  particle?: boolean
  broken?: boolean
  step?: boolean
}
