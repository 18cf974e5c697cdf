/** Makes the bodies and joints of a vehicle. */

import type { Body, LeanWorld } from '@tautline/core'
import { type DriveDef, hinge, type HingeDef, slider } from '@tautline/constraints'
import { rotateVector } from '@tautline/core/kernel'
import { type LeanCollisions, cylinder, setPairCollision } from '@tautline/collision'
import type { quat, vec3 } from 'gl-matrix'
import type { VehiclePlan, WheelPlan } from './definition.js'
import { gathered, IDLE, type VehicleState, type WheelParts } from './state.js'

/** Mass of hub and of knuckle, as a share of the wheel's. */
const HUB = 0.2
/** Of what steers [Hz]. */
const STEERING = 15
/** Rolling resistance of a wheel: friction torque over load times radius. */
const ROLLING = 0.01

/** 1 + cosine below which a direction is opposite to y. */
const OPPOSITE = 1e-9
const FULL_TURN = 2 * Math.PI

/** Directions of the vehicle in the frame of the chassis. */
interface Frame {
  readonly up: readonly [number, number, number]
  readonly forward: readonly [number, number, number]
  readonly left: readonly [number, number, number]
}

/** Adds all of it to the world. */
export function buildVehicle(world: LeanWorld, collisions: LeanCollisions, plan: VehiclePlan): VehicleState {
  const { chassis, wheels, settings } = plan
  const { up, forward } = settings
  const left = [
    up[1] * forward[2] - up[2] * forward[1],
    up[2] * forward[0] - up[0] * forward[2],
    up[0] * forward[1] - up[1] * forward[0],
  ] as const
  const frame: Frame = { up, forward, left }
  const places = wheels.map(({ position }): [number, number] => [dot(position, forward), dot(position, left)])
  const masses = massesBorne(chassis.mass, places)
  const middle = turningLine(wheels, places)
  const parts = wheels.map((wheel, k) =>
    addWheel({ world, collisions, plan, frame }, wheel, masses[k], [places[k][0] - middle, places[k][1]]),
  )
  return gathered({ chassis, wheels: parts, controls: IDLE, angle: 0 })
}

/** How far ahead the line is about which it turns: the mean of wheels that do not steer; of all where all do. */
function turningLine(wheels: readonly WheelPlan[], places: readonly (readonly [number, number])[]): number {
  const fixed = places.filter((_, k) => !wheels[k].steered)
  const list = fixed.length > 0 ? fixed : places
  return list.reduce((sum, [ahead]) => sum + ahead, 0) / list.length
}

/** What all wheels are made with. */
interface Workshop {
  readonly world: LeanWorld
  readonly collisions: LeanCollisions
  readonly plan: VehiclePlan
  readonly frame: Frame
}

function addWheel(
  { world, collisions, plan, frame }: Workshop,
  wheel: WheelPlan,
  borne: number,
  [ahead, aside]: readonly [number, number],
): WheelParts {
  const { chassis } = plan
  const { radius, width, driven } = wheel
  const point = chassis.toWorld(wheel.position)
  const up = turned(chassis, frame.up)
  const side = turned(chassis, frame.left)
  const velocity = velocityAt(chassis, point)
  const motion = { position: point, velocity, angularVelocity: chassis.angularVelocity }
  const inertia = (0.4 * HUB * wheel.mass * radius * radius) / 2
  const small = { ...motion, mass: HUB * wheel.mass, inertia, orientation: chassis.orientation }
  const hub = world.addBody(small)
  const suspension = world.add(slider, {
    a: chassis,
    b: hub,
    point,
    axis: up,
    limits: { min: -plan.travel, max: plan.travel },
    drive: spring(plan, borne, gravityOf(world)),
  })
  const body = collisions.addBody({
    ...motion,
    shape: cylinder(radius, 0.5 * width),
    mass: wheel.mass,
    friction: wheel.friction,
    orientation: onto(side),
  })
  setPairCollision(collisions, chassis, body, false)
  const frictionTorque = ROLLING * borne * gravityOf(world) * radius
  const common = { wheel: body, hub, suspension, radius, frictionTorque, driven, ahead, aside }
  if (!wheel.steered) {
    const axle = world.add(hinge, { a: hub, b: body, point, axis: side, frictionTorque })
    return { ...common, knuckle: undefined, steering: undefined, axle }
  }
  const knuckle = world.addBody(small)
  const steering = world.add(hinge, { a: hub, b: knuckle, point, axis: up, ...steeringOf(plan, wheel) })
  const axle = world.add(hinge, { a: knuckle, b: body, point, axis: side, frictionTorque })
  return { ...common, knuckle, steering, axle }
}

