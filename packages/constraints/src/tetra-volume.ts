/**
 * Volume of a tetrahedron (Waterson 140–142).
 *
 *   c = 6V − 6V₀ [m³],  6V = d₁·(d₂×d₃),  d_k = x_k − x_0
 *   ∂c/∂x_1 = d₂×d₃ = 2A₁, ∂c/∂x_2 = d₃×d₁, ∂c/∂x_3 = d₁×d₂, ∂c/∂x_0 = −(their sum)
 *   w = Σ |J_k|²/m_k = 4 Σ |A_k|²/m_k
 *
 * V is signed: it is positive where, seen from 0, the face 1 2 3 runs clockwise. An element that was turned inside out has
 * the wrong sign, and is brought back through the flat state.
 *
 * λ/h² is a sixth of a pressure: compliance is in m³/Pa, and energy is (6V − 6V₀)²/2 compliance. A bulk modulus κ [Pa],
 * whose energy is κ (V − V₀)²/2V₀, is compliance 36 V₀/κ.
 *
 * Departures: the printed (142) lost the ¼ of its resistance and diverges. Where all four bodies lie along a line the
 * gradient is noise: it is taken as zero.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import type { BodyColumns, ResolvedDef } from '@tautline/core/kernel'
import { finite, RUNAWAY } from '@tautline/core/kernel'
import { centreGradient, dropNoise, NOISE, solveCentres } from './parts/centres.js'
import { IMMOVABLE } from './parts/vector.js'
import { keepsAll } from './parts/momenta.js'

/** Four bodies, at their centres. `stiffness` is in Pa/m³, `compliance` in m³/Pa, `damping` in Pa s/m³. */
export interface TetraVolumeDef extends ManyDef {
  /** Signed [m³], not 0: positive where, seen from body 0, the face 1 2 3 runs clockwise. @defaultValue the present volume */
  volume?: number
}

/** Volumes below this share of the longest edge cubed are flat: coordinates a thousand edges from the origin still tell. */
const FLAT = 1e-12

const g = /* @__PURE__ */ new Float64Array(12)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedTetraVolume = ResolvedDef<TetraVolumeDef, 'volume'>

