/**
 * Deep overlaps of what joints hold, pushed out at the start of a substep, as positions alone.
 *
 * What a push-out moves of a lone body is taken from its velocities again. Of a body on joints it is not: they pass the push on to all that
 * hangs together, and what they make of it counts as motion (a figure that began 0.4 m in stairs had 250 J of it in three steps, and an
 * arm went off at 10 m/s). So here a deep overlap is a violated pose like any other: normals push their bodies apart by the share that is
 * due, what is joined is marked as disturbed, and the repair of poses closes the joints again before anything is predicted. The rows of
 * the substep hold the overlap that is left as it is (`goals.ts`).
 */

import { beginPush, planOf, viewOf } from './manifold-plan.js'
import { type LeanWorld } from '@tautline/core'
import { type BodyColumns, DisjointSets, DISTURBED, DYNAMIC, RESTS, ROTATES, worldInertia } from '@tautline/core/kernel'
import { displace } from './loops/displace.js'
import { buildMatrix } from './loops/effective-mass.js'
import { measureNormals } from './loops/gaps.js'
import { findGoals, holdsJoined, SOFTNESS } from './loops/goals.js'
import { HAS_JOINED } from './loops/view.js'
import { prepareLeverArms } from './loops/lever-arms.js'
import { factorManifold, solveNormals } from './loops/manifold-solver.js'
import { DEEP, GOAL, type Manifolds, RECORD, residual, ROWS } from './manifold-columns.js'

/** Passes over what is pushed apart: as many as push lone bodies apart. */
const PASSES = 8

const TENSOR = /* @__PURE__ */ new Float64Array(9)

export class StartPush {
  private readonly world: LeanWorld
  private readonly batch: Manifolds
  /** Rows to push, and their multipliers, which the substep goes on from. */
  private rows = new Int32Array(16)
  private multipliers = new Float64Array(16 * ROWS)
  private count = 0
  /** What hangs together; by root, what it was lifted by and its kinetic energy [J]. */
  private readonly sets = new DisjointSets()
  private lift = new Float64Array(0)
  private kinetic = new Float64Array(0)
  /** The order of rows that `joined` was found for. */
  private foundFor = -1

  constructor(world: LeanWorld, batch: Manifolds) {
    this.world = world
    this.batch = batch
  }

  /** Pushes apart what is deep, for a substep of `h` [s]. */
  run(h: number): void {
    const { batch, world } = this
    const c = world.bodies.columns
    if (batch.active === 0 || !this.findJoined()) return
    this.findDeep(h)
    if (this.count === 0) return
    this.noteStart()
    beginPush(c, batch, 0, batch.active)
    const { pushed } = planOf(batch).view
    const { rows, count } = world.bodies.awake
    for (let n = 0; n < count; n++) for (let o = 6 * rows[n]; o < 6 * rows[n] + 6; o++) pushed[o] = 0
    for (let pass = 0; pass < PASSES; pass++) for (let k = 0; k < this.count; k++) this.push(this.rows[k])
    const { lambda, fresh, still, touching } = batch.columns
    for (let k = 0; k < this.count; k++) {
      const row = this.rows[k]
      for (let r = 0; r < ROWS; r++) lambda[ROWS * row + r] = this.multipliers[ROWS * k + r]
      // What stands in the record is of a pose that has changed.
      fresh[row] = touching[row] = 1
      still[row] = 0
      for (let side = 2 * row; side < 2 * row + 2; side++) {
        const i = batch.ids[side]
        if (moves(c, i)) c.flags[i] |= DISTURBED
      }
    }
    this.payLift()
  }

  /** Writes the present poses to the start poses: the repair of joints brings swept rows back to their violation there. */
  private noteStart(): void {
    const { columns: c, awake } = this.world.bodies
    for (let n = 0; n < awake.count; n++) {
      const o = 4 * awake.rows[n]
      for (let k = o; k < o + 4; k++) {
        c.startPosition[k] = c.position[k]
        c.startOrientation[k] = c.orientation[k]
      }
    }
  }

  /** Brings up to date which bodies something other than a contact holds; whether there is one. */
  private findJoined(): boolean {
    const { world, batch } = this
    const { view } = planOf(batch)
    const { flags } = view
    if (this.foundFor === world.orderings) return flags[HAS_JOINED] !== 0
    this.foundFor = world.orderings
    const { count } = world.bodies
    if (view.joined.length < count) view.joined = new Uint8Array(2 * count)
    const { joined } = view
    joined.fill(0)
    flags[HAS_JOINED] = 0
    for (const { type, arity, active, ids } of world.batches) {
      if (type.traits?.transient === true || active === 0) continue
      flags[HAS_JOINED] = 1
      for (let k = 0; k < arity * active; k++) joined[ids[k]] = 1
    }
    joined[0] = 0
    return flags[HAS_JOINED] !== 0
  }

