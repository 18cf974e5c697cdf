/** The complete collisions of a world: what users call. */

import type { LeanWorld } from '@tautline/core'
import { object } from '@tautline/core/kernel'
import { exactIslands } from './contact/island-solver.js'
import { impacts } from './impact/impacts.js'
import { LeanCollisions } from './lean-collisions.js'
import { sweptSensors } from './detect/swept-sensors.js'
import { particles } from './particles/add-particles.js'
import { selfCollision } from './particles/self-collision.js'
import type { CollisionOptions } from './state/options.js'

/** Shapes and contacts of one world. Queries are functions: `rayCast(collisions, …)` and others. */
export class Collisions extends LeanCollisions {
  constructor(world: LeanWorld, options: CollisionOptions = {}) {
    super(world, { ...withoutParts(options), parts: [impacts, exactIslands, particles, selfCollision, sweptSensors] })
  }
}

/** Refuses `parts`: complete collisions have all of them. */
function withoutParts(options: CollisionOptions): CollisionOptions {
  if ('parts' in object('Collisions: options', options)) {
    throw new TypeError(
      'Collisions: parts must be left out, as Collisions have all of them (LeanCollisions take some), got parts',
    )
  }
  return options
}
