/** Finds for the components of the graph which of their rows are swept, which store energy, which bodies lead them, and how far swept rows are from being met. */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import type { WorldView } from '../define/contract.js'
import { BodyGraph, graphOf, moverOf } from '../graph/body-graph.js'
import { type Leading, isCounted, isElement } from './sources.js'
import { groupResidual } from '../step/row-solver.js'
import type { DisjointSets } from '../graph/disjoint-sets.js'

/** What is swept in a component. */
const SWEPT = 1
export const SOFT = 2

/** Components of a world: buffers that grow with it and are kept. */
export class Links implements Leading {
  graph: BodyGraph = new BodyGraph()
  /** By root: `SWEPT` where a row is swept, or may be: any that no tree of joints has; and `SOFT` where it is an element of a soft body. */
  swept: Uint8Array = new Uint8Array(0)
  /** By root: a kinematic body that moves and that it is joined to, or 0. */
  leader: Int32Array = new Int32Array(0)
  /** By root: how fast the fastest of those moves [m/s], and how fast it turns [rad/s]. */
  speed: Float64Array = new Float64Array(0)
  spin: Float64Array = new Float64Array(0)
  /** Indices of batches with rows that give way, between bodies that turn. */
  readonly storing: number[] = []
  /** By body: the same as `swept` of rows that it is the first moving body of. */
  private sweptBy: Uint8Array = new Uint8Array(0)
  private foundFor = -1
  private foundVersion = -1

  /** Brings everything up to date. */
  refresh(world: WorldView): void {
    this.graph = graphOf(world)
    const { count, version } = world.bodies
    if (this.swept.length < count) this.reserve(2 * count)
    if (this.foundFor !== world.orderings || this.foundVersion !== version) {
      this.foundFor = world.orderings
      this.foundVersion = version
      this.findSwept(world, count)
    }
    const { sets, drivers } = this.graph
    const { swept, sweptBy, leader, speed, spin } = this
    const { rows, count: awake } = world.bodies.awake
    for (let n = 0; n < awake; n++) swept[rows[n]] = leader[rows[n]] = speed[rows[n]] = spin[rows[n]] = 0
    for (let n = 0; n < awake; n++) if (sweptBy[rows[n]] !== 0) swept[sets.root(rows[n])] |= sweptBy[rows[n]]
    for (let k = 0; k < drivers.length; k += 2) this.follow(world.bodies, drivers[k], sets.root(drivers[k + 1]))
  }

  /** Notes a kinematic body of a component. A body that stands still leads nothing, as the ground does not. */
  private follow({ columns: { velocity, angularVelocity } }: Bodies, driver: number, root: number): void {
    const { leader, speed, spin } = this
    const v = sizeOf(velocity, 3 * driver)
    const w = sizeOf(angularVelocity, 3 * driver)
    if (v === 0 && w === 0) return
    leader[root] = driver
    // NaN counts as the fastest.
    if (!(v <= speed[root])) speed[root] = v
    if (!(w <= spin[root])) spin[root] = w
  }

  private reserve(count: number): void {
    this.leader = new Int32Array(count)
    this.speed = new Float64Array(count)
    this.spin = new Float64Array(count)
    this.swept = new Uint8Array(count)
    this.sweptBy = new Uint8Array(count)
    this.foundFor = -1
  }

  /** Finds the rows in order that are swept, and the batches that store energy. */
  private findSwept(world: WorldView, count: number): void {
    const { storing, sweptBy } = this
    const bodies = world.bodies.columns
    storing.length = 0
    sweptBy.fill(0, 0, count)
    for (let t = 0; t < world.batches.length; t++) {
      const batch = world.batches[t]
      const { active, type, swept } = batch
      if (type.traits?.unordered === true || type.traits?.transient === true) continue
      if (stores(world, batch)) storing.push(t)
      const end = type.joint === undefined && type.traits?.ownsSoftness !== true ? active : swept
      const mark = isElement(batch) ? SWEPT | SOFT : SWEPT
      for (let row = 0; row < end; row++) sweptBy[moverOf(bodies, batch, row)] |= mark
    }
  }
}

/** Whether a batch has rows whose stored energy counts. */
function stores(world: WorldView, batch: Batch): boolean {
  for (let row = 0; row < batch.active; row++) if (isCounted(world, batch, row)) return true
  return false
}

function sizeOf(v: Float64Array, o: number): number {
  return Math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2])
}

/** Errors below which a row that no bound is known of is met. */
const MET = 1e-9

/**
 * Adds the errors [m] of swept rows to what `sums` have at `stride` × root + `at`, of components that have a number other than 0 at `asked` there: Infinity where a row
 * turns bodies, whose levers are not known, or gives way and is not counted.
 */
export function addUnmet(
  world: WorldView,
  sets: DisjointSets,
  sums: Float64Array,
  stride: number,
  at: number,
  asked: number,
): void {
  const bodies = world.bodies.columns
  for (const batch of world.batches) {
    if (batch.type.traits?.transient === true) continue
    for (let row = 0; row < batch.swept; row++) {
      const o = stride * sets.root(moverOf(bodies, batch, row))
      if (sums[o + asked] !== 0) sums[o + at] += unmet(world, batch, row)
    }
  }
}

function unmet(world: WorldView, batch: Batch, row: number): number {
  const { rows } = batch
  rows.clear()
  batch.type.evaluate(world.bodies.columns, batch, row, rows)
  const isKnown = batch.common.yields[row] === 0 || isCounted(world, batch, row)
  let sum = 0
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    if (group.law !== 'position' || group.kind === 'disc') continue
    const error = groupResidual(batch, row, rows, group, world.clock.substepLength)
    if (isKnown && group.unit === 'm') sum += error
    else if (error > MET) return Infinity
  }
  return sum
}
