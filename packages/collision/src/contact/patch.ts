/**
 * Geometry of a contact patch: its errors, levers, matrix, and what λ does to the two bodies.
 *
 * n̂ is carried by one body; c_i = n̂·(core_A − core_B) − round_A − round_B. In the other body's frame n̂ is one rotation,
 * and c_i two dot products a point:
 *   c_i = n̂·(x_A − x_B) + (R_Aᵀn̂)·a_i − (R_Bᵀn̂)·b_i − round_A − round_B
 * The exact gradient of a carried normal has its lever at the other body's point, so that is where both are pushed.
 * Levers are kept as arms from `origin` o, a's centre when the patch was prepared: a force P and a moment T about o are the
 * moment T + (o − x) × P about a body at x, wherever the body has been pushed to since. Angular momentum stays to the bit.
 */

import { type BodyColumns, rotateVector, rotateVectorInverse, turnBy } from '@tautline/core'
import { MAX_POINTS, NORMAL_ON_A } from '../narrow/manifold.js'
import { change, FRICTION, type Patches, residual, ROLLING, ROWS, TWIST } from './patch-columns.js'

/**
 * A contact is a spring and damper of frequency x/h on the mass that it moves, solved implicitly (soft step: Catto 2023):
 * x = ωh as large as substeps resolve, ζ well above critical. That gives the share of a penetration repaired a substep,
 * and the compliance of a row as a share of its G. A stack of 20 stands on it with 1.3 mm of sag a contact and comes to
 * rest; with rigid rows and a full warm start, whatever the repair, it never does.
 */
const X = 0.8
const ZETA = 3
export const REPAIR: number = X / (2 * ZETA + X)
export const SOFTNESS: number = 1 / (X * (2 * ZETA + X))
/** Blows slower than this many substeps of falling do not bounce, or what rests would never. */
const RESTING = 2
/** ‖λ_t‖ this near its cone, as a share of it, slides. */
const DEEP_SPEED = 0.3
const ON_CONE = 1e-6

/** Where a pose is read: the present columns, or those of the substep's start. */
const point = /* @__PURE__ */ new Float64Array(3)
const other = /* @__PURE__ */ new Float64Array(3)
const dir = /* @__PURE__ */ new Float64Array(3)
const turned = /* @__PURE__ */ new Float64Array(3)
/** Force P and moment T about `origin` of a set of multipliers. */
const wrench = /* @__PURE__ */ new Float64Array(6)
/** Angular parts of the gradients for a and b, and I⁻¹ times them. */
const angularA = /* @__PURE__ */ new Float64Array(3 * ROWS)
const angularB = /* @__PURE__ */ new Float64Array(3 * ROWS)
const movedA = /* @__PURE__ */ new Float64Array(3 * ROWS)
const movedB = /* @__PURE__ */ new Float64Array(3 * ROWS)

/** c_i of all points at the poses in x and q, into `residual`; n̂ in world space into `dir`. */
function measureAt(x: Float64Array, q: Float64Array, batch: Patches, row: number, a: number, b: number): void {
  const { points, carrier, normal, anchorA, anchorB, round } = batch.columns
  const k = 3 * row
  const onA = carrier[row] === NORMAL_ON_A
  const nx = normal[k]
  const ny = normal[k + 1]
  const nz = normal[k + 2]
  rotateVector(q, 4 * (onA ? a : b), nx, ny, nz, dir, 0)
  const wx = dir[0]
  const wy = dir[1]
  const wz = dir[2]
  rotateVectorInverse(q, 4 * (onA ? b : a), wx, wy, wz, other, 0)
  const ax = onA ? nx : other[0]
  const ay = onA ? ny : other[1]
  const az = onA ? nz : other[2]
  const bx = onA ? other[0] : nx
  const by = onA ? other[1] : ny
  const bz = onA ? other[2] : nz
  const p = 4 * a
  const s = 4 * b
  const base =
    wx * (x[p] - x[s]) + wy * (x[p + 1] - x[s + 1]) + wz * (x[p + 2] - x[s + 2]) - round[2 * row] - round[2 * row + 1]
  const n = points[row]
  for (let i = 0, o = 3 * MAX_POINTS * row; i < n; i++, o += 3) {
    residual[i] =
      base +
      (ax * anchorA[o] + ay * anchorA[o + 1] + az * anchorA[o + 2]) -
      (bx * anchorB[o] + by * anchorB[o + 1] + bz * anchorB[o + 2])
  }
}

