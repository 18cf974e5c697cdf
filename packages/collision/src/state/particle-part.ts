/**
 * Contacts of particles as collisions see them: a part that `addParticles` brings along, so that a page without particles
 * carries none of it.
 */

import type { PairContacts } from '../particles/pair-columns.js'
import type { ParticleContact, ParticleEvent, Touches } from '../particles/particle-events.js'
import type { ParticleSets } from '../particles/particle-sets.js'
import type { ParticlesJson } from '../particles/to-json.js'
import type { SavedParticles } from '../particles/saved.js'

/** What collisions call in a step, and what sets of particles are read from. */
export interface ParticlePart {
  readonly sets: ParticleSets
  /** Begins a step: what touched in the last one is what touched before. */
  beginStep(): void
  /** Finds what particles may come to touch in a step of `dt` [s]; whether a sleeper was woken by it. */
  find(dt: number): boolean
  /** Before each substep of `h` [s]. */
  beginSubstep(h: number): void
  /** Ends a step, when it is known what rests. */
  endStep(): void
  /** Drops rows that a pose beyond measure has left its mark on. */
  dropNonFinite(): void
  /** Removes what is known of contacts of a collider. */
  dropCollider(id: number): void
  /** Throws, as from `where`, if the body in `row` is in a set: it is to turn. */
  checkParticle(where: string, row: number): void
  /** Takes a body out of all sets. */
  dropBody(row: number): void
  /** What sets touched, began and ceased to touch in the last step. */
  events(): ParticleEvent[]
  /** What each particle of a set touched in the last step. */
  contactsOf(id: number): ParticleContact[]
  save(): SavedParticles
  restore(saved?: SavedParticles): void
  /** Nothing where there never was a set. */
  toJSON(indexOf: (row: number) => number): ParticlesJson | undefined
}

/** Contacts of particles with each other, as `Particles` calls them: `SelfContacts`. */
export interface SelfContactPart {
  /** Contacts of two balls. */
  readonly batch: PairContacts
  /** Begins a step, before anything moves in it. */
  beginStep(): void
  /** Finds which particles may come to touch each other in a step of `dt` [s]; returns whether a sleeper was woken. */
  find(dt: number): boolean
  /** Before each substep of `h` [s]: fast pairs are found again. */
  beginSubstep(h: number): void
  /** Ends a step, when it is known what rests. */
  endStep(): void
  /** Adds which sets touch each other. */
  gather(out: Touches): void
  /** Adds the contacts of a set with particles. */
  addContacts(id: number, contacts: ParticleContact[]): void
  /** Removes the contacts of a set or a body; −2 for none. */
  drop(set: number, body: number): void
  /** Drops contacts with numbers beyond measure. */
  dropNonFinite(): void
  /** Two sets that push each other as surfaces, and their impulse [N s]: three numbers each. */
  save(): number[]
  restore(surfaces: readonly number[]): void
}
