/** What has to stand: stacks, a pyramid, an arch, a house of cards. */

import { box, convexHull } from '@tautline/collision'
import { ARCH, archStones, centroid } from './arch.js'
import { CARD, cardPlaces } from './cards.js'
import { PYRAMID_GAP, pyramidCentres, turn, type Triple } from './layouts.js'
import { type ContactOptions, type ContactScene, placed, worldOnFloor } from './scene.js'

const HALF = 0.5
const CUBE = [HALF, HALF, HALF] as const
/** Of the boxes of stacks and pyramids [kg/m³]. */
const DENSITY = 100

/** Boxes of 1 m, one on the other, faces touching. */
export function stack(count: number, options: ContactOptions = {}): ContactScene {
  const friction = 0.6
  const { world, collisions } = worldOnFloor(options, friction)
  const bodies = Array.from({ length: count }, (_, k) =>
    collisions.addBody({
      shape: box(CUBE),
      density: DENSITY,
      position: placed(options, [0, HALF + 2 * HALF * k, 0]),
      friction,
    }),
  )
  return { world, collisions, bodies }
}

/** Solver2D's vertical stack: 15 boxes of 1 m, each 1 cm to the other side of the last, 0.1 m above each other, ν = 0.3. */
export function offsetStack(options: ContactOptions = {}): ContactScene {
  const friction = 0.3
  const { world, collisions } = worldOnFloor(options, friction)
  const bodies = Array.from({ length: 15 }, (_, k) =>
    collisions.addBody({
      shape: box(CUBE),
      density: DENSITY,
      position: placed(options, [k % 2 === 0 ? -0.01 : 0.01, HALF + 0.05 + (2 * HALF + 0.1) * k, 0]),
      friction,
    }),
  )
  return { world, collisions, bodies }
}

/** An upright pyramid of boxes of 1 m and 100 kg; its top may be heavier. */
export function pyramid(base: number, options: ContactOptions = {}, topRatio: number = 1): ContactScene {
  const friction = 0.5
  const { world, collisions } = worldOnFloor(options, friction)
  const centres = pyramidCentres(base, HALF, PYRAMID_GAP)
  const bodies = centres.map((centre, k) =>
    collisions.addBody({
      shape: box(CUBE),
      density: k === centres.length - 1 ? topRatio * DENSITY : DENSITY,
      position: placed(options, centre),
      friction,
    }),
  )
  return { world, collisions, bodies }
}

/** An arch of 17 stones of a catenary, ν = 0.6, with four boxes of 1 m on its keystone. */
export function arch(options: ContactOptions = {}): ContactScene {
  const friction = 0.6
  const { world, collisions } = worldOnFloor(options, friction)
  const stones = archStones()
  const bodies = stones.map((corners) => {
    const [x, y] = centroid(corners)
    const points = corners.flatMap(([px, py]) => [-0.5, 0.5].map((z) => [px - x, py - y, z * ARCH.depth] as Triple))
    return collisions.addBody({
      shape: convexHull(points),
      density: DENSITY,
      position: placed(options, [x, y, 0]),
      friction,
    })
  })
  const top = stones[8][2][1]
  for (let k = 0; k < 4; k++) {
    const position = placed(options, [0, top + HALF + 2 * HALF * k, 0])
    bodies.push(collisions.addBody({ shape: box(CUBE), density: DENSITY, position, friction }))
  }
  return { world, collisions, bodies }
}

/** A house of cards of 0.4 m by 0.3 m, 2 mm thick, ν = 0.7. */
export function cardHouse(levels: number = 5, options: ContactOptions = {}): ContactScene {
  const friction = 0.7
  const { world, collisions } = worldOnFloor(options, friction)
  const bodies = cardPlaces(levels).map(({ centre, angle }) =>
    collisions.addBody({
      shape: box([CARD.thickness, CARD.length, CARD.width]),
      density: DENSITY,
      position: placed(options, centre),
      orientation: turn([0, 0, 1], angle),
      friction,
    }),
  )
  return { world, collisions, bodies }
}