/** c_i at the present poses, into `residual`. */
export function measureNormals(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  measureAt(bodies.position, bodies.orientation, batch, row, a, b)
}

/** Surface point i of the body that does not carry the normal, at the poses in x and q and with n̂ in `dir`, into `point`. */
function pointOf(x: Float64Array, q: Float64Array, batch: Patches, row: number, i: number, a: number, b: number): void {
  const { carrier, anchorA, anchorB, round } = batch.columns
  const onA = carrier[row] === NORMAL_ON_A
  const body = onA ? b : a
  const anchor = onA ? anchorB : anchorA
  const push = onA ? round[2 * row + 1] : -round[2 * row]
  const o = 3 * (MAX_POINTS * row + i)
  rotateVector(q, 4 * body, anchor[o], anchor[o + 1], anchor[o + 2], point, 0)
  point[0] += x[4 * body] + push * dir[0]
  point[1] += x[4 * body + 1] + push * dir[1]
  point[2] += x[4 * body + 2] + push * dir[2]
}

/**
 * At the start of the substep: what each c is to become, and the patch centre as matter of both bodies. The centre is
 * where the last substep's load was, or the middle of the points.
 */
export function prepareGoals(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number, h: number): void {
  const { points, goal, bounce, maxPushOut, deep, lambda, centre } = batch.columns
  const x = bodies.startPosition
  const q = bodies.startOrientation
  measureAt(x, q, batch, row, a, b)
  const n = points[row]
  const l = ROWS * row
  deep[row] = 0
  let load = 0
  for (let i = 0; i < n; i++) load += lambda[l + i]
  let cx = 0
  let cy = 0
  let cz = 0
  for (let i = 0; i < n; i++) {
    const c = residual[i]
    const o = MAX_POINTS * row + i
    const most = maxPushOut[row] * h
    if (-REPAIR * c > DEEP_SPEED * h) deep[row] = 1
    goal[o] = c < 0 ? c + Math.min(-REPAIR * c, most) : 0
    bounce[o] = c
    pointOf(x, q, batch, row, i, a, b)
    const weight = load > 0 ? lambda[l + i] / load : 1 / n
    cx += weight * point[0]
    cy += weight * point[1]
    cz += weight * point[2]
  }
  const p = 4 * a
  const s = 4 * b
  rotateVectorInverse(q, p, cx - x[p], cy - x[p + 1], cz - x[p + 2], centre, 6 * row)
  rotateVectorInverse(q, s, cx - x[s], cy - x[s + 1], cz - x[s + 2], centre, 6 * row + 3)
}

/** Frame and arms at the predicted poses. */
export function prepareLevers(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, carrier, normal, tangent, frame, origin, centre, armN, armT, spread } = batch.columns
  const { position: x, orientation: q } = bodies
  const k = 3 * row
  const f = 9 * row
  const c = 4 * (carrier[row] === NORMAL_ON_A ? a : b)
  rotateVector(q, c, normal[k], normal[k + 1], normal[k + 2], frame, f)
  rotateVector(q, c, tangent[k], tangent[k + 1], tangent[k + 2], frame, f + 3)
  const nx = (dir[0] = frame[f])
  const ny = (dir[1] = frame[f + 1])
  const nz = (dir[2] = frame[f + 2])
  const sx = frame[f + 3]
  const sy = frame[f + 4]
  const sz = frame[f + 5]
  const tx = ny * sz - nz * sy
  const ty = nz * sx - nx * sz
  const tz = nx * sy - ny * sx
  frame[f + 6] = tx
  frame[f + 7] = ty
  frame[f + 8] = tz
  const ox = (origin[k] = x[4 * a])
  const oy = (origin[k + 1] = x[4 * a + 1])
  const oz = (origin[k + 2] = x[4 * a + 2])
  rotateVector(q, 4 * a, centre[6 * row], centre[6 * row + 1], centre[6 * row + 2], point, 0)
  const cx = point[0]
  const cy = point[1]
  const cz = point[2]
  const t = 6 * row
  armT[t] = cy * sz - cz * sy
  armT[t + 1] = cz * sx - cx * sz
  armT[t + 2] = cx * sy - cy * sx
  armT[t + 3] = cy * tz - cz * ty
  armT[t + 4] = cz * tx - cx * tz
  armT[t + 5] = cx * ty - cy * tx
  const n = points[row]
  for (let i = 0; i < n; i++) {
    pointOf(x, q, batch, row, i, a, b)
    const rx = point[0] - ox
    const ry = point[1] - oy
    const rz = point[2] - oz
    const o = 3 * (MAX_POINTS * row + i)
    armN[o] = ry * nz - rz * ny
    armN[o + 1] = rz * nx - rx * nz
    armN[o + 2] = rx * ny - ry * nx
    const dx = rx - cx
    const dy = ry - cy
    const dz = rz - cz
    spread[MAX_POINTS * row + i] = Math.sqrt(dx * dx + dy * dy + dz * dz)
  }
}

