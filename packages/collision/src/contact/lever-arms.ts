/**
 * Frame and lever arms of a contact manifold at the predicted poses.
 *
 * The exact gradient of a carried normal has its lever at the other body's point, so that is where both are pushed. Levers are kept as
 * lever arms from `origin` o, a's centre when the manifold was prepared: a force P and a moment T about o are the moment T + (o − x) × P about a
 * body at x, wherever it has been pushed to since. Angular momentum stays to the bit.
 */

import { type BodyColumns, rotateVector } from '@tautline/core/kernel'
import { MAX_POINTS, NORMAL_ON_A } from '../detect/narrow/manifold.js'
import {
  ARM_N,
  ARM_T,
  carrierOf,
  FRAME,
  LOCAL_N,
  ORIGIN,
  RECORD,
  type Manifolds,
  POINT,
  ROWS,
  SPREAD,
} from './manifold-columns.js'

const normal = /* @__PURE__ */ new Float64Array(3)
const other = /* @__PURE__ */ new Float64Array(3)

/** Arms to the points and to their centre. */
const arms = /* @__PURE__ */ new Float64Array(3 * MAX_POINTS + 3)

/** Frame, lever arms and centre at the predicted poses. The centre is where the last substep's load was, or amid the points. */
export function prepareLeverArms(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const { points, carrier, tangent, round, lambda, record } = batch.columns
  const { position: x, orientation: q } = bodies
  const p = RECORD * row
  const onA = carrier[row] === NORMAL_ON_A
  const c = 4 * carrierOf(batch, row)
  const t = 3 * row
  rotateVector(q, c, record[p + LOCAL_N], record[p + LOCAL_N + 1], record[p + LOCAL_N + 2], normal, 0)
  rotateVector(q, c, tangent[t], tangent[t + 1], tangent[t + 2], other, 0)
  const nx = normal[0]
  const ny = normal[1]
  const nz = normal[2]
  const sx = other[0]
  const sy = other[1]
  const sz = other[2]
  const tx = ny * sz - nz * sy
  const ty = nz * sx - nx * sz
  const tz = nx * sy - ny * sx
  record[p + FRAME] = nx
  record[p + FRAME + 1] = ny
  record[p + FRAME + 2] = nz
  record[p + FRAME + 3] = sx
  record[p + FRAME + 4] = sy
  record[p + FRAME + 5] = sz
  record[p + FRAME + 6] = tx
  record[p + FRAME + 7] = ty
  record[p + FRAME + 8] = tz
  const ox = x[4 * a]
  const oy = x[4 * a + 1]
  const oz = x[4 * a + 2]
  record[p + ORIGIN] = ox
  record[p + ORIGIN + 1] = oy
  record[p + ORIGIN + 2] = oz
  // Surface points of the body that does not carry the normal; b's are stored negated where a carries it.
  const o = 4 * (onA ? b : a)
  const sign = onA ? -1 : 1
  const push = onA ? round[2 * row + 1] : -round[2 * row]
  const bx = x[o] - ox + push * nx
  const by = x[o + 1] - oy + push * ny
  const bz = x[o + 2] - oz + push * nz
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  const n = points[row]
  const l = ROWS * row
  let load = 0
  for (let i = 0; i < n; i++) load += lambda[l + i]
  let cx = 0
  let cy = 0
  let cz = 0
  for (let i = 0; i < n; i++) {
    const k = p + POINT + 3 * i
    const lx = sign * record[k]
    const ly = sign * record[k + 1]
    const lz = sign * record[k + 2]
    const ux = 2 * (qy * lz - qz * ly)
    const uy = 2 * (qz * lx - qx * lz)
    const uz = 2 * (qx * ly - qy * lx)
    const rx = bx + lx + qw * ux + (qy * uz - qz * uy)
    const ry = by + ly + qw * uy + (qz * ux - qx * uz)
    const rz = bz + lz + qw * uz + (qx * uy - qy * ux)
    arms[3 * i] = rx
    arms[3 * i + 1] = ry
    arms[3 * i + 2] = rz
    const m = p + ARM_N + 3 * i
    record[m] = ry * nz - rz * ny
    record[m + 1] = rz * nx - rx * nz
    record[m + 2] = rx * ny - ry * nx
    const weight = load > 0 ? lambda[l + i] / load : 1 / n
    cx += weight * rx
    cy += weight * ry
    cz += weight * rz
  }
  const m = p + ARM_T
  record[m] = cy * sz - cz * sy
  record[m + 1] = cz * sx - cx * sz
  record[m + 2] = cx * sy - cy * sx
  record[m + 3] = cy * tz - cz * ty
  record[m + 4] = cz * tx - cx * tz
  record[m + 5] = cx * ty - cy * tx
  for (let i = 0; i < n; i++) {
    const dx = arms[3 * i] - cx
    const dy = arms[3 * i + 1] - cy
    const dz = arms[3 * i + 2] - cz
    record[p + SPREAD + i] = Math.sqrt(dx * dx + dy * dy + dz * dz)
  }
}
