/**
 * Momenta of what nothing holds. Rows push along gradients of the pose that they solve for: Σ x × m Δx is 0 there, and not at the start of
 * the substep, where velocities have their levers, Σ x × m v = Σ x₀ × m v for v = (x − x₀)/h. So what spins slows down by h ω² a second or so, swept or
 * solved directly. A component that is joined to nothing that stands still has its own rigid motion corrected instead, behind the solve:
 *
 *   v += ΔP/m + ΔΩ × (x − x_c),   ω += ΔΩ,   ΔΩ = I⁻¹ (L̂ − L),
 *
 * P̂ and L̂ the momenta of the prediction. A rigid motion leaves J v as it is.
 */

import type { Batch } from '../state/batch.js'
import { ANY_ROTATION_LOCK, ANY_TRANSLATION_LOCK, type BodyColumns, ROTATES } from '../state/body-columns.js'
import { BodyGraph, graphOf, moverOf } from '../graph/body-graph.js'
import { solveSpin } from '../math/rigid-spin.js'
import { rotateBy } from '../math/rotation.js'
import type { BlockSolver, WorldView } from '../define/contract.js'
import { worldInertia } from '../state/inertia.js'
import { moves } from './spin-bound.js'
import { frameOf, through } from '../state/spin-frame.js'

/**
 * By component, at its root: mass, Σ m r, P, L about its first body, the sum of the sizes of what L is of, 2 T of spins, inertia there
 * (xx, yy, zz, xy, xz, yz), and 2 T of centres.
 */
const MASS = 0
const CENTRE = 1
const LINEAR = 4
const ANGULAR = 7
const SIZE = 10
const TWICE = 11
const INERTIA = 12
const SQUARES = 18
const SUMS = 19
/** Of what is to be corrected, in their places: share of the motion within, velocity of the centre of mass and spin of the whole. */
const SHARE = 10
const WHOLE_LINEAR = 12
const WHOLE_ANGULAR = 15

/** Share of a spin below which a change of it is none. */
const UNROTATED = 1e-9
/** Share of `SIZE` below which a loss is one of round-off. */
const NOTHING = 1e-14

/** What is done about a component. */
const LEFT_ALONE = 0
const KEPT = 1

/** Scratch of one substep; no part of the state. */
export class FreeMomenta {
  private graph = new BodyGraph()
  /** Bodies of joints, one a component of the rows in order, and bodies of rows that may take or give momentum. */
  private readonly joined: number[] = []
  private readonly barred: number[] = []
  /** What solvers have pushed against what does not move. */
  private readonly held: number[] = []
  private foundFor = -1
  private foundVersion = -1
  /** By root. */
  private keeps = new Uint8Array(0)
  /** By body: 1 where rows have changed its spin in the substep. */
  private rotated = new Uint8Array(0)
  private before = new Float64Array(0)
  private after = new Float64Array(0)

