/**
 * Angle between two triangles that share an edge.
 *
 *          2             θ: 0 when flat, positive when 2 and 3 are raised to the side from which 0 1 2 and
 *         / \            1 0 3 run counterclockwise (the side of the picture's reader), ±π when they touch.
 *       0 ——— 1
 *         \ /            c = θ − θ₀ [rad], wrapped into (−π, π]
 *          3             θ = atan2((N_b × N_a)·ê, N_a·N_b)
 *
 *   e = x_1 − x_0, N_a = (x_2 − x_0) × (x_2 − x_1), N_b = (x_3 − x_1) × (x_3 − x_0)
 *   ∂θ/∂x_2 = |e| N_a/|N_a|² = u_a, ∂θ/∂x_3 = |e| N_b/|N_b|² = u_b
 *   ∂θ/∂x_1 = −t_a u_a − t_b u_b, t = (x_wing − x_0)·e/|e|²; ∂θ/∂x_0 = −(the other three)
 *
 * Source: Bridson, Marino and Fedkiw, "Simulation of clothing with folds and wrinkles" (2003), whose u₁ … u₄ these are.
 * Müller et al., "Position based dynamics" (2007), has the same angle through acos, which has no sign and no slope
 * when flat; atan2 has both. The gradients are exact, so linear and angular momentum are kept.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import { atan2, finite, type ResolvedDef, RUNAWAY, wrapAngle } from '@tautline/core/kernel'
import { centreGradient } from './parts/centres.js'
import { outlineFold } from './parts/outline.js'
import { IMMOVABLE } from './parts/vector.js'
import { keepsAll } from './parts/momenta.js'

/**
 * A rigid fold that is wrong at the start of a substep is repaired at this rate [rad/s] at most. All at once it would be speed: from
 * 4 rad/s on crumpled cloths gain energy.
 */
const REPAIR = 1
/**
 * Largest turn of a rigid fold in one pass [rad]: gradients are tangents, and a wing that follows one far leaves its edge. At 0.2 rad crumpled
 * cloths still gain energy.
 */
const MOST_TURN = 0.05

/** Four bodies, at their centres: 0 and 1 are the shared edge, 2 and 3 the vertices opposite to it. */
export interface DihedralBendDef extends ManyDef {
  /** Rest angle [rad] in [−π, π], 0 when flat. @defaultValue the present angle */
  angle?: number
}

/** Squared sine at an edge below which a triangle has no normal: of its digits six are left a thousand edges away. */
const SLIVER = 1e-18

const g = /* @__PURE__ */ new Float64Array(12)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedDihedralBend = ResolvedDef<DihedralBendDef, 'angle'>

