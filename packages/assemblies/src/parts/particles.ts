/** Lets particles of an assembly touch things, where its world has collisions. */

import type { Collisions, ParticlesDef, ParticleSet } from '@tautline/collision'
import type { Body, World } from '@tautline/core'

/** The collisions of a world; known by name, so that a page without them carries none. */
export function collisionsOf(world: World): Collisions | undefined {
  return world.stages.find(({ name }) => name === 'collisions') as Collisions | undefined
}

/** The set that a body is in. */
export function particleSetOf(world: World, body: Body): ParticleSet | undefined {
  return collisionsOf(world)?.particleSets.find(({ bodies }) => bodies.includes(body))
}

/** Makes a set of particles, in place of the one that the first of them was in. */
export function collideAs(world: World, bodies: readonly Body[], def: ParticlesDef): void {
  const collisions = collisionsOf(world)
  if (collisions === undefined || bodies.length === 0) return
  particleSetOf(world, bodies[0])?.remove()
  collisions.addParticles(bodies, def)
}