/** G from the arms and the present inertia. It steers the solve alone, so one a step serves; residuals are always exact. */
export function buildMatrix(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, friction, torsional, rolling, frame, origin, armN, armT, matrix, fresh } = batch.columns
  const { position: x, inverseInertia: I } = bodies
  fresh[row] = 0
  const n = points[row]
  const f = 9 * row
  const k = 3 * row
  for (let i = 0; i < 3 * n; i++) angularA[i] = armN[3 * MAX_POINTS * row + i]
  for (let i = 0; i < 6; i++) angularA[3 * FRICTION + i] = armT[6 * row + i]
  for (let i = 0; i < 3; i++) angularA[3 * TWIST + i] = frame[f + i]
  for (let i = 0; i < 6; i++) angularA[3 * ROLLING + i] = frame[f + 3 + i]
  // b's arms are longer by o − x_B.
  const dx = origin[k] - x[4 * b]
  const dy = origin[k + 1] - x[4 * b + 1]
  const dz = origin[k + 2] - x[4 * b + 2]
  const turns = rolling[row] > 0 ? ROWS : friction[2 * row] > 0 || torsional[row] > 0 ? ROLLING : 0
  for (let i = 0; i < ROWS; i++) {
    if (i >= n && (i < FRICTION || i >= turns)) continue
    const o = 3 * i
    const d = f + (i < FRICTION ? 0 : i === FRICTION ? 3 : 6)
    const lever = i < TWIST ? 1 : 0
    angularB[o] = angularA[o] + lever * (dy * frame[d + 2] - dz * frame[d + 1])
    angularB[o + 1] = angularA[o + 1] + lever * (dz * frame[d] - dx * frame[d + 2])
    angularB[o + 2] = angularA[o + 2] + lever * (dx * frame[d + 1] - dy * frame[d])
    through(I, 9 * a, angularA, movedA, o)
    through(I, 9 * b, angularB, movedB, o)
  }
  const w = x[4 * a + 3] + x[4 * b + 3]
  for (let i = 0; i < ROWS; i++) {
    if (i >= n && (i < FRICTION || i >= turns)) continue
    for (let j = 0; j <= i; j++) {
      if (j >= n && j < FRICTION) continue
      const along = i < FRICTION || (i === j && i < TWIST) ? w : 0
      const p = 3 * i
      const s = 3 * j
      const g =
        along +
        angularA[p] * movedA[s] +
        angularA[p + 1] * movedA[s + 1] +
        angularA[p + 2] * movedA[s + 2] +
        angularB[p] * movedB[s] +
        angularB[p + 1] * movedB[s + 1] +
        angularB[p + 2] * movedB[s + 2]
      matrix[ROWS * (ROWS * row + i) + j] = g
      matrix[ROWS * (ROWS * row + j) + i] = g
    }
  }
}

