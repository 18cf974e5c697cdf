/**
 * Distance rows against the same rows as one object a constraint, the layout of most engines in JavaScript: particles are
 * objects { x, y, z, w }, a constraint holds two of them and has a method `solve`, and the solver calls it through an
 * interface. As in a real engine three other classes of constraints have run through the same call before, so that the
 * call is polymorphic; all rows that are timed are distances, in the order of creation (and, beside it, shuffled).
 *
 * The product runs its rows sorted by layer and colour. Both do the arithmetic of the same type: bounds on λ, compliance,
 * relaxation.
 */

import type { BodyColumns, Batch } from '@tautline/core/kernel'
import { CASES } from './lib/cases.js'
import { prepared, race, SUBSTEP } from './lib/measure.js'
import { randomNumbers } from './lib/scenes.js'

export interface ObjectTimes {
  name: string
  product: number
  /** One object a constraint, in the order of creation. */
  byHand: number
  ratio: number
  rows: number
  /** The same with the objects in random order. */
  shuffled: { byHand: number; ratio: number }
}

class Particle {
  x: number
  y: number
  z: number
  /** Inverse mass [1/kg]. */
  w: number

  constructor(x: number, y: number, z: number, w: number) {
    this.x = x
    this.y = y
    this.z = z
    this.w = w
  }
}

interface Constraint {
  lambda: number
  solve(h: number): void
}

class Distance implements Constraint {
  a: Particle
  b: Particle
  rest: number
  lower = -Infinity
  upper = Infinity
  compliance: number
  relaxation = 1
  lambda = 0

  constructor(a: Particle, b: Particle, rest: number, compliance: number) {
    this.a = a
    this.b = b
    this.rest = rest
    this.compliance = compliance
  }

  solve(h: number): void {
    const { a, b } = this
    const dx = a.x - b.x
    const dy = a.y - b.y
    const dz = a.z - b.z
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length < 1e-12) return
    const soft = this.compliance / (h * h)
    const w = a.w + b.w + soft
    if (w <= 1e-300) return
    let fresh = this.lambda - (this.relaxation * (length - this.rest + soft * this.lambda)) / w
    if (fresh < this.lower || fresh > this.upper) fresh = 0
    const s = (fresh - this.lambda) / length
    this.lambda = fresh
    a.x += s * a.w * dx
    a.y += s * a.w * dy
    a.z += s * a.w * dz
    b.x -= s * b.w * dx
    b.y -= s * b.w * dy
    b.z -= s * b.w * dz
  }
}

/** Holds a particle at a place. */
class Pin implements Constraint {
  lambda = 0
  a: Particle
  place: Particle

  constructor(a: Particle, place: Particle) {
    this.a = a
    this.place = place
  }

  solve(): void {
    this.a.x = this.place.x
    this.a.y = this.place.y
    this.a.z = this.place.z
  }
}

/** Keeps a particle above a height. */
class Floor implements Constraint {
  lambda = 0
  a: Particle
  height: number

  constructor(a: Particle, height: number) {
    this.a = a
    this.height = height
  }

  solve(): void {
    if (this.a.y < this.height) this.a.y = this.height
  }
}

/** Keeps a particle between two others. */
class Middle implements Constraint {
  lambda = 0
  a: Particle
  b: Particle
  c: Particle
  share: number

  constructor(a: Particle, b: Particle, c: Particle, share: number) {
    this.a = a
    this.b = b
    this.c = c
    this.share = share
  }

  solve(): void {
    const { a, b, c, share } = this
    a.x += share * (0.5 * (b.x + c.x) - a.x)
    a.y += share * (0.5 * (b.y + c.y) - a.y)
    a.z += share * (0.5 * (b.z + c.z) - a.z)
  }
}

/** A world of objects. */
class Solver {
  particles: Particle[] = []
  constraints: Constraint[] = []

  sweep(h: number): void {
    for (const constraint of this.constraints) constraint.solve(h)
  }
}

/** The rows of a batch as objects, in the order in which they were added. */
function copyOf(bodies: BodyColumns, batch: Batch, count: number): Solver {
  const solver = new Solver()
  const x = bodies.position
  for (let i = 0; i < count; i++) {
    solver.particles.push(new Particle(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]))
  }
  const { rest, compliance, sequence } = batch.columns as Record<string, Float64Array>
  const rows = Array.from({ length: batch.active }, (_, row) => row).sort((r, s) => sequence[r] - sequence[s])
  for (const row of rows) {
    const [a, b] = [solver.particles[batch.ids[2 * row]], solver.particles[batch.ids[2 * row + 1]]]
    solver.constraints.push(new Distance(a, b, rest[row], compliance[row]))
  }
  return solver
}

/** Runs the other classes through `sweep`, as a world that has them would. */
function exercise(): void {
  const solver = new Solver()
  const random = randomNumbers(3)
  const particle = (): Particle => new Particle(random(), random(), random(), 1)
  for (let k = 0; k < 300; k++) {
    const [a, b, c] = [particle(), particle(), particle()]
    solver.constraints.push(new Pin(a, b), new Floor(b, 0.1), new Middle(c, a, b, 0.5), new Distance(a, c, 0.5, 0))
  }
  for (let k = 0; k < 300; k++) solver.sweep(SUBSTEP)
}

/** A run of a sweep from the same state, in ns. */
function timed(solver: Solver): () => number {
  const saved = solver.particles.map(({ x, y, z }) => [x, y, z])
  return () => {
    solver.particles.forEach((particle, i) => {
      particle.x = saved[i][0]
      particle.y = saved[i][1]
      particle.z = saved[i][2]
    })
    for (const constraint of solver.constraints) constraint.lambda = 0
    const start = process.hrtime.bigint()
    solver.sweep(SUBSTEP)
    return Number(process.hrtime.bigint() - start)
  }
}

function shuffle<T>(items: T[]): void {
  const random = randomNumbers(9)
  for (let k = items.length - 1; k > 0; k--) {
    const other = Math.floor(0.5 * (random() + 1) * (k + 1))
    ;[items[k], items[other]] = [items[other], items[k]]
  }
}

/** ns a row of the product's distance rows and of the objects. */
export function measureObjects(): ObjectTimes {
  const { world, batch } = prepared(CASES[0])
  const bodies = world.bodies.columns
  const saved = bodies.position.slice()
  const product = (): number => {
    bodies.position.set(saved)
    batch.columns.lambda.fill(0)
    const start = process.hrtime.bigint()
    batch.type.loop?.sweep?.(bodies, batch, 0, batch.active, SUBSTEP)
    return Number(process.hrtime.bigint() - start)
  }
  const created = copyOf(bodies, batch, world.bodies.count)
  const shuffled = copyOf(bodies, batch, world.bodies.count)
  shuffle(shuffled.constraints)
  exercise()
  const times = race(product, timed(created), batch.active)
  const { byHand, ratio } = race(product, timed(shuffled), batch.active)
  return { name: 'distance, colour-sorted, by object', ...times, rows: batch.active, shuffled: { byHand, ratio } }
}
