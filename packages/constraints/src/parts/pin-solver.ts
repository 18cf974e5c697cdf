/**
 * Pins as a whole: particles that bodies carry.
 *
 * Swept by turns with the rows of a cloth, a pin moves the particle to the body and hardly the body, each row moves the particle off again as light as it is,
 * and the cloth is drawn out beside its pins. So the body is shared out among those that it carries (mass splitting: Tonge, Benevolenski and Voroshilov, 2012): while
 * rows are swept, particle k has its share of the body with it,
 *
 *   m_k + M_k,   M_k = 1/(n K_k + a),   K_k = w + ‖[r]× I⁻¹ [r]×ᵀ‖,   Σ M_k K_k <= 1
 *
 * n the particles on the body, a the softness of the pin. Then the body gets M_k d_k, the share's part of the momentum of what the particle was moved by, d_k, and
 * the pin is met. By Cauchy's inequality ½ |Σ M_k d_k|² in the body's norm is no more than Σ ½ M_k d_k²: handing over takes energy, and makes none.
 */

import {
  type Batch,
  type BlockSolver,
  type BodyColumns,
  DYNAMIC,
  LENT,
  ROTATES,
  rotate,
  SWEEP,
  type WorldView,
} from '@tautline/core/kernel'
import { LEVERS, levers } from './levers.js'
import { solvePoint } from './point.js'
import { IMMOVABLE } from './vector.js'

type PinBatch = Batch<'anchorA' | 'anchorB'>

/** How far bodies may be from where particles were pulled [m], beyond which rows are swept once more: what is next to a pin is stretched by so much. */
const APART = 1e-5

/** Numbers of a pin: its particle's own 1/m, M, and where rows found it. */
const RECORD = 5
const OWN = 0
const SHARE = 1
const X = 2

const g = /* @__PURE__ */ new Float64Array(LEVERS)

export class PinSolver implements BlockSolver {
  readonly name = 'pins'
  private readonly type: string
  private batch: PinBatch | undefined
  /** Slots of the pins that it knows, and their rows where these act. */
  private slots: number[] = []
  private rows = new Int32Array(0)
  private count = 0
  /** By body: pins on it. */
  private pinsOn = new Int32Array(0)
  private record = new Float64Array(0)
  /** Whether particles have their shares with them. */
  private isLent = false

  /** For the rows of a type, by its name. */
  constructor(type: string) {
    this.type = type
  }

  /** Finds pins whose particle is its to lend. They stay rows of the sweep, which repairs them, and leaves them alone while particles have shares with them. */
  gather(world: WorldView, all: boolean): void {
    this.slots = []
    this.batch = world.batches.find(({ type }) => type.name === this.type) as unknown as PinBatch | undefined
    // A projection has no masses that matter, and gradients that are kept are the sweep's.
    if (this.batch === undefined || all || world.settings.jacobians !== 'fresh') return
    const { count, common } = this.batch
    for (let row = 0; row < count; row++) if (isPin(world, this.batch, row)) this.slots.push(common.slot[row])
  }

  locate({ bodies }: WorldView): void {
    const { batch, slots } = this
    this.count = 0
    if (batch === undefined) return
    if (this.pinsOn.length < bodies.count) this.pinsOn = new Int32Array(2 * bodies.count)
    if (this.rows.length < slots.length) {
      this.rows = new Int32Array(2 * slots.length)
      this.record = new Float64Array(RECORD * this.rows.length)
    }
    this.pinsOn.fill(0, 0, bodies.count)
    for (const slot of slots) {
      const row = batch.slotRow[slot]
      if (row >= batch.swept) continue
      this.rows[this.count++] = row
      this.pinsOn[batch.ids[2 * row + 1]]++
    }
  }

  solve({ bodies: { columns } }: WorldView): void {
    this.handOver(columns)
    this.lend(columns)
  }

  resolveImpacts({ bodies: { columns } }: WorldView): boolean {
    const isApart = this.handOver(columns)
    this.lend(columns)
    return isApart
  }

  finish({ bodies: { columns } }: WorldView): void {
    this.handOver(columns)
  }

  /** Meets pins where joints have moved bodies once more since. */
  endSubstep({ bodies: { columns } }: WorldView): void {
    this.meet(columns)
  }

  /** Has particles take their shares with them. */
  private lend(bodies: BodyColumns): void {
    this.isLent = true
    for (let k = 0; k < this.count; k++) this.lendOne(bodies, this.batch as PinBatch, this.rows[k], RECORD * k)
  }

  private lendOne(bodies: BodyColumns, batch: PinBatch, row: number, o: number): void {
    const { record } = this
    const { position: x, flags } = bodies
    const a = batch.ids[2 * row]
    const b = batch.ids[2 * row + 1]
    levers(bodies, a, b, batch.columns.anchorA, batch.columns.anchorB, row, g)
    const own = x[4 * a + 3]
    record[o + OWN] = own
    for (let k = 0; k < 3; k++) record[o + X + k] = x[4 * a + k]
    const K = x[4 * b + 3] + Math.sqrt(turnedSquared(bodies, b, g))
    const share = 1 / (this.pinsOn[b] * K + batch.columns.softness[row])
    record[o + SHARE] = K > IMMOVABLE && share < Infinity ? share : 0
    x[4 * a + 3] = own / (1 + own * record[o + SHARE])
    flags[a] |= LENT
  }

