/**
 * The page's handles by number. It holds none of them: what the page lets go, the worker is told, so that it lets go too. What is named to the page
 * again then is a new handle.
 */

import { HANDLE, type HandleData } from '../wire/values.js'

/** Anything that the worker knows by a number. */
export interface Numbered {
  readonly id: number
}

interface Entry {
  readonly handle: WeakRef<Numbered>
  /** How often the worker has named it. */
  heard: number
}

/** Handles of one connection. */
export class HandleTable {
  private readonly entries = new Map<number, Entry>()
  private last = 0
  private readonly make: (data: HandleData) => Numbered
  private readonly gone: FinalizationRegistry<number>

  /** `make` makes a handle that the worker names first; `release` tells that one is gone, and how often it had been named. */
  constructor(make: (data: HandleData) => Numbered, release: (id: number, heard: number) => void) {
    this.make = make
    this.gone = new FinalizationRegistry((id) => {
      const entry = this.entries.get(id)
      // Named again since, it has a new handle.
      if (entry === undefined || entry.handle.deref() !== undefined) return
      this.entries.delete(id)
      release(id, entry.heard)
    })
  }

  /** The first of `count` new numbers. */
  reserve(count: number): number {
    const first = this.last + 1
    this.last += count
    return first
  }

  /** Notes a handle. */
  add(handle: Numbered, heard = 0): void {
    this.entries.set(handle.id, { handle: new WeakRef(handle), heard })
    this.gone.register(handle, handle.id)
  }

  /** The handle that the worker names. */
  named(data: HandleData): Numbered {
    const id = data[HANDLE]
    const entry = this.entries.get(id)
    const known = entry?.handle.deref()
    if (entry !== undefined && known !== undefined) {
      entry.heard++
      return known
    }
    const made = this.make(data)
    this.add(made, (entry?.heard ?? 0) + 1)
    return made
  }

  /** The handle of a number, if the page has it. */
  find(id: number): Numbered | undefined {
    return this.entries.get(id)?.handle.deref()
  }
}
