/** One handle a collider, so that they may be compared and be keys: also of those that are gone, while events name them. */

import { Collider, type ColliderOwner } from './collider-handle.js'

/** What a snapshot holds of them. */
export interface SavedHandles {
  readonly present: readonly (Collider | undefined)[]
  readonly lost: readonly Collider[]
  readonly ended: readonly Collider[]
}

export class ColliderHandles {
  private readonly owner: ColliderOwner
  /** By number. */
  private present: (Collider | undefined)[] = []
  /** Of colliders that were removed: since the last step began, and in the step before. */
  private lost: Collider[] = []
  private ended: Collider[] = []

  constructor(owner: ColliderOwner) {
    this.owner = owner
  }

  /** The handle of a number and a generation, made when it is first asked for; `exists` says whether that is there now. */
  of(id: number, generation: number, exists: boolean): Collider {
    const known = this.present[id]
    if (known?.generation === generation) return known
    const isThis = (handle: Collider): boolean => handle.id === id && handle.generation === generation
    const former = this.ended.find(isThis) ?? this.lost.find(isThis)
    if (former !== undefined) return former
    const made = new Collider(this.owner, id, generation)
    if (exists) this.present[id] = made
    else this.ended.push(made)
    return made
  }

  remove(id: number): void {
    const known = this.present[id]
    if (known === undefined) return
    this.lost.push(known)
    this.present[id] = undefined
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
