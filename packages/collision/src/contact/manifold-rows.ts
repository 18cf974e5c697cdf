/**
 * A contact manifold as one constraint: up to four normal rows, friction in the plane, twist about the normal, and
 * rolling, solved together.
 *
 *   normal    c_i = (p_A − p_B)·n̂ >= 0, λ_i >= 0                                       (91–95), at most four
 *   friction  u = displacement of the manifold centre in the plane, ‖λ_u‖ <= ν Σ λ_i       (96–101)
 *   twist     θ = n̂·(θ_A − θ_B),   |λ_θ| <= Σ λ_i (ν ρ_i + torsional)                   ρ_i: distance from the centre
 *   rolling   tangential part of θ_A − θ_B,   ‖λ_r‖ <= rolling Σ λ_i
 *
 * A substep:
 * - prepare: levers and normal at the predicted pose; then the last substep's λ displaces.
 * - sweep: the normal rows, c from the present poses, one displacement of each body. Overlap from before the substep is
 *   repaired by a share, no faster than `maxPushOut`, and λ leaks a little (`SOFTNESS`); what would be new overlap is
 *   repaired at once. Without the leak a full warm start has no damping and a stack never rests.
 * - velocities: all rows, rigid and without the repair, so that what push-out put in comes out, friction holds to
 *   round-off, and what struck bounces. These impulses belong to λ. (Catto's relaxing pass, 2023; friction in it alone.)
 * Friction needs no anchors this way: a box on a slope of 0.25 rad with ν = 0.26 creeps 2e-5 m while it settles, and then
 * stands to 1e-15 m/s.
 */

import type { ConstraintType } from '@tautline/core'
import type { TypeLoops } from '@tautline/core/kernel'
import { beginPush, stopPush, viewOf } from './manifold-plan.js'
import { measureNormals } from './loops/gaps.js'
import { prepareLeverArms } from './loops/lever-arms.js'
import { followSlip } from './loops/manifold-solver.js'
import { finishVelocities, noteImpulse, relax } from './loops/velocities.js'
import { prepare, pushApart, rebound, renewMoved, steerAnew, sweep } from './loops/passes.js'
import { HAS_STRUCK, type ManifoldView } from './loops/view.js'
import { chain } from '../impact/chain.js'
import {
  ARM_N,
  ARM_T,
  DEEP,
  FRAME,
  FRICTION,
  ORIGIN,
  RECORD,
  MANIFOLD_COLUMNS,
  type ManifoldColumn,
  type Manifolds,
  residual,
  ROLLING,
  ROWS,
  solverPartsOf,
  SPREAD,
  TWIST,
} from './manifold-columns.js'
import { measureSlip } from './slip.js'

/** Passes over positions and velocities while a deep overlap is pushed out: it has to go fast, and leave no speed. */
const DEEP_SWEEPS = 8
const DEEP_PASSES = 8
/** The record of the row that `evaluate` looks at. */
const kept = /* @__PURE__ */ new Float64Array(RECORD)

/** Passes over rows, which may be compiled. */
export interface ManifoldPasses {
  prepare(m: ManifoldView, from: number, to: number, h: number): void
  sweep(m: ManifoldView, from: number, to: number, h: number): void
  renewMoved(m: ManifoldView, from: number, to: number): void
  relax(m: ManifoldView, from: number, to: number, h: number, bounces: boolean): void
  rebound(m: ManifoldView, from: number, to: number, h: number): void
  finishVelocities(m: ManifoldView, from: number, to: number, h: number): void
}

/** What compiled passes need of the type. */
interface ManifoldParts {
  /** Passes in TypeScript. */
  readonly passes: ManifoldPasses
  /** The loops, with passes that may be compiled. */
  loopsOf(passes: ManifoldPasses): TypeLoops<ManifoldColumn>
  /** The view that passes get. */
  viewOf: typeof viewOf
}

const PASSES: ManifoldPasses = { prepare, sweep, renewMoved, relax, rebound, finishVelocities }

