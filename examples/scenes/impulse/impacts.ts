/** Collisions at one instant (rigid body notes, 2.2): balls in line, and seven balls and two walls. */

import { type Body, type Constraint, World, type WorldOptions } from '@tautline/core'
import { pointContact } from '@tautline/constraints'
import { QUALITY } from '../contacts/scene.js'

/** Radius [m] of all balls. Their mass is 1 kg, and they do not turn. */
const RADIUS = 0.1
/** Of what strikes [m/s]. */
const SPEED = 1

/** Balls that touch. A contact is between two of them, or between one and the world. */
export interface ImpactScene {
  readonly world: World
  readonly bodies: readonly Body[]
  readonly contacts: readonly Constraint[]
  /** By contact: which balls; −1 is a wall. Two contacts that share a ball are neighbours in A = J M⁻¹ Jᵀ. */
  readonly pairs: readonly (readonly [number, number])[]
}

type Point = readonly [number, number]

/** Balls in the plane z = 0 with contacts, without weight and friction. */
function impact(
  options: WorldOptions,
  centres: readonly Point[],
  velocities: readonly Point[],
  pairs: readonly (readonly [number, number])[],
  walls: readonly { ball: number; normal: Point }[],
  restitution: number,
): ImpactScene {
  const world = new World({ ...QUALITY, gravity: [0, 0, 0], ...options })
  const bodies = centres.map(([x, y], k) =>
    world.addParticle({ position: [x, y, 0], velocity: [velocities[k][0], velocities[k][1], 0] }),
  )
  const contacts = pairs.map(([i, j]) => {
    const [p, q] = [centres[i], centres[j]]
    const apart = Math.hypot(p[0] - q[0], p[1] - q[1])
    const [nx, ny] = [(p[0] - q[0]) / apart, (p[1] - q[1]) / apart]
    return world.add(pointContact, {
      a: bodies[i],
      b: bodies[j],
      pointA: [p[0] - RADIUS * nx, p[1] - RADIUS * ny, 0],
      pointB: [q[0] + RADIUS * nx, q[1] + RADIUS * ny, 0],
      normal: [nx, ny, 0],
      restitution,
    }) as Constraint
  })
  for (const { ball, normal } of walls) {
    const [x, y] = centres[ball].map((p, k) => p - RADIUS * normal[k])
    const point = [x, y, 0] as const
    const def = { a: bodies[ball], pointA: point, pointB: point, normal: [...normal, 0] as const, restitution } as const
    contacts.push(world.add(pointContact, def) as Constraint)
  }
  return { world, bodies, contacts, pairs: [...pairs, ...walls.map(({ ball }) => [ball, -1] as const)] }
}

/**
 * Newton's cradle: `count` balls in a row along x, e = 1, the first `struck` of which move to the right with 1 m/s. What steel
 * balls do: the last `struck` leave with 1 m/s and the others rest. `gap` apart [m] the blows come one after the other; at 0
 * they are simultaneous, and Newton's law for every contact at once, n·v⁺ = −e n·v⁻, asks for something else.
 */
export function cradle(count: number, struck: number, options: WorldOptions = {}, gap: number = 0): ImpactScene {
  const order = Array.from({ length: count }, (_, k) => k)
  return impact(
    options,
    order.map((k) => [(2 * RADIUS + gap) * k, 0]),
    order.map((k) => [k < struck ? SPEED : 0, 0]),
    order.slice(1).map((k) => [k, k - 1]),
    [],
    1,
  )
}

/** What a cradle of steel balls ends with: the speeds along x [m/s]. */
export function cradleSpeeds(count: number, struck: number): number[] {
  return Array.from({ length: count }, (_, k) => (k >= count - struck ? SPEED : 0))
}

/**
 * Seven balls and two walls: one strikes, off its axis, the tip of a triangle of six that touch, whose two far corners stand in a
 * wedge of walls. Twelve contacts at once on fourteen degrees of freedom: A is sparse and regular.
 */
export function sevenBodies(restitution: number = 0.5, options: WorldOptions = {}): ImpactScene {
  const rise = RADIUS * Math.sqrt(3)
  // The triangle's tip first, then its rows.
  const rack: Point[] = [
    [0, 0],
    [rise, -RADIUS],
    [rise, RADIUS],
    [2 * rise, -2 * RADIUS],
    [2 * rise, 0],
    [2 * rise, 2 * RADIUS],
  ]
  const angle = 0.15
  const striker: Point = [-2 * RADIUS * Math.cos(angle), -2 * RADIUS * Math.sin(angle)]
  const pairs = [
    [1, 0],
    [2, 1],
    [3, 1],
    [3, 2],
    [4, 2],
    [5, 2],
    [5, 3],
    [6, 3],
    [5, 4],
    [6, 5],
  ] as const
  const c = Math.cos(Math.PI / 6)
  const walls = [
    { ball: 4, normal: [-c, 0.5] },
    { ball: 6, normal: [-c, -0.5] },
  ] as const
  const velocities = [[SPEED, 0], ...rack.map(() => [0, 0])] as unknown as Point[]
  return impact(options, [striker, ...rack], velocities, pairs, walls, restitution)
}

/** Velocities along the contacts' normals [m/s]: below 0 where two approach. */
export function normalSpeeds({ bodies, contacts, pairs }: ImpactScene): number[] {
  return contacts.map((joint, k) => {
    const [x, y, z] = (joint.def as { normalB: readonly number[] }).normalB
    const speed = (i: number): number => {
      if (i < 0) return 0
      const [u, v, w] = bodies[i].velocity
      return x * u + y * v + z * w
    }
    return speed(pairs[k][0]) - speed(pairs[k][1])
  })
}
