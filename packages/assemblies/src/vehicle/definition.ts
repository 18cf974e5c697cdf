/** What a user writes to make a vehicle, checked and filled in. */

import { Body, type LeanWorld } from '@tautline/core'
import {
  array,
  finiteVector,
  flag,
  knownFields,
  nonNegative,
  object,
  positive,
  shown,
  unitVector,
} from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { checkName } from '../parts/checks.js'

/** A wheel of a {@link VehicleDef}. */
export interface WheelDef {
  /** Its middle where the vehicle stands at rest, in the frame of the chassis [m]. */
  position: ReadonlyVec3
  /** Of the wheel, tyre included [m]. @defaultValue 0.35 */
  radius?: number
  /** Of the tread [m]. @defaultValue 0.22 */
  width?: number
  /** Of the wheel; hub and knuckle take a fifth of it each besides [kg]. @defaultValue 1/50 of the chassis */
  mass?: number
  /** Friction coefficient of the tyre; with the ground's by `frictionCombine`. @defaultValue 1 */
  friction?: number
  /** Whether it steers. @defaultValue false */
  steered?: boolean
  /** Whether the motor turns it. @defaultValue true */
  driven?: boolean
}

/** What {@link vehicle} takes. */
export interface VehicleDef {
  /** A dynamic body with a collider: the vehicle takes it over, and removes it with itself. */
  chassis: Body
  /** At least one; in this order they are read out. */
  wheels: readonly WheelDef[]
  /** Shown in messages, and in JSON. @defaultValue none */
  name?: string
  /** In the frame of the chassis. @defaultValue [0, 1, 0] */
  up?: ReadonlyVec3
  /** In the frame of the chassis; what of it is along `up` does not count. @defaultValue [0, 0, 1] */
  forward?: ReadonlyVec3
  /** Of the motor, at all driven wheels together [N m]. @defaultValue 1.2 N m a kilogram of the chassis */
  maxTorque?: number
  /** Speed at which the motor has nothing left [m/s]. @defaultValue 40 */
  maxSpeed?: number
  /** Of the brakes, at all wheels together [N m]. @defaultValue 4 N m a kilogram of the chassis */
  brakeTorque?: number
  /** Angle of the steered wheels at most [rad], below π/2. @defaultValue 0.6 */
  maxSteer?: number
  /** How fast they turn to it [rad/s]. @defaultValue 2.5 */
  steerRate?: number
  /** Of the chassis on its springs, up and down [Hz]. @defaultValue 1.8 */
  suspensionFrequency?: number
  /** Of the springs; 1 is critical. @defaultValue 0.5 */
  suspensionDamping?: number
  /** Way of a wheel up, and down, from where it is at rest [m]. @defaultValue 0.15 */
  suspensionTravel?: number
}

/** A wheel, checked. */
export interface WheelPlan {
  readonly position: readonly [number, number, number]
  readonly radius: number
  readonly width: number
  readonly mass: number
  readonly friction: number
  readonly steered: boolean
  readonly driven: boolean
}

/** What stays of a definition for as long as the vehicle is there. */
export interface VehicleSettings {
  readonly up: readonly [number, number, number]
  readonly forward: readonly [number, number, number]
  readonly maxTorque: number
  readonly maxSpeed: number
  readonly brakeTorque: number
  readonly maxSteer: number
  readonly steerRate: number
}

/** A definition, checked. */
export interface VehiclePlan {
  readonly chassis: Body
  readonly wheels: readonly WheelPlan[]
  readonly settings: VehicleSettings
  readonly frequency: number
  readonly damping: number
  readonly travel: number
}

const FIELDS: readonly (keyof VehicleDef)[] = [
  'chassis',
  'wheels',
  'name',
  'up',
  'forward',
  'maxTorque',
  'maxSpeed',
  'brakeTorque',
  'maxSteer',
  'steerRate',
  'suspensionFrequency',
  'suspensionDamping',
  'suspensionTravel',
]
const WHEEL: readonly (keyof WheelDef)[] = ['position', 'radius', 'width', 'mass', 'friction', 'steered', 'driven']

