/** Random free scenes: two to seven bodies and particles on any joints, thrown and spun without gravity. Their linear momentum has to stay. */

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
import { type Body, type ConstraintType, World } from '@tautline/core'
import { randomNumbers } from '../../lib/random.js'

type Triple = [number, number, number]
type Any = ConstraintType<never>

const STEPS = 60

/** Largest change of linear momentum in a scene, as a share of Σ m ‖v‖ at the start. */
export function momentumOff(seed: number, options: { energyGuard?: boolean } = {}): number {
  const numbers = randomNumbers(seed)
  const random = (): number => (numbers() + 1) / 2
  const vector = (size: number): Triple => [size * numbers(), size * numbers(), size * numbers()]
  const solver = random() < 0.3 ? 'sweep' : 'auto'
  const settings = { substeps: 1 + Math.floor(8 * random()), dt: 1 / (30 + 114 * random()), solver } as const
  const world = new World({ gravity: [0, 0, 0], ...settings, ...options })
  const bodies: Body[] = []
  for (let left = 2 + Math.floor(6 * random()); left > 0; left--) {
    const mass = 10 ** (2 * random() - 1)
    const [position, velocity, angularVelocity] = [vector(1), vector(3), vector(5)]
    const inertia: Triple = [mass * (0.05 + 0.05 * random()), mass * (0.06 + 0.04 * random()), mass * 0.08]
    bodies.push(
      world.addBody(
        random() < 0.25 ? { mass, position, velocity } : { mass, position, velocity, angularVelocity, inertia },
      ),
    )
  }
  for (let k = 1; k <= bodies.length; k++) {
    const a = bodies[k % bodies.length]
    const b = bodies[Math.floor(random() * k) % bodies.length]
    if (a !== b) join(world, a, b, random, vector)
  }
  const start = world.momentum().linear
  const scale = bodies.reduce((sum, { mass, velocity }) => sum + mass * Math.hypot(...velocity), 0)
  let off = 0
  for (let step = 0; step < STEPS; step++) {
    world.step()
    const { linear } = world.momentum()
    off = Math.max(off, Math.hypot(linear[0] - start[0], linear[1] - start[1], linear[2] - start[2]) / scale)
  }
  return off
}

/** Joins two bodies, where such a joint may join them: those that need a body that turns refuse a particle. */
function join(world: World, a: Body, b: Body, random: () => number, vector: (size: number) => Triple): void {
  const soft = random() < 0.5 ? {} : { compliance: 10 ** (4 * random() - 6), damping: 30 * random() }
  const limits = random() < 0.5 ? {} : { limits: { min: -0.3 * random(), max: 0.3 * random() } }
  const friction = random() < 0.3 ? { frictionTorque: 2 * random() } : {}
  const [point, axis, axisB] = [vector(1), vector(1), vector(1)]
  const kinds: readonly (readonly [Any, object])[] = [
    [distance as Any, { ...soft, length: 0.3 + random() }],
    [ballSocket as Any, { point, ...soft }],
    [hinge as Any, { point, axis, ...soft, ...limits, ...friction }],
    [slider as Any, { point, axis, ...soft }],
    [fixed as Any, soft],
    [universal as Any, { point, axisA: axis, axisB, ...soft }],
    [swingTwist as Any, { point, axis, ...soft, ...friction }],
    [cone as Any, { axis, limits: { max: 0.3 } }],
    [axle as Any, { axisA: axis, axisB, ...soft }],
    [spring as Any, { stiffness: 100 * random(), damping: 3 * random(), length: 0.5 }],
    [angularDrive as Any, { stiffness: 20 * random(), damping: random() }],
  ]
  const [type, def] = kinds[Math.floor(kinds.length * random())]
  try {
    world.add(type, { ...def, a, b } as never)
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
  }
}
