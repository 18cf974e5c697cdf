/**
 * A cluster of particles that keeps its shape: Müller, Heidelberger, Teschner and Gross, "Meshless deformations based on shape matching" (2005).
 *
 *   e_i = x_i − x̄ − R q_i,  x̄ = Σ w_i x_i,  Σ w_i = 1, Σ w_i q_i = 0,  R nearest to A = Σ w_i (x_i − x̄) q_iᵀ        (their 3 and 7)
 *   c = √(Σ w_i ‖e_i‖²) [m],  ∂c/∂x_i = w_i e_i/c
 *
 * x̄ and R are where c is least, so their own change is no part of the gradient. With w_i the shares of the mass the solve is theirs, x_i moved by −α e_i,
 * α = 1/(1 + a M); Σ w_i e_i and Σ w_i x_i × e_i are 0, so both momenta are kept, whatever the weights. Energy is ½ c²/compliance.
 *
 * Plasticity (their 5.1): F = A (Σ w q qᵀ)⁻¹, S = RᵀF; where ‖S − 1‖ is above `yield`, in a second the share 1 − e^(−creep) of it, about, becomes rest shape, q_i = S_p q_i⁰,
 * up to ‖S_p − 1‖ = `max`, volume kept. Departure: what would raise c is not taken, so that flow only ever loses energy.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import type { Batch, BodyColumns } from '@tautline/core/kernel'
import { finiteVector, knownFields, nonNegative, positive } from '@tautline/core/kernel'
import { centreGradient, solveCentres } from './parts/centres.js'
import { isHeld, solveHeldCluster } from './parts/held-cluster.js'
import { creep, FLOW } from './parts/plastic-flow.js'
import { FIT_SCRATCH, fitRotation } from './parts/rotation-fit.js'
import { keepsAll } from './parts/momenta.js'

const FIT = /* @__PURE__ */ new Float64Array(FIT_SCRATCH)

/** What makes a dent stay. Strains are ‖S − 1‖, the root of the sum of nine squares: a stretch by a tenth is 0.1. */
export interface PlasticityDef {
  /** Strain up to which it springs back. @defaultValue 0.05 */
  yield?: number
  /** Rate at which what is beyond becomes rest shape [1/s]. @defaultValue 10 */
  creep?: number
  /** Strain of the rest shape at most. @defaultValue 0.5 */
  max?: number
}

/** Particles, at their centres. */
export interface ShapeMatchingDef extends ManyDef {
  /** x, y, z of each body at rest [m]. @defaultValue where they are at present */
  shape?: readonly number[]
  /** How much each body counts. @defaultValue its mass, and of what does not move the mass of all the others */
  weights?: readonly number[]
  /** Left out, it always springs back. @defaultValue none */
  plasticity?: PlasticityDef
}

type Column = 'flow' | 'plastic'

/** Error [m] below which the gradient is round-off. */
const IN_SHAPE = 1e-12
/** Share of what is added up below which a sum is round-off. */
const ROUND_OFF = 1e-12
/** Places of `yield`, `creep` and `max` in `flow`. */
const YIELD = 0
const CREEP = 1
const MAX = 2

/** A, R, and S_p of the row in hand, row by row. */
const A = /* @__PURE__ */ new Float64Array(9)
const R = /* @__PURE__ */ new Float64Array(9)
const S = /* @__PURE__ */ new Float64Array(9)
/** S_p before it flowed. */
const before = /* @__PURE__ */ new Float64Array(9)
/** c of the row in hand [m]; in memory, as a number handed on would be boxed. */
const error = /* @__PURE__ */ new Float64Array(1)
/** Gradient of the row in hand, three numbers a body; as long as the largest cluster there is. */
let g: Float64Array = /* @__PURE__ */ new Float64Array(0)

