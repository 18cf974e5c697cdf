/** Lets particles of an assembly touch things, where its world has collisions. */

import type { ParticlesDef } from '@tautline/collision'
import type { Body, LeanWorld } from '@tautline/core'
import { collisionsOf, particleSetOf } from './collisions.js'

/** Makes a set of those particles that exist, in place of the one that the first of them was in. */
export function collideAs(world: LeanWorld, bodies: readonly Body[], def: ParticlesDef): void {
  const collisions = collisionsOf(world)
  const living = bodies.filter(({ alive }) => alive)
  if (collisions === undefined || living.length === 0) return
  if (collisions.makeParticles === undefined) {
    throw new TypeError('collides must be false in a world whose collisions are without the part particles, got true')
  }
  particleSetOf(world, living[0])?.remove()
  collisions.makeParticles(living, living.length === bodies.length ? def : among(bodies, def))
}

/** A definition for those that exist: of elements only what has all its corners. */
function among(bodies: readonly Body[], def: ParticlesDef): ParticlesDef {
  const number = new Map<number, number>()
  bodies.forEach(({ alive }, k) => alive && number.set(k, number.size))
  const kept = (list: ArrayLike<number> | undefined, arity: number): number[] => {
    const all = Array.from(list ?? [])
    return all
      .filter((_, k) => all.slice(k - (k % arity), k - (k % arity) + arity).every((corner) => number.has(corner)))
      .map((corner) => number.get(corner) as number)
  }
  const { radius, triangles, edges } = def
  return {
    ...def,
    radius: typeof radius === 'number' ? radius : Array.from(radius).filter((_, k) => number.has(k)),
    ...(triangles === undefined ? {} : { triangles: kept(triangles, 3) }),
    ...(edges === undefined ? {} : { edges: kept(edges, 2) }),
  }
}
