/** Poses between steps, for drawing. */

import type { quat, vec3 } from 'gl-matrix'
import { outVector } from '../define/assert.js'
import { addRotations, rotationBetween, rotate } from '../math/rotation.js'
import type { Body } from '../state/body.js'
import type { WorldState } from '../state/world-state.js'

/** A body's pose between the last two steps, at `alpha`, for drawing after `advance`. Includes full revolutions of fast bodies. */
export function interpolate(world: WorldState, body: Body, position: vec3, orientation?: quat): void {
  world.bodies.assertAlive('interpolate: body', body)
  outVector('interpolate: position', position, 3)
  if (orientation !== undefined) outVector('interpolate: orientation', orientation, 4)
  const bodies = world.bodies.columns
  const i = body.index
  const { dt } = world.settings
  const t = world.clock.accumulator / dt
  for (let k = 0; k < 3; k++) {
    const from = bodies.previousPosition[3 * i + k]
    position[k] = from + t * (bodies.position[4 * i + k] - from)
  }
  if (orientation === undefined) return
  const turned = new Float64Array(3)
  rotationBetween(bodies.orientation, 4 * i, bodies.previousOrientation, 4 * i, turned, 0)
  addRotations(
    turned,
    bodies.angularVelocity.slice(3 * i, 3 * i + 3).map((w) => dt * w),
  )
  const q = bodies.previousOrientation.slice(4 * i, 4 * i + 4)
  rotate(q, 0, t * turned[0], t * turned[1], t * turned[2])
  for (let k = 0; k < 4; k++) orientation[k] = q[k]
}
