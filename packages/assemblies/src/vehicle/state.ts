/** What a vehicle consists of, and what it is told. */

import type { Body, Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'

/** What a driver does; each field may be left out, and stays as it was then. */
export interface VehicleControls {
  /** Share of the motor's torque, in [−1, 1]; below 0 it goes back. */
  throttle?: number
  /** Share of the brakes' torque on all wheels, in [0, 1]. */
  brake?: number
  /** The same on wheels that do not steer. */
  handbrake?: number
  /** Share of the greatest angle, in [−1, 1]; above 0 to the left of who looks forward. */
  steer?: number
}

/** The parts of a wheel. */
export interface WheelParts {
  readonly wheel: Body
  /** What the spring carries; of a steered wheel the knuckle turns on it. */
  readonly hub: Body
  readonly knuckle: Body | undefined
  /** Hub on chassis, knuckle on hub, wheel on either. */
  readonly suspension: Constraint
  readonly steering: Constraint | undefined
  readonly axle: Constraint
  readonly radius: number
  /** Friction of the axle without brakes [N m]. */
  readonly frictionTorque: number
  readonly driven: boolean
  /** Of the wheel from the line about which the vehicle turns: forward, and to the left [m]. */
  readonly ahead: number
  readonly aside: number
}

export interface VehicleState extends AssemblyState {
  readonly chassis: Body
  readonly wheels: readonly WheelParts[]
  readonly controls: Required<VehicleControls>
  /** Where the steering is on its way to `controls.steer` [rad], as of a wheel in the middle. */
  readonly angle: number
}

export const IDLE: Required<VehicleControls> = { throttle: 0, brake: 0, handbrake: 0, steer: 0 }

/** The lists of an assembly, of a state without them. */
export function gathered(parts: Omit<VehicleState, 'bodies' | 'constraints'>): VehicleState {
  const bodies = [parts.chassis]
  const constraints: Constraint[] = []
  for (const { wheel, hub, knuckle, suspension, steering, axle } of parts.wheels) {
    bodies.push(hub)
    constraints.push(suspension)
    if (knuckle !== undefined) bodies.push(knuckle)
    if (steering !== undefined) constraints.push(steering)
    bodies.push(wheel)
    constraints.push(axle)
  }
  return { ...parts, bodies, constraints }
}
