/** Vehicles: a chassis on wheels with springs, steering, a motor and brakes, all of joints and contacts. */

import { type Body, type Constraint, LeanWorld } from '@tautline/core'
import { angleOf, type HingeDef, offsetOf, type SliderDef } from '@tautline/constraints'
import {
  atan2,
  cos,
  finite,
  instance,
  knownFields,
  nonNegative,
  object,
  rotateVector,
  sin,
} from '@tautline/core/kernel'
import { LeanCollisions } from '@tautline/collision'
import { Assemblies } from '../assemblies.js'
import { Assembly, type AssemblyOwner } from '../assembly.js'
import type { SceneWriter } from '../scene.js'
import { buildVehicle } from './build.js'
import { planVehicle, type VehicleDef, type VehicleSettings } from './definition.js'
import type { VehicleControls, VehicleState, WheelParts } from './state.js'
import { writeVehicle } from './write.js'

const CONTROLS: readonly (keyof VehicleControls)[] = ['throttle', 'brake', 'handbrake', 'steer']
/** Share of the motor's speed over which its torque goes down to nothing. */
const FADE = 0.15

/** What a wheel of a {@link Vehicle} does at present. */
export interface WheelReadout {
  /** The wheel itself, whose collider touches the ground. */
  body: Body
  /** [m] */
  radius: number
  /** Rate at which it turns on its axle, above 0 forward [rad/s]. */
  spin: number
  /** How far its spring is pressed from where it stands at rest [m]; below 0 it hangs. */
  compression: number
  /** Angle by which it is steered, above 0 to the left [rad]. */
  angle: number
}

/** A chassis on wheels: see {@link vehicle}. */
export class Vehicle extends Assembly<VehicleState> {
  readonly kind = 'vehicle'
  /** What it is made of. */
  readonly settings: VehicleSettings

  constructor(
    owner: AssemblyOwner,
    world: LeanWorld,
    name: string | undefined,
    settings: VehicleSettings,
    state: VehicleState,
  ) {
    super(owner, world, name, state)
    this.settings = settings
  }

  /** The body that the wheels carry. */
  get chassis(): Body {
    return this.known().chassis
  }

  /** What it is told at present. */
  get controls(): Required<VehicleControls> {
    return { ...this.known().controls }
  }

  /** Speed of the chassis forward [m/s]. */
  get speed(): number {
    const { chassis } = this.known()
    const [x, y, z] = this.settings.forward
    rotateVector(Float64Array.from(chassis.orientation), 0, x, y, z, direction, 0)
    const v = chassis.velocity
    return v[0] * direction[0] + v[1] * direction[1] + v[2] * direction[2]
  }

  /** Its wheels, in the order of the definition; those whose parts somebody removed are left out. */
  get wheels(): WheelReadout[] {
    return this.known()
      .wheels.filter(isWhole)
      .map((parts) => ({
        body: parts.wheel,
        radius: parts.radius,
        spin: spinOf(parts),
        compression: offsetOf(parts.suspension as Constraint<SliderDef>),
        angle: parts.steering === undefined ? 0 : angleOf(parts.steering as Constraint<HingeDef>),
      }))
  }

  /** Tells it what to do until told otherwise. Throws, and changes nothing, on a bad field. */
  control(controls: VehicleControls): void {
    const where = `${this.label}: control`
    const before = this.known().controls
    this.world.bodies.callbacks.refuse(where)
    knownFields(where, object(`${where}: controls`, controls), CONTROLS)
    const next = { ...before, ...checked(where, controls) }
    if (CONTROLS.every((name) => next[name] === before[name])) return
    this.state = { ...this.state, controls: next }
    this.applyTorques()
    this.wake()
  }

  override beforeStep(dt: number): void {
    const { settings, state } = this
    if (!state.chassis.alive) return
    const wanted = settings.maxSteer * state.controls.steer
    const way = settings.steerRate * dt
    const angle = Math.max(state.angle - way, Math.min(state.angle + way, wanted))
    if (angle === state.angle) return
    this.state = { ...state, angle }
    this.applySteering()
  }

  override bodyRemoved(row: number): void {
    if (this.state.chassis.index !== row || !this.state.chassis.alive) return
    this.vanish()
  }

