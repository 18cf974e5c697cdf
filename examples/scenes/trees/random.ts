/** Trees of bodies on joints of all types, by plan: plain data that a generator makes. */

import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { cos, rotateVector, sin } from '@tautline/core/kernel'
import { axle, ballSocket, cone, distance, fixed, hinge, slider, swingTwist, universal } from '@tautline/constraints'
import type { quat } from 'gl-matrix'
import type { JointScene } from '../impulse/index.js'
import { ONE_SUBSTEP } from './chains.js'

export type Triple = readonly [number, number, number]

/** All types that the direct solution takes up. */
export const JOINT_TYPES = [
  'ballSocket',
  'hinge',
  'universal',
  'fixed',
  'swingTwist',
  'slider',
  'distance',
  'axle',
  'cone',
] as const

/** A body and the joint to its parent. */
export interface LinkPlan {
  kind: (typeof JOINT_TYPES)[number]
  /** Which of the bodies before it is its parent, as a share of them. */
  parent: number
  mass: number
  /** Of the body, a box [m]. */
  size: Triple
  /** Three numbers in [0, 1] for a rotation each: of the body, and of what its joint holds it to where that differs. */
  turn: Triple
  wanted?: Triple
  /** Anchors on the parent and on the body [m], and how far they are apart at the start [m]. */
  anchorA: Triple
  anchorB: Triple
  shift: Triple
  /** Two numbers in [0, 1] for the joint's axis. */
  axis: readonly [number, number]
  /** Ranges of what is limited, below and above the present value [rad, m]; none: free. */
  range?: readonly [number, number]
  mode: 'rigid' | 'rope' | 'strut'
  /** Length of a rod [m]. */
  length: number
  velocity: Triple
  spin: Triple
}

export interface TreePlan {
  /** Whether the first body hangs from the world. */
  hangs: boolean
  links: readonly LinkPlan[]
}

/** A uniform direction from two numbers in [0, 1]. */
function direction([u, v]: readonly [number, number]): [number, number, number] {
  const z = 2 * u - 1
  const r = Math.sqrt(Math.max(0, 1 - z * z))
  return [r * cos(2 * Math.PI * v), r * sin(2 * Math.PI * v), z]
}

/** A uniform rotation from three numbers in [0, 1] (Shoemake 1992). */
function rotation([u, v, w]: Triple): quat {
  const [r, s] = [Math.sqrt(1 - u), Math.sqrt(u)]
  const [a, b] = [2 * Math.PI * v, 2 * Math.PI * w]
  return [r * sin(a), r * cos(a), s * sin(b), s * cos(b)]
}

const turned = new Float64Array(3)

/** A vector of a body's space in the world. */
function outward(orientation: quat, v: Triple): [number, number, number] {
  rotateVector(Float64Array.from(orientation), 0, v[0], v[1], v[2], turned, 0)
  return [turned[0], turned[1], turned[2]]
}

/** The tree of a plan. */
export function plannedTree({ hangs, links }: TreePlan, options: WorldOptions = {}): JointScene {
  const world = new World({ ...ONE_SUBSTEP, solver: 'direct', ...options })
  const bodies: Body[] = []
  const joints: Constraint[] = []
  for (const link of links) {
    const isRoot = bodies.length === 0
    const parent = isRoot ? null : bodies[Math.min(Math.floor(link.parent * bodies.length), bodies.length - 1)]
    const body = addBody(world, link, parent)
    bodies.push(body)
    if (!isRoot || hangs) joints.push(addJoint(world, link, parent, body))
  }
  return { world, bodies, joints }
}

function addBody(world: World, link: LinkPlan, parent: Body | null): Body {
  const orientation = rotation(link.turn)
  const hook = parent === null ? link.anchorA : parent.toWorld(link.anchorA)
  const lever = outward(orientation, link.anchorB)
  const along = link.kind === 'distance' ? direction(link.axis) : [0, 0, 0]
  const at = (k: number): number => hook[k] - lever[k] + link.length * along[k] + link.shift[k]
  return world.addBody({
    position: [at(0), at(1), at(2)],
    orientation,
    mass: link.mass,
    inertia: solidBox(link.mass, link.size),
    velocity: link.velocity,
    angularVelocity: link.spin,
  })
}

function addJoint(world: World, link: LinkPlan, a: Body | null, b: Body): Constraint {
  const { anchorA, anchorB, mode, length, wanted, range } = link
  const axisA = direction(link.axis)
  const points = { a, b, anchorA, anchorB }
  const limits = range === undefined ? undefined : { min: -range[0], max: range[1] }
  const reference = wanted === undefined ? {} : { reference: rotation(wanted) }
  const along = wanted === undefined ? {} : { axisB: direction([wanted[0], wanted[1]]) }
  switch (link.kind) {
    case 'ballSocket':
      return world.add(ballSocket, points) as Constraint
    case 'hinge':
      return world.add(hinge, { ...points, axisA, ...reference, ...(limits && { limits }) }) as Constraint
    case 'universal':
      return world.add(universal, { ...points, axisA, ...reference, ...(limits && { limitsA: limits }) }) as Constraint
    case 'fixed':
      return world.add(fixed, { ...points, ...reference }) as Constraint
    case 'swingTwist':
      return world.add(swingTwist, {
        ...points,
        frameA: rotation([link.axis[0], link.axis[1], link.parent]),
        ...(wanted && { frameB: rotation(wanted) }),
        ...(limits && { swing: { y: limits, z: limits }, twist: limits }),
      }) as Constraint
    case 'slider':
      return world.add(slider, { ...points, axisA, ...reference, ...(limits && { limits }) }) as Constraint
    case 'distance':
      return world.add(distance, { ...points, length, mode }) as Constraint
    case 'axle':
      return world.add(axle, { a, b, axisA, ...along }) as Constraint
    case 'cone':
      return world.add(cone, { a, b, axisA, ...along, limit: 0.1 + (range?.[1] ?? 0) }) as Constraint
  }
}
