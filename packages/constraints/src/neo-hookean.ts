/**
 * A tetrahedron of stable Neo-Hookean material: Macklin and Müller, "A Constraint-based Formulation of Stable Neo-Hookean Materials" (2021).
 *
 *   F = D B, D the edges d_k = x_k − x_0 as columns, B the inverse of those at rest;  I = tr FᵀF, J = det F
 *   Ψ = ½ μ (I − 3) + ½ λ' (J − 1 − μ/λ')² [Pa], their (10) and (13), λ' = λ + μ; μ = E/2(1 + ν), λ = E ν/(1 + ν)(1 − 2ν)
 *
 * The same energy, but for a constant, in two rows that are both 0 at rest:
 *
 *   deviatoric    c = √(I + J² − 4J), compliance 1/(μ V);   ∂c/∂x_k = (F b_k + (J − 2) j_k)/c
 *   hydrostatic   c = J − 1, compliance 1/(λ V);            ∂c/∂x_k = j_k
 *   b_k row k of B, j_k = det B (d_l × d_m), V the volume at rest; of x_0 minus the sum
 *
 * Departures: their rows √I and J − 1 − μ/λ' pull against each other at rest with forces of the order of μ V/ℓ, and it takes both, met exactly,
 * for a body to rest. I + J² − 4J is a sum of four squares less four times their product, so it is never below 0, and 0 where all
 * principal stretches are 1. Near rest it is 2 tr ε², and written as 2 (J − 1)² − II(E) − III(E), E = FᵀF − 1, which does not cancel.
 * It is 0 again where an element is a point, and would hold it there: below J = 0.2 it goes over to the distance from the nearest rotation. What was turned inside
 * out comes back through the flat state.
 * Far from rest one solve along the gradient leaves most of the error, as J is of third order: a row is solved again until it is near, and moves nothing
 * farther in a solve than half the longest edge, now or at rest, within which the gradient tells something.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import {
  type BodyColumns,
  finite,
  finiteVector,
  nonNegative,
  positive,
  type ResolvedDef,
  RUNAWAY,
} from '@tautline/core/kernel'
import {
  changeShape,
  changeVolume,
  ELASTIC_COLUMNS,
  type ElasticColumn,
  ERROR,
  GAMMA,
  gd,
  gh,
  LONGEST,
  SIZE,
  SOFTNESS,
  STEP,
  XI,
} from './parts/elastic/element.js'
import { ElasticSolver } from './parts/elastic/elastic-solver.js'
import { centreGradient } from './parts/centres.js'
import { refuseSoftness } from './parts/definition.js'
import { IMMOVABLE } from './parts/vector.js'
import { keepsAll } from './parts/momenta.js'

function presentEdges({ position: x }: Pick<BodyColumns, 'position'>, def: ManyDef): number[] {
  const o = 4 * def.bodies[0].index
  return def.bodies.slice(1).flatMap(({ index }) => [0, 1, 2].map((k) => x[4 * index + k] - x[o + k]))
}

/** The longest of three edges, squared [m²]. */
function longestSquared(edges: readonly number[]): number {
  let longest = 0
  for (let k = 0; k < 9; k += 3) {
    longest = Math.max(longest, edges[k] * edges[k] + edges[k + 1] * edges[k + 1] + edges[k + 2] * edges[k + 2])
  }
  return longest
}

function determinant([a, b, c, d, e, f, g, h, i]: readonly number[]): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

/** Four bodies, at their centres. Positive where, seen from body 0, the face 1 2 3 runs clockwise: that is how it lies at rest. */
export interface NeoHookeanDef extends ManyDef {
  /** Young's modulus E [Pa]. */
  youngsModulus: number
  /** Poisson's ratio ν, 0 to 0.499: the nearer to a half, the better it keeps its volume. @defaultValue 0.4 */
  poissonRatio?: number
  /** Time in which half of a motion is lost that no inertia keeps up, about [s]. @defaultValue 0 */
  damping?: number
  /** Edges from body 0 to 1, 2 and 3 at rest, x, y, z each [m]. @defaultValue those of the present pose */
  edges?: readonly number[]
}

