/**
 * Geometry of a contact patch: its errors, levers, matrix, and what λ does to the two bodies.
 *
 * n̂ is carried by one body; c_i = n̂·(core_A − core_B) − round_A − round_B. Carried by B, with m̂ = R_Aᵀ n̂ in the frame of A:
 *   c_i = n̂·(x_A − x_B) + m̂·a_i + share_i,   share_i = −n̂_B·b_i − round_A − round_B, constant while the patch lasts;
 * carried by A the same with m̂ = R_Bᵀ n̂, −b_i in place of a_i, and +n̂_A·a_i in the share. Two dot products a point. Between
 * two round sides nobody carries it: n̂ stays for the step, and the share of b is taken anew.
 * The exact gradient of a carried normal has its lever at the other body's point, so that is where both are pushed.
 *
 * Levers are kept as arms from `origin` o, a's centre when the patch was prepared: a force P and a moment T about o are the
 * moment T + (o − x) × P about a body at x, wherever it has been pushed to since. Angular momentum stays to the bit.
 *
 * Rotations are written out: numbers handed to a function that is not inlined would be boxed.
 */

import { type BodyColumns, rotateVector, rotateVectorInverse, RUNAWAY, turnBy } from '@tautline/core'
import { MAX_POINTS, NORMAL_FIXED, NORMAL_ON_A } from '../detect/narrow/manifold.js'
import {
  ARM_N,
  ARM_T,
  BOUNCE,
  carrierOf,
  change,
  DEEP,
  FIRST,
  FRAME,
  FRICTION,
  G_CROSS,
  G_NORMAL,
  G_PLANE,
  G_ROLL,
  GOAL,
  LOCAL_N,
  ORIGIN,
  PATCH,
  type Patches,
  POINT,
  residual,
  ROLLING,
  ROWS,
  SHARE,
  SPREAD,
  TWIST,
} from './patch-columns.js'

/**
 * A contact is a spring and damper of frequency x/h on the mass that it moves, solved implicitly (soft step: Catto 2023):
 * x = ωh as large as substeps resolve, ζ well above critical. That gives the share of a penetration repaired a substep,
 * and the compliance of a row as a share of its G. A stack of 20 stands on it with 1.3 mm of sag a contact and comes to
 * rest at 1e-12 m/s; with rigid rows and a full warm start, whatever the repair, it never does.
 */
export const X = 0.8
const ZETA = 3
const REPAIR = X / (2 * ZETA + X)
export const SOFTNESS: number = 1 / (X * (2 * ZETA + X))
/** Overlap that is pushed out faster than this [m/s] is deep. */
const DEEP_SPEED = 0.3
/** A change of speed [m/s] that any contact may take over into the next substep. */
const GENTLE = 0.2
/** Blows slower than this many substeps of falling do not bounce, or what rests would never. */
const RESTING = 2
/** Squared angle [rad²] up to which a turn needs no root. */
const SMALL_TURN = 1e-3
/** ‖λ_t‖ this near its cone, as a share of it, slides. */
const ON_CONE = 1e-6

const normal = /* @__PURE__ */ new Float64Array(3)
const other = /* @__PURE__ */ new Float64Array(3)
const turn = /* @__PURE__ */ new Float64Array(3)
/** Force P and moment T about `origin` of a set of multipliers. */
const wrench = /* @__PURE__ */ new Float64Array(6)
/** By body: how far the push-out of deep overlaps has moved and turned it in this substep. Grown and kept. */
let pushed = new Float64Array(0)

/** Starts the count of what push-out does, for `count` bodies. */
export function clearPush(count: number): void {
  if (pushed.length < 6 * count) pushed = new Float64Array(12 * count)
  else pushed.fill(0, 0, 6 * count)
}