  /** Before velocities are corrected: whether anything is free and joined; then notes the momenta predicted. */
  begin(world: WorldView): boolean {
    if (!this.findFree(world, world.solvers, world.bodies.count)) return false
    const { before, keeps } = this
    const { sets } = this.graph
    const bodies = world.bodies.columns
    const { rows, count } = world.bodies.awake
    clear(before, rows, count)
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (!moves(bodies, i)) continue
      const root = sets.root(i)
      if (keeps[root] !== LEFT_ALONE) addPredicted(bodies, i, root, before)
    }
    return true
  }

  /** After they are: gives components back what they had. */
  end(world: WorldView, h: number): void {
    const { before, after, keeps, rotated } = this
    const { sets } = this.graph
    const bodies = world.bodies.columns
    const { rows, count } = world.bodies.awake
    clear(after, rows, count)
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (!moves(bodies, i)) continue
      const root = sets.root(i)
      if (keeps[root] !== LEFT_ALONE) rotated[i] = addSolved(bodies, i, root, h, before, after) ? 1 : 0
    }
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (sets.root(i) !== i || keeps[i] === LEFT_ALONE) continue
      if (!correction(before, after, i)) keeps[i] = LEFT_ALONE
    }
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (!moves(bodies, i)) continue
      const root = sets.root(i)
      if (keeps[root] !== LEFT_ALONE) correct(bodies, i, root, rotated[i] !== 0, after)
    }
  }

  /** Marks the components whose momenta are kept; whether there is one. */
  private findFree(world: WorldView, solvers: readonly BlockSolver[], count: number): boolean {
    const { joined, barred } = this
    const graph = (this.graph = graphOf(world))
    const { sets } = graph
    if (this.foundFor !== world.orderings || this.foundVersion !== world.bodies.version) {
      this.foundFor = world.orderings
      this.foundVersion = world.bodies.version
      this.reserve(count)
      this.findJoined(world)
    }
    if (joined.length === 0) return false
    const { keeps } = this
    const { rows, count: awake } = world.bodies.awake
    for (let n = 0; n < awake; n++) keeps[rows[n]] = LEFT_ALONE
    for (let k = 0; k < joined.length; k++) keeps[sets.root(joined[k])] = KEPT
    for (let k = 0; k < barred.length; k++) keeps[sets.root(barred[k])] = LEFT_ALONE
    this.barHeld(solvers)
    let isAny = false
    for (let k = 0; k < joined.length; k++) {
      const root = sets.root(joined[k])
      if (graph.held[root] !== 0) keeps[root] = LEFT_ALONE
      if (keeps[root] !== LEFT_ALONE) isAny = true
    }
    return isAny
  }

  private reserve(count: number): void {
    if (this.keeps.length >= count) return
    this.keeps = new Uint8Array(2 * count)
    this.rotated = new Uint8Array(2 * count)
    this.before = new Float64Array(2 * SUMS * count)
    this.after = new Float64Array(2 * SUMS * count)
  }

  private barHeld(solvers: readonly BlockSolver[]): void {
    const { held, graph, keeps } = this
    held.length = 0
    for (let s = 0; s < solvers.length; s++) solvers[s].listHeld?.(held)
    for (let k = 0; k < held.length; k++) keeps[graph.sets.root(held[k])] = LEFT_ALONE
  }

  /** Of the components of rows in order: those that are free and joined, and those that are barred. */
  private findJoined(world: WorldView): void {
    const { joined, barred, keeps, rotated } = this
    const bodies = world.bodies.columns
    joined.length = barred.length = 0
    keeps.fill(LEFT_ALONE, 0, world.bodies.count)
    rotated.fill(0, 0, world.bodies.count)
    for (const batch of world.batches) {
      if (batch.type.traits?.unordered === true) continue
      for (let row = 0; row < batch.active; row++) this.noteRow(bodies, batch, row)
    }
    for (let i = 1; i < world.bodies.count; i++) {
      if (moves(bodies, i) && (bodies.flags[i] & (ANY_TRANSLATION_LOCK | ANY_ROTATION_LOCK)) !== 0) this.bar(i)
    }
  }

  /** Notes a row, in `keeps` what its component is joined by, and in `rotated` whether it is barred. */
  private noteRow(bodies: BodyColumns, batch: Batch, row: number): void {
    const { graph, joined, keeps } = this
    const first = moverOf(bodies, batch, row)
    const root = graph.ordered.root(first)
    if (graph.heldInOrder[root] !== 0) return
    if (!keepsMomenta(bodies, batch, row)) {
      this.bar(first)
      return
    }
    const { type, arity, ids } = batch
    if (type.traits?.transient === true || keeps[root] === KEPT || !isFree(bodies, ids, arity * row, arity)) return
    joined.push(first)
    keeps[root] = KEPT
  }

  private bar(i: number): void {
    const root = this.graph.ordered.root(i)
    if (this.rotated[root] !== 0) return
    this.rotated[root] = 1
    this.barred.push(i)
  }
}

/** Of contacts, whatever they are between two bodies; of others, what their type says. */
function keepsMomenta(bodies: BodyColumns, batch: Batch, row: number): boolean {
  const { type, arity } = batch
  if (type.traits?.transient === true)
    return type.traits?.rotatesWithFrame !== false && type.traits?.opaque !== true && arity > 1
  return type.keepsMomenta?.(bodies, batch, row) === true
}

