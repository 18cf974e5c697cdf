/** Parts of contact handling that a page may leave out, and what they are added to. */

import type { Body, LeanWorld } from '@tautline/core'
import { shown } from '@tautline/core/kernel'
import type { IntList } from '../detect/broad/int-list.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import type { ParticlesDef, ParticleSet } from '../particles/particle-set.js'
import type { ParticleSets } from '../particles/particle-sets.js'
import type { PointRows } from '../particles/point-rows.js'
import type { Colliders } from '../state/colliders.js'
import type { CollisionSettings } from '../state/options.js'
import type { SelfContactPart } from '../state/particle-part.js'
import type { Manifolds, ManifoldSolverParts } from './manifold-columns.js'

/** Moves bodies that are too fast for a substep from impact to impact. */
export interface ImpactPart {
  /** What happened in the step, numbered as in `impact-solver.ts`. */
  readonly counts: Float64Array
  beginStep(): void
  /** Moves bodies through a substep of `h` [s], `left` of which remain; `visited` are the rows that may strike. Adds the pairs that were examined to `fast`. */
  advance(batch: Manifolds, visited: IntList, h: number, left: number, fast: IntList): void
}

/** Tests the motion of bodies against sensors with `continuous: true`. */
export interface SweptSensorPart {
  beginStep(): void
  /** Records colliders that crossed a sensor since the last call, or since the step began. */
  sweep(): void
}

/** What a part adds itself to: see `exactIslands`, `impacts`, `particles`, `selfCollision` and `sweptSensors`. */
export interface CollisionParts {
  readonly world: LeanWorld
  readonly colliders: Colliders
  readonly filter: ContactFilter
  readonly options: CollisionSettings
  /** Parts of the contact solver. */
  readonly solverParts: ManifoldSolverParts
  impacts: ImpactPart | undefined
  sweptSensors: SweptSensorPart | undefined
  /** Makes sets of particles for assemblies, as `addParticles` does. */
  makeParticles: ((bodies: readonly Body[], def: ParticlesDef) => ParticleSet) | undefined
  /** Makes the contacts of particles with each other, where `selfCollision` has been added. */
  makeSelfContacts: ((sets: ParticleSets, points: PointRows) => SelfContactPart) | undefined
  /** Finds the manifolds of a pair of colliders within a gap [m] beyond the margin, and marks their rows with a stamp. */
  findManifolds(a: number, b: number, gap: number, stamp: number): void
  /** Notes that two colliders, lower number first, of which one is a sensor, touch in this step. */
  noteSensed(a: number, b: number): void
}

/** Refuses a part of collisions that is given to something else, as to a world. */
export function checkOwner(part: string, owner: object | undefined): void {
  if (owner !== undefined && 'findManifolds' in owner) return
  const given = owner !== undefined && 'addPart' in owner ? 'a world' : shown(owner)
  throw new TypeError(`parts: ${part} must be a part of LeanCollisions, got it as a part of ${given}`)
}