/** Keeps the shape of a cluster: `world.add(shapeMatching, { bodies, compliance, plasticity: {} })`. */
export const shapeMatching: ConstraintType<ShapeMatchingDef, Column> = {
  name: 'shapeMatching',
  order: 2,
  multipliers: 1,
  fields: ['bodies', 'shape', 'weights', 'plasticity'],
  columns: { flow: 3, plastic: 9 },
  saved: {
    state: ['plastic'],
  },

  resolve(def, { bodies }) {
    const count = def.bodies.length
    if (count < 2) throw new RangeError(`shapeMatching: bodies must be two or more, got ${count}`)
    const weights =
      def.weights === undefined
        ? massesOf(def)
        : Array.from(finiteVector('shapeMatching: weights', def.weights, count), (weight, k) =>
            positive(`shapeMatching: weights[${k}]`, weight),
          )
    const sum = weights.reduce((total, weight) => total + weight, 0)
    const at =
      def.shape === undefined
        ? def.bodies.flatMap(({ index }) => Array.from(bodies.position.subarray(4 * index, 4 * index + 3)))
        : Array.from(finiteVector('shapeMatching: shape', def.shape, 3 * count))
    // Those that were made here before stay as they are, to the bit.
    const shares = Math.abs(sum - 1) < ROUND_OFF ? weights : weights.map((weight) => weight / sum)
    return {
      ...def,
      weights: shares,
      shape: centred(at, shares),
      ...(def.plasticity === undefined ? {} : { plasticity: resolvePlasticity(def.plasticity) }),
    }
  },

  write({ columns }, row, def) {
    if (g.length < 3 * def.bodies.length) g = new Float64Array(6 * def.bodies.length)
    const { yield: least = Infinity, creep: rate = 0, max = 0 } = def.plasticity ?? {}
    columns.flow.set([least, rate, max], 3 * row)
    const isNew = columns.plastic.subarray(9 * row, 9 * row + 9).every((value) => value === 0)
    if (isNew || def.plasticity === undefined) columns.plastic.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * row)
  },

  evaluate(bodies, batch, row, out) {
    const { compliance, rayleigh } = batch.columns
    match(bodies, batch, row)
    if (error[0] <= IN_SHAPE) return
    const group = out.group('scalar', 'position', 'm')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    out.rowAt(0, error, 0)
    centreGradient(out, batch.arity, g)
  },

  keepsMomenta: keepsAll,
  outline({ position }, { ids, arity }, row, out) {
    for (let k = 1; k < arity; k++) out.link(position, 4 * ids[arity * row], 4 * ids[arity * row + k])
  },
  loop: {
    sweep(bodies, batch, from, to) {
      for (let row = from; row < to; row++) {
        match(bodies, batch, row)
        if (!(error[0] > IN_SHAPE)) continue
        if (isHeld(bodies, batch, row)) {
          solveHeldCluster(bodies, batch, row, defOf(batch, row).weights as number[], g, error[0])
        } else solveCentres(bodies, batch, row, batch.arity, g, error[0])
      }
    },
    velocities(bodies, batch, from, to, h) {
      const { flow, plastic } = batch.columns
      for (let row = from; row < to; row++) {
        if (!(flow[3 * row + YIELD] < Infinity)) continue
        match(bodies, batch, row)
        const c = error[0]
        if (!(c > IN_SHAPE)) continue
        const { weights, shape } = defOf(batch, row)
        const rate = h * flow[3 * row + CREEP]
        FLOW[0] = flow[3 * row + YIELD]
        FLOW[1] = rate / (1 + rate)
        FLOW[2] = flow[3 * row + MAX]
        if (!creep(A, R, S, weights as number[], shape as number[])) continue
        for (let k = 0; k < 9; k++) {
          before[k] = plastic[9 * row + k]
          plastic[9 * row + k] = S[k]
        }
        match(bodies, batch, row)
        if (error[0] <= c) continue
        for (let k = 0; k < 9; k++) plastic[9 * row + k] = before[k]
      }
    },
  },
}

function defOf(batch: Batch<never>, row: number): ShapeMatchingDef {
  return batch.definition((batch as Batch).common.slot[row]) as ShapeMatchingDef
}