/** Volumes below this share of the longest edge cubed are flat: coordinates a thousand edges from the origin still tell. */
const FLAT = 1e-12
/** Poisson's ratio of rubber; at a half the row would be rigid, and what it is off would hold any energy. */
const MOST_RATIO = 0.499
/** Error beyond which a row is solved again, and how often at most. */
const FAR = 0.5
const TURNS = 4
/** Share of the longest edge that a solve may move a body by. */
const REACH = 0.5

const elastic = (): ElasticSolver => new ElasticSolver('neoHookean')

type ResolvedNeoHookean = ResolvedDef<NeoHookeanDef, 'edges' | 'poissonRatio' | 'damping'>

/** Elastic material in a tetrahedron: `world.add(neoHookean, { bodies: [a, b, c, d], youngsModulus: 1e4 })`. */
export const neoHookean: ConstraintType<NeoHookeanDef, ElasticColumn, ResolvedNeoHookean> = {
  name: 'neoHookean',
  order: 2,
  arity: 4,
  multipliers: 2,
  traits: {
    isCurved: true,
    ownsSoftness: true,
  },
  fields: ['bodies', 'youngsModulus', 'poissonRatio', 'damping', 'edges'],
  columns: ELASTIC_COLUMNS,
  saved: {
    hints: ['push'],
  },
  blockSolver: elastic,

  resolve(def, { bodies }) {
    refuseSoftness('neoHookean', def, ['stiffness'])
    const poissonRatio = finite('neoHookean: poissonRatio', def.poissonRatio ?? 0.4)
    if (poissonRatio < 0 || poissonRatio > MOST_RATIO) {
      throw new RangeError(`neoHookean: poissonRatio must be within [0, ${MOST_RATIO}], got ${poissonRatio}`)
    }
    const given = def.edges === undefined ? undefined : finiteVector('neoHookean: edges', def.edges, 9)
    const edges = given === undefined ? presentEdges(bodies, def) : Array.from(given)
    const six = determinant(edges)
    const longest = longestSquared(edges)
    if (!(Math.abs(six) > FLAT * longest * Math.sqrt(longest))) {
      throw new RangeError(`neoHookean: edges must not lie in a plane, got a volume of ${six / 6}`)
    }
    return Object.assign({}, def, {
      youngsModulus: positive('neoHookean: youngsModulus', def.youngsModulus),
      poissonRatio,
      damping: nonNegative('neoHookean: damping', def.damping ?? 0),
      edges,
    })
  },

  write({ columns }, row, { edges, youngsModulus, poissonRatio: ratio, damping }) {
    const [a, b, c, d, e, f, g, h, i] = edges
    const six = determinant(edges)
    // Rows of the inverse of the matrix whose columns are the edges.
    const rows = [
      e * i - f * h, f * g - d * i, d * h - e * g,
      c * h - b * i, a * i - c * g, b * g - a * h,
      b * f - c * e, c * d - a * f, a * e - b * d,
    ] // prettier-ignore
    for (let k = 0; k < 9; k++) columns.inverse[9 * row + k] = rows[k] / six
    const volume = Math.abs(six) / 6
    columns.shape[2 * row] = (2 * (1 + ratio)) / (youngsModulus * volume)
    columns.shape[2 * row + 1] = ((1 + ratio) * (1 - 2 * ratio)) / (youngsModulus * ratio * volume)
    columns.beta[row] = damping
    columns.size[row] = longestSquared(edges)
  },

  evaluate(bodies, batch, row, out) {
    const { inverse, shape, beta } = batch.columns
    const { ids } = batch
    for (let k = 0; k < 2; k++) {
      if (shape[2 * row + k] === Infinity) continue
      if (k === 0) changeShape(bodies, ids, 4 * row, inverse, 9 * row)
      else changeVolume(bodies, ids, 4 * row, inverse, 9 * row)
      const group = out.group('scalar', 'position', '1')
      group.compliance = shape[2 * row + k]
      group.rayleigh = beta[row]
      out.rowAt(k, STEP, ERROR)
      centreGradient(out, 4, k === 0 ? gd : gh)
    }
  },

  keepsMomenta: keepsAll,
  outline({ position }, { ids }, row, out) {
    for (let k = 1; k < 4; k++) {
      for (let n = 0; n < k; n++) out.link(position, 4 * ids[4 * row + n], 4 * ids[4 * row + k])
    }
  },
  loop: {
    sweep(bodies, batch, from, to, h) {
      const { ids } = batch
      const { inverse, shape, beta, size, lambda, regularization, relaxation } = batch.columns
      for (let row = from; row < to; row++) {
        STEP[GAMMA] = beta[row] / h
        STEP[XI] = relaxation[row]
        STEP[SIZE] = size[row]
        for (let k = 0; k < 2; k++) {
          if (shape[2 * row + k] === Infinity) continue
          STEP[SOFTNESS] = shape[2 * row + k] / (h * h) + regularization[row]
          for (let turn = 0; turn < TURNS; turn++) {
            if (k === 0) changeShape(bodies, ids, 4 * row, inverse, 9 * row)
            else changeVolume(bodies, ids, 4 * row, inverse, 9 * row)
            solveRow(bodies, ids, 4 * row, k === 0 ? gd : gh, lambda, 2 * row + k)
            if (Math.abs(STEP[ERROR]) < FAR) break
          }
        }
      }
    },
  },
}