/** Takes what push-out did from a body's velocities: it is to move, and not to fly. */
export function stopPush(bodies: BodyColumns, i: number, h: number): void {
  const { velocity, angularVelocity } = bodies
  for (let k = 0; k < 3; k++) {
    velocity[3 * i + k] -= pushed[6 * i + k] / h
    angularVelocity[3 * i + k] -= pushed[6 * i + 3 + k] / h
    pushed[6 * i + k] = pushed[6 * i + 3 + k] = 0
  }
}

/** Arms to the points and to their centre. */
const arms = /* @__PURE__ */ new Float64Array(3 * MAX_POINTS + 3)
/** Angular parts of the gradients for a and b, and I⁻¹ times them. */
const angularA = /* @__PURE__ */ new Float64Array(3 * ROWS)
const angularB = /* @__PURE__ */ new Float64Array(3 * ROWS)
const movedA = /* @__PURE__ */ new Float64Array(3 * ROWS)
const movedB = /* @__PURE__ */ new Float64Array(3 * ROWS)

/** c_i of all points at the poses in x and q, into `residual`, and n̂ into `normal`. */
function measureAt(x: Float64Array, q: Float64Array, batch: Patches, row: number, a: number, b: number): void {
  const { points, carrier, patch } = batch.columns
  const p = PATCH * row
  const onA = carrier[row] === NORMAL_ON_A
  const c = 4 * carrierOf(carrier[row], a, b)
  const o = 4 * (onA ? b : a)
  const lx = patch[p + LOCAL_N]
  const ly = patch[p + LOCAL_N + 1]
  const lz = patch[p + LOCAL_N + 2]
  const cx = q[c]
  const cy = q[c + 1]
  const cz = q[c + 2]
  const cw = q[c + 3]
  const ux = 2 * (cy * lz - cz * ly)
  const uy = 2 * (cz * lx - cx * lz)
  const uz = 2 * (cx * ly - cy * lx)
  const nx = lx + cw * ux + (cy * uz - cz * uy)
  const ny = ly + cw * uy + (cz * ux - cx * uz)
  const nz = lz + cw * uz + (cx * uy - cy * ux)
  normal[0] = nx
  normal[1] = ny
  normal[2] = nz
  const ox = q[o]
  const oy = q[o + 1]
  const oz = q[o + 2]
  const ow = q[o + 3]
  const vx = 2 * (oy * nz - oz * ny)
  const vy = 2 * (oz * nx - ox * nz)
  const vz = 2 * (ox * ny - oy * nx)
  const mx = nx - ow * vx + (oy * vz - oz * vy)
  const my = ny - ow * vy + (oz * vx - ox * vz)
  const mz = nz - ow * vz + (ox * vy - oy * vx)
  const A = 4 * a
  const B = 4 * b
  const apart = nx * (x[A] - x[B]) + ny * (x[A + 1] - x[B + 1]) + nz * (x[A + 2] - x[B + 2])
  const n = points[row]
  for (let i = 0, k = p + POINT; i < n; i++, k += 3) {
    residual[i] = apart + patch[p + SHARE + i] + mx * patch[k] + my * patch[k + 1] + mz * patch[k + 2]
  }
  if (carrier[row] === NORMAL_FIXED) addRoundShare(q, batch, row, b)
}

/** −(R_Bᵀ n̂)·b_i, which is not constant where n̂ stays and b turns. */
function addRoundShare(q: Float64Array, batch: Patches, row: number, b: number): void {
  const { points, anchorB } = batch.columns
  rotateVectorInverse(q, 4 * b, normal[0], normal[1], normal[2], other, 0)
  for (let i = 0, o = 3 * MAX_POINTS * row; i < points[row]; i++, o += 3) {
    residual[i] -= other[0] * anchorB[o] + other[1] * anchorB[o + 1] + other[2] * anchorB[o + 2]
  }
}

/** c_i at the present poses, into `residual`. */
export function measureNormals(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  measureAt(bodies.position, bodies.orientation, batch, row, a, b)
}

