/**
 * Impacts that run on through bodies that touch: Newton's cradle without gaps.
 *
 * One pass of the solver shares an impact out among all that touch, as if they were one soft body: of five balls the struck one comes
 * back and the others leave with parts of its speed. Steel passes it on from pair to pair instead. So where a manifold bounces and
 * one of its bodies touches another that would bounce too,
 *   1. what this substep has pushed through these manifolds is taken back, which leaves the speeds before the impact;
 *   2. of all that approach those that do so fastest are struck, as if they were alone, and then what they touch in turn;
 *   3. until none approaches.
 * What approaches equally fast is struck at once, or a symmetric scene would not stay so. With Δλ the impulses that would stop
 * each of them alone, b = Σ Δλ u the work that they do on the speeds u, and q = ‖M^−½ Jᵀ Δλ‖², θ Δλ changes the kinetic energy
 * by θ b + ½ θ² q. It is least at θ = −b/q, and with θ = −(1 + e) b/q it never rises for e <= 1: as of one pair, so of many.
 * (Each impact on its own: rigid body dynamics notes, 2.2; van den Bergen 2014.)
 */

import { viewOf } from '../contact/manifold-plan.js'
import { type BodyColumns, DisjointSets, TIED } from '@tautline/core/kernel'
import { displace } from '../contact/loops/displace.js'
import { measureStartGaps } from '../contact/loops/gaps.js'
import { restingSpeed } from '../contact/loops/goals.js'
import { accelerate, measureVelocities } from '../contact/loops/velocities.js'
import { strikeNormals } from '../contact/loops/manifold-solver.js'
import { chain } from './chain.js'
import {
  BOUNCE,
  change,
  DEEP,
  FIRST,
  G_NORMAL,
  loadOf,
  RECORD,
  type Manifolds,
  residual,
  ROWS,
} from '../contact/manifold-columns.js'

/** What approaches within this share of the fastest does so as fast. */
const EQUAL = 1e-2
/** Approach slower than this share of the first impact's is the end of it. */
const SPENT = 1e-6
/** An impact slower than this share of the first is passed on without a bounce: they would run to and fro for long. */
const FAINT = 1e-3
/** Approach slower than this share of a resting speed is left to the next substep. */
const SLOW = 0.1
/** Impacts are shared out where a manifold that bore a load before takes more than this share of one. */
const SHARED = 0.1
/** Impacts a manifold, in the mean. */
const MOST = 8
/** Gap [m] up to which two touch, beyond what they would close within the substep. */
const CLOSE = 1e-5

/** Components of what impacts could run through. */
const sets = /* @__PURE__ */ new DisjointSets()
const FIRST_START = 1
const OTHER_START = 2

/**
 * Runs chains of impacts at the velocities of a substep of h, one in each component of what touches: how fast others are struck that
 * stand apart is nothing to it. `from` to `to`: the rows that act.
 */
export function resolveChains(bodies: BodyColumns, batch: Manifolds, from: number, to: number, h: number): void {
  chain.any = false
  if (!isAnyBouncing(batch, from, to)) return
  reserve(bodies.kind.length, to)
  link(bodies, batch, from, to)
  collectStarts(bodies, batch, from, to)
  for (let row = from; row < to; row++) {
    if (chain.starts[row] === FIRST_START) resolveChain(bodies, batch, row, h)
  }
}

