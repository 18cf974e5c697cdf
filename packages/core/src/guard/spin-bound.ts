/**
 * No energy from turns that are too large for a substep: what hangs together by joints, and has a body in it that turns by more than
 * {@link FAST} in a substep, does not end it with more kinetic energy than it was predicted to have,
 *
 *   Σ ½ (m v² + ω·I ω)  <=  Σ ½ (m v̂² + ω̂·Î ω̂) + Σ (m g·(x − x̂) + ½ m g² h²),
 *
 * the last sum over the bodies that turn fast: what gravity has done on the way that they went in place of the one predicted.
 * Rigid joints to what stands still do no work: Jv = 0 at the start, and at any smaller turn the solve leaves less energy than
 * the prediction has. Beyond that chords and arcs differ, and it may leave more. Velocities are then scaled as the last guard scales
 * them. Components that something may give energy to are left to that guard: soft rows, drives, loaded contacts, kinematic bodies.
 */

import { DisjointSets } from '../graph/disjoint-sets.js'
import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { ADVANCED, type BodyColumns, DYNAMIC, KINEMATIC, RESTS, ROTATES } from '../state/body-columns.js'
import { scaleBack, type Scaling } from './scale.js'
import { rotateBy } from '../math/rotation.js'
import { addTwiceSpinEnergy, frameOf } from '../state/spin-frame.js'
import type { WorldView } from '../define/contract.js'

/** Turn in a substep [rad] from which on a body is looked at. */
const FAST = 0.1

/** Of a component, at its root: whether anything stands still that it is joined to, gives it energy, or turns fast. */
const HELD = 1
const FED = 2
const TURNING = 4

const TURN = /* @__PURE__ */ new Float64Array(3)
const FRAME = /* @__PURE__ */ new Float64Array(4)
const TWICE = /* @__PURE__ */ new Float64Array(1)

/** v is measured as it is. */
const NO_FALL = /* @__PURE__ */ new Float64Array(3)

/** Scratch of one substep; no part of the state. */
export class SpinBound {
  private readonly sets = new DisjointSets()
  private marks: Uint8Array = new Uint8Array(0)
  /** By root: twice the kinetic energy predicted, and solved [J]. */
  private before: Float64Array = new Float64Array(0)
  private after: Float64Array = new Float64Array(0)
  private readonly scaling: Scaling = {
    kinetic: 0,
    allowed: 0,
    allowedRigid: 0,
    isUnheld: false,
    lendsMasses: false,
    fall: NO_FALL,
  }

  /** Before velocities are corrected: whether anything turns fast; then notes the energies predicted. */
  begin(world: WorldView, h: number): boolean {
    const bodies = world.bodies.columns
    const { rows, count } = world.bodies.awake
    if (!isAnyFast(world.bodies)) return false
    this.join(world)
    this.mark(world)
    const { before, after, sets } = this
    for (let n = 0; n < count; n++) before[rows[n]] = after[rows[n]] = 0
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (!moves(bodies, i)) continue
      for (let k = 0; k < 4; k++) FRAME[k] = bodies.startOrientation[4 * i + k]
      for (let k = 0; k < 3; k++) TURN[k] = bodies.predictedRotation[3 * i + k]
      rotateBy(FRAME, 0, TURN)
      frameOf(FRAME, bodies, i, FRAME)
      const root = sets.root(i)
      measureKinetic(bodies, i)
      before[root] += TWICE[0]
      if (isFast(bodies, i)) before[root] += 2 * missedWork(bodies, i, h, world.settings.gravity)
    }
    return true
  }

  /** After they are: scales back what has more. */
  end(world: WorldView): void {
    const bodies = world.bodies.columns
    const { rows, count } = world.bodies.awake
    const { before, after, sets, marks } = this
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (!moves(bodies, i)) continue
      for (let k = 0; k < 4; k++) FRAME[k] = bodies.orientation[4 * i + k]
      frameOf(FRAME, bodies, i, FRAME)
      measureKinetic(bodies, i)
      after[sets.root(i)] += TWICE[0]
    }
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (sets.root(i) !== i || (marks[i] & TURNING) === 0 || (marks[i] & FED) !== 0) continue
      if (!(after[i] > before[i] && after[i] < Infinity)) continue
      const { scaling } = this
      scaling.allowed = scaling.allowedRigid = Math.max(0, 0.5 * before[i])
      scaling.kinetic = 0.5 * after[i]
      scaling.isUnheld = (marks[i] & HELD) === 0
      scaleBack(world, this, i, scaling)
    }
  }

  /** Whether a body moves and belongs to a component. */
  isIn(world: WorldView, i: number, root: number): boolean {
    return moves(world.bodies.columns, i) && this.sets.root(i) === root
  }

  /** Components of bodies that move, by all rows but contacts without load. */
  private join(world: WorldView): void {
    const { count } = world.bodies
    if (this.marks.length < count) {
      this.sets.reserve(2 * count)
      this.marks = new Uint8Array(2 * count)
      this.before = new Float64Array(2 * count)
      this.after = new Float64Array(2 * count)
    }
    const { sets, marks } = this
    const { position } = world.bodies.columns
    const { rows, count: awake } = world.bodies.awake
    for (let n = 0; n < awake; n++) {
      sets.add(rows[n])
      marks[rows[n]] = 0
    }
    for (const batch of world.batches) {
      const { ids, arity, active } = batch
      for (let row = 0; row < active; row++) {
        if (!acts(batch, row)) continue
        let first = -1
        for (let b = arity * row; b < arity * (row + 1); b++) {
          if (position[4 * ids[b] + 3] === 0) continue
          first = first < 0 ? ids[b] : sets.join(first, ids[b])
        }
      }
    }
  }

  /** What is known of the components. */
  private mark(world: WorldView): void {
    const { sets, marks } = this
    const bodies = world.bodies.columns
    const { rows, count } = world.bodies.awake
    for (let n = 1; n < count; n++) if (isFast(bodies, rows[n])) marks[sets.root(rows[n])] |= TURNING
    for (const batch of world.batches) {
      const { ids, arity, active } = batch
      for (let row = 0; row < active; row++) {
        let root = -1
        let mark = 0
        for (let b = arity * row; b < arity * (row + 1); b++) {
          if (bodies.position[4 * ids[b] + 3] !== 0) root = sets.root(ids[b])
          else mark |= bodies.kind[ids[b]] === KINEMATIC ? FED : HELD
        }
        if (root < 0 || (marks[root] & TURNING) === 0 || !acts(batch, row)) continue
        marks[root] |= mark
        if ((marks[root] & FED) === 0 && givesEnergy(bodies, batch, row)) marks[root] |= FED
      }
    }
  }
}

