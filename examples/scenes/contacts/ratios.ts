/** Heavy on light. */

import { box } from '@tautline/collision'
import { PYRAMID_GAP, pyramidCentres, type Triple } from './layouts.js'
import { type ContactOptions, type ContactScene, placed, worldOnFloor } from './scene.js'

/** Two cubes of 1 m under a cube of 20 m of the same density: 8000 to 1. */
export function cubeOnCubes(options: ContactOptions = {}): ContactScene {
  const friction = 0.6
  const density = 100
  const { world, collisions } = worldOnFloor(options, friction)
  const small = [-9, 9].map((x) =>
    collisions.addBody({ shape: box([0.5, 0.5, 0.5]), density, position: placed(options, [x, 0.5, 0]), friction }),
  )
  const large = collisions.addBody({
    shape: box([10, 10, 10]),
    density,
    position: placed(options, [0, 11, 0]),
    friction,
  })
  return { world, collisions, bodies: [...small, large] }
}

/** Three pyramids of base 10, boxes of 1 m, the topmost 100, 200 and 300 times as heavy as the others. */
export function heavyTops(options: ContactOptions = {}): ContactScene {
  const friction = 0.6
  const { world, collisions } = worldOnFloor(options, friction)
  const bodies = [100, 200, 300].flatMap((ratio, which) => {
    const centres = pyramidCentres(10, 0.5, PYRAMID_GAP)
    return centres.map(([x, y, z], k) => {
      const position: Triple = placed(options, [x + 15 * (which - 1), y, z])
      const density = k === centres.length - 1 ? 100 * ratio : 100
      return collisions.addBody({ shape: box([0.5, 0.5, 0.5]), density, position, friction })
    })
  })
  return { world, collisions, bodies }
}
