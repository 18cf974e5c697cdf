/**
 * Contacts of particles as collisions see them: a part that `addParticles` brings along, so that a page without particles
 * carries none of it.
 */

import type { ParticleContact, ParticleEvent } from '../particles/particle-events.js'
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