/** Made and kept by `Collisions`: a row a manifold. */
export const manifoldRows: ConstraintType<object, ManifoldColumn> & ManifoldParts = {
  name: 'manifold',
  order: 4,
  arity: 2,
  multipliers: ROWS,
  traits: {
    warmStart: 'own',
    transient: true,
  },
  saved: {
    state: ['pair', 'sliding'],
  },
  columns: MANIFOLD_COLUMNS,
  passes: PASSES,
  loopsOf,
  viewOf,

  resolve: (def) => def,
  write() {},

  evaluate(bodies, batch, row, out) {
    const { points, friction, torsional, rolling, restitution, sliding, lambda, record } = batch.columns
    const a = batch.ids[2 * row]
    const b = batch.ids[2 * row + 1]
    const n = points[row]
    const p = RECORD * row
    // Arms at the present poses; those of the substep come back below, as asking must not change a step.
    kept.set(record.subarray(p, p + RECORD))
    const m = viewOf(bodies, batch)
    prepareLeverArms(m, row)
    // A moment T about `origin` is T + (origin − x) × d about a body at x.
    const push = (d: number, arm: number): void => {
      const x = bodies.position
      for (let side = 0; side < 2; side++) {
        const sign = side === 0 ? 1 : -1
        const [dx, dy, dz] = [record[d], record[d + 1], record[d + 2]]
        const [sx, sy, sz] = [0, 1, 2].map((k) => record[p + ORIGIN + k] - x[4 * (side === 0 ? a : b) + k])
        out.linear(side, sign * dx, sign * dy, sign * dz)
        out.angular(
          side,
          sign * (record[arm] + sy * dz - sz * dy),
          sign * (record[arm + 1] + sz * dx - sx * dz),
          sign * (record[arm + 2] + sx * dy - sy * dx),
        )
      }
    }
    const couple = (d: number): void => {
      out.angular(0, record[d], record[d + 1], record[d + 2])
      out.angular(1, -record[d], -record[d + 1], -record[d + 2])
    }
    measureNormals(m, row)
    let twistBound = 0
    for (let i = 0; i < n; i++) {
      const group = out.group('scalar', 'position', 'm')
      group.lower = 0
      group.restitution = restitution[row]
      out.row(i, residual[i])
      push(p + FRAME, p + ARM_N + 3 * i)
      twistBound += lambda[ROWS * row + i] * (friction[2 * row] * record[p + SPREAD + i] + torsional[row])
    }
    measureSlip(bodies, batch, row)
    if (n > 0 && friction[2 * row] > 0) {
      const group = out.group('disc', 'position', 'm')
      group.normal = 0
      group.normals = n
      group.slip = friction[2 * row + 1]
      group.radius = sliding[row] === 1 ? group.slip : friction[2 * row]
      for (let k = 0; k < 2; k++) {
        out.row(FRICTION + k, residual[FRICTION + k])
        push(p + FRAME + 3 + 3 * k, p + ARM_T + 3 * k)
      }
    }
    const h = out.substep
    if (twistBound > 0 && h > 0) {
      const group = out.group('scalar', 'position', 'rad')
      group.upper = twistBound / (h * h)
      group.lower = -group.upper
      out.row(TWIST, residual[TWIST])
      couple(p + FRAME)
    }
    if (n > 0 && rolling[row] > 0) {
      const group = out.group('disc', 'position', 'rad')
      group.normal = 0
      group.normals = n
      group.slip = group.radius = rolling[row]
      for (let k = 0; k < 2; k++) {
        out.row(ROLLING + k, residual[ROLLING + k])
        couple(p + FRAME + 3 + 3 * k)
      }
    }
    record.set(kept, p)
  },
  loop: /* @__PURE__ */ loopsOf(PASSES),
}

