/** What every handle of a remote world is, and what it asks of that world. */

import type { FrameView } from './frame-view.js'

/** The remote world, as its handles see it. */
export interface RemoteOwner {
  /** The newest frame that was taken. */
  readonly frames: FrameView
  /** How far the moment is past the last step, as a share of a step in [0, 1]. */
  readonly alpha: number
  /** Posts a call on a handle; returns the number of the message that it is in. */
  post(name: string, on: RemoteHandle | null, ...args: unknown[]): number
  /** Posts a call and promises its result. */
  ask<Result>(name: string, on: RemoteHandle | null, ...args: unknown[]): Promise<Result>
}

/** A handle of something that lives in a worker. There is one of each, while the page has it. */
export class RemoteHandle {
  /** The remote world that it is of. */
  readonly remote: RemoteOwner
  /** Its number on both sides; of no meaning elsewhere. */
  readonly id: number
  /** Anything of yours, an entity or a mesh: it stays on the page. */
  userData: unknown = undefined

  /** Made by the remote world. */
  constructor(remote: RemoteOwner, id: number) {
    this.remote = remote
    this.id = id
  }

  /** Which it is, in JSON. */
  toJSON(): { remote: number } {
    return { remote: this.id }
  }
}
