/** Friction and twist of an island that is solved at once: which rows of them act, which are held on their cone. */

import { ACTS, HELD, island, NONE } from './island-problem.js'
import { change, FRICTION, RECORD, type Manifolds, ROWS, SPREAD, TWIST } from './manifold-columns.js'

/** Friction and load that change by less than this share are in line. */
const IN_LINE = 1e-4

/** Σ λ_i of a manifold and Σ λ_i ρ_i, after a solve. */
export const load: Float64Array = /* @__PURE__ */ new Float64Array(2)

export function measureLoad(batch: Manifolds, j: number): void {
  const { points, record } = batch.columns
  const { manifolds, before, held, trial, state } = island
  const row = manifolds[j]
  load[0] = load[1] = 0
  for (let k = 0; k < points[row]; k++) {
    const i = ROWS * j + k
    if (state[i] === NONE) continue
    const whole = state[i] === ACTS ? Math.max(trial[i], 0) : before[i] + held[i]
    load[0] += whole
    load[1] += whole * record[RECORD * row + SPREAD + k]
  }
}

/** Brings friction and twist of every manifold into line with its load; false when nothing changed. */
export function follow(batch: Manifolds): boolean {
  const { friction, torsional, sliding } = batch.columns
  const { manifolds, manifoldCount, state } = island
  let changed = false
  for (let j = 0; j < manifoldCount; j++) {
    const row = manifolds[j]
    measureLoad(batch, j)
    const slip = friction[2 * row + 1] * load[0]
    const stick = sliding[row] === 1 ? slip : friction[2 * row] * load[0]
    const coefficient = sliding[row] === 1 ? friction[2 * row + 1] : friction[2 * row]
    if (state[ROWS * j + FRICTION] !== NONE && slide(ROWS * j + FRICTION, stick, slip)) changed = true
    if (state[ROWS * j + TWIST] !== NONE && spin(ROWS * j + TWIST, coefficient * load[1] + torsional[row] * load[0]))
      changed = true
  }
  return changed
}

/** Holds two rows that leave the cone on it; lets them act when the motion brings them back into it. */
function slide(i: number, stick: number, slip: number): boolean {
  const { before, held, trial, state, r, diagonal, ahead } = island
  const acts = state[i] === ACTS
  const share = 1 / Math.max(diagonal[i], diagonal[i + 1])
  const s = acts ? trial[i] : before[i] + held[i] - share * (r[i] + ahead[i])
  const t = acts ? trial[i + 1] : before[i + 1] + held[i + 1] - share * (r[i + 1] + ahead[i + 1])
  const length = Math.sqrt(s * s + t * t)
  if (length <= stick) {
    if (acts) return false
    state[i] = state[i + 1] = ACTS
    island.stale = true
    return true
  }
  const ds = (slip / length) * s - before[i]
  const dt = (slip / length) * t - before[i + 1]
  const moved = acts || Math.abs(ds - held[i]) + Math.abs(dt - held[i + 1]) > IN_LINE * slip
  held[i] = ds
  held[i + 1] = dt
  if (acts) {
    state[i] = state[i + 1] = HELD
    island.stale = true
  }
  return moved
}

/** The same for one row. */
function spin(i: number, limit: number): boolean {
  const { before, held, trial, state, r, diagonal, ahead } = island
  const acts = state[i] === ACTS
  const wanted = acts ? trial[i] : before[i] + held[i] - (r[i] + ahead[i]) / diagonal[i]
  if (Math.abs(wanted) <= limit) {
    if (acts) return false
    state[i] = ACTS
    island.stale = true
    return true
  }
  const d = (wanted > 0 ? limit : -limit) - before[i]
  const moved = acts || Math.abs(d - held[i]) > IN_LINE * limit
  held[i] = d
  if (acts) {
    state[i] = HELD
    island.stale = true
  }
  return moved
}

/** Which rows of friction and twist act at first: those that did not slide. */
export function setFriction(batch: Manifolds, j: number): void {
  const { friction, torsional, sliding } = batch.columns
  const { manifolds, state, diagonal } = island
  const row = manifolds[j]
  const o = ROWS * j
  if (friction[2 * row] > 0 && diagonal[o + FRICTION] > 0 && diagonal[o + FRICTION + 1] > 0) {
    state[o + FRICTION] = state[o + FRICTION + 1] = sliding[row] === 1 ? HELD : ACTS
  }
  if ((friction[2 * row] > 0 || torsional[row] > 0) && diagonal[o + TWIST] > 0) state[o + TWIST] = ACTS
}

/** Adds friction and twist in `change` to λ, cut to what the load bears. */
export function takeFriction(batch: Manifolds, row: number): void {
  const { friction, torsional, sliding, lambda } = batch.columns
  const l = ROWS * row
  const bound = sliding[row] === 1 ? friction[2 * row + 1] : friction[2 * row]
  const oldS = lambda[l + FRICTION]
  const oldT = lambda[l + FRICTION + 1]
  const s = oldS + change[FRICTION]
  const t = oldT + change[FRICTION + 1]
  const length = Math.sqrt(s * s + t * t)
  const scale = length > bound * load[0] ? (bound * load[0]) / length : 1
  lambda[l + FRICTION] = scale * s
  lambda[l + FRICTION + 1] = scale * t
  const limit = bound * load[1] + torsional[row] * load[0]
  const old = lambda[l + TWIST]
  lambda[l + TWIST] = Math.max(-limit, Math.min(limit, old + change[TWIST]))
  change[FRICTION] = lambda[l + FRICTION] - oldS
  change[FRICTION + 1] = lambda[l + FRICTION + 1] - oldT
  change[TWIST] = lambda[l + TWIST] - old
}
