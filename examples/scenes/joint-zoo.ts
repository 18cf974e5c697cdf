/** Every joint side by side, with its limits, its motor or its spring: each hangs a body from the world. */

import { type Body, type Constraint, solidBox, solidCylinder, solidSphere, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import type { WorldOptions } from '@tautline/core'
import {
  angularDrive,
  axle,
  ballSocket,
  cone,
  distance,
  fixed,
  hinge,
  slider,
  spring,
  swingTwist,
  universal,
} from '@tautline/constraints'

type Triple = readonly [number, number, number]

/** What a body of the zoo looks like: a box of a size, or a wheel about z. */
export type ZooShape =
  | { readonly kind: 'box'; readonly size: Triple }
  | { readonly kind: 'wheel'; readonly radius: number; readonly width: number }
  | { readonly kind: 'ball'; readonly radius: number }

/** One of the joints. */
export interface ZooJoint {
  readonly name: string
  /** Where it is fixed to the world [m]. */
  readonly point: Triple
  readonly bodies: readonly { readonly body: Body; readonly shape: ZooShape }[]
  readonly joints: readonly Constraint[]
}

export interface ZooScene {
  readonly world: World
  readonly stations: readonly ZooJoint[]
  /** Moves the motors' targets; before each step. */
  beforeStep(step: number): void
}

/** Between neighbours, and height of the joints over the floor [m]. */
export const ZOO = { pitch: 1.8, columns: 4, height: 1.25 } as const

/** Of the arms: size [m] and mass [kg]. */
const ARM: Triple = [0.16, 0.7, 0.16]
const MASS = 2
/** Of what motors follow [rad/s]. */
const PACE = 1.6

/** All joints; `motors` is a share of their strength. */
export function jointZooScene(options: WorldOptions = {}, motors = 1): ZooScene {
  const world = new World(options)
  const stations: ZooJoint[] = []
  const targets: ((wave: number) => void)[] = []

  /** A place of its own, row by row. */
  const next = (): Triple => {
    const { pitch, columns, height } = ZOO
    const k = stations.length
    return [pitch * ((k % columns) - 0.5 * (columns - 1)), height, pitch * (Math.floor(k / columns) - 1)]
  }
  /** A box that hangs from `point` by its upper end. */
  const arm = (point: Triple, start: { velocity?: Triple; spin?: Triple } = {}): Body =>
    world.addBody({
      position: [point[0], point[1] - 0.5 * ARM[1], point[2]],
      mass: MASS,
      inertia: solidBox(MASS, ARM),
      velocity: start.velocity ?? [0, 0, 0],
      angularVelocity: start.spin ?? [0, 0, 0],
    })
  const add = (name: string, point: Triple, bodies: ZooJoint['bodies'], ...joints: Constraint[]): void => {
    stations.push({ name, point, bodies, joints })
  }
  const boxes = (...bodies: Body[]): ZooJoint['bodies'] =>
    bodies.map((body) => ({ body, shape: { kind: 'box', size: ARM } }))
  const swinging = { velocity: [1.2, 0, 0.7], spin: [0, 3, 3.4] } as const

  {
    const point = next()
    const b = arm(point, swinging)
    add('Ball and socket', point, boxes(b), world.add(ballSocket, { b, point }) as Constraint)
  }
  {
    const point = next()
    const b = arm(point, swinging)
    const joint = world.add(ballSocket, { b, point }) as Constraint
    const limit = world.add(cone, { b, axisA: [0, 1, 0], axisB: [0, 1, 0], limit: 0.35 }) as Constraint
    add('Cone limit', point, boxes(b), joint, limit)
  }
  {
    const point = next()
    const b = arm(point)
    const drive = { stiffness: 120 * motors, damping: 12 * motors, maxTorque: 40 * motors }
    const joint = world.add(swingTwist, {
      b,
      point,
      axis: [0, -1, 0],
      swing: { y: { min: -0.9, max: 0.9 }, z: { min: -0.4, max: 0.4 } },
      twist: { min: -0.6, max: 0.6 },
      drive,
    })
    targets.push((wave) => {
      const half = 0.5 * sin(wave)
      const turn = 0.5 * cos(0.7 * wave)
      joint.set({ drive: { ...drive, target: unit([turn, half, 0.4 * half, 1]) } })
    })
    add('Swing and twist, motor', point, boxes(b), joint as Constraint)
  }
  {
    const point = next()
    const b = arm(point)
    const drive = { stiffness: 150 * motors, damping: 12 * motors, maxForce: 40 * motors }
    const joint = world.add(hinge, { b, point, axis: [0, 0, 1], limits: { min: -0.9, max: 0.9 }, drive })
    // The motor wants more than the limits allow.
    targets.push((wave) => joint.set({ drive: { ...drive, positionTarget: 1.3 * sin(wave) } }))
    add('Hinge, limits and motor', point, boxes(b), joint as Constraint)
  }
  {
    const point = next()
    const [radius, width] = [0.4, 0.14]
    const wheel = world.addBody({
      position: point,
      mass: MASS,
      inertia: solidCylinder(MASS, radius, width, 'z'),
      angularVelocity: [0, 0, 9],
    })
    const joint = world.add(ballSocket, { b: wheel, point }) as Constraint
    const line = world.add(axle, { b: wheel, axisA: [0, 0, 1], axisB: [0, 0, 1] }) as Constraint
    add('Axle', point, [{ body: wheel, shape: { kind: 'wheel', radius, width } }], joint, line)
  }
  {
    const point = next()
    const b = arm(point)
    const drive = { stiffness: 100 * motors, damping: 8 * motors, maxForce: 30 * motors }
    const joint = world.add(universal, {
      b,
      point,
      axisA: [1, 0, 0],
      axisB: [0, 0, 1],
      limitsA: { min: -0.7, max: 0.7 },
      limitsB: { min: -0.7, max: 0.7 },
      driveA: drive,
      driveB: drive,
    })
    targets.push((wave) =>
      joint.set({
        driveA: { ...drive, positionTarget: 0.8 * sin(wave) },
        driveB: { ...drive, positionTarget: 0.8 * cos(wave) },
      }),
    )
    add('Universal, two motors', point, boxes(b), joint as Constraint)
  }
  {
    const point = next()
    const b = world.addBody({ position: point, mass: MASS, inertia: solidBox(MASS, [0.3, 0.3, 0.3]) })
    const drive = { stiffness: 300 * motors, damping: 40 * motors, maxForce: 80 * motors }
    const joint = world.add(slider, { b, point, axis: [1, 0, 0], limits: { min: -0.4, max: 0.4 }, drive })
    targets.push((wave) => joint.set({ drive: { ...drive, positionTarget: 0.6 * sin(wave) } }))
    const shape = { kind: 'box', size: [0.3, 0.3, 0.3] } as const
    add('Slider, limits and motor', point, [{ body: b, shape }], joint as Constraint)
  }
  {
    const point = next()
    const size = [0.8, 0.12, 0.12] as const
    const b = world.addBody({
      position: [point[0] + 0.4, point[1], point[2]],
      mass: MASS,
      inertia: solidBox(MASS, size),
    })
    const joint = world.add(fixed, { b, point, angularCompliance: 0.02, angularDamping: 0.4 })
    add('Fixed, soft', point, [{ body: b, shape: { kind: 'box', size } }], joint as Constraint)
  }
  {
    const point = next()
    const [radius, width] = [0.3, 0.18]
    const strut = world.addBody({ position: point, mass: 1, inertia: solidBox(1, [0.1, 0.5, 0.1]) })
    const centre = [point[0], point[1], point[2] + 0.25] as const
    const wheel = world.addBody({
      position: centre,
      mass: 3,
      inertia: solidCylinder(3, radius, width, 'z'),
      angularVelocity: [0, 0, 12],
    })
    const spring = { stiffness: 900, damping: 20 }
    const steering = { stiffness: 60 * motors, damping: 6 * motors }
    const travel = world.add(slider, { b: strut, axis: [0, 1, 0], drive: spring })
    const cross = world.add(universal, {
      a: strut,
      b: wheel,
      point: centre,
      axisA: [0, 1, 0],
      axisB: [0, 0, 1],
      driveA: steering,
    })
    targets.push((wave) => {
      travel.set({ drive: { ...spring, positionTarget: 0.12 * sin(2 * wave) } })
      cross.set({ driveA: { ...steering, positionTarget: 0.6 * sin(wave) } })
    })
    const shapes: ZooJoint['bodies'] = [
      { body: strut, shape: { kind: 'box', size: [0.1, 0.5, 0.1] } },
      { body: wheel, shape: { kind: 'wheel', radius, width } },
    ]
    add('Steered, sprung wheel', point, shapes, travel as Constraint, cross as Constraint)
  }
  {
    const point = next()
    const ball = { kind: 'ball', radius: 0.18 } as const
    const b = world.addBody({
      position: [point[0] + 0.5, point[1] + 0.1, point[2]],
      mass: MASS,
      inertia: solidSphere(MASS, ball.radius),
    })
    const def = { a: null, b, anchorA: point, anchorB: [0, 0, 0], length: 0.8, mode: 'rope' } as const
    add('Rope: slack, then taut', point, [{ body: b, shape: ball }], world.add(distance, def) as Constraint)
  }
  {
    const point = next()
    const ball = { kind: 'ball', radius: 0.18 } as const
    const b = world.addBody({
      position: [point[0] + 0.15, point[1] - 0.35, point[2]],
      mass: MASS,
      inertia: solidSphere(MASS, ball.radius),
    })
    const def = { a: null, b, anchorA: point, anchorB: [0, 0, 0], length: 0.4, stiffness: 120, damping: 0.2 } as const
    add('Spring', point, [{ body: b, shape: ball }], world.add(spring, def) as Constraint)
  }
  {
    const point = next()
    const size = [0.5, 0.2, 0.35] as const
    const b = world.addBody({ position: point, mass: MASS, inertia: solidBox(MASS, size) })
    const joint = world.add(ballSocket, { b, point }) as Constraint
    const drive = world.add(angularDrive, { b, stiffness: 40 * motors, damping: 4 * motors, maxTorque: 20 * motors })
    targets.push((wave) => drive.set({ target: unit([sin(wave), cos(0.6 * wave), 0.5, 1.2]) }))
    add('Orientation motor', point, [{ body: b, shape: { kind: 'box', size } }], joint, drive as Constraint)
  }

  const { dt } = world.settings
  return {
    world,
    stations,
    beforeStep(step) {
      if (motors === 0) return
      for (const target of targets) target(PACE * step * dt)
    },
  }
}

function unit(q: [number, number, number, number]): [number, number, number, number] {
  const size = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  return [q[0] / size, q[1] / size, q[2] / size, q[3] / size]
}
