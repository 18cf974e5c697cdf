/** Small random worlds: bodies joined, limited, driven and pressed on each other at random, each row a little soft. */

import { type Body, World } from '@tautline/core'
import { ballSocket, pointContact, distance, fixed, hinge, slider, spring, universal } from '@tautline/constraints'
import { realMoments } from '../../lib/moments.js'
import { randomNumbers } from '../../lib/random.js'

type Triple = [number, number, number]

/** Softness α of rows [1/kg], so that impulses are unique and sweeps converge in reasonable time. */
const REGULARIZATION = 0.2

/** Two to five bodies of different mass and moments, all moving, and as many constraints and more. */
export function randomWorld(seed: number): World {
  const random = randomNumbers(seed)
  for (let k = 0; k < 8; k++) random()
  const world = new World({ regularization: REGULARIZATION })
  const vector = (size: number): Triple => [size * random(), size * random(), size * random()]
  const pick = (count: number): number => Math.min(Math.floor(0.5 * (random() + 1) * count), count - 1)
  const unit = (): Triple => {
    const [x, y, z] = vector(1)
    const length = Math.hypot(x, y, z) || 1
    return length > 0.1 ? [x / length, y / length, z / length] : [1, 0, 0]
  }
  const bodies: Body[] = Array.from({ length: 2 + pick(4) }, () => {
    const mass = 10 ** random()
    const moment = (): number => mass * (0.2 + 0.1 * random())
    return world.addBody({
      mass,
      inertia: realMoments([moment(), moment(), moment()]),
      position: vector(1),
      velocity: vector(2),
      angularVelocity: vector(2),
    })
  })
  for (let k = 0; k < bodies.length + pick(3); k++) {
    const first = pick(bodies.length)
    const a = bodies[first]
    const second = pick(bodies.length + 1)
    // Itself stands for the world.
    const b = second === first || second === bodies.length ? null : bodies[second]
    const point = vector(1)
    const axis = unit()
    const kind = pick(8)
    if (kind === 0) world.add(ballSocket, { a, b, point })
    else if (kind === 1) world.add(hinge, { a, b, point, axis, limits: { min: -1, max: 1 }, frictionTorque: 0.1 })
    else if (kind === 2) world.add(fixed, { a, b, point })
    else if (kind === 3)
      world.add(slider, { a, b, point, axis, drive: { velocityTarget: random(), damping: 2, maxForce: 5 } })
    else if (kind === 4) world.add(universal, { a, b, point, axisA: axis, axisB: perpendicular(axis) })
    else if (kind === 5) world.add(spring, { a, b, stiffness: 50, damping: 1, length: 1 })
    else if (kind === 6)
      world.add(distance, { a, b, anchorA: vector(0.3), anchorB: vector(0.3), length: 1, mode: 'rope' })
    else world.add(pointContact, { a, b, pointA: point, pointB: point, normal: axis })
  }
  return world
}

function perpendicular([x, y, z]: Triple): Triple {
  const other: Triple = Math.abs(x) < 0.6 ? [0, -z, y] : [z, 0, -x]
  const length = Math.hypot(...other)
  return [other[0] / length, other[1] / length, other[2] / length]
}
