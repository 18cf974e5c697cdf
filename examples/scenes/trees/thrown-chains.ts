/** Chains of equal links in motion, from a seed: thrown, bent, with masses in any order, limits, and joints that start violated. */

import { type Body, type Constraint, solidCapsule, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { ballSocket, hinge, swingTwist } from '@tautline/constraints'
import { quat, vec3 } from 'gl-matrix'
import { randomNumbers } from '../../lib/random.js'
import type { JointScene } from '../impulse/index.js'
import { ONE_SUBSTEP } from './chains.js'

export type LinkKind = 'ball' | 'hinge' | 'pyramid' | 'cone'

export interface ThrownChain {
  links: number
  seed?: number
  /** Kinds of joint, drawn for each; `pyramid` and `cone` are swing–twist joints with limits. @defaultValue ['ball'] */
  kinds?: readonly LinkKind[]
  /** Masses are 10^0 to 10^decades kg, drawn for each link. @defaultValue 0 */
  decades?: number
  /** Of the last link [kg]. */
  last?: number
  /** Most turn from link to link about each axis [rad]; Infinity: any orientation. @defaultValue 0 */
  bend?: number
  /** Whether the first link stands upright instead of lying along x. @defaultValue false */
  upright?: boolean
  /** Angular velocity of every link [rad/s]: all together a rigid motion. */
  thrown?: readonly [number, number, number]
  /** Most spin of each link by itself about each axis [rad/s]; joints are carried along. @defaultValue 0 */
  spin?: number
  /** Most distance by which each link is put off its place along each axis [m]. @defaultValue 0 */
  off?: number
  options?: WorldOptions
}

/** Length and radius of a link [m]. */
const LENGTH = 0.5
const RADIUS = 0.05
/** Ranges of a limited joint [rad]. */
const SWING = { min: -0.8, max: 0.8 }
const TWIST = { min: -0.5, max: 0.5 }

/** A thrown chain, and m g L of it [J]. */
export interface ThrownScene extends JointScene {
  readonly scale: number
}

/** The chain, its first link joined to the world at the origin. */
export function thrownChain(chain: ThrownChain): ThrownScene {
  const { links, seed = 1, kinds = ['ball'], decades = 0, bend = 0, spin = 0, off = 0 } = chain
  const world = new World({ ...ONE_SUBSTEP, ...chain.options })
  const random = randomNumbers(7919 * seed)
  // The first numbers of seeds in a row are alike.
  for (let k = 0; k < 5; k++) random()
  const vector = (size: number): vec3 => [size * random(), size * random(), size * random()]
  const bodies: Body[] = []
  const joints: Constraint[] = []
  const orientation = quat.create()
  if (chain.upright === true) quat.set(orientation, 0, 0, Math.SQRT1_2, Math.SQRT1_2)
  const point = vec3.create()
  const velocity = vec3.create()
  for (let k = 0; k < links; k++) {
    quat.multiply(orientation, orientation, bend === Infinity ? anyTurn(random) : turn(vector(bend)))
    const mass = chain.last !== undefined && k === links - 1 ? chain.last : 10 ** (decades * (0.5 + 0.5 * random()))
    const half = vec3.transformQuat(vec3.create(), [0.5 * LENGTH, 0, 0], orientation)
    const omega = vec3.add(vec3.create(), vector(spin), chain.thrown ?? [0, 0, 0])
    const carried = vec3.cross(vec3.create(), omega, half)
    const b = world.addBody({
      position: vec3.add(vec3.create(), point, half),
      orientation,
      mass,
      inertia: solidCapsule(mass, RADIUS, LENGTH - 2 * RADIUS, 'x'),
      velocity: vec3.add(vec3.create(), velocity, carried),
      angularVelocity: omega,
    })
    const kind = kinds[Math.floor((0.5 + 0.5 * random()) * kinds.length) % kinds.length]
    joints.push(join(world, kind, bodies[k - 1] ?? null, b, point, anyAxis(random)))
    vec3.scaleAndAdd(point, point, half, 2)
    vec3.scaleAndAdd(velocity, velocity, carried, 2)
    bodies.push(b)
  }
  if (off > 0) for (const body of bodies) body.setPosition(vec3.add(vec3.create(), body.position, vector(off)))
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0)
  return { world, bodies, joints, scale: 9.81 * mass * links * LENGTH }
}

function join(world: World, kind: LinkKind, a: Body | null, b: Body, point: vec3, axis: vec3): Constraint {
  if (kind === 'ball') return world.add(ballSocket, { a, b, point: vec3.clone(point) }) as Constraint
  if (kind === 'hinge') return world.add(hinge, { a, b, point: vec3.clone(point), axis }) as Constraint
  const frame: quat = [0, 0, 0, 1]
  return world.add(swingTwist, {
    a,
    b,
    point: vec3.clone(point),
    frameA: a === null ? quat.clone(b.orientation) : frame,
    frameB: frame,
    swing: { y: SWING, z: SWING },
    swingShape: kind,
    twist: TWIST,
  }) as Constraint
}

/** The rotation by a rotation vector. */
function turn(v: vec3): quat {
  const angle = vec3.length(v)
  const s = angle > 0 ? sin(0.5 * angle) / angle : 0
  return [s * v[0], s * v[1], s * v[2], cos(0.5 * angle)]
}

function anyTurn(random: () => number): quat {
  return quat.normalize(quat.create(), [random(), random(), random(), random()])
}

function anyAxis(random: () => number): vec3 {
  return vec3.normalize(vec3.create(), [random(), random(), random()])
}
