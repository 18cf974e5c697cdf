/**
 * The residual of a substep of a piece, −∂Ψ/∂x − M (x − x̂)/h², with what damps it (stress.ts has the equations). Written out: it is a third of the time of a soft body.
 *
 * Of the start of the substep F₀, E₀ = F₀ᵀF₀ and J₀ of each element are kept, as they are read in each iteration.
 */

import type { BodyColumns } from '@tautline/core/kernel'
import { CORNERS, CRUSHED, type ElasticBatch, START } from './element.js'
import type { Piece } from './piece.js'
import { readMaterial } from './stiffness.js'
import { MATERIAL, STRESS, stressAt } from './stress.js'

/** Places in the shape at the start: E₀ as xx, xy, xz, yy, yz, zz. */
const E0 = 9
const J0 = 15

/** Notes the shape of all elements at the start of the substep. */
export function noteStart({ startPosition: x }: BodyColumns, batch: ElasticBatch, { rows, start }: Piece): void {
  const { ids } = batch
  const { inverse } = batch.columns
  for (let e = 0; e < rows.length; e++) {
    const n = 9 * rows[e]
    const c = CORNERS * rows[e]
    const o = START * e
    const p = 4 * ids[c]
    for (let k = 0; k < 3; k++) {
      const a = x[4 * ids[c + 1] + k] - x[p + k]
      const b = x[4 * ids[c + 2] + k] - x[p + k]
      const d = x[4 * ids[c + 3] + k] - x[p + k]
      start[o + 3 * k] = a * inverse[n] + b * inverse[n + 3] + d * inverse[n + 6]
      start[o + 3 * k + 1] = a * inverse[n + 1] + b * inverse[n + 4] + d * inverse[n + 7]
      start[o + 3 * k + 2] = a * inverse[n + 2] + b * inverse[n + 5] + d * inverse[n + 8]
    }
    const F0 = start[o]
    const F1 = start[o + 1]
    const F2 = start[o + 2]
    const F3 = start[o + 3]
    const F4 = start[o + 4]
    const F5 = start[o + 5]
    const F6 = start[o + 6]
    const F7 = start[o + 7]
    const F8 = start[o + 8]
    start[o + E0] = F0 * F0 + F3 * F3 + F6 * F6
    start[o + E0 + 1] = F0 * F1 + F3 * F4 + F6 * F7
    start[o + E0 + 2] = F0 * F2 + F3 * F5 + F6 * F8
    start[o + E0 + 3] = F1 * F1 + F4 * F4 + F7 * F7
    start[o + E0 + 4] = F1 * F2 + F4 * F5 + F7 * F8
    start[o + E0 + 5] = F2 * F2 + F5 * F5 + F8 * F8
    start[o + J0] = F0 * (F4 * F8 - F5 * F7) + F1 * (F5 * F6 - F3 * F8) + F2 * (F3 * F7 - F4 * F6)
  }
}