/** The loops of the type, with passes that may be compiled. */
function loopsOf(passes: ManifoldPasses): TypeLoops<ManifoldColumn> {
  return {
    adopt(bodies, batch, from, to, h) {
      const m = viewOf(bodies, batch)
      const { touching, fresh } = batch.columns
      for (let row = from; row < to; row++) {
        if (noteImpulse(m, row, h) > 0) touching[row] = 1
        followSlip(m, row)
        // Nothing prepared G for this pose.
        fresh[row] = 1
      }
    },
    prepare(bodies, batch, from, to, h) {
      beginPush(bodies, batch, from, to)
      const { islands } = solverPartsOf(batch)
      const count = islands?.find(bodies, batch, from, to) ?? 0
      passes.prepare(viewOf(bodies, batch), from, to, h)
      if (count > 0) islands?.warmStart(bodies, batch, from, to, count)
    },
    sweep(bodies, batch, from, to) {
      const islands = countIslands(batch, from, to)
      if (islands > 0) solverPartsOf(batch).islands?.pushApart(bodies, batch, from, to, islands)
      const m = viewOf(bodies, batch)
      const h = batch.rows.substep
      passes.sweep(m, from, to, h)
      const count = findAroundDeep(m, batch, from, to)
      for (let pass = 1; count > 0 && pass < DEEP_SWEEPS; pass++) {
        for (let k = 0; k < count; k++) {
          steerAnew(m, again[k])
          pushApart(m, again[k], h)
        }
      }
    },
    velocities(bodies, batch, from, to, h) {
      const islands = countIslands(batch, from, to)
      if (islands > 0) solverPartsOf(batch).islands?.relax(bodies, batch, from, to, islands, h)
      const m = viewOf(bodies, batch)
      const count = findAroundDeep(m, batch, from, to)
      if (count > 0) dropPush(m, batch, from, to, h)
      for (let k = 0; k < count; k++) steerAnew(m, again[k])
      passes.renewMoved(m, from, to)
      solverPartsOf(batch).resolveChains?.(bodies, batch, from, to, h)
      m.reached = chain.reached
      m.flags[HAS_STRUCK] = chain.any ? 1 : 0
      passes.relax(m, from, to, h, false)
      for (let pass = 1; count > 0 && pass < DEEP_PASSES; pass++) {
        for (let k = 0; k < count; k++) relax(m, again[k], again[k] + 1, h, false)
      }
      passes.rebound(m, from, to, h)
      passes.finishVelocities(m, from, to, h)
    },
  }
}

/** How many islands are solved exactly in this substep. */
function countIslands(batch: Manifolds, from: number, to: number): number {
  const { island } = batch.columns
  let count = 0
  for (let row = from; row < to; row++) if (island[row] > count) count = island[row]
  return count
}

/** What push-out did leaves velocities and λ: what stops the two is found anew by the passes over velocities. */
function dropPush(m: ManifoldView, batch: Manifolds, from: number, to: number, h: number): void {
  const { lambda, record } = batch.columns
  for (let row = from; row < to; row++) {
    if (record[RECORD * row + DEEP] === 0) continue
    for (let k = 2 * row; k < 2 * row + 2; k++) {
      if (m.position[4 * batch.ids[k] + 3] !== 0) stopPush(m, batch.ids[k], h)
    }
    lambda.fill(0, ROWS * row, ROWS * row + ROWS)
  }
}

/** Rows to pass again, and by body the last search that marked it. Grown and kept. */
let again = new Int32Array(0)
let marked = new Int32Array(0)
let search = 0

/** Rows with a deep overlap and those that share a body with one, into `again`; returns how many. */
function findAroundDeep({ position }: ManifoldView, batch: Manifolds, from: number, to: number): number {
  const { record, island } = batch.columns
  const { ids } = batch
  let largest = 0
  let deep = 0
  for (let row = from; row < to; row++) {
    largest = Math.max(largest, ids[2 * row], ids[2 * row + 1])
    if (record[RECORD * row + DEEP] !== 0) deep++
  }
  if (deep === 0) return 0
  if (again.length < to) again = new Int32Array(2 * to)
  if (marked.length <= largest) marked = new Int32Array(2 * (largest + 1))
  search++
  for (let row = from; row < to; row++) {
    if (record[RECORD * row + DEEP] === 0) continue
    // What does not move is next to everything.
    for (let k = 2 * row; k < 2 * row + 2; k++) if (position[4 * ids[k] + 3] !== 0) marked[ids[k]] = search
  }
  let count = 0
  for (let row = from; row < to; row++) {
    if (island[row] !== 0) continue
    if (marked[ids[2 * row]] === search || marked[ids[2 * row + 1]] === search) again[count++] = row
  }
  return count
}
