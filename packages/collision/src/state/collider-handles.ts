/** One handle a collider, so that they may be compared and be keys: also of those that are gone, while events name them. */

import type { ColliderRecord } from './collider.js'
import { Collider, type ColliderOwner } from './collider-handle.js'

/** What a snapshot holds of them. */
export interface SavedHandles {
  readonly present: readonly (Collider | undefined)[]
  readonly lost: readonly Collider[]
  readonly ended: readonly Collider[]
}

/** A collider that was removed: its number, and what was known of it. */
export interface FormerCollider {
  readonly id: number
  readonly record: ColliderRecord
}

/** Colliders that were removed in the step before, and since the last step began. */
export interface FormerColliders {
  readonly ended: readonly FormerCollider[]
  readonly lost: readonly FormerCollider[]
}

export class ColliderHandles {
  private readonly owner: ColliderOwner
  /** By number. */
  private present: (Collider | undefined)[] = []
  /** Of colliders that were removed: since the last step began, and in the step before. */
  private lost: Collider[] = []
  private ended: Collider[] = []
  /** What was known of colliders when they were removed, as long as anyone holds their handles. */
  private readonly records = new WeakMap<Collider, ColliderRecord>()

  constructor(owner: ColliderOwner) {
    this.owner = owner
  }

  /** The handle of a number and a generation, made when it is first asked for: of a collider that exists, or was removed since the step before began. */
  of(id: number, generation: number): Collider {
    const known = this.present[id]
    if (known?.generation === generation) return known
    const isThis = (handle: Collider): boolean => handle.id === id && handle.generation === generation
    const former = this.ended.find(isThis) ?? this.lost.find(isThis)
    if (former !== undefined) return former
    const made = new Collider(this.owner, id, generation)
    this.present[id] = made
    return made
  }

  /** Notes that a collider was removed, and what was known of it. */
  remove(id: number, record: ColliderRecord): void {
    // One that exists is not among those that were removed: looking there takes time with the square of their number.
    const known = this.present[id]
    const handle = known?.generation === record.generation ? known : new Collider(this.owner, id, record.generation)
    this.records.set(handle, record)
    this.lost.push(handle)
    this.present[id] = undefined
  }

  /** What was known of a collider when it was removed. */
  recall(handle: Collider): ColliderRecord | undefined {
    return this.records.get(handle)
  }

  /** Colliders that were removed in the step before, and since the last step began. */
  former(): FormerColliders {
    const list = (handles: readonly Collider[]): FormerCollider[] =>
      handles.map((handle) => ({ id: handle.id, record: this.records.get(handle)! }))
    return { ended: list(this.ended), lost: list(this.lost) }
  }

  /** Takes over colliders that were removed before, as read from a file. */
  restoreFormer({ ended, lost }: FormerColliders): void {
    const make = ({ id, record }: FormerCollider): Collider => {
      const handle = new Collider(this.owner, id, record.generation)
      this.records.set(handle, record)
      return handle
    }
    this.ended = ended.map(make)
    this.lost = lost.map(make)
  }

  /** Forgets those that no event names any more. */
  beginStep(): void {
    this.ended = this.lost
    this.lost = []
  }

  save(): SavedHandles {
    return { present: this.present.slice(), lost: this.lost.slice(), ended: this.ended.slice() }
  }

  restore(saved?: SavedHandles): void {
    this.present = saved?.present.slice() ?? []
    this.lost = saved?.lost.slice() ?? []
    this.ended = saved?.ended.slice() ?? []
  }
}