/** Runs the chain of the component whose first manifold that bounces is `start`. */
function resolveChain(bodies: BodyColumns, batch: Manifolds, start: number, h: number): void {
  const m = viewOf(bodies, batch)
  chain.count = 0
  chain.impact = chain.paid = 0
  let resting = 0
  for (let row = start; row >= 0; row = chain.nextStart[row]) {
    chain.impact = Math.max(chain.impact, impactSpeed(batch, row))
    resting = Math.max(resting, restingSpeed(m, row, h))
  }
  if (isBorne(bodies, batch, start, h)) return
  for (let row = start; row >= 0; row = chain.nextStart[row]) {
    // What has been reached since may not bounce any more.
    if (bounces(batch, row) && chain.reached[row] === 0 && touchesMore(bodies, batch, row, h)) {
      chain.falls[reach(bodies, batch, row, h)] = 1
    }
  }
  if (chain.count === 0) return
  chain.any = true
  takeBackAround(bodies, batch, h)
  let first = 0
  for (let done = 0; done < MOST * chain.count; done++) {
    const fastest = findFastest()
    if (done === 0) first = fastest
    if (!(fastest > Math.max(SPENT * first, SLOW * resting))) break
    strike(bodies, batch, h, fastest < Math.max(FAINT * first, resting))
  }
  moveAlong(bodies, batch)
  for (let place = 0; place < chain.count; place++) {
    const row = chain.rows[place]
    if (chain.reached[row] !== 2) continue
    for (let i = 0; i < batch.columns.points[row]; i++)
      batch.columns.lambda[ROWS * row + i] = chain.pushed[4 * place + i]
  }
}

/** Whether a manifold that bore a load before the substep takes a part of an impact: a ball that falls on a pile strikes no chain. */
function isBorne(bodies: BodyColumns, batch: Manifolds, start: number, h: number): boolean {
  const { ids } = batch
  const { record } = batch.columns
  for (let row = start; row >= 0; row = chain.nextStart[row]) {
    const least = SHARED * impactSpeed(batch, row) * h
    for (let end = 2 * row; end < 2 * row + 2; end++) {
      if (bodies.position[4 * ids[end] + 3] === 0) continue
      for (let e = chain.first[ids[end]]; e >= 0; e = chain.next[e]) {
        const p = RECORD * (e >> 1)
        if (record[p + FIRST] > 0 && (loadOf(batch, e >> 1) - record[p + FIRST]) * record[p + G_NORMAL] > least)
          return true
      }
    }
  }
  return false
}

/** Reaches what the impacts of the chain have pushed on already, manifold by manifold, so that all speeds are those before them. */
function takeBackAround(bodies: BodyColumns, batch: Manifolds, h: number): void {
  const { ids } = batch
  const { record } = batch.columns
  for (let place = 0; place < chain.count; place++) {
    for (let end = 2 * chain.rows[place]; end < 2 * chain.rows[place] + 2; end++) {
      if (bodies.position[4 * ids[end] + 3] === 0) continue
      for (let e = chain.first[ids[end]]; e >= 0; e = chain.next[e]) {
        const row = e >> 1
        if (chain.reached[row] !== 0) continue
        const excess = loadOf(batch, row) - record[RECORD * row + FIRST]
        if (excess * record[RECORD * row + G_NORMAL] > FAINT * chain.impact * h) reach(bodies, batch, row, h)
      }
    }
  }
}

/** Moves bodies as far as the impacts have changed their speeds, so that none is left in another by the first solve. */
function moveAlong(bodies: BodyColumns, batch: Manifolds): void {
  const m = viewOf(bodies, batch)
  for (let place = 0; place < chain.count; place++) {
    if (chain.level[place] === 0) continue
    const row = chain.rows[place]
    change.fill(0)
    for (let i = 0; i < batch.columns.points[row]; i++) change[i] = chain.pushed[4 * place + i]
    displace(m, row, true)
  }
}

function isAnyBouncing(batch: Manifolds, from: number, to: number): boolean {
  const { restitution } = batch.columns
  for (let row = from; row < to; row++) if (restitution[row] !== 0 && bounces(batch, row)) return true
  return false
}

/** Whether a manifold that is swept is to bounce in this substep. */
function bounces(batch: Manifolds, row: number): boolean {
  const { points, lambda, restitution, island, record } = batch.columns
  if (restitution[row] === 0 || island[row] !== 0 || record[RECORD * row + DEEP] !== 0) return false
  for (let i = 0; i < points[row]; i++) {
    if (lambda[ROWS * row + i] > 0 && record[RECORD * row + BOUNCE + i] > 0) return true
  }
  return false
}

