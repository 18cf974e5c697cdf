/** Single corrections in the middle of a substep, and what they change. */

import type { WorldState } from '@tautline/core/kernel'
import { type Body, type World } from '@tautline/core'
import { type BodyColumns, gradient, rotationBetween, sweepRows, rotate } from '@tautline/core/kernel'
import type { Live } from './trial.js'

/** Substep of a single correction [s]. */
export const H: number = 1 / 240

/** Into the middle of a substep of length `H`: start poses up to `before` [m, rad] off, λ = 0, a and γ ready. */
export function begin({ world, bodies, trial }: Live, before: number = 0.03): void {
  world.refreshOrder()
  const c = world.bodies.columns
  c.startPosition.set(c.position)
  c.startOrientation.set(c.orientation)
  bodies.forEach((body, k) => {
    if (body === null || body.type === 'static') return
    const { startMove, startTurn } = trial.slots[k]
    for (let axis = 0; axis < 3; axis++) c.startPosition[4 * body.index + axis] += before * startMove[axis]
    if (body.isParticle) return
    rotate(c.startOrientation, 4 * body.index, before * startTurn[0], before * startTurn[1], before * startTurn[2])
  })
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
export function sweeps({ world }: Live, count: number, own: boolean = true): void {
  const c = world.bodies.columns
  for (let k = 0; k < count; k++) {
    for (const batch of world.batches) {
      if (own && batch.type.loop?.sweep !== undefined) batch.type.loop?.sweep(c, batch, 0, batch.active, H)
      else sweepRows(c, batch, 0, batch.active, H, false)
    }
  }
}

/** Moves one coordinate of one body: x, y, z, or a turn about them. */
export function nudge(world: WorldState, body: Body, axis: number, by: number): void {
  const { position, orientation } = world.bodies.columns
  if (axis < 3) position[4 * body.index + axis] += by
  else rotate(orientation, 4 * body.index, axis === 3 ? by : 0, axis === 4 ? by : 0, axis === 5 ? by : 0)
}

/** A group of rows as one error: a scalar, or the length of a vector, with its gradient, six numbers a body. */
export interface Measured {
  law: string
  /** How many scalar rows it has. */
  size: number
  error: number
  /** c of its rows. */
  c: number[]
  gradient: number[]
  tangent: number[][]
}

export function measured(live: Pick<Live, 'constraint'>): Measured[] {
  return gradient(live.constraint).map(({ law, rows, tangent }) => {
    const c = rows.map(({ error }) => error)
    const error = c.length === 1 ? c[0] : length(c)
    const sum = rows[0].bodies.flatMap(() => [0, 0, 0, 0, 0, 0])
    for (const { error: value, bodies } of rows) {
      const share = c.length === 1 ? 1 : value / error
      bodies.forEach(({ linear, angular }, b) => {
        for (let i = 0; i < 3; i++) {
          sum[6 * b + i] += share * linear[i]
          sum[6 * b + 3 + i] += share * angular[i]
        }
      })
    }
    return { law, size: c.length, error, c, gradient: sum, tangent }
  })
}

/** Poses of all bodies, seven numbers each. */
export function poses({ world }: { world: World }): number[] {
  return world.bodies.all().flatMap((body) => [...body.position, ...body.orientation])
}

/** The same with quaternions of one sign: q and −q are the same rotation. */
export function rotationsOnce({ world }: { world: World }): number[] {
  return world.bodies.all().flatMap((body) => {
    const q = body.orientation
    const largest = [0, 1, 2, 3].reduce((k, j) => (Math.abs(q[j]) > Math.abs(q[k]) ? j : k), 0)
    return [...body.position, ...Array.from(q, (x) => (q[largest] < 0 ? -x : x))]
  })
}

/** Poses and multipliers of one world into another that was made alike. */
export function copyState(from: World, to: World): void {
  to.bodies.columns.position.set(from.bodies.columns.position)
  to.bodies.columns.orientation.set(from.bodies.columns.orientation)
  from.batches.forEach((batch, k) => to.batches[k].common.lambda.set(batch.common.lambda))
}

/** Has the substep start at the present poses; multipliers stay. */
export function startHere({ bodies: { columns } }: World): void {
  columns.startPosition.set(columns.position)
  columns.startOrientation.set(columns.orientation)
}

/** Largest difference of two lists, relative to the larger of 1 and the entry; NaN where an entry is. */
export function farthest(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Infinity
  return Math.max(0, ...a.map((value, k) => Math.abs(value - b[k]) / Math.max(1, Math.abs(value))))
}

export function length(v: readonly number[]): number {
  return Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
}

/** Momentum over time of a change of poses, the sum of the magnitudes that it is made of, and what rounding adds. */
export interface Change {
  linear: number
  angular: number
  size: number
  noise: number
  /** Largest turn of a body by the inverse inertias before it and λ [rad]. */
  inverse: Float64Array
}

/** A pose of size 1 is known to 2⁻⁵³; a few such roundings go into each difference. */
const ROUND_OFF = 1 / 1125899906842624

/** What a change of poses is as momentum over time, Σ m Δx and Σ (x × m Δx + I Δθ). */
export function momentumOf({ world }: Live, change: () => void): Change {
  const c = world.bodies.columns
  const before = c.position.slice()
  const turnedBefore = c.orientation.slice()
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
    const x = Array.from(before.subarray(4 * i, 4 * i + 3))
    const p = x.map((value, k) => (c.position[4 * i + k] - value) / w)
    rotationBetween(c.orientation, 4 * i, turnedBefore, 4 * i, d, 0)
    const spin = body.isParticle ? [0, 0, 0] : solved(inverse.subarray(9 * i, 9 * i + 9), d)
    for (let k = 0; k < 3; k++) {
      const [r, s] = [(k + 1) % 3, (k + 2) % 3]
      linear[k] += p[k]
      angular[k] += x[r] * p[s] - x[s] * p[r] + spin[k]
    }
    noise += ROUND_OFF * ((1 + length(x)) / w + (body.isParticle ? 0 : Math.max(...body.principalInertia)))
    size += length(p) * (1 + length(x)) + length(spin)
  }
  return { linear: length(linear), angular: length(angular), size, noise, inverse }
}

