/** Balls that fall into a bin of four walls. */

import { box, Collisions, plane, sphere } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import type { Triple } from './layouts.js'

/** Half the inner width of the bin, radius of a ball and distance of the balls at the start [m]. */
export const BIN = 1
export const RADIUS = 0.2
const SPACING = 0.45

/** Balls in four layers of columns that fall into a bin of four walls. */
export function ballsInBin(count: number, restitution: number, substeps: number, sleeping = false): [World, Body[]] {
  const world = new World({ substeps })
  const collisions = new Collisions(world, sleeping ? {} : { sleeping: false })
  collisions.addCollider(null, { shape: plane([0, 1, 0]), restitution })
  const side = BIN + 0.5
  const walls: [Triple, Triple][] = [
    [
      [side, 2, 0],
      [0.5, 3, 2],
    ],
    [
      [-side, 2, 0],
      [0.5, 3, 2],
    ],
    [
      [0, 2, side],
      [2, 3, 0.5],
    ],
    [
      [0, 2, -side],
      [2, 3, 0.5],
    ],
  ]
  for (const [position, halfExtents] of walls)
    collisions.addCollider(null, { shape: box(halfExtents), position, restitution })
  const balls = Array.from({ length: count }, (_, k) => {
    const [column, row, layer] = [k % 4, Math.floor(k / 4) % 4, Math.floor(k / 16)]
    const position: Triple = [SPACING * column - 0.7 + 0.01 * (k % 3), SPACING * layer + 0.3, SPACING * row - 0.7]
    return collisions.addBody({ shape: sphere(RADIUS), restitution, position })
  })
  return [world, balls]
}
