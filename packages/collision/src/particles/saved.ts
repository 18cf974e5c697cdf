/** What a snapshot holds of particles beside the rows of their contacts. */

import type { SavedSets } from './particle-sets.js'

/** See `Particles.save`. */
export interface SavedParticles {
  readonly sets: SavedSets
  readonly before: readonly number[]
  readonly lost: readonly number[]
  readonly sensed: readonly number[]
  /** Two sets that push each other as surfaces, and their impulse [N s]: three numbers each. */
  readonly surfaces: readonly number[]
}
