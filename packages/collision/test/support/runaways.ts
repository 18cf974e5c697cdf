/** Two boxes over a plane, the upper one faster than anything that is simulated on purpose. */

import { World } from '@tautline/core'
import { box, Collisions, plane } from '../../src/index.js'

export type Vec3 = [number, number, number]

export interface Runaway {
  readonly name: string
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
}

export const RUNAWAYS: readonly Runaway[] = [
  { name: 'fast', velocity: [0, -1e200, 1e100], angularVelocity: [0, 0, 0] },
  { name: 'spinning fast', velocity: [0, 0, 0], angularVelocity: [0, -1e200, 1e150] },
  { name: 'spinning', velocity: [0, 0, 0], angularVelocity: [3e7, 1e6, 0] },
]

export function runaway(velocity: Vec3, angularVelocity: Vec3): World {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const shape = box([0.25, 0.25, 0.25])
  collisions.addBody({ shape, position: [0, 0.6, 0] })
  const body = collisions.addBody({ shape, position: [0, 1.2, 0], velocity })
  body.setAngularVelocity(angularVelocity)
  return world
}
