/** What sets of particles a world has, and what they touched: apart from the making of sets, which brings all of their contacts along. */

import { LeanWorld } from '@tautline/core'
import { object, shown } from '@tautline/core/kernel'
import type { LeanCollisions } from '../lean-collisions.js'
import type { ParticleEvent } from './particle-events.js'
import type { ParticleSet } from './particle-set.js'

/** All sets of particles, by number. Throws `TypeError` where there are no collisions to ask. */
export function particleSets(collisions: LeanCollisions): ParticleSet[] {
  const sets = checkCollisions('particleSets', collisions).particles?.sets
  return sets?.records.flatMap((record, id) => (record === undefined ? [] : [sets.handle(id)])) ?? []
}

/**
 * What sets of particles touched, began and ceased to touch in the last step, in the order of sets. Made when asked for. Throws
 * `TypeError` where there are no collisions to ask.
 */
export function particleEvents(collisions: LeanCollisions): ParticleEvent[] {
  return checkCollisions('particleEvents', collisions).particles?.events() ?? []
}

/** Checks that a value is the collisions of a world, without the class: a page of cloth alone does not carry it. */
export function checkCollisions(where: string, value: LeanCollisions): LeanCollisions {
  const { world, name } = object(`${where}: collisions`, value)
  if (name !== 'collisions' || !(world instanceof LeanWorld) || !world.stages.includes(value)) {
    throw new TypeError(`${where}: collisions must be a LeanCollisions, got ${shown(value)}`)
  }
  return value
}
