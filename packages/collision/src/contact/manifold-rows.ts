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
import type { BodyColumns } from '@tautline/core/kernel'
import { beginPush, displace, pushOutOf, stopPush, warmStart } from './apply-impulses.js'
import { buildMatrix } from './effective-mass.js'
import { measureNormals, measureSlip } from './gaps.js'
import { prepareGoals, setBounce, SOFTNESS } from './goals.js'
import { prepareLeverArms } from './lever-arms.js'
import {
  ARM_N,
  ARM_T,
  DEEP,
  FRAME,
  FRICTION,
  GOAL,
  ORIGIN,
  RECORD,
  MANIFOLD_COLUMNS,
  type ManifoldColumn,
  type Manifolds,
  noteImpulse,
  residual,
  ROLLING,
  ROWS,
  solverPartsOf,
  SPREAD,
  TWIST,
} from './manifold-columns.js'
import { bouncesOff, finishVelocities, relax } from './relax.js'
import { noteSlenderness } from './towers.js'
import { hasRotated } from './store-manifold.js'
import { wasStruck } from '../impact/chain.js'
import { factorManifold, followSlip, solveNormals } from './manifold-solver.js'

/** Passes over positions and velocities while a deep overlap is pushed out: it has to go fast, and leave no speed. */
const DEEP_SWEEPS = 8
const DEEP_PASSES = 8
/** What would overlap by more than this speed [m/s] brings is stopped rigidly: softly, a fast thin rod would pass a wall. */
const IMPACT = 2
/** Share of its radius of gyration by which a body has moved far since it was prepared, and change of its quaternion by which it has. */
const SHIFTED = 0.5
const TURNED = 0.2
/** The record of the row that `evaluate` looks at. */
const kept = /* @__PURE__ */ new Float64Array(RECORD)

/** Parts of the loops that compiled ones leave to these. */
interface ManifoldParts {
  /** Begins a substep; returns how many islands are solved exactly. */
  begin: typeof begin
  warmStartIslands: typeof warmStartIslands
  sweepAroundDeep: typeof sweepAroundDeep
}

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
  begin,
  warmStartIslands,
  sweepAroundDeep,

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
    prepareLeverArms(bodies, batch, row)
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
    measureNormals(bodies, batch, row)
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
  loop: {
    adopt(_bodies, batch, from, to, h) {
      const { touching, fresh } = batch.columns
      for (let row = from; row < to; row++) {
        if (noteImpulse(batch, row, h) > 0) touching[row] = 1
        followSlip(batch, row)
        // Nothing prepared G for this pose.
        fresh[row] = 1
      }
    },
    prepare(bodies, batch, from, to, h) {
      const { fresh, still, island, record } = batch.columns
      const islands = begin(bodies, batch, from, to)
      for (let row = from; row < to; row++) {
        prepareGoals(bodies, batch, row, h)
        // An exact island takes its overlaps in one go.
        if (island[row] !== 0) record[RECORD * row + DEEP] = 0
        if (still[row] === 0) prepareLeverArms(bodies, batch, row)
        if (fresh[row] !== 0 || (still[row] === 0 && hasRotated(bodies, batch, row))) {
          buildMatrix(bodies, batch, row)
          factorManifold(batch, row, SOFTNESS)
          noteSlenderness(bodies, batch, row)
        }
        setBounce(bodies, batch, row, h)
        if (island[row] === 0) warmStart(bodies, batch, row)
      }
      if (islands > 0) warmStartIslands(bodies, batch, from, to, islands)
    },
    sweep(bodies, batch, from, to) {
      const islands = countIslands(batch, from, to)
      if (islands > 0) solverPartsOf(batch).islands?.pushApart(bodies, batch, from, to, islands)
      for (let row = from; row < to; row++) pushApart(bodies, batch, row)
      sweepAroundDeep(bodies, batch, from, to)
    },
    velocities(bodies, batch, from, to, h) {
      const islands = countIslands(batch, from, to)
      if (islands > 0) solverPartsOf(batch).islands?.relax(bodies, batch, from, to, islands, h)
      const count = findAroundDeep(bodies, batch, from, to)
      if (count > 0) dropPush(bodies, batch, from, to, h)
      for (let k = 0; k < count; k++) steerAnew(bodies, batch, again[k])
      renewMoved(bodies, batch, from, to)
      const { resolveChains } = solverPartsOf(batch)
      resolveChains?.(bodies, batch, from, to, h)
      relax(bodies, batch, from, to, h, false)
      for (let pass = 1; count > 0 && pass < DEEP_PASSES; pass++) {
        for (let k = 0; k < count; k++) relax(bodies, batch, again[k], again[k] + 1, h, false)
      }
      for (let row = from; row < to; row++) {
        const isResolved = resolveChains !== undefined && wasStruck(row)
        if (bouncesOff(batch, row) && !isResolved) relax(bodies, batch, row, row + 1, h, true)
      }
      finishVelocities(batch, from, to, h)
    },
  },
}

/** Notes the predicted poses, and numbers the islands that are solved exactly; returns how many there are. */
function begin(bodies: BodyColumns, batch: Manifolds, from: number, to: number): number {
  beginPush(bodies, batch, from, to)
  return solverPartsOf(batch).islands?.find(bodies, batch, from, to) ?? 0
}

