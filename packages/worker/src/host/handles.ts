/** Handles of the world by the numbers that both sides know them by: the page counts up from 1, the worker down from −1. */

import { Collider, ParticleSet } from '@tautline/collision'
import { Body, Constraint, type Snapshot } from '@tautline/core'
import { HANDLE, type HandleData, type HandleKind } from '../wire/values.js'

/** Holds a snapshot under a class of its own, by which it is told from plain data. */
export class RetainedSnapshot {
  readonly snapshot: Snapshot

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot
  }
}

/** What has a number. */
export type Handle = Body | Constraint | Collider | ParticleSet | RetainedSnapshot

/** The numbers of one world's handles. */
export class Handles {
  private readonly byId = new Map<number, Handle>()
  private readonly ids = new WeakMap<Handle, number>()
  /** How often each was named to the page: what the page lets go before it heard the last is kept. */
  private readonly named = new Map<number, number>()
  private last = 0

  /** Gives a handle the number that the page has chosen. */
  set(id: number, handle: Handle): void {
    this.byId.set(id, handle)
    this.ids.set(handle, id)
  }

  /** The handle of a number. Throws a `RangeError` that says so, where none was made. */
  get(where: string, id: number): Handle {
    const handle = this.byId.get(id)
    if (handle === undefined) {
      throw new RangeError(`${where}: handle must be of something that exists, got one whose call had thrown`)
    }
    return handle
  }

  /** Whether a number stands for a handle. */
  has(id: number): boolean {
    return this.byId.has(id)
  }

  /** The number of a handle; given to it where it has none. */
  idOf(handle: Handle): number {
    let id = this.ids.get(handle)
    if (id === undefined) {
      id = --this.last
      this.set(id, handle)
    }
    return id
  }

  /** What stands for an object on its way to the page, if it is a handle. */
  encode(value: object): HandleData | undefined {
    const kind = kindOf(value)
    if (kind === undefined) return undefined
    const handle = value as Handle
    const id = this.idOf(handle)
    this.named.set(id, (this.named.get(id) ?? 0) + 1)
    const data: HandleData = { [HANDLE]: id, kind }
    if (handle instanceof Body) {
      data.name = handle.name
      data.particle = handle.alive && handle.isParticle
    } else if (handle instanceof Constraint) data.name = handle.typeName
    else if (!(handle instanceof RetainedSnapshot)) data.name = handle.name
    return data
  }

  /** Lets a number go that the page has no handle of any more, unless it has been named to it since. */
  release(id: number, heard: number): void {
    if ((this.named.get(id) ?? 0) !== heard) return
    const handle = this.byId.get(id)
    if (handle !== undefined && this.ids.get(handle) === id) this.ids.delete(handle)
    this.byId.delete(id)
    this.named.delete(id)
  }
}

function kindOf(value: object): HandleKind | undefined {
  if (value instanceof Body) return 'body'
  if (value instanceof Constraint) return 'constraint'
  if (value instanceof Collider) return 'collider'
  if (value instanceof ParticleSet) return 'particles'
  return value instanceof RetainedSnapshot ? 'snapshot' : undefined
}
