/** What the tests of this folder share: worlds of particles, gradients by differences, corrections and their momentum. */

import { type Body, type Constraint, World } from '@tautline/core'
import { type AnyType, rotationBetween, sweepRows, rotate, type WorldState } from '@tautline/core/kernel'
import fc from 'fast-check'

export type Vector = [number, number, number]

/** Substep of a single correction [s]. */
export const H = 1 / 240

/** A point in a box that keeps errors of the order of a metre. */
export const point: fc.Arbitrary<Vector> = fc.tuple(coordinate(), coordinate(), coordinate())
/** [kg]; one in five is static. */
export const mass: fc.Arbitrary<number> = fc.oneof(
  { arbitrary: fc.double({ min: 0.1, max: 10, noNaN: true }), weight: 4 },
  { arbitrary: fc.constant(Infinity), weight: 1 },
)
/** A finite mass [kg]. */
export const finiteMass: fc.Arbitrary<number> = fc.double({ min: 0.1, max: 10, noNaN: true })

function coordinate(): fc.Arbitrary<number> {
  return fc.double({ min: -2, max: 2, noNaN: true })
}

/** Particles without gravity. */
export function particles(points: readonly Vector[], masses: readonly number[]): { world: World; bodies: Body[] } {
  const world = new World({ gravity: [0, 0, 0] })
  const bodies = points.map((position, k) => world.addParticle({ position, mass: masses[k] }))
  return { world, bodies }
}

/** A world in the middle of a substep of length `H`: start pose where the bodies are, λ = 0, a and γ ready. */
export function begin(world: World): void {
  world.refreshOrder()
  const c = world.bodies.columns
  c.startPosition.set(c.position)
  c.startOrientation.set(c.orientation)
  for (const batch of world.batches) {
    const { lambda, softness, gamma, compliance, rayleigh, regularization } = batch.common
    lambda.fill(0)
    for (let row = 0; row < batch.active; row++) {
      softness[row] = compliance[row] / (H * H) + regularization[row]
      gamma[row] = rayleigh[row] / H
    }
  }
}

/** `count` passes of the type's own loop, or of the core's over `evaluate`. */
export function sweeps(world: World, count: number, own: boolean): void {
  for (let k = 0; k < count; k++) {
    for (const batch of world.batches) {
      if (own) (batch.type as AnyType).loop?.sweep?.(world.bodies.columns, batch, 0, batch.active, H)
      else sweepRows(world.bodies.columns, batch, 0, batch.active, H, false)
    }
  }
}

/** c_k and J of a constraint as `evaluate` has them: the gradient of row k is `J[k]`, six numbers a body. */
export function rowsOf(constraint: Constraint): { c: number[]; J: number[][] } {
  const { batch, world } = constraint
  const { rows } = batch
  rows.clear()
  batch.type.evaluate(world.bodies.columns, batch, constraint.row(), rows)
  const stride = 6 * batch.arity
  const c = Array.from(rows.c.subarray(0, rows.count))
  return { c, J: c.map((_, k) => Array.from(rows.J.subarray(stride * k, stride * (k + 1)))) }
}

/** Moves one coordinate of one body. */
export function nudge(world: WorldState, body: Body, axis: number, by: number): void {
  const { position, orientation } = world.bodies.columns
  if (axis < 3) position[4 * body.index + axis] += by
  else rotate(orientation, 4 * body.index, axis === 3 ? by : 0, axis === 4 ? by : 0, axis === 5 ? by : 0)
}

/** ∂c/∂X of every row by central differences, as `rowsOf` lays it out. `difference` is that of two errors. */
export function gradientByDifferences(
  constraint: Constraint,
  bodies: readonly (Body | null)[],
  step: number,
  difference = (up: number, down: number): number => up - down,
): number[][] {
  const { world } = constraint
  const result = rowsOf(constraint).c.map(() => new Array<number>(6 * bodies.length).fill(0))
  bodies.forEach((body, b) => {
    if (body === null) return
    for (let axis = 0; axis < 6; axis++) {
      nudge(world, body, axis, step)
      const up = rowsOf(constraint).c
      nudge(world, body, axis, -2 * step)
      const down = rowsOf(constraint).c
      nudge(world, body, axis, step)
      result.forEach((row, k) => {
        row[6 * b + axis] = difference(up[k], down[k]) / (2 * step)
      })
    }
  })
  return result
}

/** What a change of the poses does to momentum over time: Σ m Δx and Σ (x × m Δx + I Δθ), about the poses before. */
export function momentumOfChange(world: World, change: () => void): { linear: number; angular: number } {
  const c = world.bodies.columns
  const before = c.position.slice()
  const turned = c.orientation.slice()
  change()
  const linear = [0, 0, 0]
  const angular = [0, 0, 0]
  const d = new Float64Array(3)
  for (const body of world.bodies.all()) {
    if (body.mass === Infinity) continue
    const i = body.index
    const m = body.mass
    const x = before.subarray(4 * i, 4 * i + 3)
    const p = [0, 1, 2].map((k) => m * (c.position[4 * i + k] - x[k]))
    // Bodies that turn are spheres here: I is a number.
    rotationBetween(c.orientation, 4 * i, turned, 4 * i, d, 0)
    const I = body.principalInertia[0]
    for (let k = 0; k < 3; k++) {
      const [r, s] = [(k + 1) % 3, (k + 2) % 3]
      linear[k] += p[k]
      angular[k] += x[r] * p[s] - x[s] * p[r] + I * d[k]
    }
  }
  return { linear: length(linear), angular: length(angular) }
}

/** Positions and orientations of all bodies. */
export function poses(world: World): number[] {
  const c = world.bodies.columns
  const end = 4 * world.bodies.count
  return [...c.position.subarray(0, end), ...c.orientation.subarray(0, end)]
}

/** Largest difference of two lists. */
export function farthest(a: readonly number[], b: readonly number[]): number {
  return Math.max(0, ...a.map((value, k) => Math.abs(value - b[k])))
}

export function length(v: readonly number[]): number {
  return Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
}

/** Runs a property with the seed of the run. */
export function check<T>(seed: number, arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void {
  const property = fc.property(arbitrary, (value) => {
    holds(value)
  })
  fc.assert(property, { seed })
}