  /** Finds the rows that are deep, with their goals. */
  private findDeep(h: number): void {
    const { batch, world } = this
    const { points, lambda, record } = batch.columns
    const c = world.bodies.columns
    const m = viewOf(c, batch)
    this.count = 0
    for (let row = 0; row < batch.active; row++) {
      if (points[row] === 0 || !holdsJoined(m, row)) continue
      measureNormals(m, row)
      findGoals(m, row, h)
      if (record[RECORD * row + DEEP] === 0) continue
      if (this.count === this.rows.length) this.grow()
      for (let r = 0; r < ROWS; r++) {
        this.multipliers[ROWS * this.count + r] = lambda[ROWS * row + r]
        lambda[ROWS * row + r] = 0
      }
      this.rows[this.count++] = row
    }
  }

  /**
   * Takes what was lifted from the kinetic energy of what hangs together, as far as it moves. A repair keeps the centre of mass of what is
   * joined, so that Σ m g·Δx of the pushes is what it will have been lifted by: nothing where it is free, and then nothing pays.
   */
  private payLift(): void {
    this.joinSets()
    const { world, batch, sets, lift, kinetic } = this
    const c = world.bodies.columns
    const { rows, count } = world.bodies.awake
    const { gravity } = world.settings
    const { pushed } = planOf(batch).view
    for (let n = 1; n < count; n++) lift[rows[n]] = kinetic[rows[n]] = 0
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (!moves(c, i)) continue
      const root = sets.root(i)
      kinetic[root] += kineticEnergy(c, i)
      const weight = c.gravityScale[i] / c.inverseMass[i]
      for (let k = 0; k < 3; k++) lift[root] -= weight * gravity[k] * pushed[6 * i + k]
    }
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (!moves(c, i)) continue
      const root = sets.root(i)
      if (!(lift[root] > 0)) continue
      const share = kinetic[root] > lift[root] ? Math.sqrt(1 - lift[root] / kinetic[root]) : 0
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        c.velocity[k] *= share
        c.angularVelocity[k] *= share
      }
    }
  }

  /** Finds what hangs together by joints, and by what is pushed apart. */
  private joinSets(): void {
    const { world, batch, sets, rows } = this
    const c = world.bodies.columns
    const { count } = world.bodies
    if (this.lift.length < count) {
      this.lift = new Float64Array(2 * count)
      this.kinetic = new Float64Array(2 * count)
    }
    sets.reset(count)
    for (const { type, arity, active, ids } of world.batches) {
      if (type.traits?.transient === true) continue
      for (let k = 0; k < arity * active; k += arity) {
        let first = -1
        for (let b = k; b < k + arity; b++) {
          if (!moves(c, ids[b])) continue
          if (first < 0) first = ids[b]
          else sets.join(first, ids[b])
        }
      }
    }
    for (let k = 0; k < this.count; k++) {
      const a = batch.ids[2 * rows[k]]
      const b = batch.ids[2 * rows[k] + 1]
      if (moves(c, a) && moves(c, b)) sets.join(a, b)
    }
  }

  private grow(): void {
    const rows = new Int32Array(2 * this.rows.length)
    const multipliers = new Float64Array(2 * this.multipliers.length)
    rows.set(this.rows)
    multipliers.set(this.multipliers)
    this.rows = rows
    this.multipliers = multipliers
  }

  /** A pass over a row. */
  private push(row: number): void {
    const { batch, world } = this
    const { points, lambda, record } = batch.columns
    const c = world.bodies.columns
    const m = viewOf(c, batch)
    measureNormals(m, row)
    let acts = false
    for (let i = 0; i < points[row]; i++) {
      residual[i] -= record[RECORD * row + GOAL + i]
      if (residual[i] < 0 || lambda[ROWS * row + i] > 0) acts = true
    }
    if (!acts) return
    prepareLeverArms(m, row)
    buildMatrix(m, row)
    factorManifold(m, row, SOFTNESS)
    solveNormals(m, row, 0)
    displace(m, row, false)
  }
}

function moves({ kind, flags }: BodyColumns, i: number): boolean {
  return kind[i] === DYNAMIC && (flags[i] & RESTS) === 0
}

/** ½ m v² + ½ ω·I ω of a body [J]. */
function kineticEnergy(c: BodyColumns, i: number): number {
  const { velocity: v, angularVelocity: w, inverseMass, flags } = c
  const k = 3 * i
  const linear = (v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]) / inverseMass[i]
  if ((flags[i] & ROTATES) === 0) return 0.5 * linear
  worldInertia(c, i, TENSOR)
  let spin = 0
  for (let r = 0; r < 3; r++) {
    spin += w[k + r] * (TENSOR[3 * r] * w[k] + TENSOR[3 * r + 1] * w[k + 1] + TENSOR[3 * r + 2] * w[k + 2])
  }
  return 0.5 * (linear + spin)
}