function reserve(bodies: number, rows: number): void {
  if (chain.first.length < bodies) {
    chain.first = new Int32Array(2 * bodies)
    chain.last = new Int32Array(2 * bodies)
  }
  if (chain.reached.length >= rows) {
    chain.reached.fill(0, 0, rows)
    return
  }
  const n = 2 * rows
  chain.reached = new Uint8Array(n)
  chain.starts = new Uint8Array(n)
  chain.nextStart = new Int32Array(n)
  chain.rows = new Int32Array(n)
  chain.equal = new Int32Array(n)
  chain.approach = new Float64Array(n)
  chain.falls = new Uint8Array(n)
  chain.level = new Uint8Array(n)
  chain.lift = new Float64Array(n)
  chain.pushed = new Float64Array(4 * n)
  chain.next = new Int32Array(2 * n)
}

/** Links the manifolds of each moving body that impacts could run through, and joins those bodies. */
function link(bodies: BodyColumns, batch: Manifolds, from: number, to: number): void {
  const { restitution, points, island, record } = batch.columns
  const { ids } = batch
  chain.first.fill(-1, 0, bodies.kind.length)
  sets.reset(bodies.kind.length)
  for (let row = to - 1; row >= from; row--) {
    if (restitution[row] === 0 || points[row] === 0 || island[row] !== 0 || record[RECORD * row + DEEP] !== 0) continue
    for (let end = 2 * row; end < 2 * row + 2; end++) {
      if (bodies.position[4 * ids[end] + 3] === 0) continue
      chain.next[end] = chain.first[ids[end]]
      chain.first[ids[end]] = end
    }
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    if (bodies.position[4 * a + 3] !== 0 && bodies.position[4 * b + 3] !== 0) sets.join(a, b)
  }
}

/** Lists the manifolds that bounce, in order, by component. */
function collectStarts(bodies: BodyColumns, batch: Manifolds, from: number, to: number): void {
  const { ids } = batch
  const { starts, nextStart, last } = chain
  starts.fill(0, 0, to)
  last.fill(-1, 0, bodies.kind.length)
  for (let row = from; row < to; row++) {
    if (!bounces(batch, row)) continue
    const a = ids[2 * row]
    const set = sets.root(bodies.position[4 * a + 3] !== 0 ? a : ids[2 * row + 1])
    starts[row] = last[set] < 0 ? FIRST_START : OTHER_START
    if (last[set] >= 0) nextStart[last[set]] = row
    nextStart[row] = -1
    last[set] = row
  }
}

/** Whether a body of a manifold that bounces would pass the impact on: another manifold of it is closed, or closes with that speed. */
function touchesMore(bodies: BodyColumns, batch: Manifolds, row: number, h: number): boolean {
  const reach = h * impactSpeed(batch, row)
  for (let end = 2 * row; end < 2 * row + 2; end++) {
    if (bodies.position[4 * batch.ids[end] + 3] === 0) continue
    for (let e = chain.first[batch.ids[end]]; e >= 0; e = chain.next[e]) {
      if (e >> 1 !== row && gapOf(bodies, batch, e >> 1) <= reach + CLOSE) return true
    }
  }
  return false
}

/** Speed that a manifold is to leave with, before it is shared out by e [m/s]. */
function impactSpeed(batch: Manifolds, row: number): number {
  const { points, record, restitution } = batch.columns
  let most = 0
  for (let i = 0; i < points[row]; i++) most = Math.max(most, record[RECORD * row + BOUNCE + i])
  return most / restitution[row]
}

/** Least gap at the start of the substep [m]. */
function gapOf(bodies: BodyColumns, batch: Manifolds, row: number): number {
  const m = viewOf(bodies, batch)
  measureStartGaps(m, row)
  let least = Infinity
  for (let i = 0; i < batch.columns.points[row]; i++) least = Math.min(least, residual[i])
  return least
}

