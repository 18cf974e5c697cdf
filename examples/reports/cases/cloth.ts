/** Rows on cloth, ropes and soft bodies. */

import { cloth } from '@tautline/assemblies'
import { Collisions, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import { grid } from '../../lib/grid.js'
import type { Measured, ReportRow } from '../report.js'

/** Vertices a side of a sheet of 1 m. */
const SIDE = 15
/** Vertices that hold the sheet. */
const HELD: readonly (readonly number[])[] = [
  Array.from({ length: SIDE * SIDE }, (_, v) => v).filter(
    (v) => v % SIDE === 0 || v % SIDE === SIDE - 1 || v < SIDE || v >= SIDE * (SIDE - 1),
  ),
  [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1],
]
/** Mass [kg], radius [m] and speed [m/s]. */
const BALLS = [
  [0.05, 0.03, 20],
  [0.05, 0.03, 60],
  [0.5, 0.1, 60],
] as const
/** Where balls strike the sheet, which is 1 m wide [m]. */
const STRUCK = [
  [0.52, 0.53],
  [0.5, 0.5],
  [0.47, 0.61],
  [0.3, 0.7],
  [0.535, 0.535],
] as const

/** How many balls are beyond the sheet half a second later. */
function smallBalls(): Measured {
  let shots = 0
  const passed = BALLS.map(([mass, radius, speed]) => {
    let count = 0
    for (const pins of HELD) {
      for (const [x, z] of STRUCK) {
        const world = new World({ gravity: [0, 0, 0] })
        const collisions = new Collisions(world)
        cloth(world, { ...grid(SIDE, SIDE, (u, v) => [u, 0, v]), pins })
        const position = [x, -radius - 0.15, z] as const
        const ball = collisions.addBody({ shape: sphere(radius), mass, position, velocity: [0, speed, 0] })
        for (let k = 0; k < 30; k++) world.step()
        shots++
        if (ball.position[1] > 0) count++
      }
    }
    return count
  })
  return {
    figures: `${passed.join(', ')} of ${shots / BALLS.length} passed`,
    holds: passed.every((count) => count === 0),
  }
}

export const clothCaseRows: readonly ReportRow[] = [
  {
    id: '16',
    claim: `Balls of ${BALLS.map(([m, r, v]) => `${m} kg, ${100 * r} cm at ${v} m/s`).join('; ')} that pass a sheet held at its edges or corners`,
    asked: 'none',
    scene: `${SIDE} × ${SIDE} vertices, 1 m, ${STRUCK.length} places`,
    measure: smallBalls,
  },
]