  /** Takes the shares back, gives bodies what these have of the momentum, and meets the pins; whether one of them was far from met. */
  private handOver(bodies: BodyColumns): boolean {
    // Last lent, first taken back: of a particle with two pins.
    if (this.isLent)
      for (let k = this.count - 1; k >= 0; k--) this.handOne(bodies, this.batch as PinBatch, this.rows[k], RECORD * k)
    this.isLent = false
    return this.meet(bodies)
  }

  /** Meets the pins, one after another and back, each twice, as nets are swept; whether one of them was farther apart than is let be. */
  private meet(bodies: BodyColumns): boolean {
    const { count } = this
    let isApart = false
    for (let k = 0; k < count; k++) if (this.meetOne(bodies, this.batch as PinBatch, this.rows[k])) isApart = true
    for (let k = count - 1; k >= 0; k--) this.meetOne(bodies, this.batch as PinBatch, this.rows[k])
    return isApart
  }

  private meetOne(bodies: BodyColumns, { ids, columns }: PinBatch, row: number): boolean {
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    levers(bodies, a, b, columns.anchorA, columns.anchorB, row, g)
    const isApart = columns.softness[row] === 0 && g[6] * g[6] + g[7] * g[7] + g[8] * g[8] > APART * APART
    solvePoint(bodies, a, b, columns, row, 3 * row, g)
    return isApart
  }

  private handOne(bodies: BodyColumns, batch: PinBatch, row: number, o: number): void {
    const { record } = this
    const { position: x, orientation: q, inverseInertia: I, flags } = bodies
    const { lambda, anchorA, anchorB } = batch.columns
    const a = batch.ids[2 * row]
    const b = batch.ids[2 * row + 1]
    x[4 * a + 3] = record[o + OWN]
    flags[a] &= ~LENT
    const share = record[o + SHARE]
    const px = share * (x[4 * a] - record[o + X])
    const py = share * (x[4 * a + 1] - record[o + X + 1])
    const pz = share * (x[4 * a + 2] - record[o + X + 2])
    // One that ran away would take the body with it.
    if (!(px * px + py * py + pz * pz < Infinity)) return
    lambda[3 * row] -= px
    lambda[3 * row + 1] -= py
    lambda[3 * row + 2] -= pz
    levers(bodies, a, b, anchorA, anchorB, row, g)
    // At the particle, where the force is: so that no couple is lost.
    const rx = g[3] + g[6]
    const ry = g[4] + g[7]
    const rz = g[5] + g[8]
    const w = x[4 * b + 3]
    x[4 * b] += w * px
    x[4 * b + 1] += w * py
    x[4 * b + 2] += w * pz
    const tx = ry * pz - rz * py
    const ty = rz * px - rx * pz
    const tz = rx * py - ry * px
    const i = 9 * b
    rotate(
      q,
      4 * b,
      I[i] * tx + I[i + 1] * ty + I[i + 2] * tz,
      I[i + 3] * tx + I[i + 4] * ty + I[i + 5] * tz,
      I[i + 6] * tx + I[i + 7] * ty + I[i + 8] * tz,
    )
  }
}

/** Square of Frobenius' norm of [r]× I⁻¹ [r]×ᵀ, no less than that of the largest eigenvalue: what a unit force at the end of lever r in `g` moves that by, as it turns the body. */
function turnedSquared({ inverseInertia: I }: BodyColumns, body: number, lever: Float64Array): number {
  const i = 9 * body
  const x = lever[3]
  const y = lever[4]
  const z = lever[5]
  let sum = 0
  // Columns of I⁻¹ [r]×ᵀ: turns by unit forces along the axes.
  for (let k = 0; k < 3; k++) {
    const tx = k === 1 ? -z : k === 2 ? y : 0
    const ty = k === 0 ? z : k === 2 ? -x : 0
    const tz = k === 0 ? -y : k === 1 ? x : 0
    const wx = I[i] * tx + I[i + 1] * ty + I[i + 2] * tz
    const wy = I[i + 3] * tx + I[i + 4] * ty + I[i + 5] * tz
    const wz = I[i + 6] * tx + I[i + 7] * ty + I[i + 8] * tz
    const dx = wy * z - wz * y
    const dy = wz * x - wx * z
    const dz = wx * y - wy * x
    sum += dx * dx + dy * dy + dz * dz
  }
  return sum
}

/** Whether a row is swept, of a particle on a body that turns, and no block solver of another type has the particle among its own. */
function isPin(world: WorldView, batch: PinBatch, row: number): boolean {
  const { enabled, solver, body } = batch.common
  const { flags, kind, position } = world.bodies.columns
  const a = body[2 * row]
  const b = body[2 * row + 1]
  if (enabled[row] === 0 || solver[row] === SWEEP || kind[b] !== DYNAMIC) return false
  if ((flags[a] & ROTATES) !== 0 || (flags[b] & ROTATES) === 0 || position[4 * a + 3] === 0) return false
  return !world.batches.some(({ type, arity, count, common }) => {
    if (type.blockSolver === undefined || type.name === batch.type.name) return false
    for (let k = 0; k < arity * count; k++) if (common.body[k] === a) return true
    return false
  })
}
