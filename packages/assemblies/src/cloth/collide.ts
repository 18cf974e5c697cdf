/** Lets cloth touch things, and itself. */

import type { Body, LeanWorld } from '@tautline/core'
import { collideAs } from '../parts/particles.js'
import type { ClothSettings } from './definition.js'

/** Gives vertices their thickness, and the surface its triangles. Called at rest: what is near there may stay as near. */
export function collide(
  world: LeanWorld,
  vertices: readonly Body[],
  origin: ArrayLike<number>,
  triangles: Uint32Array,
  settings: ClothSettings,
): void {
  const { collides, friction, layer, mask, group, selfCollision, surfaceContacts, thickness } = settings
  if (!collides) return
  const radius = Float64Array.from({ length: vertices.length }, (_, v) => thickness[origin[v]])
  const surface = selfCollision === 'surface' || surfaceContacts ? { triangles } : {}
  collideAs(world, vertices, { radius, friction, layer, mask, group, selfCollision, surfaceContacts, ...surface })
}
