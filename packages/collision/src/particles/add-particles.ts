/** Sets of particles of a world with collisions: functions, so that a page without particles carries none of their contacts. */

import { Body } from '@tautline/core'
import { array, instance, shown, ROTATES } from '@tautline/core/kernel'
import { checkOwner } from '../contact/collision-parts.js'
import type { LeanCollisions } from '../lean-collisions.js'
import type { ParticleContact } from './particle-events.js'
import { type ParticlesDef, ParticleSet, resolveParticles } from './particle-set.js'
import { Particles } from './particles.js'
import { checkCollisions } from './read-particles.js'

/**
 * Has particles collide, as one set: with every shape, and as `selfCollision` says with each other (of `LeanCollisions`, those with the
 * part `selfCollision`). Bodies that turn take `collisions.addCollider(body, { shape: sphere(radius) })` instead. Throws `TypeError`/`RangeError`, and adds nothing, on a bad field.
 */
export function addParticles(collisions: LeanCollisions, bodies: readonly Body[], def: ParticlesDef): ParticleSet {
  const where = typeof def?.name === 'string' ? `addParticles "${def.name}"` : 'addParticles'
  checkCollisions(where, collisions)
  const seen = new Set<Body>()
  const { columns, callbacks } = collisions.world.bodies
  array(`${where}: bodies`, bodies).forEach((body, k) => {
    checkBody(`${where}: bodies[${k}]`, collisions, body)
    if (seen.has(body as Body)) {
      throw new RangeError(`${where}: bodies[${k}] must be another body, got ${(body as Body).label} twice`)
    }
    seen.add(body as Body)
  })
  callbacks.refuse(where)
  const rest = new Float64Array(3 * bodies.length)
  bodies.forEach(({ index }, k) => rest.set(columns.position.subarray(4 * index, 4 * index + 3), 3 * k))
  const record = resolveParticles(where, bodies, rest, def)
  bodies.forEach(({ index, label, type }, k) => {
    if (type !== 'dynamic' || (columns.flags[index] & ROTATES) === 0) return
    throw new TypeError(
      `${where}: bodies[${k}] must be a particle, got ${label}, which turns: use addCollider with a sphere`,
    )
  })
  const particles = bringParticles(collisions)
  particles.checkKind(where, record)
  for (const { index } of bodies) collisions.world.bodies.wake(index)
  return particles.sets.add(record)
}

/** Part of collisions: cloth, rope and soft bodies of the world may collide. `addParticles` needs no part. */
export function particles(collisions: LeanCollisions): void {
  checkOwner('particles', collisions)
  collisions.makeParticles = (bodies, def) => addParticles(collisions, bodies, def)
}

/**
 * What each particle of a set touched in the last step, by particle. Made when asked for. Throws `TypeError` where there are no collisions
 * to ask or the set is none, `RangeError` where it is not one of theirs.
 */
export function particleContacts(collisions: LeanCollisions, set: ParticleSet): ParticleContact[] {
  const where = 'particleContacts'
  const { particles } = checkCollisions(where, collisions)
  const { id, label } = instance(`${where}: set`, set, ParticleSet, 'a set of particles')
  if (particles?.sets.find(set) === undefined) {
    throw new RangeError(`${where}: set must be one that exists here, got ${label}`)
  }
  return particles.contactsOf(id)
}

/** The part of collisions that finds and holds contacts of particles; made when it is new. */
export function bringParticles(collisions: LeanCollisions): Particles {
  if (collisions.particles instanceof Particles) return collisions.particles
  const made = new Particles(collisions)
  collisions.particles = made
  return made
}

function checkBody(where: string, { world }: LeanCollisions, body: unknown): void {
  if (!(body instanceof Body)) throw new TypeError(`${where} must be a body, got ${shown(body)}`)
  world.bodies.assertAlive(where, body)
}