function isFree({ position }: BodyColumns, ids: Int32Array, from: number, arity: number): boolean {
  for (let b = from; b < from + arity; b++) if (position[4 * ids[b] + 3] === 0) return false
  return true
}

/** Sets the sums of some bodies to 0. */
function clear(sums: Float64Array, rows: Int32Array, count: number): void {
  for (let n = 0; n < count; n++) for (let o = SUMS * rows[n]; o < SUMS * (rows[n] + 1); o++) sums[o] = 0
}

const FRAME = /* @__PURE__ */ new Float64Array(4)
const TURN = /* @__PURE__ */ new Float64Array(3)
const SPIN = /* @__PURE__ */ new Float64Array(3)
const TENSOR = /* @__PURE__ */ new Float64Array(9)

/** Adds m v̂ at the start pose, and I(q̂) ω̂. */
function addPredicted(bodies: BodyColumns, i: number, root: number, sums: Float64Array): void {
  const { startPosition: x, flags, startOrientation, predictedRotation, angularVelocity } = bodies
  addLinear(bodies, i, root, x, sums)
  if ((flags[i] & ROTATES) === 0) return
  for (let k = 0; k < 4; k++) FRAME[k] = startOrientation[4 * i + k]
  for (let k = 0; k < 3; k++) {
    TURN[k] = predictedRotation[3 * i + k]
    SPIN[k] = angularVelocity[3 * i + k]
  }
  rotateBy(FRAME, 0, TURN)
  frameOf(FRAME, bodies, i, FRAME)
  through(FRAME, bodies, i, false, SPIN, SPIN)
  for (let k = 0; k < 3; k++) {
    sums[SUMS * root + TWICE] += SPIN[k] * angularVelocity[3 * i + k]
    sums[SUMS * root + ANGULAR + k] += SPIN[k]
    sums[SUMS * root + SIZE] += Math.abs(SPIN[k])
  }
}

/** Whether rows have changed the spin of a body in a substep of h [s]. */
function wasRotated({ angularVelocity, predictedRotation }: BodyColumns, i: number, h: number): boolean {
  let change = 0
  let spin = 0
  for (let k = 3 * i; k < 3 * i + 3; k++) {
    change += Math.abs(h * angularVelocity[k] - predictedRotation[k])
    spin += Math.abs(predictedRotation[k])
  }
  return change > UNROTATED * spin
}

/**
 * Adds m v at the solved pose, I ω, and the inertia there. What rows hold at its centre alone spins by itself: its spin is taken out of what there was `before`.
 * Whether it is not.
 */
function addSolved(
  bodies: BodyColumns,
  i: number,
  root: number,
  h: number,
  before: Float64Array,
  sums: Float64Array,
): boolean {
  const { position: x, flags, inverseMass, angularVelocity } = bodies
  addLinear(bodies, i, root, x, sums)
  const m = 1 / inverseMass[i]
  const o = SUMS * root
  const a = x[4 * i] - x[4 * root]
  const b = x[4 * i + 1] - x[4 * root + 1]
  const c = x[4 * i + 2] - x[4 * root + 2]
  sums[o + INERTIA] += m * (b * b + c * c)
  sums[o + INERTIA + 1] += m * (a * a + c * c)
  sums[o + INERTIA + 2] += m * (a * a + b * b)
  sums[o + INERTIA + 3] -= m * a * b
  sums[o + INERTIA + 4] -= m * a * c
  sums[o + INERTIA + 5] -= m * b * c
  if ((flags[i] & ROTATES) === 0) return false
  worldInertia(bodies, i, TENSOR)
  const isRotated = wasRotated(bodies, i, h)
  const v = 3 * i
  for (let k = 0; k < 3; k++) {
    const spin =
      TENSOR[3 * k] * angularVelocity[v] +
      TENSOR[3 * k + 1] * angularVelocity[v + 1] +
      TENSOR[3 * k + 2] * angularVelocity[v + 2]
    const into = isRotated ? sums : before
    const sign = isRotated ? 1 : -1
    into[o + ANGULAR + k] += sign * spin
    into[o + TWICE] += sign * spin * angularVelocity[v + k]
  }
  if (!isRotated) return false
  sums[o + INERTIA] += TENSOR[0]
  sums[o + INERTIA + 1] += TENSOR[4]
  sums[o + INERTIA + 2] += TENSOR[8]
  sums[o + INERTIA + 3] += TENSOR[1]
  sums[o + INERTIA + 4] += TENSOR[2]
  sums[o + INERTIA + 5] += TENSOR[5]
  return true
}

