/**
 * Two rods that hang from each other and swing in a plane, and their ordinary differential equation. Angles from the
 * downward vertical, θ₁ and θ₂; c half a rod, A = I + m c² + m l², B = m l c, D = I + m c²:
 *
 *   A θ₁″ + B cos(θ₁−θ₂) θ₂″ + B sin(θ₁−θ₂) θ₂′² + (m c + m l) g sin θ₁ = 0
 *   B cos(θ₁−θ₂) θ₁″ + D θ₂″ − B sin(θ₁−θ₂) θ₁′² + m c g sin θ₂ = 0
 */

import { solidBox, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { ballSocket } from '@tautline/constraints'
import type { JointScene } from '../impulse/index.js'
import { ONE_SUBSTEP } from './chains.js'

/** Length [m], thickness [m] and mass [kg] of a rod; gravity [m/s²]. */
export const ROD = { length: 1, thickness: 0.1, mass: 1, gravity: 9.81 } as const
/** Size of a rod that hangs [m]. */
export const ROD_SIZE = [ROD.thickness, ROD.length, ROD.thickness] as const

/** Angles [rad] and their speeds [rad/s]: θ₁, θ₂, θ₁′, θ₂′. */
export type PendulumState = readonly [number, number, number, number]

/** Let go at rest, a quarter turn and a right angle between the rods. */
export const RELEASED: PendulumState = [0.5 * Math.PI, 0, 0, 0]

/** Two rods on ball joints. */
export function twoLinks(state: PendulumState = RELEASED, options: WorldOptions = {}): JointScene {
  const [first, second, u, v] = state
  const world = new World({ ...ONE_SUBSTEP, solver: 'direct', gravity: [0, -ROD.gravity, 0], ...options })
  const { length, mass } = ROD
  const inertia = solidBox(mass, ROD_SIZE)
  const elbow = [length * sin(first), -length * cos(first)] as const
  const swing = [-u * elbow[1], u * elbow[0]] as const
  const a = world.addBody({
    position: [0.5 * elbow[0], 0.5 * elbow[1], 0],
    orientation: [0, 0, sin(0.5 * first), cos(0.5 * first)],
    velocity: [0.5 * swing[0], 0.5 * swing[1], 0],
    angularVelocity: [0, 0, u],
    mass,
    inertia,
  })
  const b = world.addBody({
    position: [elbow[0] + 0.5 * length * sin(second), elbow[1] - 0.5 * length * cos(second), 0],
    orientation: [0, 0, sin(0.5 * second), cos(0.5 * second)],
    velocity: [swing[0] + 0.5 * length * v * cos(second), swing[1] + 0.5 * length * v * sin(second), 0],
    angularVelocity: [0, 0, v],
    mass,
    inertia,
  })
  const top = [0, 0.5 * length, 0] as const
  return {
    world,
    bodies: [a, b],
    joints: [
      world.add(ballSocket, { a: null, b: a, anchorA: [0, 0, 0], anchorB: top }),
      world.add(ballSocket, { a, b, anchorA: [0, -0.5 * length, 0], anchorB: top }),
    ],
  }
}

/** Where the two lower ends are [m]: x, y of each. */
export function endsOf({ bodies }: JointScene): number[] {
  return bodies.flatMap((body) => {
    const [x, y] = body.toWorld([0, -0.5 * ROD.length, 0])
    return [x, y]
  })
}

/** The same of a state of the equation. */
export function endsOfState([first, second]: PendulumState): number[] {
  const { length } = ROD
  const x = length * sin(first)
  const y = -length * cos(first)
  return [x, y, x + length * sin(second), y - length * cos(second)]
}

/**
 * The state at the same place half a step of `h` earlier in speed: a step adds all of h f/m before it moves, so that its speeds
 * are those of the middle of the step before.
 */
export function halfStepBack(state: PendulumState, h: number): PendulumState {
  const [, , a, b] = rates(state)
  return [state[0], state[1], state[2] - 0.5 * h * a, state[3] - 0.5 * h * b]
}

/** Energy above that of hanging down at rest [J]. */
export function energyOfState([first, second, u, v]: PendulumState): number {
  const { length, mass, gravity } = ROD
  const { A, B, D } = coefficients()
  const kinetic = 0.5 * A * u * u + 0.5 * D * v * v + B * cos(first - second) * u * v
  return kinetic + mass * gravity * length * (1.5 * (1 - cos(first)) + 0.5 * (1 - cos(second)))
}

/** A, B and D of the equation. */
function coefficients(): { A: number; B: number; D: number } {
  const { length, mass } = ROD
  const half = 0.5 * length
  const D = solidBox(mass, ROD_SIZE)[2] + mass * half * half
  return { A: D + mass * length * length, B: mass * length * half, D }
}

/** The equation after `seconds`, by the classical Runge–Kutta method of fourth order in steps of `h` [s]. */
export function solvePendulum(state: PendulumState, seconds: number, h: number): PendulumState {
  const steps = Math.round(seconds / h)
  let y: PendulumState = state
  for (let step = 0; step < steps; step++) {
    const k1 = rates(y)
    const k2 = rates(along(y, k1, 0.5 * h))
    const k3 = rates(along(y, k2, 0.5 * h))
    const k4 = rates(along(y, k3, h))
    y = along(along(along(along(y, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6)
  }
  return y
}

function along(y: PendulumState, k: PendulumState, h: number): PendulumState {
  return [y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2], y[3] + h * k[3]]
}

function rates([first, second, u, v]: PendulumState): PendulumState {
  const { length, mass, gravity } = ROD
  const half = 0.5 * length
  const { A, B, D } = coefficients()
  const apart = first - second
  const E = B * cos(apart)
  const f = -B * sin(apart) * v * v - mass * (half + length) * gravity * sin(first)
  const g = B * sin(apart) * u * u - mass * half * gravity * sin(second)
  const det = A * D - E * E
  return [u, v, (D * f - E * g) / det, (A * g - E * f) / det]
}