/** Adds a manifold to the chain, and takes back what this substep has pushed through it; returns its place. */
function reach(bodies: BodyColumns, batch: Manifolds, row: number, h: number): number {
  const m = viewOf(bodies, batch)
  const { points, lambda, record } = batch.columns
  const place = chain.count++
  chain.rows[place] = row
  chain.reached[row] = 1
  chain.falls[place] = 0
  chain.lift[place] = 0
  chain.level[place] = isLevel(bodies, batch, row, h) ? 1 : 0
  chain.pushed.fill(0, 4 * place, 4 * place + 4)
  const l = ROWS * row
  const load = loadOf(batch, row)
  change.fill(0)
  if (load > 0) {
    const excess = Math.max(1 - record[RECORD * row + FIRST] / load, 0)
    for (let i = 0; i < points[row]; i++) {
      change[i] = -excess * lambda[l + i]
      lambda[l + i] += change[i]
      if (chain.level[place] === 0) chain.lift[place] += 2 * Math.min(batch.columns.fall[row], 0) * change[i]
    }
    accelerate(m, row, h)
    if (chain.level[place] === 1) displace(m, row, true)
    refreshAround(bodies, batch, row, false)
  }
  look(bodies, batch, place)
  return place
}

/**
 * Whether the bodies of a manifold may go where the speeds of its impact lead: gravity has no part in it, and no joint ties them to others
 * that would have to come along. (Moved by itself after the joints were solved, a shin stood 7 cm from its knee at the end of the step.)
 */
function isLevel({ flags }: BodyColumns, { ids, columns: { fall } }: Manifolds, row: number, h: number): boolean {
  if (((flags[ids[2 * row]] | flags[ids[2 * row + 1]]) & TIED) !== 0) return false
  return Math.abs(fall[row]) * h <= FAINT * chain.impact
}

/** Notes how fast a manifold of the chain approaches. */
function look(bodies: BodyColumns, batch: Manifolds, place: number): void {
  const m = viewOf(bodies, batch)
  const row = chain.rows[place]
  measureVelocities(m, row)
  let most = 0
  for (let i = 0; i < batch.columns.points[row]; i++) most = Math.max(most, -residual[i])
  chain.approach[place] = most
}

/** Notes anew how fast the manifolds of the chain approach that share a body with a row; after an impact that is no fall any more. */
function refreshAround(bodies: BodyColumns, batch: Manifolds, row: number, isImpact: boolean): void {
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const { ids } = batch
  for (let place = 0; place < chain.count; place++) {
    const other = chain.rows[place]
    const c = ids[2 * other]
    const d = ids[2 * other + 1]
    if (other === row || isShared(bodies, c, a, b) || isShared(bodies, d, a, b)) {
      look(bodies, batch, place)
      if (isImpact) chain.falls[place] = 0
    }
  }
}

function isShared(bodies: BodyColumns, i: number, a: number, b: number): boolean {
  return (i === a || i === b) && bodies.position[4 * i + 3] !== 0
}

/** Finds those that approach fastest, into `equal`; returns how fast [m/s]. */
function findFastest(): number {
  let most = 0
  for (let place = 0; place < chain.count; place++) most = Math.max(most, chain.approach[place])
  chain.equalCount = 0
  for (let place = 0; place < chain.count; place++) {
    if (chain.approach[place] > 0 && chain.approach[place] >= (1 - EQUAL) * most)
      chain.equal[chain.equalCount++] = place
  }
  return most
}

/** Impulses of one manifold of those struck at once, and speeds before them; four numbers a place of `equal`. */
let impulses = new Float64Array(64)
let speeds = new Float64Array(64)