/** Holds the angle between two triangles: `world.add(dihedralBend, { bodies: [edge0, edge1, wing2, wing3] })`. */
export const dihedralBend: ConstraintType<DihedralBendDef, 'rest' | 'goal' | 'most', ResolvedDihedralBend> = {
  name: 'dihedralBend',
  order: 2,
  arity: 4,
  multipliers: 1,
  traits: {
    isCurved: true,
  },
  fields: ['bodies', 'angle'],
  columns: { rest: 1, goal: 1, most: 1 },

  resolve(def, { bodies }) {
    const ids = Int32Array.from(def.bodies, (body) => body.index)
    if (def.angle !== undefined) {
      const angle = finite('dihedralBend: angle', def.angle)
      if (Math.abs(angle) > Math.PI) throw new RangeError(`dihedralBend: angle must be within ±π, got ${angle}`)
      return Object.assign({}, def, { angle })
    }
    const angle = foldAngle(bodies.position, ids, 0)
    if (Number.isNaN(angle)) {
      throw new RangeError('dihedralBend: bodies must span two triangles, got one without an area (give angle)')
    }
    return Object.assign({}, def, { angle })
  },

  write({ columns }, row, def) {
    columns.rest[row] = def.angle
  },

  evaluate(bodies, batch, row, out) {
    const { rest, compliance, rayleigh } = batch.columns
    const angle = foldAngle(bodies.position, batch.ids, 4 * row)
    if (Number.isNaN(angle)) return
    const group = out.group('scalar', 'position', 'rad')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    out.row(0, wrapAngle(angle - rest[row]))
    centreGradient(out, 4, g)
  },

  keepsMomenta: keepsAll,
  outline: outlineFold,
  loop: {
    prepare(bodies, batch, from, to, h) {
      const { rest, goal, most, compliance } = batch.columns
      const share = h * REPAIR
      for (let row = from; row < to; row++) {
        goal[row] = 0
        most[row] = compliance[row] > 0 ? Infinity : MOST_TURN
        if (compliance[row] > 0) continue
        const angle = foldAngle(bodies.startPosition, batch.ids, 4 * row)
        if (angle - angle !== 0) continue
        const c = wrapAngle(angle - rest[row])
        goal[row] = c > share ? c - share : c < -share ? c + share : 0
      }
    },
    sweep(bodies, batch, from, to) {
      const { ids } = batch
      const { rest, goal, most, lambda, softness, gamma, relaxation } = batch.columns
      const x = bodies.position
      const start = bodies.startPosition
      for (let row = from; row < to; row++) {
        const p = 4 * ids[4 * row]
        const u = 4 * ids[4 * row + 1]
        const r = 4 * ids[4 * row + 2]
        const s = 4 * ids[4 * row + 3]
        const ex = x[u] - x[p]
        const ey = x[u + 1] - x[p + 1]
        const ez = x[u + 2] - x[p + 2]
        const ax = x[r] - x[p]
        const ay = x[r + 1] - x[p + 1]
        const az = x[r + 2] - x[p + 2]
        const bx = x[s] - x[p]
        const by = x[s + 1] - x[p + 1]
        const bz = x[s + 2] - x[p + 2]
        const nx = ey * az - ez * ay
        const ny = ez * ax - ex * az
        const nz = ex * ay - ey * ax
        const mx = by * ez - bz * ey
        const my = bz * ex - bx * ez
        const mz = bx * ey - by * ex
        const ee = ex * ex + ey * ey + ez * ez
        const nn = nx * nx + ny * ny + nz * nz
        const mm = mx * mx + my * my + mz * mz
        // A triangle without an area has no normal: wait until it has.
        if (nn <= SLIVER * ee * (ax * ax + ay * ay + az * az)) continue
        if (mm <= SLIVER * ee * (bx * bx + by * by + bz * bz)) continue
        const e = Math.sqrt(ee)
        const f = e / nn
        const v = e / mm
        const g2x = f * nx
        const g2y = f * ny
        const g2z = f * nz
        const g3x = v * mx
        const g3y = v * my
        const g3z = v * mz
        const t = (ax * ex + ay * ey + az * ez) / ee
        const l = (bx * ex + by * ey + bz * ez) / ee
        const g1x = -t * g2x - l * g3x
        const g1y = -t * g2y - l * g3y
        const g1z = -t * g2z - l * g3z
        const g0x = -(g1x + g2x + g3x)
        const g0y = -(g1y + g2y + g3y)
        const g0z = -(g1z + g2z + g3z)
        const sine = ((my * nz - mz * ny) * ex + (mz * nx - mx * nz) * ey + (mx * ny - my * nx) * ez) / e
        const c = wrapAngle(atan2(sine, nx * mx + ny * my + nz * mz) - rest[row] - goal[row])
        const wp = x[p + 3]
        const wu = x[u + 3]
        const wr = x[r + 3]
        const ws = x[s + 3]
        let w =
          wp * (g0x * g0x + g0y * g0y + g0z * g0z) +
          wu * (g1x * g1x + g1y * g1y + g1z * g1z) +
          wr * (g2x * g2x + g2y * g2y + g2z * g2z) +
          ws * (g3x * g3x + g3y * g3y + g3z * g3z)
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
        let step = (-relaxation[row] * error) / (w + softness[row])
        if (most[row] > 0) {
          if (step * w > most[row]) step = most[row] / w
          else if (step * w < -most[row]) step = -most[row] / w
        }
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

/** θ, and its gradient into `g`; NaN where a triangle is degenerate. */
function foldAngle(x: Float64Array, ids: Int32Array, o: number): number {
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  const ex = x[q] - x[p]
  const ey = x[q + 1] - x[p + 1]
  const ez = x[q + 2] - x[p + 2]
  const ax = x[r] - x[p]
  const ay = x[r + 1] - x[p + 1]
  const az = x[r + 2] - x[p + 2]
  const bx = x[s] - x[p]
  const by = x[s + 1] - x[p + 1]
  const bz = x[s + 2] - x[p + 2]
  // N_a = e × a and N_b = b × e: the products of the head, with the edge taken out of both factors.
  const nx = ey * az - ez * ay
  const ny = ez * ax - ex * az
  const nz = ex * ay - ey * ax
  const mx = by * ez - bz * ey
  const my = bz * ex - bx * ez
  const mz = bx * ey - by * ex
  const ee = ex * ex + ey * ey + ez * ez
  const nn = nx * nx + ny * ny + nz * nz
  const mm = mx * mx + my * my + mz * mz
  if (nn <= SLIVER * ee * (ax * ax + ay * ay + az * az)) return NaN
  if (mm <= SLIVER * ee * (bx * bx + by * by + bz * bz)) return NaN
  const e = Math.sqrt(ee)
  const u = e / nn
  const v = e / mm
  g[6] = u * nx
  g[7] = u * ny
  g[8] = u * nz
  g[9] = v * mx
  g[10] = v * my
  g[11] = v * mz
  const t = (ax * ex + ay * ey + az * ez) / ee
  const k = (bx * ex + by * ey + bz * ez) / ee
  for (let i = 0; i < 3; i++) {
    g[3 + i] = -t * g[6 + i] - k * g[9 + i]
    g[i] = -(g[3 + i] + g[6 + i] + g[9 + i])
  }
  const sine = (my * nz - mz * ny) * ex + (mz * nx - mx * nz) * ey + (mx * ny - my * nx) * ez
  return atan2(sine / e, nx * mx + ny * my + nz * mz)
}
