/** Colliders of parts, and which of them pass through each other. */

import { type LeanCollisions, setPairCollision } from '@tautline/collision'
import type { Body } from '@tautline/core'
import type { RagdollAsset } from './data.js'
import type { RagdollSettings } from './definition.js'
import { sideOf } from './humanoid.js'

const GRIPS = ['Hand', 'Foot', 'Toes']

/** Gives bodies their shapes, and has joined and overlapping parts pass through each other, also once a joint is cut. */
export function addColliders(
  collisions: LeanCollisions,
  { parts, overlaps }: RagdollAsset,
  settings: RagdollSettings,
  bodies: readonly Body[],
): void {
  const { friction, gripFriction, layer, mask, selfCollision } = settings
  parts.forEach(({ shape, position, turn, matter, role }, part) => {
    const { centre } = matter
    const grips = role !== undefined && GRIPS.includes(sideOf(role).part)
    collisions.addCollider(bodies[part], {
      shape,
      position: [position[0] - centre[0], position[1] - centre[1], position[2] - centre[2]],
      orientation: turn,
      friction: grips ? gripFriction : friction,
      layer,
      mask,
    })
  })
  const apart = (a: number, b: number): void => setPairCollision(collisions, bodies[a], bodies[b], false)
  if (!selfCollision) {
    for (let a = 0; a < parts.length; a++) for (let b = 0; b < a; b++) apart(a, b)
    return
  }
  parts.forEach(({ parent }, part) => {
    if (parent >= 0) apart(parent, part)
  })
  for (const [a, b] of overlaps) apart(a, b)
}
