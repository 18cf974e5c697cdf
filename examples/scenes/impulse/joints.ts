/** The joints of Erleben's thesis (2005), which Wedekind names: each hangs two bodies from the world. */

import { type Body, type Constraint, solidBox, solidCylinder, World, type WorldOptions } from '@tautline/core'
import { ballSocket, fixed, hinge, slider, universal } from '@tautline/constraints'
import { QUALITY } from '../contacts/scene.js'
import { freedoms } from './freedoms.js'

/** All of them. Hinge-2 is a wheel that is steered and sprung. */
export const JOINT_KINDS = ['ballInSocket', 'hinge', 'slider', 'universal', 'hinge2', 'fixed'] as const
export type JointKind = (typeof JOINT_KINDS)[number]

/** Degrees of freedom that one joint of a kind leaves. */
export const JOINT_FREEDOMS: Readonly<Record<JointKind, number>> = {
  ballInSocket: 3,
  hinge: 1,
  slider: 1,
  universal: 2,
  hinge2: 3,
  fixed: 0,
}

/** Bodies and what joins them. */
export interface JointScene {
  readonly world: World
  readonly bodies: readonly Body[]
  readonly joints: readonly Constraint[]
}

type Triple = readonly [number, number, number]

/** Size [m] and mass [kg] of the boxes. */
const BOX = { size: [0.5, 0.1, 0.2], mass: 1 } as const

/** How two boxes move as one at first: about the joint at the origin [rad/s] or with it; the second also on its own [m/s]. */
const STARTS: Readonly<Record<Exclude<JointKind, 'hinge2'>, { turning: Triple; first: Triple; second: Triple }>> = {
  ballInSocket: { turning: [0, 2, 1], first: [0, 0, 0], second: [0, 0, 0] },
  hinge: { turning: [0, 0, 1], first: [0, 0, 0], second: [0, 0, 0] },
  slider: { turning: [0, 0, 0], first: [1, 0, 0], second: [1, 0, 0.5] },
  universal: { turning: [0, 2, 0], first: [0, 0, 0], second: [0, 0, 0] },
  fixed: { turning: [0, 0, 0], first: [0, 0, 0], second: [0, 0, 0] },
}

/**
 * Two boxes under gravity, level at first, the first joined to the world at the origin and the second to the first, by joints of
 * one kind, moving along what these leave free. Hinges turn about z, crosses about z and y; the first slider runs along x and the
 * second along z. What is fixed does not move. For `hinge2` see `steeredWheel`.
 */
export function jointZoo(kind: JointKind, options: WorldOptions = {}): JointScene {
  if (kind === 'hinge2') return steeredWheel(options)
  const world = new World({ ...QUALITY, ...options })
  const { turning, first, second } = STARTS[kind]
  const bodies = [first, second].map((velocity, k) => {
    const x = BOX.size[0] * (k + 0.5)
    return world.addBody({
      position: [x, 0, 0],
      velocity: [velocity[0], velocity[1] + turning[2] * x, velocity[2] - turning[1] * x],
      angularVelocity: turning,
      mass: BOX.mass,
      inertia: solidBox(BOX.mass, BOX.size),
    })
  })
  const joints = bodies.map((b, k) => {
    const pair = { a: k === 0 ? null : bodies[k - 1], b, point: [BOX.size[0] * k, 0, 0] } as const
    switch (kind) {
      case 'ballInSocket':
        return world.add(ballSocket, pair) as Constraint
      case 'hinge':
        return world.add(hinge, { ...pair, axis: [0, 0, 1] }) as Constraint
      case 'slider':
        return world.add(slider, { ...pair, axis: k === 0 ? [1, 0, 0] : [0, 0, 1] }) as Constraint
      case 'universal':
        return world.add(universal, { ...pair, axisA: [0, 0, 1], axisB: [0, 1, 0] }) as Constraint
      case 'fixed':
        return world.add(fixed, pair) as Constraint
    }
  })
  return { world, bodies, joints }
}

/** Of the wheel: radius, width [m], mass [kg], spin [rad/s], and how far it is to the side of its strut [m]; of the strut [kg]. */
const WHEEL = { radius: 0.3, width: 0.2, mass: 15, spin: 20, offset: 0.15, strut: 5 } as const
/** Of the spring [N/m, N s/m], and of the steering [N m/rad, N m s/rad, rad]. */
const SPRING = { stiffness: 5000, damping: 300 } as const
const STEERING = { stiffness: 200, damping: 20, positionTarget: 0.5 } as const

/**
 * Hinge-2: a strut slides along y of the world against a spring, and carries a spinning wheel by a cross, whose axes are the
 * steering's, y, and the axle, z. The steering is driven to 0.5 rad. Free are travel, steering and spin.
 */
export function steeredWheel(options: WorldOptions = {}): JointScene {
  const world = new World({ ...QUALITY, ...options })
  const { radius, width, mass, spin, offset } = WHEEL
  const strut = world.addBody({ mass: WHEEL.strut, inertia: solidBox(WHEEL.strut, [0.1, 0.4, 0.1]) })
  const wheel = world.addBody({
    position: [0, 0, offset],
    angularVelocity: [0, 0, spin],
    mass,
    inertia: solidCylinder(mass, radius, width, 'z'),
  })
  const travel = world.add(slider, { b: strut, axis: [0, 1, 0], drive: SPRING }) as Constraint
  const cross = world.add(universal, {
    a: strut,
    b: wheel,
    point: [0, 0, offset],
    axisA: [0, 1, 0],
    axisB: [0, 0, 1],
    driveA: STEERING,
  }) as Constraint
  return { world, bodies: [strut, wheel], joints: [travel, cross] }
}

/** Where the spring of a steered wheel holds it [m], and where the steering does [rad]. */
export const WHEEL_AT_REST = {
  travel: (-(WHEEL.mass + WHEEL.strut) * 9.81) / SPRING.stiffness,
  steering: STEERING.positionTarget,
} as const

/** Degrees of freedom that a scene's joints leave. */
export function freedomsOf({ bodies, joints }: JointScene): number {
  return freedoms(bodies, joints)
}

/** Speed of the fastest body: of its centre [m/s] and of its turning [rad/s]. */
export function motionOf({ bodies }: JointScene): { linear: number; angular: number } {
  return {
    linear: Math.max(...bodies.map(({ velocity: v }) => Math.hypot(v[0], v[1], v[2]))),
    angular: Math.max(...bodies.map(({ angularVelocity: w }) => Math.hypot(w[0], w[1], w[2]))),
  }
}
