/** What the page is told of: events of the world in the worker, in the order in which they happened. */

import type { ContactEvent, ParticleEvent } from '@tautline/collision'
import { callable, oneOf } from '@tautline/core/kernel'
import type { Subscriptions } from '../wire/messages.js'
import type { RemoteHandle } from './remote-handle.js'
import type { Remote, RemoteCollider, RemoteConstraint } from './remote-handles.js'

/** A call without a promise that threw in the worker. */
export interface RemoteErrorEvent {
  /** Its name, as `body.setVelocity`. `worker` where the worker itself is no more. */
  call: string
  /** The handle that it was made on, if it was. */
  handle: RemoteHandle | undefined
  /** What it threw: a `TypeError` or `RangeError` as in the worker. */
  error: Error
}

/** Something in a sensor. */
export interface RemoteTriggerEvent {
  type: 'enter' | 'stay' | 'leave'
  sensor: RemoteCollider
  other: RemoteCollider
  /** Number of the step. */
  step: number
}

/** Events by name, and what their listeners get. */
export interface RemoteEvents {
  /** Colliders begin or cease to touch; with `{ persist: true }` also those that go on. */
  contact: Remote<ContactEvent> & { step: number }
  /** A collider comes into a sensor, stays, leaves. */
  trigger: RemoteTriggerEvent
  /** A set of particles begins or ceases to touch; with `{ persist: true }` also those that go on. */
  particle: Remote<ParticleEvent> & { step: number }
  /** A constraint broke. */
  broken: { constraint: RemoteConstraint; step: number }
  /** A step was made: its number, and the simulated time [s]. */
  step: { step: number; time: number }
  /** The worker's own code has called `emit`. */
  message: { name: string; data: unknown }
  /** A posted call threw. Where nobody listens it is thrown on the page, as an error that nobody has caught. */
  error: RemoteErrorEvent
}

/** Name of an event. */
export type RemoteEventName = keyof RemoteEvents

/** What `on` takes. */
export interface ListenOptions {
  /** Whether contacts that go on are told of at every step: there may be thousands. @defaultValue false */
  persist?: boolean
}

interface Listener {
  readonly name: RemoteEventName
  readonly call: (event: never) => void
  readonly persist: boolean
}

const NAMES: readonly RemoteEventName[] = ['contact', 'trigger', 'particle', 'broken', 'step', 'message', 'error']

/** Who listens to what. */
export class Listeners {
  private list: readonly Listener[] = []
  private readonly changed: (subscriptions: Subscriptions) => void

  /** `changed` is told what the worker is to tell. */
  constructor(changed: (subscriptions: Subscriptions) => void) {
    this.changed = changed
  }

  /** Adds one; returns what takes it off. */
  add(name: RemoteEventName, call: (event: never) => void, persist: boolean): () => void {
    oneOf('on: name', name, NAMES)
    callable('on: listener', call)
    const listener = { name, call, persist }
    this.list = [...this.list, listener]
    this.tell()
    return () => {
      if (!this.list.includes(listener)) return
      this.list = this.list.filter((other) => other !== listener)
      this.tell()
    }
  }

  /** Calls who listens; says whether anyone does. */
  emit(name: RemoteEventName, event: object): boolean {
    const isKept = (event as { type?: string }).type === 'persist'
    let heard = false
    for (const listener of this.list) {
      if (listener.name !== name || (isKept && !listener.persist)) continue
      heard = true
      ;(listener.call as (event: object) => void)(event)
    }
    return heard
  }

  private tell(): void {
    const subscriptions: Subscriptions = { persist: this.list.some(({ persist }) => persist) }
    for (const { name } of this.list) if (name !== 'message' && name !== 'error') subscriptions[name] = true
    this.changed(subscriptions)
  }
}
