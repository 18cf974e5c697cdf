/** One free system for every constraint type: for conservation, replays and timing over all of them. */

import { type Body, type Constraint, custom, solidBox, World, type WorldOptions } from '@tautline/core'
import {
  angularDrive,
  axle,
  ballSocket,
  bendTwist,
  cone,
  pointContact,
  dihedralBend,
  distance,
  fixed,
  force,
  hinge,
  isometricBend,
  lineBend,
  tether,
  pulley,
  ropeLength,
  slider,
  spring,
  swingTwist,
  tetraVolume,
  universal,
} from '@tautline/constraints'
import { randomNumbers } from '../lib/random.js'

type Triple = [number, number, number]
type Quadruple = [number, number, number, number]

/** What a type's scene is built from. */
export interface Ingredients {
  world: World
  /** Two rigid bodies with three different moments each. */
  pair: [Body, Body]
  /** Four particles around the origin, no three in a line. */
  particles: [Body, Body, Body, Body]
  random: () => number
}

/** Adds one constraint of a type, off its rest by an amount that a solver meets in practice. */
export interface TypeScene {
  name: string
  /** Gradients by differences keep momentum to their own accuracy only. */
  byDifferences?: boolean
  add(ingredients: Ingredients): Constraint
}

const ORIGIN: Triple = [0, 0, 0]

function vector(random: () => number, size: number): Triple {
  return [size * random(), size * random(), size * random()]
}

function rotation(random: () => number): Quadruple {
  const q: Quadruple = [random(), random(), random(), 1.5 + random()]
  const length = Math.hypot(...q)
  return q.map((x) => x / length) as Quadruple
}

/** A triangle pair or a tetrahedron, shaken. */
const CORNERS: readonly Triple[] = [
  [0, 0, 0],
  [0, 0, 1],
  [0.9, 0.3, 0.4],
  [-0.8, 0.4, 0.6],
]

/** Bodies for one type, without weight. */
export function ingredients(seed: number, options: WorldOptions = {}): Ingredients {
  const random = randomNumbers(seed)
  const world = new World({ gravity: [0, 0, 0], ...options })
  const box = (x: number): Body => {
    const mass = 1.5 + random()
    return world.addBody({
      position: [x, 0.3 * random(), 0.3 * random()],
      orientation: rotation(random),
      velocity: vector(random, 1),
      angularVelocity: vector(random, 3),
      mass,
      inertia: solidBox(mass, [0.6, 1, 1.4]),
    })
  }
  const pair: [Body, Body] = [box(-0.5), box(0.5)]
  const particles = CORNERS.map((corner) => {
    const at = vector(random, 0.1).map((x, k) => x + corner[k]) as Triple
    return world.addParticle({ position: at, velocity: vector(random, 1), mass: 1.5 + random() })
  }) as Ingredients['particles']
  return { world, pair, particles, random }
}

const gradientOfSeparation = custom({
  name: 'customWithGradient',
  bodies: 2,
  error: ([p, q]) => separationOf(p.position, q.position) - 0.5,
  gradient([p, q], _params, out) {
    const length = separationOf(p.position, q.position)
    const n = [0, 1, 2].map((k) => (p.position[k] - q.position[k]) / length)
    out.linear(0, n[0], n[1], n[2])
    out.linear(1, -n[0], -n[1], -n[2])
  },
})

const differencesOfSeparation = custom({
  name: 'customByDifferences',
  bodies: 2,
  error: ([p, q]) => separationOf(p.position, q.position) - 0.5,
})

/** Attraction f = δp / ‖δp‖³ of two bodies. */
const attraction = force({
  name: 'force',
  bodies: 2,
  force([p, q], _h, out) {
    const d = [0, 1, 2].map((k) => q.position[k] - p.position[k])
    const s = 1 / Math.hypot(...d) ** 3
    out.force(0, s * d[0], s * d[1], s * d[2])
    out.force(1, -s * d[0], -s * d[1], -s * d[2])
  },
})

function separationOf(p: ArrayLike<number>, q: ArrayLike<number>): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

