/**
 * Times a sweep of the product against the same arithmetic written by hand.
 *
 * Both start from the same state, which is put back before every sweep, outside the time; they run in turns, first the one,
 * then the other, and the figure is the median of the ratios of neighbours, as other load on the machine hits both. Before
 * that both are run once and must agree: the proof that it is the same arithmetic.
 */

import type { World } from '@tautline/core'
import type { Batch } from '@tautline/core/kernel'
import { type ByHand, copyData, type Data } from './data.js'

/** Substep [s]. */
export const SUBSTEP = 1 / 480
/** Share of a coordinate, or of 1, by which the two may differ: the order of sums. */
const AGREEMENT = 1e-12
/** Of multipliers, as a share of the largest: they come from differences of coordinates. */
const MULTIPLIER_AGREEMENT = 1e-9
const WARM_UP = 80
const PAIRS = 300
/** Stop taking samples after this time [ms], when there are at least `FEWEST`. */
const TIME = 6000
const FEWEST = 60

export interface Times {
  name: string
  /** ns a row. */
  product: number
  byHand: number
  ratio: number
  rows: number
}

/** A world with one batch, and the loop to compare it with. */
export interface Case {
  name: string
  /** Adds the rows; the world is stepped once afterwards, which prepares them. */
  build(): World
  /** Takes the solved state off its rest: distance [m], angle [rad]. */
  shake(world: World): void
  byHand: ByHand
}

/** State of a sweep that is put back before each. */
interface Saved {
  x: Float64Array
  q: Float64Array
  lambda: Float64Array
}

function put(saved: Saved, x: Float64Array, q: Float64Array, lambda: Float64Array): void {
  x.set(saved.x)
  q.set(saved.q)
  lambda.set(saved.lambda)
}

/** A world of a case, ready for a sweep. */
export function prepared(it: Case): { world: World; batch: Batch } {
  const world = it.build()
  world.refreshOrder()
  world.step(SUBSTEP * world.settings.substeps)
  it.shake(world)
  world.refreshOrder()
  if (world.batches.length !== 1) throw new Error(`${it.name}: wanted one batch, got ${world.batches.length}`)
  const [batch] = world.batches
  batch.columns.lambda.fill(0)
  return { world, batch }
}

/** Throws unless both do the same. */
export function check(it: Case): void {
  const { world, batch } = prepared(it)
  const data = copyData(world, batch, SUBSTEP)
  const saved: Saved = { x: data.x.slice(), q: data.q.slice(), lambda: data.columns.lambda.slice() }
  batch.type.loop?.sweep?.(world.bodies.columns, batch, 0, batch.active, SUBSTEP)
  it.byHand(data)
  compare(it.name, world, batch, data, saved)
}

/** ns a row of the product and of the loop by hand. */
export function measure(it: Case): Times {
  const { world, batch } = prepared(it)
  const data = copyData(world, batch, SUBSTEP)
  const saved: Saved = { x: data.x.slice(), q: data.q.slice(), lambda: data.columns.lambda.slice() }
  const bodies = world.bodies.columns
  const product = (): number => {
    put(saved, bodies.position, bodies.orientation, batch.columns.lambda)
    const start = process.hrtime.bigint()
    batch.type.loop?.sweep?.(bodies, batch, 0, batch.active, SUBSTEP)
    return Number(process.hrtime.bigint() - start)
  }
  const byHand = (): number => {
    put(saved, data.x, data.q, data.columns.lambda)
    const start = process.hrtime.bigint()
    it.byHand(data)
    return Number(process.hrtime.bigint() - start)
  }
  product()
  byHand()
  compare(it.name, world, batch, data, saved)
  return { name: it.name, ...race(product, byHand, batch.active), rows: batch.active }
}

/** Medians of alternating runs, in ns a row. */
export function race(
  product: () => number,
  byHand: () => number,
  rows: number,
): { product: number; byHand: number; ratio: number } {
  for (let k = 0; k < WARM_UP; k++) {
    product()
    byHand()
  }
  const first: number[] = []
  const second: number[] = []
  const end = performance.now() + TIME
  for (let k = 0; k < PAIRS && (k < FEWEST || performance.now() < end); k++) {
    // Whoever comes second finds the caches as the first left them: take turns.
    if (k % 2 === 0) first.push(product())
    second.push(byHand())
    if (k % 2 === 1) first.push(product())
  }
  return {
    product: median(first) / rows,
    byHand: median(second) / rows,
    ratio: median(first.map((time, k) => time / second[k])),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((r, s) => r - s)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle])
}

function compare(name: string, world: World, batch: Batch, data: Data, saved: Saved): void {
  const { position, orientation } = world.bodies.columns
  const { count } = world.bodies
  const { lambda } = data.columns
  const largest = lambda.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  agree(`${name}: position`, position.subarray(0, 4 * count), data.x, AGREEMENT, 1)
  agree(`${name}: orientation`, orientation.subarray(0, 4 * count), data.q, AGREEMENT, 1)
  agree(`${name}: lambda`, batch.columns.lambda.subarray(0, lambda.length), lambda, MULTIPLIER_AGREEMENT, largest)
  const moved = data.x.filter((value, k) => value !== saved.x[k]).length
  const turned = data.q.filter((value, k) => value !== saved.q[k]).length
  if (4 * (moved + turned) < data.x.length) {
    throw new Error(`${name}: the sweep moved only ${moved + turned} coordinates of ${data.x.length}`)
  }
}

function agree(what: string, u: Float64Array, v: Float64Array, share: number, unit: number): void {
  for (let k = 0; k < v.length; k++) {
    if (Math.abs(u[k] - v[k]) <= share * Math.max(unit, Math.abs(v[k]))) continue
    throw new Error(`${what} ${k}: ${u[k]} by the product, ${v[k]} by hand`)
  }
}
