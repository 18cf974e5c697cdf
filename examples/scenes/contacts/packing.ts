/** Many spheres: dropped, pressed to a centre, packed in a box. */

import { plane, sphere } from '@tautline/collision'
import { randomNumbers } from '../../lib/random.js'
import { lattice, type Triple } from './layouts.js'
import { type ContactOptions, type ContactScene, emptyWorld, placed, worldOnFloor } from './scene.js'

export interface SphereScene extends ContactScene {
  /** Of every sphere [m]. */
  readonly radius: number
}

/**
 * SimBenchmark's 666: 6³ spheres of 10 kg and 0.1 m radius, 0.21 m apart, shaken by 1 mm, the lowest centres 0.101 m up, e = 0.
 * Rolling friction of the floor, which the original lacks, brings those that roll away on it to rest.
 */
export function droppedSpheres(options: ContactOptions = {}): SphereScene {
  const radius = 0.1
  const friction = 0.5
  const { world, collisions } = worldOnFloor(options, friction, 0.02)
  const random = randomNumbers(42)
  const bodies = lattice([6, 6, 6], 0.21, 0.101).map((centre) => {
    const shaken = centre.map((x, axis) => x + 1e-3 * (axis === 1 ? 0 : random())) as Triple
    return collisions.addBody({ shape: sphere(radius), mass: 10, position: placed(options, shaken), friction })
  })
  return { world, collisions, bodies, radius }
}

/** Pull towards the centre [N]. */
const PULL = 1000

/**
 * Solver2D's rush: 400 spheres of 0.5 m radius on a spiral about the centre, each pulled to it by 1000 N, without weight, in
 * the plane z = 0 that they cannot leave. A sphere stands still at the centre: without it the heap as a whole would swing to
 * and fro for ever, and a sphere at the centre would be pulled nowhere.
 */
export function rush(options: ContactOptions = {}): SphereScene {
  const radius = 0.5
  const friction = 0.6
  const { world, collisions } = emptyWorld({ gravity: [0, 0, 0], ...options })
  const origin = placed(options, [0, 0, 0])
  collisions.addCollider(null, { shape: sphere(radius), position: origin, friction })
  let [distance, angle] = [5, 0]
  const bodies = Array.from({ length: 400 }, () => {
    const centre: Triple = [distance * Math.cos(angle), distance * Math.sin(angle), 0]
    // A turn of the spiral takes it outward by a little more than a sphere.
    angle += 1.05 / distance
    distance += 0.18 / distance
    return collisions.addBody({
      shape: sphere(radius),
      density: 100,
      position: placed(options, centre),
      lockTranslation: [false, false, true],
      friction,
    })
  })
  const beforeStep = (): void => {
    for (const body of bodies) {
      const [x, y] = body.position
      const [dx, dy] = [origin[0] - x, origin[1] - y]
      const share = PULL / Math.hypot(dx, dy)
      body.applyForce([share * dx, share * dy, 0])
    }
  }
  return { world, collisions, bodies, radius, beforeStep }
}

/** Inner size of the box that is packed [m]. */
const BOX: Triple = [20, 20, 2]

/**
 * Solver2D's confined: 625 spheres of 0.5 m radius in a box 20 m wide, on a grid of 0.72 m, so that all overlap, without weight.
 * In its plane that is 491 m² of circles in 400 m²; here the box is 2 m deep, which leaves them room to part.
 */
export function confined(options: ContactOptions = {}): SphereScene {
  const radius = 0.5
  const { world, collisions } = emptyWorld({ gravity: [0, 0, 0], ...options })
  BOX.forEach((size, axis) => {
    for (const side of [-1, 1]) {
      const inward: Triple = [0, 0, 0]
      inward[axis] = -side
      const at: Triple = [0, 0, 0]
      at[axis] = 0.5 * side * size
      collisions.addCollider(null, { shape: plane(inward), position: placed(options, at), friction: 0.5 })
    }
  })
  const random = randomNumbers(7)
  const bodies = Array.from({ length: 625 }, (_, k) => {
    const centre: Triple = [0.72 * ((k % 25) - 12), 0.72 * (Math.floor(k / 25) - 12), 0.1 * random()]
    return collisions.addBody({ shape: sphere(radius), density: 100, position: placed(options, centre), friction: 0.5 })
  })
  return { world, collisions, bodies, radius }
}
