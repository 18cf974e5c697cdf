/** Worlds with one constraint of a type of the table, disturbed, and single corrections of it. */

import { type Body, type Constraint, type ConstraintType, World, type WorldOptions } from '@tautline/core'
import { rotationBetween, sweepRows, rotate } from '@tautline/core/kernel'
import { Random } from '../../../core/test/support/random.js'
import { type Entry, type Fields, someBody } from './table.js'

/** Substep of a single correction [s]. */
export const H = 1 / 240

export interface Scene {
  entry: Entry
  world: World
  bodies: (Body | null)[]
  constraint: Constraint
  def: Fields
}

export interface Setting {
  /** How far each body is moved and turned after the constraint was made [m, rad]. @defaultValue 0.3 */
  far?: number
  /** Whether all bodies are dynamic. @defaultValue false */
  free?: boolean
  /** Whether there may be particles. @defaultValue true */
  particles?: boolean
  options?: WorldOptions
  /** Changes of the definition. */
  change?: (def: Fields) => Fields
}

/** A random world from `seed`: the same one for the same arguments. */
export function scene(
  entry: Entry,
  seed: number,
  { far = 0.3, free = false, particles = true, options = {}, change }: Setting = {},
): Scene {
  const random = new Random(seed)
  const world = new World({ gravity: [0, 0, 0], substeps: 1, ...options })
  // One body at least can move, and turn where that is needed.
  const mover = entry.many || entry.world?.[0] === false ? 0 : random.below(2)
  const bodies = entry.places.map((place, k) => {
    const fate = free || k === mover ? 1 : random.next()
    if (fate < 0.15 && !entry.many && (entry.world?.[k] ?? true)) return null
    const isParticle = entry.particles === true && random.chance(0.3) && particles
    const def = someBody(random, place, isParticle)
    return world.addBody(fate < 0.3 ? { ...def, type: fate < 0.22 ? 'static' : 'kinematic' } : def)
  })
  const fields = entry.def(random, bodies)
  const named = entry.many ? { bodies } : { a: bodies[0], b: bodies[1] }
  const def = { ...(change === undefined ? fields : change(fields)), ...named }
  const constraint = world.add(entry.type, def)
  const c = world.bodies.columns
  for (const body of bodies) {
    if (body === null) continue
    const o = 4 * body.index
    const [x, y, z] = random.vector(far)
    const by = random.vector(far)
    body.setPosition([c.position[o] + x, c.position[o + 1] + y, c.position[o + 2] + z])
    if (body.isParticle) continue
    rotate(c.orientation, o, by[0], by[1], by[2])
    body.setOrientation([c.orientation[o], c.orientation[o + 1], c.orientation[o + 2], c.orientation[o + 3]])
  }
  return { entry, world, bodies, constraint, def }
}

/** Into the middle of a substep of length `H`: start poses up to `before` off, λ = 0, a and γ ready. */
export function begin({ world, bodies }: Scene, seed: number, before = 0.03): void {
  const random = new Random(seed + 1)
  world.refreshOrder()
  const c = world.bodies.columns
  c.startPosition.set(c.position)
  c.startOrientation.set(c.orientation)
  for (const body of bodies) {
    const by = random.vector(before)
    const shift = random.vector(before)
    if (body === null || body.type === 'static') continue
    for (let k = 0; k < 3; k++) c.startPosition[4 * body.index + k] += shift[k]
    if (!body.isParticle) rotate(c.startOrientation, 4 * body.index, by[0], by[1], by[2])
  }
  for (const batch of world.batches) {
    const { lambda, softness, gamma, compliance, rayleigh, regularization } = batch.common
    lambda.fill(0)
    batch.rows.substep = H
    for (let row = 0; row < batch.active; row++) {
      softness[row] = compliance[row] / (H * H) + regularization[row]
      gamma[row] = rayleigh[row] / H
    }
    batch.type.loop?.prepare?.(c, batch, 0, batch.active, H)
  }
}

/** `count` passes of the type's own loop, or of the core's over `evaluate`. */
export function sweeps({ world }: Scene, count: number, own = true): void {
  const c = world.bodies.columns
  for (let k = 0; k < count; k++) {
    for (const batch of world.batches) {
      if (own && batch.type.loop?.sweep !== undefined) batch.type.loop?.sweep(c, batch, 0, batch.active, H)
      else sweepRows(c, batch, 0, batch.active, H, false)
    }
  }
}

/** One group of rows as `evaluate` has it, with the gradient of a scalar or of a vector's length: six numbers a body. */
export interface Measured {
  kind: string
  law: string
  c: number[]
  gradient: number[]
}

