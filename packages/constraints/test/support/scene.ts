/** Worlds with one constraint of a type of the table, disturbed. */

import { type Body, type Constraint, turn, World, type WorldOptions } from '@tautline/core'
import { Random } from '../../../core/test/support/random.js'
import { type Entry, type Fields, someBody } from './table.js'

export interface Scene {
  entry: Entry
  world: World
  bodies: (Body | null)[]
  constraint: Constraint
  def: Fields
}

export interface Setting {
  /** How far each body is moved and turned after the constraint was made [m, rad]. @defaultValue 0.3 */
  far?: number
  /** Whether all bodies are dynamic. @defaultValue false */
  free?: boolean
  /** Whether there may be particles. @defaultValue true */
  particles?: boolean
  options?: WorldOptions
  /** Changes of the definition. */
  change?: (def: Fields) => Fields
}

/** A random world from `seed`: the same one for the same arguments. */
export function scene(
  entry: Entry,
  seed: number,
  { far = 0.3, free = false, particles = true, options = {}, change }: Setting = {},
): Scene {
  const random = new Random(seed)
  const world = new World({ gravity: [0, 0, 0], substeps: 1, ...options })
  // One body at least can move, and turn where that is needed.
  const mover = entry.many || entry.world?.[0] === false ? 0 : random.below(2)
  const bodies = entry.places.map((place, k) => {
    const fate = free || k === mover ? 1 : random.next()
    if (fate < 0.15 && !entry.many && (entry.world?.[k] ?? true)) return null
    const isParticle = entry.particles === true && random.chance(0.3) && particles
    const def = someBody(random, place, isParticle)
    return world.addBody(fate < 0.3 ? { ...def, type: fate < 0.22 ? 'static' : 'kinematic' } : def)
  })
  const fields = entry.def(random, bodies)
  const named = entry.many ? { bodies } : { a: bodies[0], b: bodies[1] }
  const def = { ...(change === undefined ? fields : change(fields)), ...named }
  const constraint = world.add(entry.type, def)
  const c = world.bodies.columns
  for (const body of bodies) {
    if (body === null) continue
    const o = 4 * body.index
    const [x, y, z] = random.vector(far)
    const by = random.vector(far)
    body.setPosition([c.position[o] + x, c.position[o + 1] + y, c.position[o + 2] + z])
    if (body.isParticle) continue
    turn(c.orientation, o, by[0], by[1], by[2])
    body.setOrientation([c.orientation[o], c.orientation[o + 1], c.orientation[o + 2], c.orientation[o + 3]])
  }
  return { entry, world, bodies, constraint, def }
}
