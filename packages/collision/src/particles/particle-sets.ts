/** All sets of particles of a world, by number, and their handles. */

import { type NewParticles, type ParticleOwner, type ParticleRecord, ParticleSet } from './particle-set.js'

/** What a snapshot holds of them. */
export interface SavedSets {
  readonly records: readonly (ParticleRecord | undefined)[]
  readonly generations: readonly number[]
  readonly handles: readonly (ParticleSet | undefined)[]
}

export class ParticleSets {
  /** By number; holes where one was removed. */
  records: (ParticleRecord | undefined)[] = []
  generations: number[] = []
  private handles: (ParticleSet | undefined)[] = []
  /** Of sets that were removed: since the last step began, and in the step before. */
  private lost: ParticleSet[] = []
  private ended: ParticleSet[] = []
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

  /** The handle of a number and a generation, made when it is first asked for: also of a set that is gone. */
  handle(id: number, generation: number = this.generations[id]): ParticleSet {
    const isThis = (set: ParticleSet): boolean => set.id === id && set.generation === generation
    const known = this.handles[id]
    if (known?.generation === generation) return known
    const former = this.ended.find(isThis) ?? this.lost.find(isThis)
    if (former !== undefined) return former
    const made = new ParticleSet(this.owner, id, generation)
    if (this.records[id]?.generation === generation) this.handles[id] = made
    else this.ended.push(made)
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

  /** Gives a number up; handles to it go stale. */
  remove(id: number): void {
    this.records[id] = undefined
    const known = this.handles[id]
    if (known !== undefined) this.lost.push(known)
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
    }
  }

  /** Back to what was saved, or read from JSON. */
  restore(saved?: Partial<SavedSets>): void {
    this.records = saved?.records?.slice() ?? []
    this.generations = saved?.generations?.slice() ?? []
    this.handles = saved?.handles?.slice() ?? []
    for (let id = 0; id < this.generations.length; id++) {
      const next = this.generations[id] + (this.records[id] === undefined ? 0 : 1)
      this.nextGeneration[id] = Math.max(this.nextGeneration[id] ?? 0, next)
    }
  }
}
