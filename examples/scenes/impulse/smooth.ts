/**
 * Smooth motions, one for each constraint type: poses and velocities satisfy the constraints at the start, limits act from the
 * start, friction slides in one direction, and nothing strikes. Solvers of the first order in h then approach one and the same motion.
 */

import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import {
  angularDrive,
  axle,
  ballSocket,
  cone,
  pointContact,
  dihedralBend,
  distance,
  fixed,
  force,
  hinge,
  isometricBend,
  tether,
  ropeLength,
  slider,
  spring,
  swingTwist,
  tetraVolume,
  universal,
} from '@tautline/constraints'
import { turn, type Triple } from '../contacts/layouts.js'
import { gradients } from './freedoms.js'

/** A motion of bodies under one constraint of a type, and what else hangs them up. */
export interface SmoothScene {
  readonly world: World
  readonly bodies: readonly Body[]
  /** The constraint that the scene is about. */
  readonly subject: Constraint
}

/** A constraint type, or a form of one. */
export interface SmoothMotion {
  readonly name: string
  build(options?: WorldOptions): SmoothScene
}

/** Size [m] and mass [kg] of the rods. */
const ROD = { size: [0.6, 0.1, 0.2], mass: 1 } as const
/** Angle of tops from the upright, which is that of their limits too [rad]. */
const LEAN = 0.4

/** What a motion is made of: it adds bodies and constraints and says which constraint it is about. */
type Build = (world: World, bodies: Body[]) => Constraint

/** A rod along x. */
function rod(world: World, x: number, velocity: Triple, angularVelocity: Triple): Body {
  const inertia = solidBox(ROD.mass, ROD.size)
  return world.addBody({ position: [x, 0, 0], velocity, angularVelocity, mass: ROD.mass, inertia })
}

/** Two rods end to end, the first on a ball joint at the origin; they meet at x = 0.6 m. */
function arm(world: World, bodies: Body[]): { a: Body; b: Body; point: Triple } {
  const [length] = ROD.size
  const a = rod(world, 0.5 * length, [0, 0, 0], [0.5, 2, 1])
  const b = rod(world, 1.5 * length, [0, 1, -2], [2, -1, 3])
  world.add(ballSocket, { b: a, point: [0, 0, 0] })
  bodies.push(a, b)
  return { a, b, point: [length, 0, 0] }
}

/** An upright rod with its lower end at the origin. */
function top(world: World, bodies: Body[]): Body {
  const [length, width, depth] = ROD.size
  const inertia = solidBox(ROD.mass, [width, length, depth])
  const body = world.addBody({ position: [0, 0.5 * length, 0], mass: ROD.mass, inertia })
  bodies.push(body)
  return body
}

/** Leans a top towards +x about its lower end, and has it go around y. */
function lean(body: Body, rate: number): void {
  const half = 0.5 * ROD.size[0]
  const [s, c] = [Math.sin(LEAN), Math.cos(LEAN)]
  body.setOrientation(turn([0, 0, 1], -LEAN))
  body.setPosition([half * s, half * c, 0])
  body.setAngularVelocity([0, rate, 0])
  body.setVelocity([0, 0, -rate * half * s])
}

/** Two triangles with a common edge, or a tetrahedron: particles with velocities that do not fit yet. */
function corners(world: World, bodies: Body[]): Body[] {
  const places: readonly Triple[] = [
    [0, 0, 0],
    [0, 0, 1],
    [0.9, 0.3, 0.4],
    [-0.8, 0.4, 0.6],
  ]
  const velocities: readonly Triple[] = [
    [0.4, -0.3, 0.2],
    [-0.2, 0.5, 0.1],
    [0.3, 0.6, -0.4],
    [0.1, -0.7, 0.5],
  ]
  bodies.push(
    ...places.map((position, k) => world.addParticle({ position, velocity: velocities[k], mass: 1 + 0.3 * k })),
  )
  return bodies
}

/** A top whose lower end slides on the plane y = 0, with ν = 0.2. */
function slidingTip(world: World, bodies: Body[], maxPushOut: number | undefined): Constraint {
  const body = top(world, bodies)
  const touch = { a: body, pointA: [0, 0, 0], pointB: [0, 0, 0], normal: [0, 1, 0], dynamicFriction: 0.2 } as const
  const subject = world.add(pointContact, maxPushOut === undefined ? touch : { ...touch, maxPushOut }) as Constraint
  lean(body, 2)
  body.setVelocity([2, 0, 0.5])
  return subject
}