/** out = I⁻¹ v, three numbers at o. */
function through(I: Float64Array, e: number, v: Float64Array, out: Float64Array, o: number): void {
  out[o] = I[e] * v[o] + I[e + 1] * v[o + 1] + I[e + 2] * v[o + 2]
  out[o + 1] = I[e + 3] * v[o] + I[e + 4] * v[o + 1] + I[e + 5] * v[o + 2]
  out[o + 2] = I[e + 6] * v[o] + I[e + 7] * v[o + 1] + I[e + 8] * v[o + 2]
}

/**
 * The speed that each point is to leave with, 0 where nothing bounces. A fall through the gap c in a field of relative
 * acceleration 2f strikes with V² = (v − f h)² − 4 f c, v the predicted speed: v − f h is the speed of the parabola that
 * semi-implicit Euler's positions lie on. Leaving with e V − f h from c = 0 puts the next positions on the mirrored one,
 * so that a ball with e = 1 comes back to its height at any substep.
 */
export function setBounce(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number, h: number): void {
  const { points, restitution, fall, bounce } = batch.columns
  const e = restitution[row]
  const n = points[row]
  if (e === 0) {
    for (let i = 0; i < n; i++) bounce[MAX_POINTS * row + i] = 0
    return
  }
  measureVelocities(bodies, batch, row, a, b)
  const f = fall[row]
  for (let i = 0; i < n; i++) {
    const o = MAX_POINTS * row + i
    const start = residual[i] - f * h
    const squared = start * start - 4 * f * Math.max(bounce[o], 0)
    const blow = start < 0 && squared > 0 ? Math.sqrt(squared) : 0
    bounce[o] = blow > RESTING * 2 * Math.abs(f) * h ? e * blow - f * h : 0
  }
}

/** Displaces by the λ of the last substep. */
export function warmStart(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { lambda } = batch.columns
  const l = ROWS * row
  let pushed = 0
  for (let k = 0; k < MAX_POINTS; k++) pushed += lambda[l + k]
  if (pushed === 0) {
    for (let k = FRICTION; k < ROWS; k++) lambda[l + k] = 0
    return
  }
  for (let k = 0; k < ROWS; k++) change[k] = lambda[l + k]
  displace(bodies, batch, row, a, b)
}

/** Displacement in the plane and rotations since the substep began, into `residual`. */
export function measureTangents(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { frame, centre, torsional, rolling, spread } = batch.columns
  const { position: x, orientation: q } = bodies
  const f = 9 * row
  const c = 6 * row
  rotateVector(q, 4 * a, centre[c], centre[c + 1], centre[c + 2], point, 0)
  rotateVector(q, 4 * b, centre[c + 3], centre[c + 4], centre[c + 5], other, 0)
  const ux = x[4 * a] + point[0] - x[4 * b] - other[0]
  const uy = x[4 * a + 1] + point[1] - x[4 * b + 1] - other[1]
  const uz = x[4 * a + 2] + point[2] - x[4 * b + 2] - other[2]
  residual[FRICTION] = frame[f + 3] * ux + frame[f + 4] * uy + frame[f + 5] * uz
  residual[FRICTION + 1] = frame[f + 6] * ux + frame[f + 7] * uy + frame[f + 8] * uz
  residual[TWIST] = residual[ROLLING] = residual[ROLLING + 1] = 0
  // One round point has no arm to twist on.
  if (spread[MAX_POINTS * row] === 0 && torsional[row] === 0 && rolling[row] === 0) return
  relativeTurn(bodies, a, b)
  residual[TWIST] = frame[f] * turned[0] + frame[f + 1] * turned[1] + frame[f + 2] * turned[2]
  residual[ROLLING] = frame[f + 3] * turned[0] + frame[f + 4] * turned[1] + frame[f + 5] * turned[2]
  residual[ROLLING + 1] = frame[f + 6] * turned[0] + frame[f + 7] * turned[1] + frame[f + 8] * turned[2]
}