/** Strikes those in `equal`, and reaches what they touch. */
function strike(bodies: BodyColumns, batch: Manifolds, h: number, isFaint: boolean): void {
  const m = viewOf(bodies, batch)
  const { points, restitution } = batch.columns
  const { equal, equalCount, rows, reached } = chain
  if (impulses.length < 4 * equalCount) {
    impulses = new Float64Array(8 * equalCount)
    speeds = new Float64Array(8 * equalCount)
  }
  let e = 1
  let work = 0
  for (let k = 0; k < equalCount; k++) {
    const row = rows[equal[k]]
    const bounce = impactSpeed(batch, row) * restitution[row]
    // What falls into it from outside is to leave with the speed that its fall gave it at the time of impact.
    e = Math.min(e, chain.falls[equal[k]] === 1 ? Math.min(bounce / chain.approach[equal[k]], 1) : restitution[row])
    measureVelocities(m, row)
    for (let i = 0; i < points[row]; i++) {
      speeds[4 * k + i] = residual[i]
      residual[i] *= h
    }
    strikeNormals(m, row)
    for (let i = 0; i < points[row]; i++) {
      impulses[4 * k + i] = change[i]
      work += change[i] * speeds[4 * k + i]
    }
  }
  if (isFaint) e = 0
  push(bodies, batch, h, 1)
  // What was changed by all of them together: Σ Δλ (u' − u) = ‖M^−½ Jᵀ Δλ‖².
  let changed = 0
  for (let k = 0; k < equalCount; k++) {
    const row = rows[equal[k]]
    measureVelocities(m, row)
    for (let i = 0; i < points[row]; i++) changed += impulses[4 * k + i] * (residual[i] - speeds[4 * k + i])
  }
  // Bodies stay where the first solve has lifted them: that is paid with speed.
  const least = (0.5 * work * work) / (changed * h)
  const owed = Math.min(oweForLift(), e * e * least)
  if (changed > 0) {
    chain.paid += owed
    e = Math.sqrt(Math.max(e * e - owed / least, 0))
  }
  push(bodies, batch, h, changed > 0 ? (-(1 + e) * work) / changed - 1 : -1)
  for (let k = 0; k < equalCount; k++) {
    reached[rows[equal[k]]] = 2
    if (chain.falls[equal[k]] === 1) chain.lift[equal[k]] = 0
  }
  const struck = equalCount
  for (let k = 0; k < struck; k++) refreshAround(bodies, batch, rows[equal[k]], true)
  for (let k = 0; k < struck; k++) reachNext(bodies, batch, rows[equal[k]], h)
}

/** What of the lift is still to be paid; that of what falls into a manifold its own e has in it. */
function oweForLift(): number {
  let sum = -chain.paid
  for (let place = 0; place < chain.count; place++) if (chain.falls[place] === 0) sum += chain.lift[place]
  return Math.max(sum, 0)
}

/** Applies `share` of the impacts. */
function push(bodies: BodyColumns, batch: Manifolds, h: number, share: number): void {
  const m = viewOf(bodies, batch)
  const { equal, equalCount, rows, pushed } = chain
  for (let k = 0; k < equalCount; k++) {
    const row = rows[equal[k]]
    change.fill(0)
    for (let i = 0; i < batch.columns.points[row]; i++) {
      change[i] = share * impulses[4 * k + i]
      pushed[4 * equal[k] + i] += change[i]
    }
    accelerate(m, row, h)
  }
}

/** Adds to the chain what the bodies of a struck manifold touch, or will touch within the substep at the speed of the impact. */
function reachNext(bodies: BodyColumns, batch: Manifolds, row: number, h: number): void {
  const m = viewOf(bodies, batch)
  const { ids } = batch
  for (let end = 2 * row; end < 2 * row + 2; end++) {
    if (bodies.position[4 * ids[end] + 3] === 0) continue
    for (let e = chain.first[ids[end]]; e >= 0; e = chain.next[e]) {
      const other = e >> 1
      if (chain.reached[other] !== 0) continue
      measureVelocities(m, other)
      let speed = 0
      for (let i = 0; i < batch.columns.points[other]; i++) speed = Math.max(speed, -residual[i])
      if (speed > 0 && gapOf(bodies, batch, other) <= h * speed + CLOSE) reach(bodies, batch, other, h)
    }
  }
}
