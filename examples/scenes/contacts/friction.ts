/** Sliding, sticking, rolling: scenes with a closed form. */

import { type Body } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { box, plane, sphere } from '@tautline/collision'
import { type ContactOptions, type ContactScene, emptyWorld, placed, worldOnFloor } from './scene.js'
import { turn } from './layouts.js'

/** Tilt of the ramp [rad]. */
export const TILT = 0.25
/** Coefficients of Solver2D's friction ramp. */
export const RAMP_FRICTION = [0.75, 0.5, 0.35, 0.1, 0] as const

/**
 * A box of 1 m and 25 kg at rest on a plane that falls towards +x by `TILT`. Plane and box have the same friction, so that this is
 * what the pair has under every rule of mixing: the box sticks where ν > tan TILT = 0.2553, and else slides with
 * g (sin TILT − ν cos TILT).
 */
export function ramp(friction: number, options: ContactOptions = {}): ContactScene {
  const { world, collisions } = emptyWorld(options)
  const normal: [number, number, number] = [sin(TILT), cos(TILT), 0]
  collisions.addCollider(null, { shape: plane(normal), position: placed(options, [0, 0, 0]), friction })
  const body = collisions.addBody({
    shape: box([0.5, 0.5, 0.5]),
    mass: 25,
    position: placed(options, [0.5 * normal[0], 0.5 * normal[1], 0]),
    orientation: turn([0, 0, 1], -TILT),
    friction,
  })
  return { world, collisions, bodies: [body] }
}

/** Acceleration down the ramp [m/s²]. */
export function rampAcceleration(friction: number): number {
  return 9.81 * (sin(TILT) - friction * cos(TILT))
}

/** Launch speed of what stops or rolls [m/s]. */
export const LAUNCH = 3
export const STOP_FRICTION = 0.3
/** v₀²/(2 ν g) [m]: 1.529. */
export const STOP_DISTANCE = (LAUNCH * LAUNCH) / (2 * STOP_FRICTION * 9.81)

/** A box of 0.4 m that is pushed off at 3 m/s on level ground, ν = 0.3. */
export function sliding(mass: number, options: ContactOptions = {}): ContactScene {
  const { world, collisions } = worldOnFloor(options, STOP_FRICTION)
  const body = collisions.addBody({
    shape: box([0.2, 0.2, 0.2]),
    mass,
    position: placed(options, [0, 0.2, 0]),
    velocity: [LAUNCH, 0, 0],
    friction: STOP_FRICTION,
  })
  return { world, collisions, bodies: [body] }
}

/**
 * A ball of 0.5 m radius launched without spin. Friction slows it by ν g and spins it until it rolls: about its point of contact
 * angular momentum stays, m v₀ r = (m r² + 2/5 m r²) ω, hence v = 5/7 v₀, after 2 v₀/(7 ν g) = 0.29 s.
 */
export function launchedBall(options: ContactOptions = {}): ContactScene {
  const friction = 0.3
  const { world, collisions } = worldOnFloor(options, friction)
  const body = collisions.addBody({
    shape: sphere(0.5),
    mass: 1,
    position: placed(options, [0, 0.5, 0]),
    velocity: [LAUNCH, 0, 0],
    friction,
  })
  return { world, collisions, bodies: [body] }
}

/** SimBenchmark's rolling test (Kang and Hwangbo 2018): what is pulled, and what rolls on it. */
export interface RollingScene extends ContactScene {
  readonly slab: Body
  readonly balls: readonly Body[]
}

/** SimBenchmark's masses [kg], pull [N], and coefficients of the two pairs. */
const ROLLING = { slab: 10, ball: 1, balls: 25, pull: 150, ground: 0.4, ballsOnSlab: 0.8 } as const

/**
 * Accelerations of the rolling test [m/s²]. The box slides on the ground, whose friction f₁ = ν₁ (M + n m) g opposes the
 * pull F. On each ball acts f₂ alone, at its lowest point: m a₂ = f₂, ⅖ m r² α = f₂ r. It rolls without slip, so a₁ = a₂ + α r = 7/2 a₂,
 * and with M a₁ = F − f₁ − n f₂
 *
 *   a₁ = (F − f₁) / (M + 2/7 n m) = 0.7385,      a₂ = 2/7 a₁ = 0.2110
 *
 * f₂ = 0.21 N is far below ν₂ m g = 7.8 N. F = 150 N is only just above f₁ = 137.3 N: a friction cone made of two rows along x and z
 * would hold it, since each component of F is 106 N.
 */
export const ROLLING_ACCELERATIONS: { slab: number; ball: number } = (() => {
  const { slab, ball, balls, pull, ground } = ROLLING
  const held = ground * (slab + balls * ball) * 9.81
  const a = (pull - held) / (slab + (2 / 7) * balls * ball)
  return { slab: a, ball: (2 / 7) * a }
})()

/**
 * A slab of 10 kg on level ground with 25 balls of 1 kg on it, pulled at its centre with 150 N along x = z. Mixed
 * geometrically, the coefficients are 0.4 for slab and ground and 0.8 for balls and slab. Made for dt = 1e-3 s.
 */
export function rolling(options: ContactOptions = {}): RollingScene {
  const slip = ROLLING.ballsOnSlab
  const { world, collisions } = worldOnFloor({ dt: 1e-3, ...options }, (ROLLING.ground * ROLLING.ground) / slip)
  const [half, thickness, radius] = [10, 0.5, 0.5]
  const slab = collisions.addBody({
    shape: box([half, thickness, half]),
    mass: ROLLING.slab,
    position: placed(options, [0, thickness, 0]),
    friction: slip,
  })
  const balls: Body[] = []
  for (let i = 0; i < 5; i++) {
    for (let k = 0; k < 5; k++) {
      const position = placed(options, [2 * (i - 2), 2 * thickness + radius, 2 * (k - 2)])
      balls.push(collisions.addBody({ shape: sphere(radius), mass: ROLLING.ball, position, friction: slip }))
    }
  }
  const pull = ROLLING.pull * Math.SQRT1_2
  return {
    world,
    collisions,
    bodies: [slab, ...balls],
    slab,
    balls,
    beforeStep: () => slab.applyForce([pull, 0, pull]),
  }
}