/** Whether a body takes part in a substep: it is dynamic, and does not rest. */
export function moves({ kind, flags }: BodyColumns, i: number): boolean {
  return kind[i] === DYNAMIC && (flags[i] & RESTS) === 0
}

function isAnyFast({ columns, awake }: Bodies): boolean {
  const { rows, count } = awake
  for (let n = 1; n < count; n++) if (isFast(columns, rows[n])) return true
  return false
}

function isFast(bodies: BodyColumns, i: number): boolean {
  const { predictedRotation: t, flags, kind } = bodies
  const k = 3 * i
  if (!(t[k] * t[k] + t[k + 1] * t[k + 1] + t[k + 2] * t[k + 2] > FAST * FAST)) return false
  return kind[i] === DYNAMIC && (flags[i] & (RESTS | ADVANCED)) === 0
}

/** Whether a row is a joint, or a contact that bears load. */
function acts({ type, common }: Batch, row: number): boolean {
  if (type.traits?.transient !== true) return true
  const { lambda } = common
  for (let k = type.multipliers * row; k < type.multipliers * (row + 1); k++) if (lambda[k] !== 0) return true
  return false
}

/** Whether a row may store or bring energy: anything but rigid rows of position, and friction. */
function givesEnergy(bodies: BodyColumns, batch: Batch, row: number): boolean {
  const { rows, type } = batch
  if (type.traits?.transient === true || type.traits?.opaque === true) return true
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  for (let g = 0; g < rows.groupCount; g++) {
    const { law, compliance, start, size } = rows.groups[g]
    if (law === 'position' ? compliance > 0 : law !== 'rate') return true
    if (law === 'rate') for (let k = start; k < start + size; k++) if (rows.rate[k] !== 0) return true
  }
  return false
}

/** Work of gravity on a body, less what its prediction has for it [J]. */
function missedWork(bodies: BodyColumns, i: number, h: number, gravity: Float64Array): number {
  const { position: x, startPosition, velocity, inverseMass, gravityScale } = bodies
  let work = 0
  for (let k = 0; k < 3; k++) {
    const g = gravityScale[i] * gravity[k]
    work += g * (x[4 * i + k] - startPosition[4 * i + k] - h * velocity[3 * i + k] + 0.5 * h * h * g)
  }
  return work / inverseMass[i]
}

/** Twice the kinetic energy of a body, its principal frame in `FRAME`, into `TWICE` [J]: what a function returns may be boxed. */
function measureKinetic(bodies: BodyColumns, i: number): void {
  const { velocity: v, inverseMass, flags } = bodies
  const k = 3 * i
  TWICE[0] = (v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]) / inverseMass[i]
  if ((flags[i] & ROTATES) !== 0) addTwiceSpinEnergy(bodies, i, FRAME, TWICE, 0)
}
