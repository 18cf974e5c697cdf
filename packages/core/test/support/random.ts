/** Random numbers from a seed, the same on every machine, and random worlds made of them. */

import type { quat, vec3 } from 'gl-matrix'
import { type Body, type BodyDef, World, type WorldOptions } from '../../src/index.js'
import { link, rod, rowLink } from './link.js'

/** Mulberry32. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  between(min: number, max: number): number {
    return min + (max - min) * this.next()
  }

  /** Integer in [0, n). */
  below(n: number): number {
    return Math.floor(n * this.next())
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** Each component in [−size, size]. */
  vector(size = 1): vec3 {
    return [this.between(-size, size), this.between(-size, size), this.between(-size, size)]
  }

  direction(): vec3 {
    for (;;) {
      const v = this.vector()
      const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
      if (length > 0.1 && length <= 1) return [v[0] / length, v[1] / length, v[2] / length]
    }
  }

  rotation(): quat {
    for (;;) {
      const q = [this.between(-1, 1), this.between(-1, 1), this.between(-1, 1), this.between(-1, 1)]
      const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
      if (length > 0.1 && length <= 1) return q.map((c) => c / length) as quat
    }
  }

  /** Moments that some solid has: none larger than the sum of the others. */
  moments(mass: number): vec3 {
    const [x, y, z] = [this.between(0.1, 1), this.between(0.1, 1), this.between(0.1, 1)]
    return [mass * (y * y + z * z), mass * (z * z + x * x), mass * (x * x + y * y)].map((i) => i / 12) as vec3
  }
}

/** A tumbling body. */
export function randomBody(random: Random): BodyDef {
  const mass = random.between(0.2, 5)
  const def: BodyDef = {
    position: random.vector(2),
    orientation: random.rotation(),
    velocity: random.vector(2),
    angularVelocity: random.vector(3),
    mass,
  }
  if (random.chance(0.7)) def.inertia = random.moments(mass)
  return def
}

/** A world of every kind of thing the core has: bodies of all kinds, joined at random. */
export function randomWorld(
  seed: number,
  options: WorldOptions = {},
): { world: World; bodies: Body[]; random: Random } {
  const random = new Random(seed)
  const world = new World({ substeps: 3, ...options })
  const bodies = [world.addBody({ type: 'static', position: [0, 3, 0] })]
  bodies.push(world.addBody({ type: 'kinematic', position: [2, 2, 0], velocity: [0.1, 0, 0], inertia: 1 }))
  for (let k = 0; k < 8; k++) bodies.push(world.addBody(randomBody(random)))
  for (let k = 0; k < 10; k++) addRandom(world, bodies, random)
  return { world, bodies, random }
}

/** Joins two bodies that differ, by one of the types of `link.ts`. */
export function addRandom(world: World, bodies: readonly Body[], random: Random): void {
  const a = random.below(bodies.length)
  const b = (a + 1 + random.below(bodies.length - 1)) % bodies.length
  const soft = random.chance(0.5) ? { compliance: random.between(0, 1e-3), damping: random.between(0, 20) } : {}
  const kind = random.below(3)
  if (kind === 0) world.add(link, { a: bodies[a], b: bodies[b], ...soft })
  else if (kind === 1) world.add(rowLink, { a: bodies[a], b: bodies[b], ...soft })
  else {
    const params = { p: [0.1, 0.2, 0] as const, q: [0, -0.2, 0.3] as const, length: random.between(0.5, 2) }
    world.add(rod, { bodies: [bodies[a], bodies[b]], params, ...soft })
  }
}

export function run(world: World, steps: number): void {
  for (let k = 0; k < steps; k++) world.step()
}