/** One update of a row with gradient `g`. `o` and `l` are its places in `ids` and `lambda`. */
function solveRow(
  bodies: BodyColumns,
  ids: Int32Array,
  o: number,
  g: Float64Array,
  lambda: Float64Array,
  l: number,
): void {
  const x = bodies.position
  const a = STEP[SOFTNESS]
  const gamma = STEP[GAMMA]
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  const g0 = g[0]
  const g1 = g[1]
  const g2 = g[2]
  const g3 = g[3]
  const g4 = g[4]
  const g5 = g[5]
  const g6 = g[6]
  const g7 = g[7]
  const g8 = g[8]
  const g9 = g[9]
  const g10 = g[10]
  const g11 = g[11]
  const mp = x[p + 3]
  const mq = x[q + 3]
  const mr = x[r + 3]
  const ms = x[s + 3]
  const wp = mp * (g0 * g0 + g1 * g1 + g2 * g2)
  const wq = mq * (g3 * g3 + g4 * g4 + g5 * g5)
  const wr = mr * (g6 * g6 + g7 * g7 + g8 * g8)
  const ws = ms * (g9 * g9 + g10 * g10 + g11 * g11)
  let error = STEP[ERROR] + a * lambda[l]
  if (gamma > 0) {
    const y = bodies.startPosition
    error +=
      gamma *
      (g0 * (x[p] - y[p]) +
        g1 * (x[p + 1] - y[p + 1]) +
        g2 * (x[p + 2] - y[p + 2]) +
        g3 * (x[q] - y[q]) +
        g4 * (x[q + 1] - y[q + 1]) +
        g5 * (x[q + 2] - y[q + 2]) +
        g6 * (x[r] - y[r]) +
        g7 * (x[r + 1] - y[r + 1]) +
        g8 * (x[r + 2] - y[r + 2]) +
        g9 * (x[s] - y[s]) +
        g10 * (x[s + 1] - y[s + 1]) +
        g11 * (x[s + 2] - y[s + 2]))
  }
  const w = (1 + gamma) * (wp + wq + wr + ws)
  if (w + a <= IMMOVABLE) return
  let step = (-STEP[XI] * error) / (w + a)
  const farthest = Math.max(mp * wp, mq * wq, mr * wr, ms * ws)
  const most = REACH * REACH * Math.max(STEP[LONGEST], STEP[SIZE])
  if (step * step * farthest > most) step = (step < 0 ? -1 : 1) * Math.sqrt(most / farthest)
  if (!(Math.abs(step) < RUNAWAY)) return
  lambda[l] += step
  if (mp !== 0) {
    const m = step * mp
    x[p] += m * g0
    x[p + 1] += m * g1
    x[p + 2] += m * g2
  }
  if (mq !== 0) {
    const m = step * mq
    x[q] += m * g3
    x[q + 1] += m * g4
    x[q + 2] += m * g5
  }
  if (mr !== 0) {
    const m = step * mr
    x[r] += m * g6
    x[r + 1] += m * g7
    x[r + 2] += m * g8
  }
  if (ms !== 0) {
    const m = step * ms
    x[s] += m * g9
    x[s + 1] += m * g10
    x[s + 2] += m * g11
  }
}