/** c_i at the start of the substep, into `residual`. */
export function measureStartGaps(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  measureAt(bodies.startPosition, bodies.startOrientation, batch, row, a, b)
}

/** What each c is to become by its value at the start of the substep, which stays in `BOUNCE`. */
export function prepareGoals(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number, h: number): void {
  const { points, maxPushOut, lambda, patch } = batch.columns
  const sag = SOFTNESS / REPAIR
  measureAt(bodies.startPosition, bodies.startOrientation, batch, row, a, b)
  const n = points[row]
  const p = PATCH * row
  const most = maxPushOut[row] * h
  patch[p + DEEP] = 0
  for (let i = 0; i < n; i++) {
    const c = residual[i]
    const repair = -REPAIR * c
    if (repair > DEEP_SPEED * h && -c > 3 * sag * patch[p + G_NORMAL + ((i * (i + 3)) >> 1)] * lambda[ROWS * row + i]) {
      patch[p + DEEP] = 1
    }
    patch[p + GOAL + i] = c < 0 ? c + (repair < most ? repair : most) : 0
    patch[p + BOUNCE + i] = c
  }
}

/** Frame, arms and centre at the predicted poses. The centre is where the last substep's load was, or amid the points. */
export function prepareArms(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, carrier, tangent, round, lambda, patch } = batch.columns
  const { position: x, orientation: q } = bodies
  const p = PATCH * row
  const onA = carrier[row] === NORMAL_ON_A
  const c = 4 * carrierOf(carrier[row], a, b)
  const t = 3 * row
  rotateVector(q, c, patch[p + LOCAL_N], patch[p + LOCAL_N + 1], patch[p + LOCAL_N + 2], normal, 0)
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
  patch[p + FRAME] = nx
  patch[p + FRAME + 1] = ny
  patch[p + FRAME + 2] = nz
  patch[p + FRAME + 3] = sx
  patch[p + FRAME + 4] = sy
  patch[p + FRAME + 5] = sz
  patch[p + FRAME + 6] = tx
  patch[p + FRAME + 7] = ty
  patch[p + FRAME + 8] = tz
  const ox = x[4 * a]
  const oy = x[4 * a + 1]
  const oz = x[4 * a + 2]
  patch[p + ORIGIN] = ox
  patch[p + ORIGIN + 1] = oy
  patch[p + ORIGIN + 2] = oz
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
    const lx = sign * patch[k]
    const ly = sign * patch[k + 1]
    const lz = sign * patch[k + 2]
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
    patch[m] = ry * nz - rz * ny
    patch[m + 1] = rz * nx - rx * nz
    patch[m + 2] = rx * ny - ry * nx
    const weight = load > 0 ? lambda[l + i] / load : 1 / n
    cx += weight * rx
    cy += weight * ry
    cz += weight * rz
  }
  const m = p + ARM_T
  patch[m] = cy * sz - cz * sy
  patch[m + 1] = cz * sx - cx * sz
  patch[m + 2] = cx * sy - cy * sx
  patch[m + 3] = cy * tz - cz * ty
  patch[m + 4] = cz * tx - cx * tz
  patch[m + 5] = cx * ty - cy * tx
  for (let i = 0; i < n; i++) {
    const dx = arms[3 * i] - cx
    const dy = arms[3 * i + 1] - cy
    const dz = arms[3 * i + 2] - cz
    patch[p + SPREAD + i] = Math.sqrt(dx * dx + dy * dy + dz * dz)
  }
}