/** Starts the islands of this substep from the multipliers of the last one. */
function warmStartIslands(bodies: BodyColumns, batch: Manifolds, from: number, to: number, islands: number): void {
  solverPartsOf(batch).islands?.warmStart(bodies, batch, from, to, islands)
}

/** Further passes over positions of deep overlaps and of what they touch. */
function sweepAroundDeep(bodies: BodyColumns, batch: Manifolds, from: number, to: number): void {
  const count = findAroundDeep(bodies, batch, from, to)
  for (let pass = 1; count > 0 && pass < DEEP_SWEEPS; pass++) {
    for (let k = 0; k < count; k++) {
      steerAnew(bodies, batch, again[k])
      pushApart(bodies, batch, again[k])
    }
  }
}

/** How many islands are solved exactly in this substep. */
function countIslands(batch: Manifolds, from: number, to: number): number {
  const { island } = batch.columns
  let count = 0
  for (let row = from; row < to; row++) if (island[row] > count) count = island[row]
  return count
}

/** Arms and G at the present poses. Steered by those from before a push-out that moved much, repeated passes diverge. */
function steerAnew(bodies: BodyColumns, batch: Manifolds, row: number): void {
  prepareLeverArms(bodies, batch, row)
  buildMatrix(bodies, batch, row)
  factorManifold(batch, row, SOFTNESS)
}

/**
 * Steers anew what pushed and has a body which was moved so far since it was prepared that its G is of another place: by a share of
 * its radius of gyration, or a change of its quaternion. G is off by three quarters then, and from twice on passes over velocities
 * gain energy. Shifts of half a metre, as of limbs that strong drives throw, made 8 kJ of 180 J.
 */
function renewMoved(bodies: BodyColumns, batch: Manifolds, from: number, to: number): void {
  const { points, lambda, island } = batch.columns
  const { position: x, orientation: q, inverseInertia: I } = bodies
  const { ids } = batch
  const { position: y, orientation: r } = pushOutOf(batch)
  for (let row = from; row < to; row++) {
    if (island[row] !== 0) continue
    let pushed = 0
    for (let i = 0; i < points[row]; i++) pushed += lambda[ROWS * row + i]
    if (pushed === 0) continue
    for (let k = 2 * row; k < 2 * row + 2; k++) {
      const e = 9 * ids[k]
      const p = 4 * ids[k]
      const w = x[p + 3]
      if (w === 0) continue
      const dx = x[p] - y[p]
      const dy = x[p + 1] - y[p + 1]
      const dz = x[p + 2] - y[p + 2]
      const trace = I[e] + I[e + 4] + I[e + 8]
      const ax = q[p] - r[p]
      const ay = q[p + 1] - r[p + 1]
      const az = q[p + 2] - r[p + 2]
      const aw = q[p + 3] - r[p + 3]
      const isNear = !((dx * dx + dy * dy + dz * dz) * trace > SHIFTED * SHIFTED * w)
      if (isNear && !(ax * ax + ay * ay + az * az + aw * aw > TURNED * TURNED)) continue
      steerAnew(bodies, batch, row)
      break
    }
  }
}

/** What push-out did leaves velocities and λ: what stops the two is found anew by the passes over velocities. */
function dropPush(bodies: BodyColumns, batch: Manifolds, from: number, to: number, h: number): void {
  const { lambda, record } = batch.columns
  for (let row = from; row < to; row++) {
    if (record[RECORD * row + DEEP] === 0) continue
    for (let k = 2 * row; k < 2 * row + 2; k++) {
      if (bodies.position[4 * batch.ids[k] + 3] !== 0) stopPush(bodies, batch, batch.ids[k], h)
    }
    lambda.fill(0, ROWS * row, ROWS * row + ROWS)
  }
}

/** Rows to pass again, and by body the last search that marked it. Grown and kept. */
let again = new Int32Array(0)
let marked = new Int32Array(0)
let search = 0

/** Rows with a deep overlap and those that share a body with one, into `again`; returns how many. */
function findAroundDeep(bodies: BodyColumns, batch: Manifolds, from: number, to: number): number {
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
    for (let k = 2 * row; k < 2 * row + 2; k++) if (bodies.position[4 * ids[k] + 3] !== 0) marked[ids[k]] = search
  }
  let count = 0
  for (let row = from; row < to; row++) {
    if (island[row] !== 0) continue
    if (marked[ids[2 * row]] === search || marked[ids[2 * row + 1]] === search) again[count++] = row
  }
  return count
}

/** A pass over positions: normals alone. */
function pushApart(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const { points, lambda, island, record } = batch.columns
  if (island[row] !== 0) return
  const n = points[row] | 0
  const p = RECORD * row
  const least = -IMPACT * batch.rows.substep
  const gaps = residual
  measureNormals(bodies, batch, row)
  let acts = false
  let isRigid = record[p + DEEP] !== 0
  for (let i = 0; i < n; i++) {
    const c = gaps[i] - record[p + GOAL + i]
    gaps[i] = c
    if (c < 0 || lambda[ROWS * row + i] > 0) acts = true
    if (c < least) isRigid = true
  }
  // Apart and never pushed: nothing to do.
  if (acts) displace(bodies, batch, row, solveNormals(batch, row, isRigid ? 0 : SOFTNESS))
}