/** The knuckle is led to an angle by a spring that is stiff beside what the wheel weighs. */
function steeringOf({ settings }: VehiclePlan, { mass, radius, width }: WheelPlan): Pick<HingeDef, 'limits' | 'drive'> {
  const inertia = mass * (0.25 * radius * radius + (width * width) / 12)
  const omega = FULL_TURN * STEERING
  // The inner wheel of a turn goes beyond the angle of the middle.
  const most = 0.5 * (settings.maxSteer + 0.5 * Math.PI)
  return {
    limits: { min: -most, max: most },
    drive: { stiffness: inertia * omega * omega, damping: 2 * inertia * omega },
  }
}

/** The spring of a wheel: it bears its load where the wheel is at rest. */
function spring(plan: VehiclePlan, borne: number, gravity: number): DriveDef {
  const omega = FULL_TURN * plan.frequency
  const stiffness = borne * omega * omega
  return { stiffness, damping: 2 * plan.damping * borne * omega, positionTarget: (-borne * gravity) / stiffness }
}

function gravityOf(world: LeanWorld): number {
  const [x, y, z] = world.settings.gravity
  return Math.sqrt(x * x + y * y + z * z)
}

/** Of a point of a body that moves [m/s]. */
function velocityAt(body: Body, [px, py, pz]: vec3): vec3 {
  const [x, y, z] = body.position
  const [rx, ry, rz] = [px - x, py - y, pz - z]
  const [wx, wy, wz] = body.angularVelocity
  const [vx, vy, vz] = body.velocity
  return [vx + wy * rz - wz * ry, vy + wz * rx - wx * rz, vz + wx * ry - wy * rx]
}

function turned(body: Body, [x, y, z]: readonly [number, number, number]): vec3 {
  const out = new Float64Array(3)
  rotateVector(Float64Array.from(body.orientation), 0, x, y, z, out, 0)
  return [out[0], out[1], out[2]]
}

/** The rotation that brings y onto a unit vector. */
function onto([x, y, z]: vec3): quat {
  if (!(1 + y > OPPOSITE)) return [1, 0, 0, 0]
  const size = Math.sqrt(2 * (1 + y))
  return [z / size, 0, -x / size, 0.5 * size]
}

function dot(a: readonly [number, number, number], b: readonly [number, number, number]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/** Determinant, as a share of that of a square of wheels, below which they are in a line. */
const IN_LINE = 1e-6
/** Least load of a wheel, as a share of the mean: each has a spring. */
const LEAST = 0.1

/**
 * Masses that wheels at these places bear at rest [kg], in their order: the loads that hold weight and tilt, of all such the least squares.
 *
 *   Σ Lᵢ = m g,  Σ Lᵢ xᵢ = Σ Lᵢ yᵢ = 0        xᵢ, yᵢ [m] from the centre of mass, forward and aside
 *   Lᵢ = a + b xᵢ + c yᵢ, where the 3 × 3 system for a, b, c has an inverse; else all alike
 */
function massesBorne(mass: number, places: readonly (readonly [number, number])[]): number[] {
  const n = places.length
  const [sx, sy, xx, xy, yy] = [0, 0, 0, 0, 0]
  const sum = { sx, sy, xx, xy, yy }
  for (const [x, y] of places) {
    sum.sx += x
    sum.sy += y
    sum.xx += x * x
    sum.xy += x * y
    sum.yy += y * y
  }
  // Of the rows (n, sx, sy), (sx, xx, xy), (sy, xy, yy) the first column of the inverse, times m.
  const a = sum.xx * sum.yy - sum.xy * sum.xy
  const b = sum.xy * sum.sy - sum.sx * sum.yy
  const c = sum.sx * sum.xy - sum.xx * sum.sy
  const determinant = n * a + sum.sx * b + sum.sy * c
  const size = (sum.xx + sum.yy) / n
  const mean = mass / n
  if (!(determinant > IN_LINE * n * n * n * size * size)) return places.map(() => mean)
  const borne = places.map(([x, y]) => Math.max((mass * (a + b * x + c * y)) / determinant, LEAST * mean))
  const total = borne.reduce((all, load) => all + load, 0)
  return borne.map((load) => (load * mass) / total)
}
