/** What an assembly finds of its world's collisions: apart from the making of sets of particles, which ragdolls and rods carry none of. */

import { type LeanCollisions, type ParticleContact, particleSets, type ParticleSet } from '@tautline/collision'
import type { Body, LeanWorld } from '@tautline/core'

/** The collisions of a world; known by name, so that a page without them carries none. */
export function collisionsOf(world: LeanWorld): LeanCollisions | undefined {
  return world.stages.find(({ name }) => name === 'collisions') as LeanCollisions | undefined
}

/** The set that a body is in. */
export function particleSetOf(world: LeanWorld, body: Body): ParticleSet | undefined {
  const collisions = collisionsOf(world)
  return collisions && particleSets(collisions).find(({ bodies }) => bodies.includes(body))
}

/** What particles of an assembly touched in the last step, by their set; `bodies` are those of the assembly. */
export function contactsOf(
  world: LeanWorld,
  bodies: readonly Body[],
): { readonly set: readonly (Body | null)[]; readonly contacts: readonly ParticleContact[] } {
  const first = bodies.find(({ alive }) => alive)
  const set = first && particleSetOf(world, first)
  return { set: set?.bodies ?? [], contacts: (set && collisionsOf(world)?.particles?.contactsOf(set.id)) ?? [] }
}