/** G from the arms and the present inertia. It steers the solve alone, so one a step serves; residuals are always exact. */
export function buildMatrix(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, rolling, patch, fresh } = batch.columns
  const { position: x, inverseInertia: I } = bodies
  fresh[row] = 0
  const n = points[row]
  const p = PATCH * row
  for (let i = 0; i < 3 * n; i++) angularA[i] = patch[p + ARM_N + i]
  for (let i = 0; i < 6; i++) angularA[3 * FRICTION + i] = patch[p + ARM_T + i]
  for (let i = 0; i < 3; i++) angularA[3 * TWIST + i] = patch[p + FRAME + i]
  for (let i = 0; i < 6; i++) angularA[3 * ROLLING + i] = patch[p + FRAME + 3 + i]
  // b's arms are longer by o − x_B.
  const dx = patch[p + ORIGIN] - x[4 * b]
  const dy = patch[p + ORIGIN + 1] - x[4 * b + 1]
  const dz = patch[p + ORIGIN + 2] - x[4 * b + 2]
  const last = rolling[row] > 0 ? ROWS : ROLLING
  for (let i = 0; i < last; i++) {
    if (i >= n && i < FRICTION) continue
    const o = 3 * i
    const d = p + FRAME + (i < FRICTION ? 0 : i === FRICTION ? 3 : 6)
    const lever = i < TWIST ? 1 : 0
    angularB[o] = angularA[o] + lever * (dy * patch[d + 2] - dz * patch[d + 1])
    angularB[o + 1] = angularA[o + 1] + lever * (dz * patch[d] - dx * patch[d + 2])
    angularB[o + 2] = angularA[o + 2] + lever * (dx * patch[d + 1] - dy * patch[d])
    through(I, 9 * a, angularA, movedA, o)
    through(I, 9 * b, angularB, movedB, o)
  }
  const w = x[4 * a + 3] + x[4 * b + 3]
  let at = p + G_NORMAL
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) patch[at++] = w + coupled(i, j)
    for (let j = 0; j < 3; j++) patch[p + G_CROSS + 3 * i + j] = coupled(i, FRICTION + j)
  }
  const g = p + G_PLANE
  patch[g] = w + coupled(FRICTION, FRICTION)
  patch[g + 1] = coupled(FRICTION, FRICTION + 1)
  patch[g + 2] = w + coupled(FRICTION + 1, FRICTION + 1)
  patch[g + 3] = coupled(TWIST, FRICTION)
  patch[g + 4] = coupled(TWIST, FRICTION + 1)
  patch[g + 5] = coupled(TWIST, TWIST)
  if (last === ROLLING) return
  patch[p + G_ROLL] = coupled(ROLLING, ROLLING)
  patch[p + G_ROLL + 1] = coupled(ROLLING, ROLLING + 1)
  patch[p + G_ROLL + 2] = coupled(ROLLING + 1, ROLLING + 1)
}

/** Angular part of G_ij. */
function coupled(i: number, j: number): number {
  const p = 3 * i
  const s = 3 * j
  return (
    angularA[p] * movedA[s] +
    angularA[p + 1] * movedA[s + 1] +
    angularA[p + 2] * movedA[s + 2] +
    (angularB[p] * movedB[s] + angularB[p + 1] * movedB[s + 1] + angularB[p + 2] * movedB[s + 2])
  )
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
  const { points, restitution, fall, patch } = batch.columns
  const e = restitution[row]
  const n = points[row]
  const p = PATCH * row + BOUNCE
  if (e === 0) {
    for (let i = 0; i < n; i++) patch[p + i] = 0
    return
  }
  measureVelocities(bodies, batch, row, a, b)
  const f = fall[row]
  for (let i = 0; i < n; i++) {
    const start = residual[i] - f * h
    const squared = start * start - 4 * f * Math.max(patch[p + i], 0)
    const blow = start < 0 && squared > 0 ? Math.sqrt(squared) : 0
    patch[p + i] = blow > RESTING * 2 * Math.abs(f) * h ? e * blow - f * h : 0
  }
}

/**
 * What of λ is a guess for the next substep. The force of a blow is none: displaced by it once more, a light body between
 * two heavy ones turns by radians. So the load Σ λ_i may double from substep to substep, and grow besides by what stops
 * `GENTLE` or a substep's fall; all of it goes where a point bounced or an overlap was pushed out fast.
 */