/** Adds mass, m r, m v and r × m v, r from the root. */
function addLinear(bodies: BodyColumns, i: number, root: number, x: Float64Array, sums: Float64Array): void {
  const { velocity, inverseMass } = bodies
  const m = 1 / inverseMass[i]
  const o = SUMS * root
  const v = 3 * i
  const a = x[4 * i] - x[4 * root]
  const b = x[4 * i + 1] - x[4 * root + 1]
  const c = x[4 * i + 2] - x[4 * root + 2]
  const p = m * velocity[v]
  const q = m * velocity[v + 1]
  const r = m * velocity[v + 2]
  sums[o + MASS] += m
  sums[o + CENTRE] += m * a
  sums[o + CENTRE + 1] += m * b
  sums[o + CENTRE + 2] += m * c
  sums[o + LINEAR] += p
  sums[o + LINEAR + 1] += q
  sums[o + LINEAR + 2] += r
  sums[o + ANGULAR] += b * r - c * q
  sums[o + ANGULAR + 1] += c * p - a * r
  sums[o + ANGULAR + 2] += a * q - b * p
  sums[o + SQUARES] += p * velocity[v] + q * velocity[v + 1] + r * velocity[v + 2]
  sums[o + SIZE] += (Math.abs(a) + Math.abs(b) + Math.abs(c)) * (Math.abs(p) + Math.abs(q) + Math.abs(r))
}

/** L̂ and L about the centre of mass. */
const WANTED = /* @__PURE__ */ new Float64Array(3)
const SOLVED = /* @__PURE__ */ new Float64Array(3)
const LACKS = /* @__PURE__ */ new Float64Array(3)
const WHOLE = /* @__PURE__ */ new Float64Array(3)

/** L about the centre of mass, of sums about the root. */
function aboutCentre(sums: Float64Array, o: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const l = (k + 1) % 3
    const n = (k + 2) % 3
    const carried = sums[o + CENTRE + l] * sums[o + LINEAR + n] - sums[o + CENTRE + n] * sums[o + LINEAR + l]
    out[k] = sums[o + ANGULAR + k] - carried / sums[o + MASS]
  }
}

/** Inertia about the centre of mass, into `TENSOR`. */
function inertiaOf(sums: Float64Array, o: number): void {
  const m = sums[o + MASS]
  const x = sums[o + CENTRE] / m
  const y = sums[o + CENTRE + 1] / m
  const z = sums[o + CENTRE + 2] / m
  TENSOR[0] = sums[o + INERTIA] - m * (y * y + z * z)
  TENSOR[4] = sums[o + INERTIA + 1] - m * (x * x + z * z)
  TENSOR[8] = sums[o + INERTIA + 2] - m * (x * x + y * y)
  TENSOR[1] = TENSOR[3] = sums[o + INERTIA + 3] + m * x * y
  TENSOR[2] = TENSOR[6] = sums[o + INERTIA + 4] + m * x * z
  TENSOR[5] = TENSOR[7] = sums[o + INERTIA + 5] + m * y * z
}

/**
 * What a component lacks, into its sums after the solve: its centre, ΔV and ΔΩ in place of P and L; and the share of its motion within that leaves no more
 * energy than there was: T̂, or T of the solve if that is more. False where there is nothing to correct, or no number.
 */