/** Adds the forces of all elements to `step`, and writes the sum of F to `mean`. */
export function addForces(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number): void {
  const { position: x } = columns
  const { ids } = batch
  const { inverse } = batch.columns
  const { rows, corner, start, step, mean } = piece
  mean.fill(0)
  for (let e = 0; e < rows.length; e++) {
    const n = 9 * rows[e]
    const i = CORNERS * rows[e]
    const p = 4 * ids[i]
    const q = 4 * ids[i + 1]
    const r = 4 * ids[i + 2]
    const s = 4 * ids[i + 3]
    const ax = x[q] - x[p]
    const ay = x[q + 1] - x[p + 1]
    const az = x[q + 2] - x[p + 2]
    const bx = x[r] - x[p]
    const by = x[r + 1] - x[p + 1]
    const bz = x[r + 2] - x[p + 2]
    const cx = x[s] - x[p]
    const cy = x[s + 1] - x[p + 1]
    const cz = x[s + 2] - x[p + 2]
    const B0 = inverse[n]
    const B1 = inverse[n + 1]
    const B2 = inverse[n + 2]
    const B3 = inverse[n + 3]
    const B4 = inverse[n + 4]
    const B5 = inverse[n + 5]
    const B6 = inverse[n + 6]
    const B7 = inverse[n + 7]
    const B8 = inverse[n + 8]
    const F0 = ax * B0 + bx * B3 + cx * B6
    const F1 = ax * B1 + bx * B4 + cx * B7
    const F2 = ax * B2 + bx * B5 + cx * B8
    const F3 = ay * B0 + by * B3 + cy * B6
    const F4 = ay * B1 + by * B4 + cy * B7
    const F5 = ay * B2 + by * B5 + cy * B8
    const F6 = az * B0 + bz * B3 + cz * B6
    const F7 = az * B1 + bz * B4 + cz * B7
    const F8 = az * B2 + bz * B5 + cz * B8
    const C0 = F4 * F8 - F5 * F7
    const C1 = F5 * F6 - F3 * F8
    const C2 = F3 * F7 - F4 * F6
    const C3 = F2 * F7 - F1 * F8
    const C4 = F0 * F8 - F2 * F6
    const C5 = F1 * F6 - F0 * F7
    const C6 = F1 * F5 - F2 * F4
    const C7 = F2 * F3 - F0 * F5
    const C8 = F0 * F4 - F1 * F3
    const J = F0 * C0 + F1 * C1 + F2 * C2
    mean[0] += F0
    mean[1] += F1
    mean[2] += F2
    mean[3] += F3
    mean[4] += F4
    mean[5] += F5
    mean[6] += F6
    mean[7] += F7
    mean[8] += F8
    readMaterial(batch, rows[e], h)
    const kd = MATERIAL[0]
    const kh = MATERIAL[1]
    const gamma = MATERIAL[2]
    // P = f F + c C, and of damping m F S.
    let f = kd
    let c = kd * (J - 2) + kh * (J - 1)
    let m = 0
    let xx = 0
    let xy = 0
    let xz = 0
    let yy = 0
    let yz = 0
    let zz = 0
    if (gamma > 0) {
      const o = START * e
      const G0 = F0 - start[o]
      const G1 = F1 - start[o + 1]
      const G2 = F2 - start[o + 2]
      const G3 = F3 - start[o + 3]
      const G4 = F4 - start[o + 4]
      const G5 = F5 - start[o + 5]
      const G6 = F6 - start[o + 6]
      const G7 = F7 - start[o + 7]
      const G8 = F8 - start[o + 8]
      const ux = F0 * F0 + F3 * F3 + F6 * F6
      const vy = F1 * F1 + F4 * F4 + F7 * F7
      const wz = F2 * F2 + F5 * F5 + F8 * F8
      xx = 0.5 * (ux - start[o + E0])
      xy = 0.5 * (F0 * F1 + F3 * F4 + F6 * F7 - start[o + E0 + 1])
      xz = 0.5 * (F0 * F2 + F3 * F5 + F6 * F8 - start[o + E0 + 2])
      yy = 0.5 * (vy - start[o + E0 + 3])
      yz = 0.5 * (F1 * F2 + F4 * F5 + F7 * F8 - start[o + E0 + 4])
      zz = 0.5 * (wz - start[o + E0 + 5])
      // (F S) · (F − F₀) by S · Fᵀ (F − F₀).
      const along =
        xx * (F0 * G0 + F3 * G3 + F6 * G6) +
        yy * (F1 * G1 + F4 * G4 + F7 * G7) +
        zz * (F2 * G2 + F5 * G5 + F8 * G8) +
        xy * (F0 * G1 + F3 * G4 + F6 * G7 + (F1 * G0 + F4 * G3 + F7 * G6)) +
        xz * (F0 * G2 + F3 * G5 + F6 * G8 + (F2 * G0 + F5 * G3 + F8 * G6)) +
        yz * (F1 * G2 + F4 * G5 + F7 * G8 + (F2 * G1 + F5 * G4 + F8 * G7))
      if (along > 0) m = (6 * gamma * kd) / (ux + vy + wz)
      const change = J - start[o + J0]
      const widening = C0 * G0 + C1 * G1 + C2 * G2 + (C3 * G3 + C4 * G4 + C5 * G5) + (C6 * G6 + C7 * G7 + C8 * G8)
      if (change * widening > 0) c += gamma * kh * change
    }
    let P0 = c * C0 + m * (F0 * xx + F1 * xy + F2 * xz)
    let P1 = c * C1 + m * (F0 * xy + F1 * yy + F2 * yz)
    let P2 = c * C2 + m * (F0 * xz + F1 * yz + F2 * zz)
    let P3 = c * C3 + m * (F3 * xx + F4 * xy + F5 * xz)
    let P4 = c * C4 + m * (F3 * xy + F4 * yy + F5 * yz)
    let P5 = c * C5 + m * (F3 * xz + F4 * yz + F5 * zz)
    let P6 = c * C6 + m * (F6 * xx + F7 * xy + F8 * xz)
    let P7 = c * C7 + m * (F6 * xy + F7 * yy + F8 * yz)
    let P8 = c * C8 + m * (F6 * xz + F7 * yz + F8 * zz)
    if (J < CRUSHED) {
      // Another deviatoric error: what is without damping stands in STRESS.
      const off = kd * (J - 2) + kh * (J - 1)
      stressAt(x, ids, i, inverse, n, false)
      P0 += STRESS[0] - off * C0
      P1 += STRESS[1] - off * C1
      P2 += STRESS[2] - off * C2
      P3 += STRESS[3] - off * C3
      P4 += STRESS[4] - off * C4
      P5 += STRESS[5] - off * C5
      P6 += STRESS[6] - off * C6
      P7 += STRESS[7] - off * C7
      P8 += STRESS[8] - off * C8
      f = 0
    }
    P0 += f * F0
    P1 += f * F1
    P2 += f * F2
    P3 += f * F3
    P4 += f * F4
    P5 += f * F5
    P6 += f * F6
    P7 += f * F7
    P8 += f * F8
    const x1 = P0 * B0 + P1 * B1 + P2 * B2
    const y1 = P3 * B0 + P4 * B1 + P5 * B2
    const z1 = P6 * B0 + P7 * B1 + P8 * B2
    const x2 = P0 * B3 + P1 * B4 + P2 * B5
    const y2 = P3 * B3 + P4 * B4 + P5 * B5
    const z2 = P6 * B3 + P7 * B4 + P8 * B5
    const x3 = P0 * B6 + P1 * B7 + P2 * B8
    const y3 = P3 * B6 + P4 * B7 + P5 * B8
    const z3 = P6 * B6 + P7 * B7 + P8 * B8
    const at = CORNERS * e
    const k0 = 3 * corner[at]
    const k1 = 3 * corner[at + 1]
    const k2 = 3 * corner[at + 2]
    const k3 = 3 * corner[at + 3]
    if (k0 >= 0) {
      step[k0] += x1 + x2 + x3
      step[k0 + 1] += y1 + y2 + y3
      step[k0 + 2] += z1 + z2 + z3
    }
    if (k1 >= 0) {
      step[k1] -= x1
      step[k1 + 1] -= y1
      step[k1 + 2] -= z1
    }
    if (k2 >= 0) {
      step[k2] -= x2
      step[k2 + 1] -= y2
      step[k2 + 2] -= z2
    }
    if (k3 >= 0) {
      step[k3] -= x3
      step[k3 + 1] -= y3
      step[k3 + 2] -= z3
    }
  }
}