/** Rotation of a since the substep began less that of b, up to third order [rad], into `turned`. */
function relativeTurn(bodies: BodyColumns, a: number, b: number): void {
  const { orientation: q, startOrientation: s } = bodies
  turned[0] = turned[1] = turned[2] = 0
  for (let side = 0; side < 2; side++) {
    const o = 4 * (side === 0 ? a : b)
    const ax = q[o]
    const ay = q[o + 1]
    const az = q[o + 2]
    const aw = q[o + 3]
    const bx = s[o]
    const by = s[o + 1]
    const bz = s[o + 2]
    const bw = s[o + 3]
    const forth = aw * bw + ax * bx + ay * by + az * bz < 0
    const k = (side === 0) !== forth ? 2 : -2
    turned[0] += k * (ax * bw - aw * bx - ay * bz + az * by)
    turned[1] += k * (ay * bw - aw * by - az * bx + ax * bz)
    turned[2] += k * (az * bw - aw * bz - ax * by + ay * bx)
  }
}

/** Speeds of all rows, into `residual`. */
export function measureVelocities(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, frame, origin, armN, armT } = batch.columns
  const { position: x, velocity: v, angularVelocity: w } = bodies
  const k = 3 * row
  const f = 9 * row
  const A = 3 * a
  const B = 3 * b
  const px = origin[k] - x[4 * a]
  const py = origin[k + 1] - x[4 * a + 1]
  const pz = origin[k + 2] - x[4 * a + 2]
  const qx = origin[k] - x[4 * b]
  const qy = origin[k + 1] - x[4 * b + 1]
  const qz = origin[k + 2] - x[4 * b + 2]
  const ux = v[A] + w[A + 1] * pz - w[A + 2] * py - (v[B] + w[B + 1] * qz - w[B + 2] * qy)
  const uy = v[A + 1] + w[A + 2] * px - w[A] * pz - (v[B + 1] + w[B + 2] * qx - w[B] * qz)
  const uz = v[A + 2] + w[A] * py - w[A + 1] * px - (v[B + 2] + w[B] * qy - w[B + 1] * qx)
  const wx = w[A] - w[B]
  const wy = w[A + 1] - w[B + 1]
  const wz = w[A + 2] - w[B + 2]
  const along = frame[f] * ux + frame[f + 1] * uy + frame[f + 2] * uz
  const n = points[row]
  for (let i = 0, o = 3 * MAX_POINTS * row; i < n; i++, o += 3) {
    residual[i] = along + wx * armN[o] + wy * armN[o + 1] + wz * armN[o + 2]
  }
  const t = 6 * row
  residual[FRICTION] =
    frame[f + 3] * ux + frame[f + 4] * uy + frame[f + 5] * uz + (wx * armT[t] + wy * armT[t + 1] + wz * armT[t + 2])
  residual[FRICTION + 1] =
    frame[f + 6] * ux + frame[f + 7] * uy + frame[f + 8] * uz + (wx * armT[t + 3] + wy * armT[t + 4] + wz * armT[t + 5])
  residual[TWIST] = frame[f] * wx + frame[f + 1] * wy + frame[f + 2] * wz
  residual[ROLLING] = frame[f + 3] * wx + frame[f + 4] * wy + frame[f + 5] * wz
  residual[ROLLING + 1] = frame[f + 6] * wx + frame[f + 7] * wy + frame[f + 8] * wz
}

/** Force and moment about `origin` of `change`. */
function gather(batch: Patches, row: number): void {
  const { points, rolling, frame, armN, armT } = batch.columns
  const n = points[row]
  const f = 9 * row
  const t = 6 * row
  let push = 0
  let mx = 0
  let my = 0
  let mz = 0
  for (let i = 0, o = 3 * MAX_POINTS * row; i < n; i++, o += 3) {
    const d = change[i]
    push += d
    mx += d * armN[o]
    my += d * armN[o + 1]
    mz += d * armN[o + 2]
  }
  const s = change[FRICTION]
  const u = change[FRICTION + 1]
  const twist = change[TWIST]
  wrench[0] = push * frame[f] + s * frame[f + 3] + u * frame[f + 6]
  wrench[1] = push * frame[f + 1] + s * frame[f + 4] + u * frame[f + 7]
  wrench[2] = push * frame[f + 2] + s * frame[f + 5] + u * frame[f + 8]
  mx += s * armT[t] + u * armT[t + 3] + twist * frame[f]
  my += s * armT[t + 1] + u * armT[t + 4] + twist * frame[f + 1]
  mz += s * armT[t + 2] + u * armT[t + 5] + twist * frame[f + 2]
  if (rolling[row] > 0) {
    const y = change[ROLLING]
    const z = change[ROLLING + 1]
    mx += y * frame[f + 3] + z * frame[f + 6]
    my += y * frame[f + 4] + z * frame[f + 7]
    mz += y * frame[f + 5] + z * frame[f + 8]
  }
  wrench[3] = mx
  wrench[4] = my
  wrench[5] = mz
}

