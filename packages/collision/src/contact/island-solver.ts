/**
 * The contacts of an island, solved together: what `island-problem.ts` solves is gathered from manifolds and bodies here, and
 * what comes of it is given back to them.
 *
 * A substep: the last λ displaces all bodies of the island at once; positions are solved for the normals; velocities for
 * normals, friction and twist. Where no answer is found the sweep does what it can for the rest of the substep.
 */

import { viewOf } from './manifold-plan.js'
import { type BodyColumns, RUNAWAY, rotateBy } from '@tautline/core/kernel'
import { byInverseInertia } from './loops/effective-mass.js'
import { follow, setFriction, load, measureLoad, takeFriction } from './island-friction.js'
import {
  ACTS,
  addedNormal,
  COMPLIANCE,
  HELD,
  island,
  isInPlace,
  NONE,
  reserve,
  solveNormals,
} from './island-problem.js'
import { gatherWrench } from './loops/displace.js'
import type { ManifoldView } from './loops/view.js'
import { measureNormals } from './loops/gaps.js'
import { measureVelocities } from './loops/velocities.js'
import {
  ARM_N,
  ARM_T,
  change,
  FRAME,
  FRICTION,
  GOAL,
  loadOf,
  ORIGIN,
  RECORD,
  type IslandPart,
  type Manifolds,
  residual,
  ROLLING,
  ROWS,
  TWIST,
} from './manifold-columns.js'
import { followSlip, takeNormals } from './loops/manifold-solver.js'
import { DOF } from './block-matrix.js'
import { checkOwner, type CollisionParts } from './collision-parts.js'
import { findIslands } from './islands.js'

/** Rounds in which friction is brought into line with the load. */
const FRICTION_ROUNDS = 6

/** A turn [rad] within a substep that is too far for one linear step. */
const FAR = 0.03

const turned = /* @__PURE__ */ new Float64Array(3)

/**
 * The last substep's λ displaces, all manifolds of a body at once: its parts cancel, and each is far too large alone. What
 * held an impact may not cancel any more: where it would turn a body far the island starts from none.
 */
function warmStartIslands(bodies: BodyColumns, batch: Manifolds, from: number, to: number, count: number): void {
  const { lambda } = batch.columns
  for (let number = 1; number <= count; number++) {
    collect(bodies, batch, from, to, number)
    const { manifolds, manifoldCount, wrench, bodyCount } = island
    wrench.fill(0, 0, DOF * bodyCount)
    for (let j = 0; j < manifoldCount; j++) {
      const l = ROWS * manifolds[j]
      const pushed = loadOf(batch, manifolds[j])
      if (pushed === 0) for (let k = FRICTION; k < ROWS; k++) lambda[l + k] = 0
      for (let k = 0; k < ROWS; k++) change[k] = lambda[l + k]
      if (pushed > 0) push(bodies, batch, j)
    }
    if (turnsWrenched(bodies))
      for (let j = 0; j < manifoldCount; j++) lambda.fill(0, ROWS * manifolds[j], ROWS * manifolds[j] + ROWS)
    else displaceBodies(bodies)
  }
}

/** Positions of the islands: normals alone, to their goals. An island that finds no answer is left to the sweep. */
function pushIslandsApart(bodies: BodyColumns, batch: Manifolds, from: number, to: number, count: number): void {
  const m = viewOf(bodies, batch)
  const { points, record } = batch.columns
  for (let number = 1; number <= count; number++) {
    collect(bodies, batch, from, to, number)
    if (island.manifoldCount === 0) continue
    prepareBodies(bodies)
    prepareRows(bodies, batch, false)
    const { manifolds, manifoldCount, r, before, held, diagonal, state } = island
    for (let j = 0; j < manifoldCount; j++) {
      const row = manifolds[j]
      measureNormals(m, row)
      for (let k = 0; k < points[row]; k++) {
        const i = ROWS * j + k
        if (diagonal[i] === 0) continue
        r[i] = residual[k] - record[RECORD * row + GOAL + k] + COMPLIANCE * diagonal[i] * before[i]
        state[i] = diagonal[i] * before[i] > r[i] ? ACTS : HELD
        held[i] = -before[i]
      }
    }
    if (isInPlace()) continue
    island.stale = true
    if (!solveNormals() || turnsFar()) {
      takeBack(bodies, batch)
      leave(batch)
      continue
    }
    island.wrench.fill(0, 0, DOF * island.bodyCount)
    for (let j = 0; j < manifoldCount; j++) {
      const row = manifolds[j]
      for (let k = 0; k < points[row]; k++) change[k] = addedNormal(ROWS * j + k)
      takeNormals(m, row)
      push(bodies, batch, j)
    }
    displaceBodies(bodies)
  }
}

