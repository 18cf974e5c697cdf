/** Pairs of bodies that pass through each other, whatever their layers and groups. */

import { Body } from '@tautline/core'
import { flag, instance, shown } from '@tautline/core/kernel'
import { LeanCollisions } from '../lean-collisions.js'

/**
 * Says whether two bodies may touch, besides what layers, groups and joints say: `setPairCollision(collisions, a, b, false)` has them pass through
 * each other, as parts of a figure do that overlap where it stands. It goes with either body, and is part of snapshots and JSON. Particles of sets
 * are not asked. Throws `TypeError`/`RangeError` for what is no pair of bodies.
 */
export function setPairCollision(collisions: LeanCollisions, a: Body, b: Body, meet: boolean): void {
  const where = 'setPairCollision'
  const [i, j] = rowsOf(where, collisions, a, b)
  flag(`${where}: meet`, meet)
  const { bodies } = collisions.world
  bodies.callbacks.refuse(where)
  collisions.filter.setPair(i, j, meet)
  bodies.wake(i)
  bodies.wake(j)
}

/** Whether {@link setPairCollision} lets two bodies touch, as it does until told otherwise. Throws as that does. */
export function pairCollides(collisions: LeanCollisions, a: Body, b: Body): boolean {
  const [i, j] = rowsOf('pairCollides', collisions, a, b)
  return !collisions.filter.isIgnored(i, j)
}

function rowsOf(where: string, collisions: LeanCollisions, a: unknown, b: unknown): [number, number] {
  instance(`${where}: collisions`, collisions, LeanCollisions, 'collisions')
  const rows = [a, b].map((body, k) => {
    const at = `${where}: ${k === 0 ? 'a' : 'b'}`
    if (!(body instanceof Body)) throw new TypeError(`${at} must be a body, got ${shown(body)}`)
    collisions.world.bodies.assertAlive(at, body)
    return body.index
  })
  if (rows[0] === rows[1]) throw new RangeError(`${where}: a and b must be two bodies, got ${(a as Body).label} twice`)
  return [rows[0], rows[1]]
}
