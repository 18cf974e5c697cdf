/** All sets of particles of a world, by number, and their handles. */

import { type NewParticles, type ParticleOwner, type ParticleRecord, ParticleSet } from './particle-set.js'

/** What a snapshot holds of them. */
export interface SavedSets {
  readonly records: readonly (ParticleRecord | undefined)[]
  readonly generations: readonly number[]
  readonly handles: readonly (ParticleSet | undefined)[]
  /** Handles of sets that were removed since the last step began, and in the step before. */
  readonly lost: readonly ParticleSet[]
  readonly ended: readonly ParticleSet[]
}

/** A set that was removed: its number, and what was known of it. */
export interface FormerSet {
  readonly id: number
  readonly record: ParticleRecord
}

/** Sets that were removed in the step before, and since the last step began. */
export interface FormerSets {
  readonly ended: readonly FormerSet[]
  readonly lost: readonly FormerSet[]
}

export class ParticleSets {
  /** By number; holes where one was removed. */
  records: (ParticleRecord | undefined)[] = []
  generations: number[] = []
  private handles: (ParticleSet | undefined)[] = []
  /** Of sets that were removed: since the last step began, and in the step before. */
  private lost: ParticleSet[] = []
  private ended: ParticleSet[] = []
  /** What was known of sets when they were removed, as long as anyone holds their handles. */
  private readonly former = new WeakMap<ParticleSet, ParticleRecord>()
  /** What each is given out with next. Never taken back, or a restore would bring stale handles to life. */
  private readonly nextGeneration: number[] = []
  private readonly owner: ParticleOwner

  /** `owner` is who answers for the handles. */
  constructor(owner: ParticleOwner) {
    this.owner = owner
  }

  /** Gives out the lowest free number. */
  add(record: NewParticles): ParticleSet {
    let id = this.records.indexOf(undefined)
    if (id < 0) id = this.records.length
    const generation = this.nextGeneration[id] ?? 0
    this.nextGeneration[id] = generation + 1
    this.generations[id] = generation
    this.records[id] = { ...record, generation }
    return this.handle(id)
  }

  /** The handle of a number and a generation, made when it is first asked for: of a set that exists, or was removed since the step before began. */
  handle(id: number, generation: number = this.generations[id]): ParticleSet {
    const isThis = (set: ParticleSet): boolean => set.id === id && set.generation === generation
    const known = this.handles[id]
    if (known?.generation === generation) return known
    const former = this.ended.find(isThis) ?? this.lost.find(isThis)
    if (former !== undefined) return former
    const made = new ParticleSet(this.owner, id, generation)
    this.handles[id] = made
    return made
  }

  /** Forgets handles that no event names any more. */
  beginStep(): void {
    if (this.ended.length + this.lost.length === 0) return
    this.ended = this.lost
    this.lost = []
  }

  /** What is known of a handle, unless it is stale. */
  find(set: ParticleSet): ParticleRecord | undefined {
    const record = this.records[set.id]
    return set.owner === this.owner && record?.generation === set.generation ? record : undefined
  }

  /** What was known of a set when it was removed. */
  recall(set: ParticleSet): ParticleRecord | undefined {
    return this.former.get(set)
  }

  /** Sets that were removed in the step before, and since the last step began. */
  removed(): FormerSets {
    const list = (sets: readonly ParticleSet[]): FormerSet[] =>
      sets.map((set) => ({ id: set.id, record: this.former.get(set)! }))
    return { ended: list(this.ended), lost: list(this.lost) }
  }

  /** Takes over sets that were removed before, as read from a file. */
  restoreRemoved({ ended, lost }: FormerSets): void {
    const make = ({ id, record }: FormerSet): ParticleSet => {
      const set = new ParticleSet(this.owner, id, record.generation)
      this.former.set(set, record)
      return set
    }
    this.ended = ended.map(make)
    this.lost = lost.map(make)
  }

  /** Gives a number up; handles to it go stale. */
  remove(id: number): void {
    const handle = this.handle(id)
    this.former.set(handle, this.records[id] as ParticleRecord)
    this.lost.push(handle)
    this.records[id] = undefined
    this.handles[id] = undefined
    this.generations[id] = this.nextGeneration[id]
  }

  /** Takes a body out of all sets, and returns whether it was in one. */
  dropBody(row: number): boolean {
    let any = false
    this.records.forEach((record, id) => {
      if (record === undefined || !record.rows.includes(row)) return
      any = true
      const k = record.rows.indexOf(row)
      const rows = record.rows.slice()
      rows[k] = -1
      this.records[id] = { ...record, rows, bodies: record.bodies.map((body, j) => (j === k ? null : body)) }
    })
    return any
  }

  save(): SavedSets {
    return {
      records: this.records.slice(),
      generations: this.generations.slice(),
      handles: this.handles.slice(),
      lost: this.lost.slice(),
      ended: this.ended.slice(),
    }
  }

  /** Back to what was saved, or read from JSON. */
  restore(saved?: Partial<SavedSets>): void {
    this.records = saved?.records?.slice() ?? []
    this.generations = saved?.generations?.slice() ?? []
    this.handles = saved?.handles?.slice() ?? []
    this.lost = saved?.lost?.slice() ?? []
    this.ended = saved?.ended?.slice() ?? []
    for (let id = 0; id < this.generations.length; id++) {
      const next = this.generations[id] + (this.records[id] === undefined ? 0 : 1)
      this.nextGeneration[id] = Math.max(this.nextGeneration[id] ?? 0, next)
    }
  }
}