export function keepLoad(batch: Patches, row: number, h: number): void {
  const { points, fall, lambda, patch } = batch.columns
  const l = ROWS * row
  const p = PATCH * row
  const speed = Math.max(2 * Math.abs(fall[row]) * h, GENTLE)
  let load = 0
  let least = Infinity
  let keeps = patch[p + DEEP] === 0
  for (let i = 0; i < points[row]; i++) {
    load += lambda[l + i]
    least = Math.min(least, patch[p + G_NORMAL + ((i * (i + 3)) >> 1)])
    if (patch[p + BOUNCE + i] > 0) keeps = false
  }
  const most = keeps ? 2 * patch[p + FIRST] + (h * speed) / least : 0
  if (load <= most) return
  const share = most / load
  for (let k = 0; k < ROWS; k++) lambda[l + k] *= share
}

/** Displaces by the λ of the last substep. */
export function warmStart(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, lambda, patch } = batch.columns
  const l = ROWS * row
  let pushed = 0
  for (let k = 0; k < points[row]; k++) {
    pushed += lambda[l + k]
  }
  patch[PATCH * row + FIRST] = pushed
  if (pushed === 0) {
    for (let k = FRICTION; k < ROWS; k++) lambda[l + k] = 0
    return
  }
  for (let k = 0; k < ROWS; k++) change[k] = lambda[l + k]
  displace(bodies, batch, row, a, b)
}

/** Speeds of all rows, into `residual`. */
export function measureVelocities(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, patch } = batch.columns
  const { position: x, velocity: v, angularVelocity: w } = bodies
  const p = PATCH * row
  const A = 3 * a
  const B = 3 * b
  const ox = patch[p + ORIGIN]
  const oy = patch[p + ORIGIN + 1]
  const oz = patch[p + ORIGIN + 2]
  const px = ox - x[4 * a]
  const py = oy - x[4 * a + 1]
  const pz = oz - x[4 * a + 2]
  const qx = ox - x[4 * b]
  const qy = oy - x[4 * b + 1]
  const qz = oz - x[4 * b + 2]
  const ax = w[A]
  const ay = w[A + 1]
  const az = w[A + 2]
  const bx = w[B]
  const by = w[B + 1]
  const bz = w[B + 2]
  const ux = v[A] + ay * pz - az * py - (v[B] + by * qz - bz * qy)
  const uy = v[A + 1] + az * px - ax * pz - (v[B + 1] + bz * qx - bx * qz)
  const uz = v[A + 2] + ax * py - ay * px - (v[B + 2] + bx * qy - by * qx)
  const wx = ax - bx
  const wy = ay - by
  const wz = az - bz
  const f = p + FRAME
  const along = patch[f] * ux + patch[f + 1] * uy + patch[f + 2] * uz
  const n = points[row]
  for (let i = 0, o = p + ARM_N; i < n; i++, o += 3) {
    residual[i] = along + wx * patch[o] + wy * patch[o + 1] + wz * patch[o + 2]
  }
  const t = p + ARM_T
  residual[FRICTION] =
    patch[f + 3] * ux + patch[f + 4] * uy + patch[f + 5] * uz + (wx * patch[t] + wy * patch[t + 1] + wz * patch[t + 2])
  residual[FRICTION + 1] =
    patch[f + 6] * ux +
    patch[f + 7] * uy +
    patch[f + 8] * uz +
    (wx * patch[t + 3] + wy * patch[t + 4] + wz * patch[t + 5])
  residual[TWIST] = patch[f] * wx + patch[f + 1] * wy + patch[f + 2] * wz
  residual[ROLLING] = patch[f + 3] * wx + patch[f + 4] * wy + patch[f + 5] * wz
  residual[ROLLING + 1] = patch[f + 6] * wx + patch[f + 7] * wy + patch[f + 8] * wz
}