/** M⁻¹ v of a 3×3 matrix by cofactors. */
function solved(m: Float64Array, v: Float64Array): number[] {
  const [a, b, c, d, e, f, g, h, i] = m
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g]
  const s = 1 / (a * A + b * B + c * C)
  return [
    s * (A * v[0] + (c * h - b * i) * v[1] + (b * f - c * e) * v[2]),
    s * (B * v[0] + (a * i - c * g) * v[1] + (c * d - a * f) * v[2]),
    s * (C * v[0] + (b * g - a * h) * v[1] + (a * e - b * d) * v[2]),
  ]
}

/** x ← R x + shift for poses, present and at the start; inertia follows. */
export function moveAll({ world }: { world: World }, q: readonly number[], shift: readonly number[]): void {
  const c = world.bodies.columns
  for (const body of world.bodies.all()) {
    const o = 4 * body.index
    const start = [movedPoint(q, shift, c.startPosition, o), product(q, c.startOrientation, o)]
    const orientation = product(q, c.orientation, o)
    body.setPosition(movedPoint(q, shift, c.position, o))
    body.setOrientation(orientation)
    c.startPosition.set(start[0], o)
    c.startOrientation.set(start[1], o)
  }
}

type Column = BodyColumns['position']

export function movedPoint(
  q: readonly number[],
  shift: readonly number[],
  x: ArrayLike<number>,
  o: number,
): [number, number, number] {
  const v = [x[o], x[o + 1], x[o + 2]]
  const t = cross(q, v)
  const u = cross(q, t)
  const at = (k: number): number => v[k] + 2 * q[3] * t[k] + 2 * u[k] + shift[k]
  return [at(0), at(1), at(2)]
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function product(p: readonly number[], q: Column, o: number): [number, number, number, number] {
  const [x, y, z, w] = [q[o], q[o + 1], q[o + 2], q[o + 3]]
  return [
    p[3] * x + p[0] * w + p[1] * z - p[2] * y,
    p[3] * y - p[0] * z + p[1] * w + p[2] * x,
    p[3] * z + p[0] * y - p[1] * x + p[2] * w,
    p[3] * w - p[0] * x - p[1] * y - p[2] * z,
  ]
}