/** Velocities of the islands, rigid: all rows but rolling, which the sweep over manifolds adds. */
function relaxIslands(bodies: BodyColumns, batch: Manifolds, from: number, to: number, count: number, h: number): void {
  const m = viewOf(bodies, batch)
  const { points, lambda } = batch.columns
  for (let number = 1; number <= count; number++) {
    collect(bodies, batch, from, to, number)
    if (island.manifoldCount === 0) continue
    prepareBodies(bodies)
    prepareRows(bodies, batch, true)
    const { manifolds, manifoldCount, r, diagonal, before, held, trial, state } = island
    for (let j = 0; j < manifoldCount; j++) {
      const row = manifolds[j]
      const l = ROWS * row
      if (loadOf(batch, row) === 0) continue
      measureVelocities(m, row)
      for (let k = 0; k < ROLLING; k++) {
        const i = ROWS * j + k
        r[i] = h * residual[k]
        held[i] = k < FRICTION ? -before[i] : 0
        // A point that did not push is apart: it may come nearer.
        if (k < FRICTION) state[i] = k < points[row] && lambda[l + k] > 0 && diagonal[i] > 0 ? ACTS : NONE
      }
      setFriction(batch, j)
    }
    if (isInPlace()) continue
    island.stale = true
    let solved = solveNormals()
    for (let round = 1; solved && follow(batch); round++) solved = round < FRICTION_ROUNDS && solveNormals()
    if (!solved || turnsFar()) {
      leave(batch)
      continue
    }
    island.wrench.fill(0, 0, DOF * island.bodyCount)
    for (let j = 0; j < manifoldCount; j++) {
      const row = manifolds[j]
      const l = ROWS * row
      change.fill(0)
      measureLoad(batch, j)
      for (let k = 0; k < points[row]; k++) {
        change[k] = addedNormal(ROWS * j + k)
        lambda[l + k] += change[k]
      }
      for (let k = FRICTION; k < ROLLING; k++) {
        const i = ROWS * j + k
        if (state[i] !== NONE) change[k] = state[i] === ACTS ? trial[i] - before[i] : held[i]
      }
      takeFriction(batch, row)
      push(bodies, batch, j)
      if (load[0] > 0) followSlip(m, row)
    }
    accelerateBodies(bodies, h)
  }
}

/** Collects manifolds and bodies of island `number`. */
function collect(bodies: BodyColumns, batch: Manifolds, from: number, to: number, number: number): void {
  const { points, island: numbers } = batch.columns
  const { ids } = batch
  const { position: x } = bodies
  let count = 0
  for (let row = from; row < to; row++) if (numbers[row] === number && points[row] > 0) count++
  reserve(count, x.length >> 2)
  const { manifolds, place, bodies: members, ends } = island
  count = 0
  for (let row = from; row < to; row++) {
    if (numbers[row] !== number || points[row] === 0) continue
    manifolds[count++] = row
    place[ids[2 * row]] = place[ids[2 * row + 1]] = -1
  }
  island.manifoldCount = count
  if (count === 0) return
  let bodyCount = 0
  for (let k = 0; k < 2 * count; k++) {
    const i = ids[2 * manifolds[k >> 1] + (k & 1)]
    if (place[i] < 0 && x[4 * i + 3] > 0) {
      place[i] = bodyCount
      members[bodyCount++] = i
    }
    ends[k] = place[i]
  }
  island.bodyCount = bodyCount
}

/** L of every body, and the matrix's pattern. */
function prepareBodies(bodies: BodyColumns): void {
  const { matrix, ends, roots, bodies: members, bodyCount, manifoldCount } = island
  matrix.begin(bodyCount)
  for (let j = 0; j < manifoldCount; j++) {
    if (ends[2 * j] >= 0 && ends[2 * j + 1] >= 0) matrix.link(ends[2 * j], ends[2 * j + 1])
  }
  matrix.end()
  for (let i = 0; i < bodyCount; i++) takeRoot(bodies.inverseInertia, 9 * members[i], roots, DOF * i)
}

