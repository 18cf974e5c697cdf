/** A vehicle as plain data, and back. */

import type { Body, Constraint } from '@tautline/core'
import { array, finite, flag, knownFields, nonNegative, object, positive, unitVector } from '@tautline/core/kernel'
import type { SceneReader, SceneWriter } from '../scene.js'
import type { VehicleSettings } from './definition.js'
import { gathered, type VehicleState, type WheelParts } from './state.js'

const FIELDS = ['settings', 'chassis', 'wheels', 'controls', 'angle']
const SETTINGS = ['up', 'forward', 'maxTorque', 'maxSpeed', 'brakeTorque', 'maxSteer', 'steerRate']
const WHEEL = [
  'wheel',
  'hub',
  'knuckle',
  'suspension',
  'steering',
  'axle',
  'radius',
  'frictionTorque',
  'driven',
  'ahead',
  'aside',
]
const CONTROLS = ['throttle', 'brake', 'handbrake', 'steer']

/** What `Vehicle.write` gives; wheels that somebody took parts of are left out. */
export function writeVehicle(scene: SceneWriter, settings: VehicleSettings, state: VehicleState): object {
  const whole = state.wheels.filter(({ suspension, steering, axle }) =>
    [suspension, steering, axle].every((joint) => joint?.alive !== false),
  )
  return {
    settings,
    chassis: scene.body(state.chassis),
    wheels: whole.map((parts) => ({
      ...parts,
      wheel: scene.body(parts.wheel),
      hub: scene.body(parts.hub),
      knuckle: scene.body(parts.knuckle ?? null),
      suspension: scene.constraint(parts.suspension),
      steering: parts.steering === undefined ? -1 : scene.constraint(parts.steering),
      axle: scene.constraint(parts.axle),
    })),
    controls: state.controls,
    angle: state.angle,
  }
}

/** Checks what {@link writeVehicle} gave, and makes of it what it was. */
export function readVehicleJson(
  where: string,
  scene: SceneReader,
  data: unknown,
): { settings: VehicleSettings; state: VehicleState } {
  const json = knownFields(where, object(where, data), FIELDS) as Record<string, unknown>
  const wheels = array(`${where}: wheels`, json.wheels).map((wheel, k) =>
    readWheel(`${where}: wheels[${k}]`, scene, wheel),
  )
  const chassis = scene.body(`${where}: chassis`, json.chassis)
  const controls = readControls(`${where}: controls`, json.controls)
  const angle = finite(`${where}: angle`, json.angle)
  return {
    settings: readSettings(`${where}: settings`, json.settings),
    state: gathered({ chassis, wheels, controls, angle }),
  }
}

function readWheel(where: string, scene: SceneReader, data: unknown): WheelParts {
  const json = knownFields(where, object(where, data), WHEEL) as Record<string, unknown>
  const body = (name: string): Body => scene.body(`${where}: ${name}`, json[name])
  const joint = (name: string): Constraint => scene.constraint(`${where}: ${name}`, json[name])
  const isSteered = json.knuckle !== -1
  return {
    wheel: body('wheel'),
    hub: body('hub'),
    knuckle: isSteered ? body('knuckle') : undefined,
    suspension: joint('suspension'),
    steering: isSteered ? joint('steering') : undefined,
    axle: joint('axle'),
    radius: positive(`${where}: radius`, json.radius),
    frictionTorque: nonNegative(`${where}: frictionTorque`, json.frictionTorque),
    driven: flag(`${where}: driven`, json.driven),
    ahead: finite(`${where}: ahead`, json.ahead),
    aside: finite(`${where}: aside`, json.aside),
  }
}

function readControls(where: string, data: unknown): VehicleState['controls'] {
  const json = knownFields(where, object(where, data), CONTROLS) as Record<string, unknown>
  const share = (name: string): number => finite(`${where}: ${name}`, json[name])
  return { throttle: share('throttle'), brake: share('brake'), handbrake: share('handbrake'), steer: share('steer') }
}

function readSettings(where: string, data: unknown): VehicleSettings {
  const json = knownFields(where, object(where, data), SETTINGS) as Record<string, unknown>
  return {
    up: unitVector(`${where}: up`, json.up),
    forward: unitVector(`${where}: forward`, json.forward),
    maxTorque: nonNegative(`${where}: maxTorque`, json.maxTorque),
    maxSpeed: positive(`${where}: maxSpeed`, json.maxSpeed),
    brakeTorque: nonNegative(`${where}: brakeTorque`, json.brakeTorque),
    maxSteer: nonNegative(`${where}: maxSteer`, json.maxSteer),
    steerRate: positive(`${where}: steerRate`, json.steerRate),
  }
}
