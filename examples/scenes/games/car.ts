/** A car on a yard with a ramp, bumps and boxes. */

import { vehicle, type Vehicle } from '@tautline/assemblies'
import { box, capsule, Collisions, convexHull, plane } from '@tautline/collision'
import { World, type WorldOptions } from '@tautline/core'
import { atan2, cos, sin } from '@tautline/core/kernel'
import { Pad } from '../../lib/pad.js'
import type { Game } from './game.js'

export interface CarOptions {
  /** Of the motor [N m]. */
  torque?: number
  /** Of the tyres. */
  grip?: number
  /** Of the springs [Hz]. */
  springs?: number
}

export interface CarGame extends Game {
  readonly car: Vehicle
}

const HALF = [0.85, 0.25, 2] as const
const START = [0, 0.82, -14] as const
/** Below this speed backward means back, not brake [m/s]. */
const SLOW = 1

export function makeCar(
  options: WorldOptions = {},
  { torque = 1500, grip = 1, springs = 1.8 }: CarOptions = {},
): CarGame {
  const world = new World(options)
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0), friction: 1 })
  yard(collisions)
  const chassis = collisions.addBody({ shape: box(HALF), mass: 1100, position: START, friction: 0.4, name: 'car' })
  const wheels = [1.3, -1.3].flatMap((z) =>
    [0.8, -0.8].map((x) => ({ position: [x, -0.42, z] as const, radius: 0.36, steered: z > 0, friction: grip })),
  )
  const car = vehicle(world, { chassis, wheels, maxTorque: torque, maxSpeed: 25, suspensionFrequency: springs })
  const pad = new Pad('drive and steer', [
    { label: 'Brake', key: ' ' },
    { label: 'Upright', key: 'f' },
  ])
  return {
    world,
    collisions,
    pad,
    car,
    player: () => [chassis.position[0], chassis.position[1], chassis.position[2]],
    before() {
      if (!pad.isUsed) {
        // Round and round, over the ramp and the bumps.
        const [x, , z] = chassis.position
        const turn = z > 15 || (z > -15 && x > 6) || z < -15
        car.control({ throttle: car.speed < 9 ? 0.6 : 0, steer: turn ? 0.55 : 0, brake: 0 })
        return
      }
      const back = pad.y < 0 && car.speed > SLOW
      car.control({
        throttle: back ? 0 : pad.y,
        brake: back ? -pad.y : 0,
        handbrake: pad.isHeld('Brake') ? 1 : 0,
        steer: -pad.x,
      })
      if (pad.wasPressed('Upright')) standUp(car)
    },
    after() {
      // All of it is bodies.
    },
  }
}

/** Lifts it and sets it on its wheels, as it points. */
export function standUp(car: Vehicle): void {
  const [x, y, z, w] = car.chassis.orientation
  const heading = atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y))
  const [s, c] = [sin(heading / 2), cos(heading / 2)]
  // From its orientation back to none, and about the vertical: q = h q̄.
  car.teleport({
    rotation: [s * -z + c * -x, c * -y + s * w, c * -z + s * x, c * w + s * y],
    about: car.chassis.position,
    translation: [0, 1, 0],
    velocities: 'zero',
  })
}

function yard(collisions: Collisions): void {
  // A ramp: up, and off its edge.
  const [w, l, h] = [2.2, 5, 1]
  const corners = [-w, w].flatMap((x) => [
    [x, 0, -l],
    [x, 0, l],
    [x, h, l],
    [x, h, l - 0.5],
  ])
  collisions.addCollider(null, { shape: convexHull(corners), position: [0, 0, 0], friction: 1 })
  for (let k = 0; k < 4; k++) {
    const half = capsule(0.12, 2)
    const lying = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const
    collisions.addCollider(null, { shape: half, position: [12, 0, 6 - 3 * k], orientation: lying, friction: 1 })
  }
  for (let k = 0; k < 9; k++) {
    const [column, row] = [k % 3, Math.floor(k / 3)]
    collisions.addBody({
      shape: box([0.4, 0.4, 0.4]),
      density: 60,
      position: [-9 + 0.85 * column, 0.4 + 0.8 * row, 4],
      friction: 0.6,
    })
  }
}