/** Lower L of the symmetric part of I⁻¹ at e, as xx, yx, yy, zx, zy, zz. Locked axes have none. */
function takeRoot(I: Float64Array, e: number, out: Float64Array, o: number): void {
  const xx = I[e] > 0 ? Math.sqrt(I[e]) : 0
  const yx = xx > 0 ? (0.5 * (I[e + 1] + I[e + 3])) / xx : 0
  const zx = xx > 0 ? (0.5 * (I[e + 2] + I[e + 6])) / xx : 0
  const dy = I[e + 4] - yx * yx
  const yy = dy > 0 ? Math.sqrt(dy) : 0
  const zy = yy > 0 ? (0.5 * (I[e + 5] + I[e + 7]) - zx * yx) / yy : 0
  const dz = I[e + 8] - zx * zx - zy * zy
  out[o] = xx
  out[o + 1] = yx
  out[o + 2] = yy
  out[o + 3] = zx
  out[o + 4] = zy
  out[o + 5] = dz > 0 ? Math.sqrt(dz) : 0
}

/** B, D and λ₀ of the rows; those of friction and twist where `all`. States are left to the caller. */
function prepareRows(bodies: BodyColumns, batch: Manifolds, all: boolean): void {
  const { points, lambda, record } = batch.columns
  const { manifolds, manifoldCount, ends, before, state } = island
  state.fill(NONE, 0, ROWS * manifoldCount)
  for (let j = 0; j < manifoldCount; j++) {
    const row = manifolds[j]
    const p = RECORD * row
    const o = ROWS * j
    for (let k = 0; k < points[row]; k++) {
      before[o + k] = lambda[ROWS * row + k]
      prepareSides(bodies, batch, row, ends, j, o + k, record, p + FRAME, p + ARM_N + 3 * k, 1)
    }
    if (!all) continue
    for (let k = FRICTION; k < ROLLING; k++) before[o + k] = lambda[ROWS * row + k]
    prepareSides(bodies, batch, row, ends, j, o + FRICTION, record, p + FRAME + 3, p + ARM_T, 1)
    prepareSides(bodies, batch, row, ends, j, o + FRICTION + 1, record, p + FRAME + 6, p + ARM_T + 3, 1)
    prepareSides(bodies, batch, row, ends, j, o + TWIST, record, p + FRAME, p + FRAME, 0)
  }
}

/** B of row i: direction at d (0 times it for a couple), lever arm about `origin` at m. */
function prepareSides(
  bodies: BodyColumns,
  batch: Manifolds,
  row: number,
  ends: Int32Array,
  j: number,
  i: number,
  record: Float64Array,
  d: number,
  m: number,
  lever: number,
): void {
  const { position: x } = bodies
  const { roots, b, diagonal, stiffness } = island
  const dx = lever * record[d]
  const dy = lever * record[d + 1]
  const dz = lever * record[d + 2]
  const origin = RECORD * row + ORIGIN
  let sum = 0
  for (let side = 0; side < 2; side++) {
    const u = 2 * DOF * i + DOF * side
    const place = ends[2 * j + side]
    if (place < 0) {
      for (let k = u; k < u + DOF; k++) b[k] = 0
      continue
    }
    const p = 4 * batch.ids[2 * row + side]
    const sign = side === 0 ? 1 : -1
    const sx = record[origin] - x[p]
    const sy = record[origin + 1] - x[p + 1]
    const sz = record[origin + 2] - x[p + 2]
    const ax = sign * (record[m] + sy * dz - sz * dy)
    const ay = sign * (record[m + 1] + sz * dx - sx * dz)
    const az = sign * (record[m + 2] + sx * dy - sy * dx)
    const w = sign * Math.sqrt(x[p + 3])
    const l = DOF * place
    b[u] = w * dx
    b[u + 1] = w * dy
    b[u + 2] = w * dz
    b[u + 3] = roots[l] * ax + roots[l + 1] * ay + roots[l + 3] * az
    b[u + 4] = roots[l + 2] * ay + roots[l + 4] * az
    b[u + 5] = roots[l + 5] * az
    for (let k = u; k < u + DOF; k++) sum += b[k] * b[k]
  }
  diagonal[i] = sum
  stiffness[i] = sum > 0 ? 1 / (COMPLIANCE * sum) : 0
}

/** Takes the last λ back: one that held an impact is far more than a sweep could undo. */
function takeBack(bodies: BodyColumns, batch: Manifolds): void {
  const { lambda } = batch.columns
  const { manifolds, manifoldCount, wrench, bodyCount } = island
  wrench.fill(0, 0, DOF * bodyCount)
  for (let j = 0; j < manifoldCount; j++) {
    for (let k = 0; k < ROWS; k++) {
      change[k] = -lambda[ROWS * manifolds[j] + k]
      lambda[ROWS * manifolds[j] + k] = 0
    }
    push(bodies, batch, j)
  }
  displaceBodies(bodies)
}