/** Force and moment about `origin` of `change`, all rows. */
function gather(batch: Patches, row: number): void {
  gatherNormals(batch, row)
  const { rolling, patch } = batch.columns
  const f = PATCH * row + FRAME
  const t = PATCH * row + ARM_T
  const s = change[FRICTION]
  const u = change[FRICTION + 1]
  const twist = change[TWIST]
  wrench[0] += s * patch[f + 3] + u * patch[f + 6]
  wrench[1] += s * patch[f + 4] + u * patch[f + 7]
  wrench[2] += s * patch[f + 5] + u * patch[f + 8]
  wrench[3] += s * patch[t] + u * patch[t + 3] + twist * patch[f]
  wrench[4] += s * patch[t + 1] + u * patch[t + 4] + twist * patch[f + 1]
  wrench[5] += s * patch[t + 2] + u * patch[t + 5] + twist * patch[f + 2]
  if (rolling[row] === 0) return
  const y = change[ROLLING]
  const z = change[ROLLING + 1]
  wrench[3] += y * patch[f + 3] + z * patch[f + 6]
  wrench[4] += y * patch[f + 4] + z * patch[f + 7]
  wrench[5] += y * patch[f + 5] + z * patch[f + 8]
}

/** Force and moment about `origin` of the normals' `change`. */
function gatherNormals(batch: Patches, row: number): void {
  const { points, patch } = batch.columns
  const n = points[row]
  const f = PATCH * row + FRAME
  let push = 0
  let mx = 0
  let my = 0
  let mz = 0
  for (let i = 0, o = PATCH * row + ARM_N; i < n; i++, o += 3) {
    const d = change[i]
    push += d
    mx += d * patch[o]
    my += d * patch[o + 1]
    mz += d * patch[o + 2]
  }
  wrench[0] = push * patch[f]
  wrench[1] = push * patch[f + 1]
  wrench[2] = push * patch[f + 2]
  wrench[3] = mx
  wrench[4] = my
  wrench[5] = mz
}

/** Adds force and moment about the centres of a and b of `change`, all rows, to six numbers each at oa and ob; −1: none. */
export function addWrench(
  bodies: BodyColumns,
  batch: Patches,
  row: number,
  a: number,
  b: number,
  out: Float64Array,
  oa: number,
  ob: number,
): void {
  const { position: x } = bodies
  const { patch } = batch.columns
  gather(batch, row)
  for (let side = 0; side < 2; side++) {
    const k = side === 0 ? oa : ob
    if (k < 0) continue
    const sign = side === 0 ? 1 : -1
    const p = 4 * (side === 0 ? a : b)
    const o = PATCH * row + ORIGIN
    const sx = patch[o] - x[p]
    const sy = patch[o + 1] - x[p + 1]
    const sz = patch[o + 2] - x[p + 2]
    out[k] += sign * wrench[0]
    out[k + 1] += sign * wrench[1]
    out[k + 2] += sign * wrench[2]
    out[k + 3] += sign * (wrench[3] + sy * wrench[2] - sz * wrench[1])
    out[k + 4] += sign * (wrench[4] + sz * wrench[0] - sx * wrench[2])
    out[k + 5] += sign * (wrench[5] + sx * wrench[1] - sy * wrench[0])
  }
}

/** Whether `wrench` is within measure: a patch that is not finite moves nothing, and its λ tells of it. */
function isBounded(): boolean {
  const force = Math.abs(wrench[0]) + Math.abs(wrench[1]) + Math.abs(wrench[2])
  return force + Math.abs(wrench[3]) + Math.abs(wrench[4]) + Math.abs(wrench[5]) < RUNAWAY
}

/** ΔX = M⁻¹ Jᵀ `change`, all rows. */
export function displace(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  gather(batch, row)
  if (!isBounded()) return
  displaceBody(bodies, batch, row, a, 1)
  displaceBody(bodies, batch, row, b, -1)
}