/** ΔX = M⁻¹ Jᵀ `change`. */
export function displace(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  gather(batch, row)
  displaceBody(bodies, batch, row, a, 1)
  displaceBody(bodies, batch, row, b, -1)
}

function displaceBody(bodies: BodyColumns, batch: Patches, row: number, i: number, sign: number): void {
  const { position: x, orientation: q, inverseInertia: I } = bodies
  const { origin } = batch.columns
  const p = 4 * i
  const w = sign * x[p + 3]
  if (w === 0) return
  const fx = wrench[0]
  const fy = wrench[1]
  const fz = wrench[2]
  const sx = origin[3 * row] - x[p]
  const sy = origin[3 * row + 1] - x[p + 1]
  const sz = origin[3 * row + 2] - x[p + 2]
  const mx = sign * (wrench[3] + sy * fz - sz * fy)
  const my = sign * (wrench[4] + sz * fx - sx * fz)
  const mz = sign * (wrench[5] + sx * fy - sy * fx)
  const e = 9 * i
  turned[0] = I[e] * mx + I[e + 1] * my + I[e + 2] * mz
  turned[1] = I[e + 3] * mx + I[e + 4] * my + I[e + 5] * mz
  turned[2] = I[e + 6] * mx + I[e + 7] * my + I[e + 8] * mz
  x[p] += w * fx
  x[p + 1] += w * fy
  x[p + 2] += w * fz
  turnBy(q, p, turned)
}

/** Δv = M⁻¹ Jᵀ `change` / h. */
export function accelerate(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number, h: number): void {
  gather(batch, row)
  for (let k = 0; k < 6; k++) wrench[k] /= h
  accelerateBody(bodies, batch, row, a, 1)
  accelerateBody(bodies, batch, row, b, -1)
}

function accelerateBody(bodies: BodyColumns, batch: Patches, row: number, i: number, sign: number): void {
  const { position: x, velocity: v, angularVelocity: w, inverseInertia: I } = bodies
  const { origin } = batch.columns
  const p = 4 * i
  const m = sign * x[p + 3]
  if (m === 0) return
  const fx = wrench[0]
  const fy = wrench[1]
  const fz = wrench[2]
  const sx = origin[3 * row] - x[p]
  const sy = origin[3 * row + 1] - x[p + 1]
  const sz = origin[3 * row + 2] - x[p + 2]
  const mx = sign * (wrench[3] + sy * fz - sz * fy)
  const my = sign * (wrench[4] + sz * fx - sx * fz)
  const mz = sign * (wrench[5] + sx * fy - sy * fx)
  const e = 9 * i
  const k = 3 * i
  v[k] += m * fx
  v[k + 1] += m * fy
  v[k + 2] += m * fz
  w[k] += I[e] * mx + I[e + 1] * my + I[e + 2] * mz
  w[k + 1] += I[e + 3] * mx + I[e + 4] * my + I[e + 5] * mz
  w[k + 2] += I[e + 6] * mx + I[e + 7] * my + I[e + 8] * mz
}

/** Notes whether friction is at its cone: then the dynamic coefficient holds until it sticks again. */
export function followSlip(batch: Patches, row: number): void {
  const { points, friction, lambda, sliding } = batch.columns
  const l = ROWS * row
  let load = 0
  for (let i = 0; i < points[row]; i++) load += lambda[l + i]
  const s = lambda[l + FRICTION]
  const t = lambda[l + FRICTION + 1]
  const cone = (1 - ON_CONE) * friction[2 * row + 1] * load
  sliding[row] = s * s + t * t >= cone * cone ? 1 : 0
}