/** Torque a kilogram of the chassis [N m/kg]. */
const MOTOR = 1.2
const BRAKES = 4
/** Mass of a wheel as a share of the chassis. */
const WHEEL_SHARE = 0.02
/** What of `forward` is not along `up` is at least so long. */
const LEVEL = 1e-3

/** Checks a definition; throws `TypeError`/`RangeError` with what, where and the value. */
export function planVehicle(where: string, world: LeanWorld, def: VehicleDef): VehiclePlan {
  knownFields(where, object(`${where}: definition`, def), FIELDS)
  checkName(where, def.name)
  const { chassis } = def
  if (!(chassis instanceof Body)) throw new TypeError(`${where}: chassis must be a body, got ${shown(chassis)}`)
  world.bodies.assertAlive(`${where}: chassis`, chassis)
  if (chassis.type !== 'dynamic' || chassis.isParticle) {
    const got = chassis.type === 'dynamic' ? 'a particle' : `a ${chassis.type} one`
    throw new RangeError(`${where}: chassis must be a dynamic body with inertia, got ${got}`)
  }
  const list = array(`${where}: wheels`, def.wheels) as readonly WheelDef[]
  if (list.length === 0) throw new RangeError(`${where}: wheels must be at least one, got none`)
  const { mass } = chassis
  const up = unitVector(`${where}: up`, def.up ?? [0, 1, 0])
  const maxSteer = nonNegative(`${where}: maxSteer`, def.maxSteer ?? 0.6)
  if (!(maxSteer < 0.5 * Math.PI)) throw new RangeError(`${where}: maxSteer must be below π/2, got ${maxSteer}`)
  return {
    chassis,
    wheels: list.map((wheel, k) => planWheel(`${where}: wheels[${k}]`, wheel, WHEEL_SHARE * mass)),
    settings: {
      up,
      forward: levelled(`${where}: forward`, def.forward ?? [0, 0, 1], up),
      maxTorque: nonNegative(`${where}: maxTorque`, def.maxTorque ?? MOTOR * mass),
      maxSpeed: positive(`${where}: maxSpeed`, def.maxSpeed ?? 40),
      brakeTorque: nonNegative(`${where}: brakeTorque`, def.brakeTorque ?? BRAKES * mass),
      maxSteer,
      steerRate: positive(`${where}: steerRate`, def.steerRate ?? 2.5),
    },
    frequency: positive(`${where}: suspensionFrequency`, def.suspensionFrequency ?? 1.8),
    damping: nonNegative(`${where}: suspensionDamping`, def.suspensionDamping ?? 0.5),
    travel: positive(`${where}: suspensionTravel`, def.suspensionTravel ?? 0.15),
  }
}

function planWheel(where: string, def: WheelDef, usual: number): WheelPlan {
  knownFields(where, object(where, def), WHEEL)
  const [x, y, z] = Array.from(finiteVector(`${where}: position`, def.position, 3))
  return {
    position: [x, y, z],
    radius: positive(`${where}: radius`, def.radius ?? 0.35),
    width: positive(`${where}: width`, def.width ?? 0.22),
    mass: positive(`${where}: mass`, def.mass ?? usual),
    friction: nonNegative(`${where}: friction`, def.friction ?? 1),
    steered: flag(`${where}: steered`, def.steered ?? false),
    driven: flag(`${where}: driven`, def.driven ?? true),
  }
}

/** A direction without its part along `up`, of unit length. */
function levelled(
  where: string,
  value: ReadonlyVec3,
  up: readonly [number, number, number],
): readonly [number, number, number] {
  const [x, y, z] = unitVector(where, value)
  const along = x * up[0] + y * up[1] + z * up[2]
  const flat = [x - along * up[0], y - along * up[1], z - along * up[2]] as const
  const length = Math.sqrt(flat[0] * flat[0] + flat[1] * flat[1] + flat[2] * flat[2])
  if (!(length > LEVEL)) throw new RangeError(`${where} must not be along up, got ${shown(value)}`)
  return [flat[0] / length, flat[1] / length, flat[2] / length]
}