/** ΔX = M⁻¹ Jᵀ of the normals' `change`. */
export function displaceNormals(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  gatherNormals(batch, row)
  if (!isBounded()) return
  displaceBody(bodies, batch, row, a, 1)
  displaceBody(bodies, batch, row, b, -1)
}

function displaceBody(bodies: BodyColumns, batch: Patches, row: number, i: number, sign: number): void {
  const { position: x, orientation: q, inverseInertia: I } = bodies
  const p = 4 * i
  const w = sign * x[p + 3]
  if (w === 0) return
  const { patch } = batch.columns
  const o = PATCH * row + ORIGIN
  const fx = wrench[0]
  const fy = wrench[1]
  const fz = wrench[2]
  const sx = patch[o] - x[p]
  const sy = patch[o + 1] - x[p + 1]
  const sz = patch[o + 2] - x[p + 2]
  const mx = sign * (wrench[3] + sy * fz - sz * fy)
  const my = sign * (wrench[4] + sz * fx - sx * fz)
  const mz = sign * (wrench[5] + sx * fy - sy * fx)
  const e = 9 * i
  const tx = I[e] * mx + I[e + 1] * my + I[e + 2] * mz
  const ty = I[e + 3] * mx + I[e + 4] * my + I[e + 5] * mz
  const tz = I[e + 6] * mx + I[e + 7] * my + I[e + 8] * mz
  x[p] += w * fx
  x[p + 1] += w * fy
  x[p + 2] += w * fz
  if (patch[PATCH * row + DEEP] !== 0) {
    const k = 6 * i
    pushed[k] += w * fx
    pushed[k + 1] += w * fy
    pushed[k + 2] += w * fz
    pushed[k + 3] += tx
    pushed[k + 4] += ty
    pushed[k + 5] += tz
  }
  const u = tx * tx + ty * ty + tz * tz
  if (u > SMALL_TURN) {
    turn[0] = tx
    turn[1] = ty
    turn[2] = tz
    turnBy(q, p, turn)
    return
  }
  // exp(δθ/2) to the sixth order of the angle: off by 1e-12 at most, and no root.
  const s = 0.5 - u * (1 / 48 - u * (1 / 3840))
  const c = 1 - u * (0.125 - u * (1 / 384))
  const ax = s * tx
  const ay = s * ty
  const az = s * tz
  const qx = q[p]
  const qy = q[p + 1]
  const qz = q[p + 2]
  const qw = q[p + 3]
  q[p] = c * qx + ax * qw + ay * qz - az * qy
  q[p + 1] = c * qy - ax * qz + ay * qw + az * qx
  q[p + 2] = c * qz + ax * qy - ay * qx + az * qw
  q[p + 3] = c * qw - ax * qx - ay * qy - az * qz
}

/** Δv = M⁻¹ Jᵀ `change` / h, all rows. */
export function accelerate(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number, h: number): void {
  gather(batch, row)
  const rate = 1 / h
  for (let k = 0; k < 6; k++) wrench[k] *= rate
  if (!isBounded()) return
  accelerateBody(bodies, batch, row, a, 1)
  accelerateBody(bodies, batch, row, b, -1)
}

function accelerateBody(bodies: BodyColumns, batch: Patches, row: number, i: number, sign: number): void {
  const { position: x, velocity: v, angularVelocity: w, inverseInertia: I } = bodies
  const { patch } = batch.columns
  const p = 4 * i
  const m = sign * x[p + 3]
  if (m === 0) return
  const o = PATCH * row + ORIGIN
  const fx = wrench[0]
  const fy = wrench[1]
  const fz = wrench[2]
  const sx = patch[o] - x[p]
  const sy = patch[o + 1] - x[p + 1]
  const sz = patch[o + 2] - x[p + 2]
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
  const cone = friction[2 * row + 1] * load
  // What sticks may be beyond it: the static cone is wider.
  sliding[row] = load > 0 && Math.abs(Math.sqrt(s * s + t * t) - cone) <= ON_CONE * cone ? 1 : 0
}
