/**
 * Bending of two triangles that share an edge, for material that does not stretch.
 *
 *          2            b = s Σ K_k x_k,  s = √(3/(A_a + A_b)),  K from the shape at rest, Σ K = 0:
 *         / \           K_0 = cot₀₃ + cot₀₄, K_1 = cot₀₁ + cot₀₂, K_2 = −cot₀₁ − cot₀₃, K_3 = −cot₀₂ − cot₀₄
 *       0 ——— 1         edges e0 = x_1 − x_0, e1 = x_2 − x_0, e2 = x_3 − x_0, e3 = x_2 − x_1, e4 = x_3 − x_1
 *         \ /
 *          3            flat at rest: c = b, a vector, ∂c/∂x_k = s K_k 1;  curved: c = ‖b‖ − ρ, ρ = ‖b‖ at rest, along b
 *
 * Source: Bergou, Wardetzky, Harmon, Zorin and Grinspun, "A quadratic bending model for inextensible surfaces" (2006):
 * their energy ½ k 3/(A_a + A_b) ‖Σ K x‖² is ½ k ‖c‖², so `stiffness` is their bending rigidity k [N m] as it stands, and
 * c is an angle: ‖b‖ = √3 |e0|/√(A_a + A_b) · 2 sin(θ/2) for a fold by θ [rad] that stretches nothing.
 *
 * Departures: they take rest shapes as flat. For a curved one c keeps the length of b, not its direction, which turns with
 * the body: one row, whose λ is in the first multiplier. It does not tell a fold from its mirror image, and cannot act where
 * b vanishes: dihedralBend can. One solve along c keeps angular momentum exactly; with softness each
 * solve is along c + aλ, and it is kept when those agree, on convergence.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import type { BodyColumns, ResolvedDef } from '@tautline/core/kernel'
import { finiteVector, nonNegative, RUNAWAY } from '@tautline/core/kernel'
import { outlineFold } from './parts/outline.js'
import { IMMOVABLE } from './parts/vector.js'
import { keepsAll } from './parts/momenta.js'

/** Four bodies, at their centres: 0 and 1 are the shared edge, 2 and 3 the vertices opposite to it. */
export interface IsometricBendDef extends ManyDef {
  /** s K, of which the first is minus the sum of the others [1/m]. @defaultValue those of the present shape */
  weights?: readonly number[]
  /** ‖b‖ at rest [rad]; 0 is flat. @defaultValue that of the present shape */
  rest?: number
}

type Column = 'weight' | 'rest'

/** Sine at an edge below which a triangle has no area, as in dihedralBend. */
const SLIVER = 1e-9
/** A fold [rad] below this at rest is a flat shape with round-off. */
const UNFOLDED = 1e-9

const b = /* @__PURE__ */ new Float64Array(3)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedIsometricBend = ResolvedDef<IsometricBendDef, 'weights' | 'rest'>

