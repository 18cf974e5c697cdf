/** What sets of particles touch: events of the last step, and each contact of a particle. */

import type { vec3 } from 'gl-matrix'
import type { Collider } from '../state/collider-handle.js'
import { IntList } from '../detect/broad/int-list.js'
import { ParticleSet } from './particle-set.js'

/** Numbers of a pair. */
export const PAIR = 6
/** Kinds of what a set touches, in `Touches`. */
export const COLLIDER = 0
export const SET = 1

/** A set and a collider, or another set, that touch; or a set that is in a sensor. */
export interface ParticleEvent {
  /** `begin`: in this step and not in the last; `persist`: in both; `end`: no more. */
  type: 'begin' | 'persist' | 'end'
  set: ParticleSet
  /** What it touches; of two sets, the one of the higher number. */
  other: Collider | ParticleSet
  /** Whether one of them was removed, also since the list was made. Its handle keeps what it was. */
  readonly removed: boolean
  /** Whether the other one is a sensor: then there is no impulse, and no count. */
  sensor: boolean
  /** Normal impulse of all particles in the step [N s]. */
  impulse: number
  /** Contacts of particles that pushed. */
  count: number
}

/** A particle that touches something. */
export interface ParticleContact {
  /** Index in the set. */
  particle: number
  /** What it touches. */
  other: Collider | ParticleSet
  /** Index of the other's particle; −1 of a collider. */
  otherParticle: number
  /** From the other to the particle, world. */
  normal: vec3
  /** On the surface of the other, world [m]. */
  point: vec3
  /** Gap [m]; below 0 they overlap. */
  separation: number
  /** Normal impulse in the step [N s]. */
  impulse: number
}

/**
 * Who touches whom, six numbers a pair, so that a step makes no objects: set and generation; 0 and collider, or 1 and set; its generation; 1 for a
 * sensor. In the order in which they were found.
 */
export class Touches {
  readonly items: IntList = new IntList()
  /** By pair: normal impulse [N s], and how many contacts. */
  private sums: Float64Array = new Float64Array(64)
  private last = 0

  get count(): number {
    return this.items.count / PAIR
  }

  clear(): void {
    this.items.clear()
    this.last = 0
  }

  /** Adds a contact of impulse `sums[at]` to its pair. */
  add(set: number, generation: number, kind: number, other: number, otherGeneration: number, sensor: number): number {
    const { items } = this
    if (!this.isPair(this.last, set, generation, kind, other, otherGeneration)) {
      let at = 0
      while (at < items.count && !this.isPair(at, set, generation, kind, other, otherGeneration)) at += PAIR
      this.last = at
      if (at === items.count) {
        items.push(set)
        items.push(generation)
        items.push(kind)
        items.push(other)
        items.push(otherGeneration)
        items.push(sensor)
        this.begin(at / PAIR)
      }
    }
    return this.last / PAIR
  }

  private isPair(
    at: number,
    set: number,
    generation: number,
    kind: number,
    other: number,
    otherGeneration: number,
  ): boolean {
    const { items, count } = this.items
    return (
      at < count &&
      items[at] === set &&
      items[at + 3] === other &&
      items[at + 2] === kind &&
      items[at + 1] === generation &&
      items[at + 4] === otherGeneration
    )
  }

  private begin(pair: number): void {
    if (2 * pair + 2 > this.sums.length) {
      const grown = new Float64Array(4 * pair + 4)
      grown.set(this.sums)
      this.sums = grown
    }
    this.sums[2 * pair] = this.sums[2 * pair + 1] = 0
  }

  /** Adds what a row of `impulses` pushed with to a pair. */
  sum(pair: number, impulses: Float64Array, row: number): void {
    this.sums[2 * pair] += impulses[row]
    this.sums[2 * pair + 1]++
  }

  impulseOf(pair: number): number {
    return this.sums[2 * pair]
  }

  countOf(pair: number): number {
    return this.sums[2 * pair + 1]
  }

  /** Whether a pair of another list is here too. */
  has(other: Touches, pair: number): boolean {
    const o = PAIR * pair
    const { items } = other.items
    for (let at = 0; at < this.items.count; at += PAIR) {
      if (this.isPair(at, items[o], items[o + 1], items[o + 2], items[o + 3], items[o + 4])) return true
    }
    return false
  }

  /** As plain numbers. */
  save(): number[] {
    return Array.from(this.items.items.subarray(0, this.items.count))
  }

  restore(numbers: readonly number[]): void {
    this.clear()
    for (const value of numbers) this.items.push(value)
    for (let pair = 0; pair < this.count; pair++) this.begin(pair)
  }
}

/** Turns numbers of a pair into handles. */
export interface Names {
  setOf(id: number, generation: number): ParticleSet
  colliderOf(id: number, generation: number): Collider
}

/** Events of a step from who touched in the step before, and who touches now. */
export function makeEvents(before: Touches, now: Touches, names: Names): ParticleEvent[] {
  const events: ParticleEvent[] = []
  const add = (list: Touches, pair: number, type: ParticleEvent['type']): void => {
    const [set, generation, kind, other, otherGeneration, sensor] = list.items.items.subarray(
      PAIR * pair,
      PAIR * pair + PAIR,
    )
    const of = names.setOf(set, generation)
    const it = kind === COLLIDER ? names.colliderOf(other, otherGeneration) : names.setOf(other, otherGeneration)
    const ends = type === 'end' || sensor === 1
    events.push({
      type,
      set: of,
      other: it,
      get removed() {
        return !of.alive || !it.alive
      },
      sensor: sensor === 1,
      impulse: ends ? 0 : list.impulseOf(pair),
      count: ends ? 0 : list.countOf(pair),
    })
  }
  for (let pair = 0; pair < now.count; pair++) add(now, pair, before.has(now, pair) ? 'persist' : 'begin')
  for (let pair = 0; pair < before.count; pair++) if (!now.has(before, pair)) add(before, pair, 'end')
  return events.sort(
    (r, s) =>
      r.set.id - s.set.id ||
      kindOf(r.other) - kindOf(s.other) ||
      r.other.id - s.other.id ||
      r.set.generation - s.set.generation ||
      r.other.generation - s.other.generation,
  )
}

/** Colliders come before sets. */
function kindOf(other: Collider | ParticleSet): number {
  return other instanceof ParticleSet ? 1 : 0
}