/** Attraction f = 4 δp/‖δp‖³ N of two bodies, and drag on the first. */
const pull = force({
  name: 'smoothPull',
  bodies: 2,
  force([p, q], _h, out) {
    const d = [0, 1, 2].map((k) => q.position[k] - p.position[k])
    const s = 4 / Math.hypot(...d) ** 3
    const [u, v, w] = p.velocity
    out.force(0, s * d[0] - 0.3 * u, s * d[1] - 0.3 * v, s * d[2] - 0.3 * w)
    out.force(1, -s * d[0], -s * d[1], -s * d[2])
  },
})

/** An axis along no rod. */
const TILTED: Triple = [0, 0.6, 0.8]

/** By name: the type, and what of it acts where that is not all. */
const BUILDS: Readonly<Record<string, Build>> = {
  distance(world, bodies) {
    const { a, b } = arm(world, bodies)
    b.setPosition([0.9, -0.4, 0.2])
    return world.add(distance, { a, b, anchorA: [0.3, 0, 0], anchorB: [-0.3, 0, 0.1] }) as Constraint
  },
  ballSocket: (world, bodies) => world.add(ballSocket, arm(world, bodies)) as Constraint,
  axle(world, bodies) {
    const joined = arm(world, bodies)
    world.add(ballSocket, joined)
    return world.add(axle, { a: joined.a, b: joined.b, axis: TILTED }) as Constraint
  },
  'cone, at its limit'(world, bodies) {
    const body = top(world, bodies)
    world.add(ballSocket, { b: body, point: [0, 0, 0] })
    const subject = world.add(cone, { b: body, axis: [0, 1, 0], limit: LEAN }) as Constraint
    lean(body, 2)
    return subject
  },
  'swingTwist, at its swing limit'(world, bodies) {
    const body = top(world, bodies)
    const range = { min: -LEAN, max: LEAN }
    const def = {
      b: body,
      point: [0, 0, 0],
      axis: [0, 1, 0],
      swing: { y: range, z: range },
      swingShape: 'cone',
    } as const
    const subject = world.add(swingTwist, def) as Constraint
    lean(body, 2)
    return subject
  },
  hinge: (world, bodies) => world.add(hinge, { ...arm(world, bodies), axis: TILTED }) as Constraint,
  'hinge, driven and rubbing'(world, bodies) {
    const drive = { stiffness: 4, damping: 0.2, positionTarget: 1 }
    return world.add(hinge, { ...arm(world, bodies), axis: TILTED, drive, frictionTorque: 0.1 }) as Constraint
  },
  'hinge, at its limit'(world, bodies) {
    const joined = arm(world, bodies)
    joined.a.setAngularVelocity([0, 0, 0])
    return world.add(hinge, { ...joined, axis: [0, 0, 1], limits: { min: -1, max: 0 } }) as Constraint
  },
  fixed: (world, bodies) => world.add(fixed, arm(world, bodies)) as Constraint,
  slider: (world, bodies) => world.add(slider, { ...arm(world, bodies), axis: [1, 0, 0] }) as Constraint,
  'slider, at its limit'(world, bodies) {
    return world.add(slider, { ...arm(world, bodies), axis: [1, 0, 0], limits: { min: -1, max: 0 } }) as Constraint
  },
  universal(world, bodies) {
    return world.add(universal, { ...arm(world, bodies), axisA: [0, 0, 1], axisB: [0, 1, 0] }) as Constraint
  },
  'contact, sliding on a tip': (world, bodies) => slidingTip(world, bodies, undefined),
  'contact, sliding on a tip, without velocity pass': (world, bodies) => slidingTip(world, bodies, Infinity),
  'contact, sliding particle'(world, bodies) {
    const particle = world.addParticle({ velocity: [2, 0, 0.5] })
    bodies.push(particle)
    const def = { a: particle, pointA: [0, 0, 0], pointB: [0, 0, 0], normal: [0, 1, 0], dynamicFriction: 0.2 } as const
    return world.add(pointContact, def) as Constraint
  },
  'spring, of a length'(world, bodies) {
    const { a, b } = arm(world, bodies)
    const def = {
      a,
      b,
      anchorA: [0.2, 0.05, 0],
      anchorB: [0.1, 0, 0.1],
      length: 0.3,
      stiffness: 40,
      damping: 0.5,
    } as const
    return world.add(spring, def) as Constraint
  },
  'spring, of length 0'(world, bodies) {
    const { a, b } = arm(world, bodies)
    const def = {
      a,
      b,
      anchorA: [0.2, 0.05, 0],
      anchorB: [0.1, 0, 0.1],
      length: 0,
      stiffness: 40,
      damping: 0.5,
    } as const
    return world.add(spring, def) as Constraint
  },
  angularDrive(world, bodies) {
    const joined = arm(world, bodies)
    world.add(ballSocket, joined)
    const { a, b } = joined
    return world.add(angularDrive, { a, b, target: turn([0, 0, 1], 0.5), stiffness: 4, damping: 0.2 }) as Constraint
  },
  'ropeLength, taut'(world, bodies) {
    const hooks = [0, 1].map((x) => world.addParticle({ position: [x, 0, 0], mass: Infinity }))
    bodies.push(
      world.addParticle({ position: [0.25, -0.5, 0], velocity: [0.5, 0, 0.6] }),
      world.addParticle({ position: [0.7, -0.6, 0.1], velocity: [-0.3, 0, 0.2], mass: 1.5 }),
    )
    return world.add(ropeLength, { bodies: [hooks[0], ...bodies, hooks[1]] }) as Constraint
  },
  tetraVolume: (world, bodies) => world.add(tetraVolume, { bodies: corners(world, bodies) }) as Constraint,
  'tether, taut'(world, bodies) {
    const carrier = top(world, bodies)
    carrier.setPosition([0, -0.3, 0])
    world.add(ballSocket, { b: carrier, point: [0, 0, 0] })
    const particle = world.addParticle({ position: [0.3, -1, 0], velocity: [0.3, 0, 0.8] })
    bodies.push(particle)
    return world.add(tether, { a: particle, b: carrier, point: [0, -0.6, 0] }) as Constraint
  },
  dihedralBend: (world, bodies) => world.add(dihedralBend, { bodies: corners(world, bodies) }) as Constraint,
  'isometricBend, soft'(world, bodies) {
    const subject = world.add(isometricBend, { bodies: corners(world, bodies), rest: 0, stiffness: 5 })
    return subject as Constraint
  },
  'isometricBend, folded at rest'(world, bodies) {
    const nodes = corners(world, bodies)
    // A turning that deforms nothing.
    for (const node of nodes) {
      const [x, y, z] = node.position
      node.setVelocity([2 * z - y, x - 1.5 * z, 1.5 * y - 2 * x])
    }
    return world.add(isometricBend, { bodies: nodes }) as Constraint
  },
  force(world, bodies) {
    const { a, b } = { a: rod(world, -0.4, [0, 1.5, 0], [1, 2, 0]), b: rod(world, 0.4, [0, -1.5, 0.5], [0, 1, 3]) }
    bodies.push(a, b)
    return world.add(pull, { bodies: [a, b] }) as Constraint
  },
}

