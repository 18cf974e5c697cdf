/** Part of collisions: particles meet particles. Cloth, rope and sets of particles with `selfCollision` need it, and so do sets that meet other sets. */

import { checkOwner, type CollisionParts } from '../contact/collision-parts.js'
import { SelfContacts } from './self-contacts.js'

/** Part of collisions: particles touch particles, of their own set and of others, as each set's `selfCollision` says. */
export function selfCollision(collisions: CollisionParts): void {
  checkOwner('selfCollision', collisions)
  const { world, filter, options } = collisions
  collisions.makeSelfContacts = (sets, points) => new SelfContacts(world, sets, filter, options, points)
}