/** Every constraint type, its forms and modes. */
export const EVERY_TYPE: readonly TypeScene[] = [
  { name: 'distance', add: ({ world, particles: [a, b] }) => world.add(distance, { a, b, length: 0.7 }) as Constraint },
  {
    name: 'distance, anchored',
    add: ({ world, pair: [a, b], random }) =>
      world.add(distance, {
        a,
        b,
        anchorA: vector(random, 0.3),
        anchorB: vector(random, 0.3),
        length: 0.6,
      }) as Constraint,
  },
  {
    name: 'ballSocket, block',
    add: ({ world, pair: [a, b], random }) =>
      world.add(ballSocket, { a, b, anchorA: vector(random, 0.5), anchorB: vector(random, 0.5) }) as Constraint,
  },
  {
    name: 'ballSocket, scalar',
    add: ({ world, pair: [a, b], random }) =>
      world.add(ballSocket, {
        a,
        b,
        anchorA: vector(random, 0.5),
        anchorB: vector(random, 0.5),
        form: 'scalar',
      }) as Constraint,
  },
  {
    name: 'axle',
    add: ({ world, pair: [a, b] }) => world.add(axle, { a, b, axisA: [1, 0, 0], axisB: [0, 1, 0] }) as Constraint,
  },
  {
    name: 'cone',
    add: ({ world, pair: [a, b] }) =>
      world.add(cone, { a, b, axisA: [1, 0, 0], axisB: [0, 1, 0], limit: 0.4 }) as Constraint,
  },
  {
    name: 'swingTwist',
    add: ({ world, pair: [a, b] }) =>
      world.add(swingTwist, {
        a,
        b,
        anchorA: [0.4, 0, 0],
        anchorB: [-0.4, 0, 0],
        frameA: [0, 0, 0, 1],
        frameB: [0, 0, 0, 1],
        swing: { y: { min: -0.1, max: 0.3 }, z: { min: -0.2, max: 0.1 } },
        twist: { min: -0.2, max: 0.1 },
      }) as Constraint,
  },
  {
    name: 'hinge',
    add: ({ world, pair: [a, b] }) =>
      world.add(hinge, {
        a,
        b,
        anchorA: [0.4, 0, 0],
        anchorB: [-0.4, 0, 0],
        axisA: [0, 1, 0],
        axisB: [0, 1, 0],
        limits: { min: -0.2, max: 0.2 },
        drive: { stiffness: 50, damping: 5, positionTarget: 1 },
        frictionTorque: 0.5,
      }) as Constraint,
  },
  {
    name: 'fixed',
    add: ({ world, pair: [a, b] }) => {
      const joint = world.add(fixed, { a, b, point: ORIGIN })
      a.setOrientation([0, 0.2, 0.1, Math.sqrt(0.95)])
      return joint as Constraint
    },
  },
  {
    name: 'slider',
    add: ({ world, pair: [a, b] }) => {
      const joint = world.add(slider, { a, b, point: ORIGIN, axis: [1, 0, 0], limits: { min: -0.1, max: 0.1 } })
      a.setOrientation([0, 0.2, 0.1, Math.sqrt(0.95)])
      b.setPosition([0.7, 0.2, 0.1])
      return joint as Constraint
    },
  },
  {
    name: 'universal',
    add: ({ world, pair: [a, b] }) =>
      world.add(universal, {
        a,
        b,
        anchorA: [0.4, 0, 0],
        anchorB: [-0.4, 0, 0],
        axisA: [0, 1, 0],
        axisB: [0, 0, 1],
      }) as Constraint,
  },
  {
    name: 'pointContact',
    add: ({ world, pair: [a, b] }) =>
      world.add(pointContact, {
        a,
        b,
        pointA: [0.05, 0, 0.1],
        pointB: [-0.05, 0, 0],
        normal: [-1, 0, 0],
        staticFriction: 0.6,
        dynamicFriction: 0.4,
        maxPushOut: Infinity,
      }) as Constraint,
  },
  {
    name: 'spring, vector',
    add: ({ world, pair: [a, b] }) =>
      world.add(spring, {
        a,
        b,
        anchorA: [0.3, 0.1, 0],
        anchorB: [0, -0.2, 0.1],
        length: 0,
        stiffness: 300,
        damping: 3,
      }) as Constraint,
  },
  {
    name: 'spring, along its line',
    add: ({ world, pair: [a, b] }) =>
      world.add(spring, { a, b, anchorA: [0.3, 0.1, 0], length: 0.4, stiffness: 300, damping: 3 }) as Constraint,
  },
  {
    name: 'bendTwist',
    add: ({ world, pair: [a, b] }) =>
      world.add(bendTwist, {
        a,
        b,
        reference: [0, 0, 0, 1],
        bendStiffness: 60,
        twistStiffness: 40,
        bendDamping: 4,
      }) as Constraint,
  },
  {
    name: 'angularDrive',
    add: ({ world, pair: [a, b] }) =>
      world.add(angularDrive, { a, b, target: [0, 0, 0, 1], stiffness: 60, damping: 4, maxTorque: 100 }) as Constraint,
  },
  {
    name: 'ropeLength',
    add: ({ world, particles }) => world.add(ropeLength, { bodies: particles, length: 1.5 }) as Constraint,
  },
  {
    name: 'tetraVolume',
    add: ({ world, particles }) => world.add(tetraVolume, { bodies: particles, volume: 0.05 }) as Constraint,
  },
  {
    name: 'tether',
    add: ({ world, particles: [a, b] }) => world.add(tether, { a, b, length: 0.5 }) as Constraint,
  },
  {
    name: 'dihedralBend',
    add: ({ world, particles }) => world.add(dihedralBend, { bodies: particles, angle: 0.2 }) as Constraint,
  },
  {
    name: 'isometricBend',
    add: ({ world, particles }) => {
      const bend = world.add(isometricBend, { bodies: particles })
      particles[2].setPosition([0.9, 0.9, 0.2])
      return bend as Constraint
    },
  },
  {
    name: 'pulley',
    add: ({ world, particles: [p, q, r] }) =>
      world.add(pulley, { bodies: [p, q, r], path: [0, 1, 2, 1], length: 1 }) as Constraint,
  },
  {
    name: 'lineBend',
    add: ({ world, particles: [p, q, r] }) => {
      const bend = world.add(lineBend, { bodies: [p, q, r] })
      r.setPosition([0.9, 0.9, 0.2])
      return bend as Constraint
    },
  },
  {
    name: 'force',
    byDifferences: true,
    add: ({ world, pair }) => world.add(attraction, { bodies: pair }) as Constraint,
  },
  {
    name: 'custom, gradient given',
    add: ({ world, pair }) => world.add(gradientOfSeparation, { bodies: pair }) as Constraint,
  },
  {
    name: 'custom, by differences',
    byDifferences: true,
    add: ({ world, pair }) => world.add(differencesOfSeparation, { bodies: pair }) as Constraint,
  },
]