/** Keeps the volume of a tetrahedron: `world.add(tetraVolume, { bodies: [a, b, c, d] })`. */
export const tetraVolume: ConstraintType<TetraVolumeDef, 'rest', ResolvedTetraVolume> = {
  name: 'tetraVolume',
  order: 2,
  arity: 4,
  multipliers: 1,
  traits: {
    isCurved: true,
  },
  fields: ['bodies', 'volume'],
  columns: { rest: 1 },

  resolve(def, { bodies }) {
    const { volume } = def
    if (volume !== undefined) {
      finite('tetraVolume: volume', volume)
      if (volume === 0) throw new RangeError('tetraVolume: volume must not be 0, got 0')
      return Object.assign({}, def, { volume })
    }
    const ids = Int32Array.from(def.bodies, (body) => body.index)
    const present = finite('tetraVolume: six times the volume of the present pose', sixVolumes(bodies, ids, 0))
    const edge = Math.sqrt(longestSquared(bodies, ids, 0))
    if (!(Math.abs(present) > FLAT * edge * edge * edge)) {
      throw new RangeError(`tetraVolume: bodies must not lie in a plane, got a volume of ${present / 6}`)
    }
    return Object.assign({}, def, { volume: present / 6 })
  },

  write({ columns }, row, def) {
    columns.rest[row] = 6 * def.volume
  },

  evaluate(bodies, batch, row, out) {
    const { rest, compliance, rayleigh } = batch.columns
    const group = out.group('scalar', 'position', 'm3')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    out.row(0, sixVolumes(bodies, batch.ids, 4 * row) - rest[row])
    centreGradient(out, 4, g)
  },

  keepsMomenta: keepsAll,
  outline({ position }, { ids }, row, out) {
    for (let k = 1; k < 4; k++) {
      for (let n = 0; n < k; n++) out.link(position, 4 * ids[4 * row + n], 4 * ids[4 * row + k])
    }
  },
  loop: {
    sweep(bodies, batch, from, to) {
      const { ids } = batch
      const { rest, lambda, softness, gamma, relaxation } = batch.columns
      const x = bodies.position
      const start = bodies.startPosition
      for (let row = from; row < to; row++) {
        const p = 4 * ids[4 * row]
        const u = 4 * ids[4 * row + 1]
        const r = 4 * ids[4 * row + 2]
        const s = 4 * ids[4 * row + 3]
        const ax = x[u] - x[p]
        const ay = x[u + 1] - x[p + 1]
        const az = x[u + 2] - x[p + 2]
        const bx = x[r] - x[p]
        const by = x[r + 1] - x[p + 1]
        const bz = x[r + 2] - x[p + 2]
        const cx = x[s] - x[p]
        const cy = x[s + 1] - x[p + 1]
        const cz = x[s + 2] - x[p + 2]
        const g1x = by * cz - bz * cy
        const g1y = bz * cx - bx * cz
        const g1z = bx * cy - by * cx
        const g2x = cy * az - cz * ay
        const g2y = cz * ax - cx * az
        const g2z = cx * ay - cy * ax
        const g3x = ay * bz - az * by
        const g3y = az * bx - ax * bz
        const g3z = ax * by - ay * bx
        const g0x = -(g1x + g2x + g3x)
        const g0y = -(g1y + g2y + g3y)
        const g0z = -(g1z + g2z + g3z)
        const c = ax * g1x + ay * g1y + az * g1z - rest[row]
        const wp = x[p + 3]
        const wu = x[u + 3]
        const wr = x[r + 3]
        const ws = x[s + 3]
        const longest = Math.max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz)
        let w =
          wp * (g0x * g0x + g0y * g0y + g0z * g0z) +
          wu * (g1x * g1x + g1y * g1y + g1z * g1z) +
          wr * (g2x * g2x + g2y * g2y + g2z * g2z) +
          ws * (g3x * g3x + g3y * g3y + g3z * g3z)
        if (w <= NOISE * longest * longest * (wp + wu + wr + ws)) {
          // Along a line: the gradient is noise; see dropNoise.
          solveCentres(bodies, batch, row, 4, g, sixVolumes(bodies, ids, 4 * row) - rest[row])
          continue
        }
        let error = c + softness[row] * lambda[row]
        if (gamma[row] > 0) {
          error +=
            gamma[row] *
            (g0x * (x[p] - start[p]) +
              g0y * (x[p + 1] - start[p + 1]) +
              g0z * (x[p + 2] - start[p + 2]) +
              g1x * (x[u] - start[u]) +
              g1y * (x[u + 1] - start[u + 1]) +
              g1z * (x[u + 2] - start[u + 2]) +
              g2x * (x[r] - start[r]) +
              g2y * (x[r + 1] - start[r + 1]) +
              g2z * (x[r + 2] - start[r + 2]) +
              g3x * (x[s] - start[s]) +
              g3y * (x[s + 1] - start[s + 1]) +
              g3z * (x[s + 2] - start[s + 2]))
          w *= 1 + gamma[row]
        }
        if (w + softness[row] <= IMMOVABLE) continue
        const step = (-relaxation[row] * error) / (w + softness[row])
        lambda[row] += step
        if (!(Math.abs(step) < RUNAWAY)) continue
        const m0 = step * wp
        const m1 = step * wu
        const m2 = step * wr
        const m3 = step * ws
        if (m0 !== 0) {
          x[p] += m0 * g0x
          x[p + 1] += m0 * g0y
          x[p + 2] += m0 * g0z
        }
        if (m1 !== 0) {
          x[u] += m1 * g1x
          x[u + 1] += m1 * g1y
          x[u + 2] += m1 * g1z
        }
        if (m2 !== 0) {
          x[r] += m2 * g2x
          x[r + 1] += m2 * g2y
          x[r + 2] += m2 * g2z
        }
        if (m3 !== 0) {
          x[s] += m3 * g3x
          x[s + 1] += m3 * g3y
          x[s + 2] += m3 * g3z
        }
      }
    },
  },
}

/** 6V, and its gradient into `g`. */
function sixVolumes(bodies: BodyColumns, ids: Int32Array, o: number): number {
  const x = bodies.position
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  const ax = x[q] - x[p]
  const ay = x[q + 1] - x[p + 1]
  const az = x[q + 2] - x[p + 2]
  const bx = x[r] - x[p]
  const by = x[r + 1] - x[p + 1]
  const bz = x[r + 2] - x[p + 2]
  const cx = x[s] - x[p]
  const cy = x[s + 1] - x[p + 1]
  const cz = x[s + 2] - x[p + 2]
  g[3] = by * cz - bz * cy
  g[4] = bz * cx - bx * cz
  g[5] = bx * cy - by * cx
  g[6] = cy * az - cz * ay
  g[7] = cz * ax - cx * az
  g[8] = cx * ay - cy * ax
  g[9] = ay * bz - az * by
  g[10] = az * bx - ax * bz
  g[11] = ax * by - ay * bx
  g[0] = -(g[3] + g[6] + g[9])
  g[1] = -(g[4] + g[7] + g[10])
  g[2] = -(g[5] + g[8] + g[11])
  const six = ax * g[3] + ay * g[4] + az * g[5]
  const edge = longestSquared(bodies, ids, o)
  dropNoise(bodies, ids, o, 4, g, 0, 3, edge * edge)
  return six
}

/** The longest of the three edges at the first body, squared [m²]. */
function longestSquared(bodies: BodyColumns, ids: Int32Array, o: number): number {
  const x = bodies.position
  const p = 4 * ids[o]
  let longest = 0
  for (let b = o + 1; b < o + 4; b++) {
    const q = 4 * ids[b]
    const dx = x[q] - x[p]
    const dy = x[q + 1] - x[p + 1]
    const dz = x[q + 2] - x[p + 2]
    longest = Math.max(longest, dx * dx + dy * dy + dz * dz)
  }
  return longest
}
