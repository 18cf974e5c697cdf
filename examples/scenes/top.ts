/** A heavy symmetric top on a ball socket, started in steady precession. */

import { type Body, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { ballSocket } from '@tautline/constraints'

export interface TopParameters {
  /** [kg], distance of its centre from the pivot [m]. */
  mass: number
  arm: number
  /** Moments about the centre, across and along the axis [kg m²]. */
  across: number
  along: number
  /** Tilt from the vertical [rad], spin about the axis [rad/s]. */
  tilt: number
  spin: number
}

export const TOP: Readonly<TopParameters> = { mass: 2, arm: 0.2, across: 0.02, along: 0.04, tilt: 1.2, spin: 100 }

const GRAVITY = 9.81

export interface TopScene {
  readonly world: World
  readonly body: Body
  /** Rate of steady precession [rad/s]. */
  readonly rate: number
  /** How far the axis is from where steady precession has it [rad]. */
  error(): number
}

/** I₃ ω₃ Ω − A Ω² cos θ = m g l, the slow root. */
export function topScene(p: TopParameters, options: WorldOptions = {}): TopScene {
  const world = new World({ ...options, gravity: [0, -GRAVITY, 0] })
  const pivoted = p.across + p.mass * p.arm * p.arm
  const weight = p.mass * GRAVITY * p.arm
  const [s, c] = [sin(p.tilt), cos(p.tilt)]
  const spin = p.along * p.spin
  const rate = (2 * weight) / (spin + Math.sqrt(spin * spin - 4 * pivoted * c * weight))
  const x = (p.spin - rate * c) * s
  const y = p.spin * c + rate * s * s
  const body = world.addBody({
    position: [p.arm * s, p.arm * c, 0],
    orientation: [0, 0, -sin(p.tilt / 2), cos(p.tilt / 2)],
    velocity: [0, 0, p.arm * (x * c - y * s)],
    angularVelocity: [x, y, 0],
    mass: p.mass,
    inertia: [p.across, p.along, p.across],
  })
  world.add(ballSocket, { a: null, b: body, point: [0, 0, 0] })
  return {
    world,
    body,
    rate,
    error() {
      const t = rate * world.time
      const [px, py, pz] = body.position
      return Math.hypot(px / p.arm - s * cos(t), py / p.arm - c, pz / p.arm + s * sin(t))
    },
  }
}