/** Below this a row is satisfied at the start [m or rad]. */
const SATISFIED = 1e-9

/**
 * Takes from the velocities what rigid rows that hold at the start do not allow. Rows solved along their error are left alone:
 * without one, what they hold is not theirs to say.
 */
function fitVelocities(world: World, bodies: readonly Body[]): void {
  const isRigid: Parameters<typeof gradients>[2] = ({ law, kind, compliance }, error) =>
    law === 'position' && kind !== 'disc' && kind !== 'line' && compliance === 0 && error < SATISFIED
  const V = bodies.flatMap(({ velocity, angularVelocity }) => [...velocity, ...angularVelocity])
  for (const unit of gradients(bodies, world.constraints(), isRigid)) {
    const along = unit.reduce((sum, x, i) => sum + x * V[i], 0)
    unit.forEach((x, i) => (V[i] -= along * x))
  }
  bodies.forEach((body, k) => {
    body.setVelocity(V.slice(6 * k, 6 * k + 3) as Triple)
    if (!body.isParticle) body.setAngularVelocity(V.slice(6 * k + 3, 6 * k + 6) as Triple)
  })
}

/** All constraint types, with their limits, drives and forms. */
export const smoothMotions: readonly SmoothMotion[] = Object.entries(BUILDS).map(([name, build]) => ({
  name,
  build(options = {}) {
    const world = new World(options)
    const bodies: Body[] = []
    const subject = build(world, bodies)
    fitVelocities(world, bodies)
    return { world, bodies, subject }
  },
}))
