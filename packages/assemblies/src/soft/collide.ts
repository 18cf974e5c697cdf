/** Lets soft bodies touch things, and themselves. */

import type { Body, LeanWorld } from '@tautline/core'
import { collideAs } from '../parts/particles.js'
import type { SoftBodyAsset } from './asset.js'
import type { SoftBodySettings } from './definition.js'

/** Gives the outer nodes their radius, and the outside its triangles. Called at rest: what is near there may stay as near. */
export function collide(
  world: LeanWorld,
  asset: SoftBodyAsset,
  settings: SoftBodySettings,
  nodes: readonly Body[],
): void {
  const { collides, radius, friction, layer, mask, group, selfCollision, surfaceContacts } = settings
  if (!collides) return
  // Inner nodes touch nothing of their own kind, but must not be pushed through what the outer ones lie on.
  const outside = Array.from(new Set(asset.surface)).sort((a, b) => a - b)
  const touching = selfCollision === false ? nodes.keys() : outside
  const number = new Map<number, number>()
  for (const v of touching) number.set(v, number.size)
  const outer = Array.from(number.keys(), (v) => nodes[v])
  const triangles = Uint32Array.from(asset.surface, (v) => number.get(v) as number)
  const surface = selfCollision === 'surface' || surfaceContacts ? { triangles } : {}
  collideAs(world, outer, { radius, friction, layer, mask, group, selfCollision, surfaceContacts, ...surface })
}