/** Masses of the bodies [kg]; what does not move counts as much as all others. */
function massesOf({ bodies }: ShapeMatchingDef): number[] {
  const masses = bodies.map(({ mass }) => mass)
  const moving = masses.reduce((sum, mass) => (mass < Infinity ? sum + mass : sum), 0)
  return masses.map((mass) => (mass < Infinity ? mass : moving > 0 ? moving : 1))
}

/** Positions from their weighted centre. */
function centred(at: readonly number[], shares: readonly number[]): number[] {
  const middle = [0, 0, 0]
  at.forEach((value, k) => (middle[k % 3] += shares[Math.floor(k / 3)] * value))
  const reach = at.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (middle.every((value) => Math.abs(value) <= ROUND_OFF * reach)) return Array.from(at)
  return at.map((value, k) => value - middle[k % 3])
}

function resolvePlasticity(def: PlasticityDef): PlasticityDef {
  const where = 'shapeMatching: plasticity'
  knownFields(where, def, ['yield', 'creep', 'max'])
  return {
    yield: nonNegative(`${where}.yield`, def.yield ?? 0.05),
    creep: nonNegative(`${where}.creep`, def.creep ?? 10),
    max: nonNegative(`${where}.max`, def.max ?? 0.5),
  }
}

/** c [m] into `error`, its gradient into `g`, and A, R and S_p. */
function match(bodies: BodyColumns, batch: Batch<Column>, row: number): void {
  const { ids, arity } = batch
  const { plastic } = batch.columns
  const { weights, shape } = defOf(batch, row) as Required<ShapeMatchingDef>
  const x = bodies.position
  const gradient = g
  const o = arity * row
  let mx = 0
  let my = 0
  let mz = 0
  for (let k = 0; k < arity; k++) {
    const p = 4 * ids[o + k]
    mx += weights[k] * x[p]
    my += weights[k] * x[p + 1]
    mz += weights[k] * x[p + 2]
  }
  for (let k = 0; k < 9; k++) {
    S[k] = plastic[9 * row + k]
    A[k] = 0
  }
  for (let k = 0; k < arity; k++) {
    const p = 4 * ids[o + k]
    const m = weights[k]
    const qx = S[0] * shape[3 * k] + S[1] * shape[3 * k + 1] + S[2] * shape[3 * k + 2]
    const qy = S[3] * shape[3 * k] + S[4] * shape[3 * k + 1] + S[5] * shape[3 * k + 2]
    const qz = S[6] * shape[3 * k] + S[7] * shape[3 * k + 1] + S[8] * shape[3 * k + 2]
    const ux = m * (x[p] - mx)
    const uy = m * (x[p + 1] - my)
    const uz = m * (x[p + 2] - mz)
    // q waits where its gradient will be.
    gradient[3 * k] = qx
    gradient[3 * k + 1] = qy
    gradient[3 * k + 2] = qz
    A[0] += ux * qx
    A[1] += ux * qy
    A[2] += ux * qz
    A[3] += uy * qx
    A[4] += uy * qy
    A[5] += uy * qz
    A[6] += uz * qx
    A[7] += uz * qy
    A[8] += uz * qz
  }
  fitRotation(A, R, FIT)
  let squared = 0
  for (let k = 0; k < arity; k++) {
    const p = 4 * ids[o + k]
    const m = weights[k]
    const qx = gradient[3 * k]
    const qy = gradient[3 * k + 1]
    const qz = gradient[3 * k + 2]
    const ex = x[p] - mx - (R[0] * qx + R[1] * qy + R[2] * qz)
    const ey = x[p + 1] - my - (R[3] * qx + R[4] * qy + R[5] * qz)
    const ez = x[p + 2] - mz - (R[6] * qx + R[7] * qy + R[8] * qz)
    squared += m * (ex * ex + ey * ey + ez * ez)
    gradient[3 * k] = m * ex
    gradient[3 * k + 1] = m * ey
    gradient[3 * k + 2] = m * ez
  }
  const c = Math.sqrt(squared)
  const inverse = c > IN_SHAPE ? 1 / c : 0
  for (let k = 0; k < 3 * arity; k++) gradient[k] *= inverse
  error[0] = c
}