  write(scene: SceneWriter): object {
    return writeVehicle(scene, this.settings, this.known())
  }

  /** Motor and brakes, as drive and friction of the axles. */
  private applyTorques(): void {
    const { settings, state } = this
    const { throttle, brake, handbrake } = state.controls
    const driven = state.wheels.filter((wheel) => wheel.driven).length
    const most = driven > 0 ? (Math.abs(throttle) * settings.maxTorque) / driven : 0
    const braking = settings.brakeTorque / state.wheels.length
    for (const parts of state.wheels) {
      if (!parts.axle.alive) continue
      const top = settings.maxSpeed / parts.radius
      const force = parts.driven ? most : 0
      const held = parts.steering === undefined ? Math.max(brake, handbrake) : brake
      const axle = parts.axle as Constraint<HingeDef>
      axle.set({
        drive: {
          velocityTarget: force > 0 ? Math.sign(throttle) * top : 0,
          damping: force / (FADE * top),
          maxForce: force,
        },
        frictionTorque: parts.frictionTorque + held * braking,
      })
    }
  }

  /**
   * Has each wheel roll about one point, on the line of those that do not steer (R. Ackermann's patent of 1818): an angle δ of the
   * middle is atan2(x sin δ, L cos δ − y sin δ) of a wheel x ahead and y aside, L the greatest x.
   */
  private applySteering(): void {
    const { wheels, angle } = this.state
    const [s, c] = [sin(angle), cos(angle)]
    const base = wheels.reduce((most, { steering, ahead }) => (steering ? Math.max(most, ahead) : most), 0)
    for (const { steering, ahead, aside } of wheels) {
      if (steering?.alive !== true) continue
      const own = base > 0 ? atan2(ahead * s, base * c - aside * s) : angle
      const joint = steering as Constraint<HingeDef>
      joint.set({ drive: { positionTarget: own } })
    }
  }
}

/**
 * Puts a body on wheels: `vehicle(world, { chassis, wheels: [{ position: [0.8, -0.3, 1.3], steered: true }, …] })`, and `control({ throttle, steer, brake })` drives it. Each
 * wheel is a cylinder on a hub that slides up and down on a spring, so that the vehicle rides, rolls over and lands as its parts do.
 * Throws `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a field is wrong.
 */
export function vehicle(world: LeanWorld, def: VehicleDef): Vehicle {
  const where = typeof def?.name === 'string' ? `vehicle "${def.name}"` : 'vehicle'
  instance(`${where}: world`, world, LeanWorld, 'a World')
  world.bodies.callbacks.refuse(where)
  const plan = planVehicle(where, world, def)
  const collisions = LeanCollisions.of(world)
  if (collisions === undefined) throw new TypeError(`${where}: world must have collisions, got none`)
  const owner = Assemblies.of(world)
  return owner.add(new Vehicle(owner, world, def.name, plan.settings, buildVehicle(world, collisions, plan)))
}

function checked(where: string, controls: VehicleControls): VehicleControls {
  const out: VehicleControls = {}
  for (const name of CONTROLS) {
    const value = controls[name]
    if (value === undefined) continue
    const at = `${where}: ${name}`
    const isSigned = name === 'throttle' || name === 'steer'
    const share = isSigned ? finite(at, value) : nonNegative(at, value)
    if (!(Math.abs(share) <= 1)) {
      throw new RangeError(`${at} must be in [${isSigned ? '−1' : '0'}, 1], got ${share}`)
    }
    out[name] = share
  }
  return out
}

/** Of the wheel against what carries it, about its axle. */
function spinOf({ wheel, hub, knuckle, axle }: WheelParts): number {
  const carrier = knuckle ?? hub
  const { axisA } = axle.def as { axisA: ArrayLike<number> }
  rotateVector(Float64Array.from(carrier.orientation), 0, axisA[0], axisA[1], axisA[2], direction, 0)
  const [a, b] = [carrier.angularVelocity, wheel.angularVelocity]
  let rate = 0
  for (let k = 0; k < 3; k++) rate += (b[k] - a[k]) * direction[k]
  return rate
}

function isWhole({ suspension, steering, axle }: WheelParts): boolean {
  return suspension.alive && axle.alive && steering?.alive !== false
}

const direction = /* @__PURE__ */ new Float64Array(3)
