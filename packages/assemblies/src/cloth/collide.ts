/** Lets cloth touch things, where its world has collisions. */

import type { Collisions } from '@tautline/collision'
import type { Body, World } from '@tautline/core'
import type { ClothSettings } from './definition.js'

/** The collisions of a world; known by name, so that a page without them carries none. */
export function collisionsOf(world: World): Collisions | undefined {
  return world.stages.find(({ name }) => name === 'collisions') as Collisions | undefined
}

/** Gives vertices their thickness. */
export function collide(
  world: World,
  vertices: readonly Body[],
  origin: ArrayLike<number>,
  settings: ClothSettings,
): void {
  const collisions = collisionsOf(world)
  if (collisions === undefined || !settings.collides) return
  const { friction, layer, mask, group, thickness } = settings
  vertices.forEach((body, v) => {
    collisions.addParticles([body], { radius: thickness[origin[v]], friction, layer, mask, group })
  })
}
