/** Figures of the mannequin that fall flat on each other: `ragdoll()` with its limits and damping. */

import { ragdoll, ragdollAsset } from '@tautline/assemblies'
import { box, type CollisionOptions, Collisions } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { mannequinBones, mannequinRig } from '../mannequin/skeleton.js'
import { anyRotation, lattice, lengthOf, type Quadruple, type Triple, turn } from './contacts/layouts.js'
import type { ContactScene } from './contacts/scene.js'
import { randomNumbers } from '../lib/random.js'

/** Above the floor, and between layers and columns of figures [m]. */
const BOTTOM = 0.6
const LAYER = 0.6
const COLUMN = 2
const FRICTION = 0.6
const SEED = 7
/** By which a figure is turned out of the horizontal. */
const TILT = 0.1

/** So many figures of 11 parts, in columns, on a floor. Nothing sleeps unless asked. */
export function ragdollPile(count: number, sleeping: CollisionOptions['sleeping'] = false): ContactScene {
  const world = new World()
  const collisions = new Collisions(world, { sleeping })
  collisions.addCollider(null, { shape: box([50, 0.5, 50]), position: [0, -0.5, 0], friction: FRICTION })
  const asset = ragdollAsset(mannequinRig(mannequinBones()), { detail: 11 })
  const random = randomNumbers(SEED)
  const side = count < 4 ? 1 : count < 50 ? 2 : 3
  const places = lattice([side, Math.ceil(count / (side * side)), side], 1, 0).slice(0, count)
  const bodies = places.flatMap(([x, y, z]): readonly Body[] => {
    const flat = times(turn([0, 1, 0], Math.PI * random()), turn([1, 0, 0], 0.5 * Math.PI))
    const orientation = unit(times(unit(tilted(random)), flat))
    // The origin of the skeleton is between the feet; its middle is 1 m above.
    const [mx, my, mz] = upOf(orientation)
    const position: Triple = [COLUMN * x - mx, BOTTOM + LAYER * y - my, COLUMN * z - mz]
    return ragdoll(world, asset, { position, orientation, friction: FRICTION, gripFriction: FRICTION }).bodies
  })
  return { world, collisions, bodies }
}

function tilted(random: () => number): Quadruple {
  const [x, y, z] = anyRotation(random)
  return [TILT * x, TILT * y, TILT * z, 1]
}

function unit(q: Quadruple): Quadruple {
  const length = lengthOf(q)
  return q.map((x) => x / length) as Quadruple
}

/** p q: q first, then p. */
function times([a, b, c, d]: Quadruple, [x, y, z, w]: Quadruple): Quadruple {
  return [
    d * x + a * w + b * z - c * y,
    d * y - a * z + b * w + c * x,
    d * z + a * y - b * x + c * w,
    d * w - a * x - b * y - c * z,
  ]
}

/** [0, 1, 0], turned. */
function upOf([x, y, z, w]: Quadruple): Triple {
  return [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]
}