/** Whether force and moment would turn a body far. */
function turnsWrenched(bodies: BodyColumns): boolean {
  const { wrench, bodies: members, bodyCount } = island
  for (let i = 0; i < bodyCount; i++) {
    byInverseInertia(bodies.inverseInertia, 9 * members[i], wrench, DOF * i + 3, turned, 0)
    if (!(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] <= FAR * FAR)) return true
  }
  return false
}

/** Whether the answer turns a body so far that gradients at its start say nothing of its end: a light one that is squeezed out. */
function turnsFar(): boolean {
  const { roots, goal, bodyCount } = island
  for (let i = 0; i < bodyCount; i++) {
    const l = DOF * i
    const yx = goal[l + 3]
    const yy = goal[l + 4]
    const yz = goal[l + 5]
    const x = roots[l] * yx
    const y = roots[l + 1] * yx + roots[l + 2] * yy
    const z = roots[l + 3] * yx + roots[l + 4] * yy + roots[l + 5] * yz
    // What is not finite is too far as well.
    if (!(x * x + y * y + z * z <= FAR * FAR)) return true
    if (!(Math.abs(goal[l]) + Math.abs(goal[l + 1]) + Math.abs(goal[l + 2]) < RUNAWAY)) return true
  }
  return false
}

/** Leaves the island to the sweep for the rest of the substep. */
function leave(batch: Manifolds): void {
  const { manifolds, manifoldCount } = island
  for (let j = 0; j < manifoldCount; j++) batch.columns.island[manifolds[j]] = 0
}

/** Adds force and moment of `change` of manifold j to its bodies. */
function push(bodies: BodyColumns, batch: Manifolds, j: number): void {
  const m = viewOf(bodies, batch)
  const { manifolds, ends, wrench } = island
  const row = manifolds[j]
  gatherWrench(m, row, true)
  addWrench(m, RECORD * row, batch.ids[2 * row], 1, wrench, DOF * ends[2 * j])
  addWrench(m, RECORD * row, batch.ids[2 * row + 1], -1, wrench, DOF * ends[2 * j + 1])
}

/** Adds force and moment of `wrench` about the centre of body i to six numbers at o; `p` is where the record of its manifold begins. */
function addWrench(m: ManifoldView, p: number, i: number, sign: number, out: Float64Array, o: number): void {
  const { position: x, record, wrench } = m
  if (x[4 * i + 3] === 0) return
  const fx = wrench[0]
  const fy = wrench[1]
  const fz = wrench[2]
  const sx = record[p + ORIGIN] - x[4 * i]
  const sy = record[p + ORIGIN + 1] - x[4 * i + 1]
  const sz = record[p + ORIGIN + 2] - x[4 * i + 2]
  out[o] += sign * fx
  out[o + 1] += sign * fy
  out[o + 2] += sign * fz
  out[o + 3] += sign * (wrench[3] + sy * fz - sz * fy)
  out[o + 4] += sign * (wrench[4] + sz * fx - sx * fz)
  out[o + 5] += sign * (wrench[5] + sx * fy - sy * fx)
}

/** ΔX = M⁻¹ times force and moment. */
function displaceBodies(bodies: BodyColumns): void {
  const { position: x, orientation: q, inverseInertia: I } = bodies
  const { wrench, bodies: members, bodyCount } = island
  for (let i = 0; i < bodyCount; i++) {
    const p = 4 * members[i]
    const w = x[p + 3]
    const o = DOF * i
    for (let k = 0; k < 3; k++) x[p + k] += w * wrench[o + k]
    byInverseInertia(I, 9 * members[i], wrench, o + 3, turned, 0)
    rotateBy(q, p, turned)
  }
}

/** Δv = M⁻¹ times force and moment, by h. */
function accelerateBodies(bodies: BodyColumns, h: number): void {
  const { position: x, velocity: v, angularVelocity: w, inverseInertia: I } = bodies
  const { wrench, bodies: members, bodyCount } = island
  const rate = 1 / h
  for (let i = 0; i < bodyCount; i++) {
    const m = rate * x[4 * members[i] + 3]
    const k = 3 * members[i]
    const o = DOF * i
    byInverseInertia(I, 9 * members[i], wrench, o + 3, turned, 0)
    for (let axis = 0; axis < 3; axis++) {
      v[k + axis] += m * wrench[o + axis]
      w[k + axis] += rate * turned[axis]
    }
  }
}

const ISLANDS: IslandPart = {
  find: findIslands,
  warmStart: warmStartIslands,
  pushApart: pushIslandsApart,
  relax: relaxIslands,
}

/** Part of collisions: solves small islands exactly in which heavy bodies lie on light ones, and tall towers. */
export function exactIslands(collisions: CollisionParts): void {
  checkOwner('exactIslands', collisions)
  collisions.solverParts.islands = ISLANDS
}