function correction(before: Float64Array, after: Float64Array, root: number): boolean {
  const o = SUMS * root
  const m = after[o + MASS]
  // No centre went faster or slower: no row bore anything, and bodies go their ways to the last bit. Couples alone keep what they turn.
  if (before[o + SQUARES] === after[o + SQUARES]) return false
  before[o + TWICE] += before[o + SQUARES]
  after[o + TWICE] += after[o + SQUARES]
  aboutCentre(before, o, WANTED)
  aboutCentre(after, o, SOLVED)
  for (let k = 0; k < 3; k++) LACKS[k] = WANTED[k] - SOLVED[k]
  if (!(Math.abs(LACKS[0]) + Math.abs(LACKS[1]) + Math.abs(LACKS[2]) > NOTHING * before[o + SIZE])) return false
  inertiaOf(after, o)
  solveSpin(TENSOR, LACKS, 0, SPIN, 0)
  solveSpin(TENSOR, WANTED, 0, WHOLE, 0)
  let twice = after[o + TWICE]
  let rigid = 0
  for (let k = 0; k < 3; k++) {
    const gained = before[o + LINEAR + k] - after[o + LINEAR + k]
    twice += (gained * (before[o + LINEAR + k] + after[o + LINEAR + k])) / m + SPIN[k] * (2 * SOLVED[k] + LACKS[k])
    rigid += (before[o + LINEAR + k] * before[o + LINEAR + k]) / m + WHOLE[k] * WANTED[k]
    after[o + CENTRE + k] /= m
    after[o + LINEAR + k] = gained / m
    after[o + ANGULAR + k] = SPIN[k]
    after[o + WHOLE_LINEAR + k] = before[o + LINEAR + k] / m
    after[o + WHOLE_ANGULAR + k] = WHOLE[k]
  }
  const most = Math.max(before[o + TWICE], after[o + TWICE])
  after[o + SHARE] = twice > most && twice > rigid ? Math.sqrt(Math.max(0, most - rigid) / (twice - rigid)) : 1
  let size = after[o + SHARE]
  for (let k = LINEAR; k < SIZE; k++) size += Math.abs(after[o + k])
  return size < Infinity
}

/** Adds the rigid motion that is lacking to a body's velocities, and scales those against the whole. */
function correct(bodies: BodyColumns, i: number, root: number, isRotated: boolean, sums: Float64Array): void {
  const { position: x, velocity, angularVelocity } = bodies
  const o = SUMS * root
  const v = 3 * i
  const a = x[4 * i] - x[4 * root] - sums[o + CENTRE]
  const b = x[4 * i + 1] - x[4 * root + 1] - sums[o + CENTRE + 1]
  const c = x[4 * i + 2] - x[4 * root + 2] - sums[o + CENTRE + 2]
  addRigid(velocity, v, sums, o + LINEAR, o + ANGULAR, a, b, c, 1)
  if (isRotated) for (let k = 0; k < 3; k++) angularVelocity[v + k] += sums[o + ANGULAR + k]
  const share = sums[o + SHARE]
  if (share === 1) return
  for (let k = v; k < v + 3; k++) velocity[k] *= share
  addRigid(velocity, v, sums, o + WHOLE_LINEAR, o + WHOLE_ANGULAR, a, b, c, 1 - share)
  if (!isRotated) return
  for (let k = 0; k < 3; k++) {
    angularVelocity[v + k] = share * angularVelocity[v + k] + (1 - share) * sums[o + WHOLE_ANGULAR + k]
  }
}

/** v += share (V + Ω × r). */
function addRigid(
  velocity: Float64Array,
  v: number,
  sums: Float64Array,
  linear: number,
  angular: number,
  a: number,
  b: number,
  c: number,
  share: number,
): void {
  const p = sums[angular]
  const q = sums[angular + 1]
  const r = sums[angular + 2]
  velocity[v] += share * (sums[linear] + q * c - r * b)
  velocity[v + 1] += share * (sums[linear + 1] + r * a - p * c)
  velocity[v + 2] += share * (sums[linear + 2] + p * b - q * a)
}