export function measured({ constraint, world }: Scene): Measured[] {
  const { batch } = constraint
  const { rows } = batch
  rows.clear()
  batch.type.evaluate(world.bodies.columns, batch, constraint.row(), rows)
  return rows.groups.slice(0, rows.groupCount).map(({ kind, law, start, size }) => {
    const c = Array.from(rows.c.subarray(start, start + size))
    const stride = 6 * batch.arity
    const gradient = new Array<number>(stride).fill(0)
    c.forEach((value, k) => {
      const share = size === 1 ? 1 : value / length(c)
      for (let i = 0; i < stride; i++) gradient[i] += share * rows.J[stride * (start + k) + i]
    })
    return { kind, law, c, gradient }
  })
}

/** Moves one coordinate of one body: x, y, z, or a turn about them. */
export function nudge(world: World, body: Body, axis: number, by: number): void {
  const { position, orientation } = world.bodies.columns
  if (axis < 3) position[4 * body.index + axis] += by
  else rotate(orientation, 4 * body.index, axis === 3 ? by : 0, axis === 4 ? by : 0, axis === 5 ? by : 0)
}

/** Poses of all bodies, seven numbers each. */
export function poses({ world }: Scene): number[] {
  return world.bodies.all().flatMap((body) => [...body.position, ...body.orientation])
}

/** Multipliers of the constraint. */
export function multipliers({ constraint }: Scene): number[] {
  return constraint.multipliers
}

/** Largest difference of two lists, relative to the larger of 1 and the entry. */
export function farthest(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Infinity
  return Math.max(0, ...a.map((value, k) => Math.abs(value - b[k]) / Math.max(1, Math.abs(value))))
}

export function length(v: readonly number[]): number {
  return Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
}

/** Momentum over time of a change of poses, the sum of the magnitudes that it is made of, and what rounding adds. */
interface Change {
  linear: number
  angular: number
  size: number
  noise: number
  /** Inverse inertias before it. */
  inverse: Float64Array
}

/** A pose of size 1 is known to 2⁻⁵³; a few such roundings go into each difference. */
const ROUND_OFF = 2 ** -50

/** What a change of poses is as momentum over time, Σ m Δx and Σ (x × m Δx + I Δθ). */
export function momentumOf({ world }: Scene, change: () => void): Change {
  const c = world.bodies.columns
  const before = c.position.slice()
  const turned = c.orientation.slice()
  const inverse = c.inverseInertia.slice()
  change()
  const linear = [0, 0, 0]
  const angular = [0, 0, 0]
  let size = 0
  let noise = 0
  const d = new Float64Array(3)
  for (const body of world.bodies.all()) {
    const i = body.index
    const w = before[4 * i + 3]
    if (w === 0) continue
    const x = before.subarray(4 * i, 4 * i + 3)
    const p = [0, 1, 2].map((k) => (c.position[4 * i + k] - x[k]) / w)
    rotationBetween(c.orientation, 4 * i, turned, 4 * i, d, 0)
    const spin = body.isParticle ? [0, 0, 0] : solve(inverse.subarray(9 * i, 9 * i + 9), d)
    for (let k = 0; k < 3; k++) {
      const [r, s] = [(k + 1) % 3, (k + 2) % 3]
      linear[k] += p[k]
      angular[k] += x[r] * p[s] - x[s] * p[r] + spin[k]
    }
    noise += ROUND_OFF * ((1 + length(Array.from(x))) / w + (body.isParticle ? 0 : Math.max(...body.principalInertia)))
    size += length(p) * (1 + length(Array.from(x))) + length(spin)
  }
  return { linear: length(linear), angular: length(angular), size, noise, inverse }
}

/** M⁻¹ v of a 3×3 matrix by cofactors. */
function solve(m: Float64Array, v: Float64Array): number[] {
  const [a, b, c, d, e, f, g, h, i] = m
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g]
  const s = 1 / (a * A + b * B + c * C)
  return [
    s * (A * v[0] + (c * h - b * i) * v[1] + (b * f - c * e) * v[2]),
    s * (B * v[0] + (a * i - c * g) * v[1] + (c * d - a * f) * v[2]),
    s * (C * v[0] + (b * g - a * h) * v[1] + (a * e - b * d) * v[2]),
  ]
}

/** All types of a scene, for `World.fromJSON`. */
export function typesOf({ entry }: Scene): ConstraintType<never>[] {
  return [entry.type as unknown as ConstraintType<never>]
}