/** Resists bending between two triangles: `world.add(isometricBend, { bodies: [edge0, edge1, wing2, wing3], stiffness })`. */
export const isometricBend: ConstraintType<IsometricBendDef, Column, ResolvedIsometricBend> = {
  name: 'isometricBend',
  order: 2,
  arity: 4,
  multipliers: 3,
  fields: ['bodies', 'weights', 'rest'],
  columns: { weight: 4, rest: 1 },

  resolve(def, { bodies }) {
    const ids = Int32Array.from(def.bodies, (body) => body.index)
    const given = def.weights === undefined ? undefined : finiteVector('isometricBend: weights', def.weights, 4)
    const weights = given === undefined ? restWeights(bodies, ids) : Array.from(given)
    if (def.rest !== undefined)
      return Object.assign({}, def, { weights, rest: nonNegative('isometricBend: rest', def.rest) })
    bending(bodies, ids, 0, weights, 0)
    const rest = Math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
    return Object.assign({}, def, { weights, rest: rest > UNFOLDED ? rest : 0 })
  },

  write({ columns }, row, def) {
    columns.weight.set(def.weights, 4 * row)
    columns.rest[row] = def.rest
  },

  evaluate(bodies, batch, row, out) {
    const { weight, rest, compliance, rayleigh } = batch.columns
    bending(bodies, batch.ids, 4 * row, weight, 4 * row)
    const length = Math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
    const isCurved = rest[row] !== 0
    if (isCurved && length <= UNFOLDED) return
    const group = out.group(isCurved ? 'scalar' : 'line', 'position', 'rad')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    if (isCurved) {
      out.row(0, length - rest[row])
      for (let i = 0; i < 4; i++) {
        const K = weight[4 * row + i] / length
        out.linear(i, K * b[0], K * b[1], K * b[2])
      }
      return
    }
    for (let k = 0; k < 3; k++) {
      out.row(k, b[k])
      for (let i = 0; i < 4; i++) {
        const K = weight[4 * row + i]
        out.linear(i, k === 0 ? K : 0, k === 1 ? K : 0, k === 2 ? K : 0)
      }
    }
  },

  keepsMomenta: keepsAll,
  outline: outlineFold,
  loop: {
    sweep(bodies, batch, from, to) {
      const { ids } = batch
      const { weight, rest, lambda, softness, gamma, relaxation } = batch.columns
      const x = bodies.position
      const start = bodies.startPosition
      for (let row = from; row < to; row++) {
        const p = 4 * ids[4 * row]
        const u = 4 * ids[4 * row + 1]
        const r = 4 * ids[4 * row + 2]
        const s = 4 * ids[4 * row + 3]
        const k0 = weight[4 * row]
        const k1 = weight[4 * row + 1]
        const k2 = weight[4 * row + 2]
        const k3 = weight[4 * row + 3]
        const bx = k1 * (x[u] - x[p]) + k2 * (x[r] - x[p]) + k3 * (x[s] - x[p])
        const by = k1 * (x[u + 1] - x[p + 1]) + k2 * (x[r + 1] - x[p + 1]) + k3 * (x[s + 1] - x[p + 1])
        const bz = k1 * (x[u + 2] - x[p + 2]) + k2 * (x[r + 2] - x[p + 2]) + k3 * (x[s + 2] - x[p + 2])
        const isCurved = rest[row] !== 0
        const length = isCurved ? Math.sqrt(bx * bx + by * by + bz * bz) : 1
        // Which way a curved shape that has gone flat is to bend is unknown.
        if (isCurved && length <= UNFOLDED) continue
        const l = 3 * row
        const a = softness[row]
        let ex = isCurved ? 0 : bx + a * lambda[l]
        let ey = isCurved ? 0 : by + a * lambda[l + 1]
        let ez = isCurved ? 0 : bz + a * lambda[l + 2]
        const wp = x[p + 3]
        const wu = x[u + 3]
        const wr = x[r + 3]
        const ws = x[s + 3]
        let w = k0 * k0 * wp + k1 * k1 * wu + k2 * k2 * wr + k3 * k3 * ws
        if (gamma[row] > 0) {
          ex +=
            gamma[row] *
            (k0 * (x[p] - start[p]) + k1 * (x[u] - start[u]) + k2 * (x[r] - start[r]) + k3 * (x[s] - start[s]))
          ey +=
            gamma[row] *
            (k0 * (x[p + 1] - start[p + 1]) +
              k1 * (x[u + 1] - start[u + 1]) +
              k2 * (x[r + 1] - start[r + 1]) +
              k3 * (x[s + 1] - start[s + 1]))
          ez +=
            gamma[row] *
            (k0 * (x[p + 2] - start[p + 2]) +
              k1 * (x[u + 2] - start[u + 2]) +
              k2 * (x[r + 2] - start[r + 2]) +
              k3 * (x[s + 2] - start[s + 2]))
          w *= 1 + gamma[row]
        }
        if (w + a <= IMMOVABLE) continue
        const scale = -relaxation[row] / (w + a)
        if (isCurved) {
          const e = length - rest[row] + a * lambda[l] + (ex * bx + ey * by + ez * bz) / length
          lambda[l] += scale * e
          ex = (e * bx) / length
          ey = (e * by) / length
          ez = (e * bz) / length
        } else {
          lambda[l] += scale * ex
          lambda[l + 1] += scale * ey
          lambda[l + 2] += scale * ez
        }
        if (!(Math.abs(scale) * (Math.abs(ex) + Math.abs(ey) + Math.abs(ez)) < RUNAWAY)) continue
        const m0 = scale * k0 * wp
        const m1 = scale * k1 * wu
        const m2 = scale * k2 * wr
        const m3 = scale * k3 * ws
        if (m0 !== 0) {
          x[p] += m0 * ex
          x[p + 1] += m0 * ey
          x[p + 2] += m0 * ez
        }
        if (m1 !== 0) {
          x[u] += m1 * ex
          x[u + 1] += m1 * ey
          x[u + 2] += m1 * ez
        }
        if (m2 !== 0) {
          x[r] += m2 * ex
          x[r + 1] += m2 * ey
          x[r + 2] += m2 * ez
        }
        if (m3 !== 0) {
          x[s] += m3 * ex
          x[s + 1] += m3 * ey
          x[s + 2] += m3 * ez
        }
      }
    },
  },
}

/** b, from differences to the first body: far from the origin the sum itself would cancel. */
function bending(bodies: BodyColumns, ids: Int32Array, o: number, weight: ArrayLike<number>, k: number): void {
  const x = bodies.position
  const p = 4 * ids[o]
  b[0] = b[1] = b[2] = 0
  for (let i = 1; i < 4; i++) {
    const q = 4 * ids[o + i]
    for (let axis = 0; axis < 3; axis++) b[axis] += weight[k + i] * (x[q + axis] - x[p + axis])
  }
}

/** s K of the present shape. */
function restWeights(bodies: BodyColumns, ids: Int32Array): number[] {
  const x = (k: number, axis: number): number => bodies.position[4 * ids[k] + axis]
  const edge = (from: number, to: number): number[] => [0, 1, 2].map((axis) => x(to, axis) - x(from, axis))
  // Corners of each triangle at both ends of the shared edge.
  const [c01, a] = cotangent(edge(0, 1), edge(0, 2))
  const [c03] = cotangent(edge(1, 0), edge(1, 2))
  const [c02, c] = cotangent(edge(0, 1), edge(0, 3))
  const [c04] = cotangent(edge(1, 0), edge(1, 3))
  const s = Math.sqrt(6 / (a + c))
  const others = [s * (c01 + c02), -s * (c01 + c03), -s * (c02 + c04)]
  return [-(others[0] + others[1] + others[2]), ...others]
}

/** Cotangent of the angle between two edges, and |u × v|, twice the area. */
function cotangent(u: readonly number[], v: readonly number[]): [number, number] {
  const dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
  const [x, y, z] = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
  const cross = Math.sqrt(x * x + y * y + z * z)
  const uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
  const vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
  if (!(cross > SLIVER * Math.sqrt(uu * vv))) {
    throw new RangeError(`isometricBend: bodies must span two triangles, got one of area ${0.5 * cross}`)
  }
  return [dot / cross, cross]
}
