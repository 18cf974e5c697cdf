/**
 * How a tree of joints answers a push on one of its bodies, by the factors of its last solution (articulated.ts):
 *
 *   up:     t = −(τ + …) about the point, θ₀ = D⁻¹ t, and the parent gets g_U = f − Eᵀ t, g_θ = Fᵀ t
 *   down:   θ = F θ_p − E U − θ₀, x = U − θ × r
 *   Φ_i     the 6 × 6 by which body i answers a push on itself:   Φ_i = Q_i + P_i Φ_p P_iᵀ
 */

import type { BodyColumns } from '../state/body-columns.js'
import { rotateBy, rotationBetween } from '../math/rotation.js'
import { eliminateResponse } from './articulated.js'
import { ANGLE, type Articulated, COUPLE, E, F, FACTORS, INV, LEVER, MUT, MUU, UP } from './articulated-columns.js'
import { MOST_ANGLES, MOST_COUPLES } from '../define/joint-rows.js'
import { notePoses, noteVelocities } from './poses.js'
import type { Trees } from './trees.js'

const turned = /* @__PURE__ */ new Float64Array(3)
/** f and t of the node in hand on the way up; motion of the node in hand on the way down. */
const G = /* @__PURE__ */ new Float64Array(6)

/** Six numbers of motion a node, and the nodes from one to its root. */
let motion = /* @__PURE__ */ new Float64Array(0)
let unit = /* @__PURE__ */ new Float64Array(0)
let way = /* @__PURE__ */ new Int32Array(0)

/** Whether the tree answers pushes; eliminates its response where that has not been done since its last solution. */
function hasResponse(trees: Trees, t: Articulated): boolean {
  const { nodeCount } = trees
  if (way.length < nodeCount) {
    motion = new Float64Array(12 * nodeCount)
    way = new Int32Array(2 * nodeCount)
    unit = new Float64Array(12 * nodeCount)
  }
  if (!t.hasResponse) t.hasResponse = eliminateResponse(trees, t)
  return t.hasResponse
}

/** Carries the push in `G` from node n up to its root: adds to `struck` on the way. */
function climb({ forest }: Trees, { response }: Articulated, n: number, struck: Float64Array): void {
  const { parent, firstMember } = forest
  for (let i = n; i >= 0; i = parent[i]) {
    const k = FACTORS * i
    const s = 6 * i
    if (firstMember[i] === firstMember[i + 1]) {
      for (let c = 0; c < 6; c++) struck[s + c] += G[c]
      break
    }
    const x = response[k + LEVER]
    const y = response[k + LEVER + 1]
    const z = response[k + LEVER + 2]
    const fx = G[0]
    const fy = G[1]
    const fz = G[2]
    const tx = G[3] - y * fz + z * fy
    const ty = G[4] - z * fx + x * fz
    const tz = G[5] - x * fy + y * fx
    const d = k + INV
    struck[s] += response[d] * tx + response[d + 1] * ty + response[d + 2] * tz
    struck[s + 1] += response[d + 1] * tx + response[d + 3] * ty + response[d + 4] * tz
    struck[s + 2] += response[d + 2] * tx + response[d + 4] * ty + response[d + 5] * tz
    const e = k + E
    const ux = fx - response[e] * tx - response[e + 3] * ty - response[e + 6] * tz
    const uy = fy - response[e + 1] * tx - response[e + 4] * ty - response[e + 7] * tz
    const uz = fz - response[e + 2] * tx - response[e + 5] * ty - response[e + 8] * tz
    const f = k + F
    const X = response[k + UP]
    const Y = response[k + UP + 1]
    const Z = response[k + UP + 2]
    G[0] = ux
    G[1] = uy
    G[2] = uz
    G[3] = response[f] * tx + response[f + 3] * ty + response[f + 6] * tz + Y * uz - Z * uy
    G[4] = response[f + 1] * tx + response[f + 4] * ty + response[f + 7] * tz + Z * ux - X * uz
    G[5] = response[f + 2] * tx + response[f + 5] * ty + response[f + 8] * tz + X * uy - Y * ux
  }
}

/** Motion of node i, that of its parent being known, into `motion`. */
function descend({ forest }: Trees, { response }: Articulated, i: number, struck: Float64Array): void {
  const k = FACTORS * i
  const o = 6 * i
  if (forest.firstMember[i] === forest.firstMember[i + 1]) {
    moveRoot(response, struck, k, o)
    return
  }
  const q = 6 * forest.parent[i]
  let U = 0
  let V = 0
  let W = 0
  let p0 = 0
  let p1 = 0
  let p2 = 0
  if (q >= 0) {
    const X = response[k + UP]
    const Y = response[k + UP + 1]
    const Z = response[k + UP + 2]
    p0 = motion[q + 3]
    p1 = motion[q + 4]
    p2 = motion[q + 5]
    U = motion[q] + p1 * Z - p2 * Y
    V = motion[q + 1] + p2 * X - p0 * Z
    W = motion[q + 2] + p0 * Y - p1 * X
  }
  const f = k + F
  const e = k + E
  let a = -struck[o] - (response[e] * U + response[e + 1] * V + response[e + 2] * W)
  let b = -struck[o + 1] - (response[e + 3] * U + response[e + 4] * V + response[e + 5] * W)
  let c = -struck[o + 2] - (response[e + 6] * U + response[e + 7] * V + response[e + 8] * W)
  a += response[f] * p0 + response[f + 1] * p1 + response[f + 2] * p2
  b += response[f + 3] * p0 + response[f + 4] * p1 + response[f + 5] * p2
  c += response[f + 6] * p0 + response[f + 7] * p1 + response[f + 8] * p2
  const x = response[k + LEVER]
  const y = response[k + LEVER + 1]
  const z = response[k + LEVER + 2]
  motion[o] = U - (b * z - c * y)
  motion[o + 1] = V - (c * x - a * z)
  motion[o + 2] = W - (a * y - b * x)
  motion[o + 3] = a
  motion[o + 4] = b
  motion[o + 5] = c
}

/** Motion of node n, and of the nodes above it. */
function descendTo(trees: Trees, t: Articulated, n: number, struck: Float64Array): void {
  const { parent } = trees.forest
  let count = 0
  for (let i = n; i >= 0; i = parent[i]) way[count++] = i
  for (let k = count - 1; k >= 0; k--) descend(trees, t, way[k], struck)
}

/** A root that nothing holds: θ = −S⁻¹ (t − Eᵀ f), x = −A⁻¹ f − E θ. */
function moveRoot(factors: Float64Array, struck: Float64Array, k: number, o: number): void {
  const fx = struck[o]
  const fy = struck[o + 1]
  const fz = struck[o + 2]
  const e = k + E
  const tx = struck[o + 3] - factors[e] * fx - factors[e + 3] * fy - factors[e + 6] * fz
  const ty = struck[o + 4] - factors[e + 1] * fx - factors[e + 4] * fy - factors[e + 7] * fz
  const tz = struck[o + 5] - factors[e + 2] * fx - factors[e + 5] * fy - factors[e + 8] * fz
  const d = k + INV
  const a = -(factors[d] * tx + factors[d + 1] * ty + factors[d + 2] * tz)
  const b = -(factors[d + 1] * tx + factors[d + 3] * ty + factors[d + 4] * tz)
  const c = -(factors[d + 2] * tx + factors[d + 4] * ty + factors[d + 5] * tz)
  const m = k + MUU
  motion[o] =
    -(factors[m] * fx + factors[m + 1] * fy + factors[m + 2] * fz) -
    factors[e] * a -
    factors[e + 1] * b -
    factors[e + 2] * c
  motion[o + 1] =
    -(factors[m + 1] * fx + factors[m + 3] * fy + factors[m + 4] * fz) -
    factors[e + 3] * a -
    factors[e + 4] * b -
    factors[e + 5] * c
  motion[o + 2] =
    -(factors[m + 2] * fx + factors[m + 4] * fy + factors[m + 5] * fz) -
    factors[e + 6] * a -
    factors[e + 7] * b -
    factors[e + 8] * c
  motion[o + 3] = a
  motion[o + 4] = b
  motion[o + 5] = c
}

/** Φ of node n, row-major, into `out`: what unit pushes do to it, up to its root and down again. */
export function responseOf(trees: Trees, n: number, out: Float64Array): boolean {
  const t = trees.articulated as Articulated
  const { phi, phiVersion, version } = t
  if (phiVersion[n] !== version) {
    if (!hasResponse(trees, t)) return false
    for (let c = 0; c < 6; c++) {
      unit.fill(0, 0, 6 * trees.nodeCount)
      for (let k = 0; k < 6; k++) G[k] = k === c ? -1 : 0
      climb(trees, t, n, unit)
      descendTo(trees, t, n, unit)
      for (let k = 0; k < 6; k++) phi[36 * n + 6 * k + c] = motion[6 * n + k]
    }
    phiVersion[n] = version
  }
  for (let k = 0; k < 36; k++) out[k] = phi[36 * n + k]
  return true
}

/** Adds a push on node n to those under way; the first of them notes poses, or velocities. */
function addPush(bodies: BodyColumns, trees: Trees, n: number, push: Float64Array, o: number, ofPoses: boolean): void {
  const t = trees.articulated as Articulated
  if (!hasResponse(trees, t)) return
  if (t.pushes++ === 0) {
    t.struck.fill(0)
    t.taken.fill(0)
    if (ofPoses) notePoses(bodies, trees, t.before)
    else noteVelocities(bodies, trees, t.before)
  }
  for (let k = 0; k < 6; k++) G[k] = -push[o + k]
  climb(trees, t, n, t.struck)
}

/** Pushes node n [kg m, kg m²]. */
export function displaceTree(bodies: BodyColumns, trees: Trees, n: number, push: Float64Array, o: number): void {
  const t = trees.articulated as Articulated
  addPush(bodies, trees, n, push, o, true)
  for (let k = 0; k < 6; k++) t.wrench[6 * n + k] += push[o + k]
  t.isPushed = true
}

/** Changes velocities by an impulse on node n [N s, N m s]. */
export function accelerateTree(bodies: BodyColumns, trees: Trees, n: number, impulse: Float64Array, o: number): void {
  addPush(bodies, trees, n, impulse, o, false)
}

/** Moves the body of node n to where pushes have it. */
export function bringPose(bodies: BodyColumns, trees: Trees, n: number): void {
  const t = trees.articulated as Articulated
  if (t.pushes === 0 || t.pushes === t.taken[n]) return
  t.taken[n] = t.pushes
  descendTo(trees, t, n, t.struck)
  moveBody(bodies, trees, n)
}

/** Moves all bodies to where pushes have them. */
export function endPushes(bodies: BodyColumns, trees: Trees): void {
  const t = trees.articulated as Articulated
  for (let n = trees.nodeCount - 1; n >= 0; n--) {
    descend(trees, t, n, t.struck)
    moveBody(bodies, trees, n)
    for (let k = 6 * n; k < 6 * n + 6; k++) t.pushed[k] += motion[k]
  }
  t.pushes = 0
}

/** The same of velocities. */
export function bringVelocity(bodies: BodyColumns, trees: Trees, n: number): void {
  const t = trees.articulated as Articulated
  if (t.pushes === 0 || t.pushes === t.taken[n]) return
  t.taken[n] = t.pushes
  descendTo(trees, t, n, t.struck)
  accelerateBody(bodies, trees, n)
}

export function endImpulses(bodies: BodyColumns, trees: Trees): void {
  const t = trees.articulated as Articulated
  for (let n = trees.nodeCount - 1; n >= 0; n--) {
    descend(trees, t, n, t.struck)
    accelerateBody(bodies, trees, n)
  }
  t.pushes = 0
}

function moveBody({ position, orientation }: BodyColumns, { forest, articulated }: Trees, n: number): void {
  const { before } = articulated as Articulated
  const p = 4 * forest.body[n]
  const o = 6 * n
  const b = 7 * n
  position[p] = before[b] + motion[o]
  position[p + 1] = before[b + 1] + motion[o + 1]
  position[p + 2] = before[b + 2] + motion[o + 2]
  orientation[p] = before[b + 3]
  orientation[p + 1] = before[b + 4]
  orientation[p + 2] = before[b + 5]
  orientation[p + 3] = before[b + 6]
  turned[0] = motion[o + 3]
  turned[1] = motion[o + 4]
  turned[2] = motion[o + 5]
  rotateBy(orientation, p, turned)
}

function accelerateBody({ velocity, angularVelocity }: BodyColumns, { forest, articulated }: Trees, n: number): void {
  const { before } = articulated as Articulated
  const p = 3 * forest.body[n]
  const o = 6 * n
  velocity[p] = before[o] + motion[o]
  velocity[p + 1] = before[o + 1] + motion[o + 1]
  velocity[p + 2] = before[o + 2] + motion[o + 2]
  angularVelocity[p] = before[o + 3] + motion[o + 3]
  angularVelocity[p + 1] = before[o + 4] + motion[o + 4]
  angularVelocity[p + 2] = before[o + 5] + motion[o + 5]
}

/** Adds to the multipliers of all joints what pushes since the last solution have changed; false where one is beyond its bounds then. */
export function settlePushes(trees: Trees): boolean {
  const t = trees.articulated as Articulated
  const { forest, nodeCount, lambda, place } = trees
  const { parent, firstMember } = forest
  const { response: factors, wrench, pushed } = t
  let isWithin = true
  motion.fill(0, 0, 6 * nodeCount)
  for (let k = 0; k < 6 * nodeCount; k++) motion[k] = -wrench[k]
  for (let i = 0; i < nodeCount; i++) {
    const e = firstMember[i]
    if (firstMember[i + 1] === e) continue
    const k = FACTORS * i
    const o = 6 * i
    const q = 6 * parent[i]
    const x = factors[k + LEVER]
    const y = factors[k + LEVER + 1]
    const z = factors[k + LEVER + 2]
    const fx = motion[o]
    const fy = motion[o + 1]
    const fz = motion[o + 2]
    const tx = motion[o + 3] - y * fz + z * fy
    const ty = motion[o + 4] - z * fx + x * fz
    const tz = motion[o + 5] - x * fy + y * fx
    const E0 = k + E
    const ux = fx - factors[E0] * tx - factors[E0 + 3] * ty - factors[E0 + 6] * tz
    const uy = fy - factors[E0 + 1] * tx - factors[E0 + 4] * ty - factors[E0 + 7] * tz
    const uz = fz - factors[E0 + 2] * tx - factors[E0 + 5] * ty - factors[E0 + 8] * tz
    let U = 0
    let V = 0
    let W = 0
    let p0 = 0
    let p1 = 0
    let p2 = 0
    if (q >= 0) {
      const f = k + F
      const X = factors[k + UP]
      const Y = factors[k + UP + 1]
      const Z = factors[k + UP + 2]
      motion[q] += ux
      motion[q + 1] += uy
      motion[q + 2] += uz
      motion[q + 3] += factors[f] * tx + factors[f + 3] * ty + factors[f + 6] * tz + Y * uz - Z * uy
      motion[q + 4] += factors[f + 1] * tx + factors[f + 4] * ty + factors[f + 7] * tz + Z * ux - X * uz
      motion[q + 5] += factors[f + 2] * tx + factors[f + 5] * ty + factors[f + 8] * tz + X * uy - Y * ux
      p0 = pushed[q + 3]
      p1 = pushed[q + 4]
      p2 = pushed[q + 5]
      U = pushed[q] + p1 * Z - p2 * Y
      V = pushed[q + 1] + p2 * X - p0 * Z
      W = pushed[q + 2] + p0 * Y - p1 * X
    }
    const M = k + MUU
    const T = k + MUT
    const side = forest.side[e] === 0 ? 1 : -1
    const to = lambda[e]
    const l = place[e]
    to[l] +=
      side *
      (factors[M] * U +
        factors[M + 1] * V +
        factors[M + 2] * W +
        factors[T] * p0 +
        factors[T + 1] * p1 +
        factors[T + 2] * p2 +
        ux)
    to[l + 1] +=
      side *
      (factors[M + 1] * U +
        factors[M + 3] * V +
        factors[M + 4] * W +
        factors[T + 3] * p0 +
        factors[T + 4] * p1 +
        factors[T + 5] * p2 +
        uy)
    to[l + 2] +=
      side *
      (factors[M + 2] * U +
        factors[M + 4] * V +
        factors[M + 5] * W +
        factors[T + 6] * p0 +
        factors[T + 7] * p1 +
        factors[T + 8] * p2 +
        uz)
    turned[0] = pushed[o + 3] - p0
    turned[1] = pushed[o + 4] - p1
    turned[2] = pushed[o + 5] - p2
    if (!settleRows(t, i, to, l, side)) isWithin = false
  }
  return isWithin
}

/** The same of the angles and couples of node n, whose child has turned by `turned` against its parent. */
function settleRows(t: Articulated, n: number, lambda: Float64Array, l: number, side: number): boolean {
  const { angles, lower, upper, state, angleMultiplier, couples, coupleMultiplier } = t
  let isWithin = true
  for (let r = 0; r < t.angleCount[n]; r++) {
    const k = MOST_ANGLES * n + r
    const at = ANGLE * k
    const way = angles[at] * turned[0] + angles[at + 1] * turned[1] + angles[at + 2] * turned[2]
    const m = l + angleMultiplier[k]
    lambda[m] -= angles[at + 3] * way
    angles[at + 8] += way
    if (
      state[k] === 0
        ? lambda[m] < lower[k] || lambda[m] > upper[k]
        : state[k] === 1
          ? angles[at + 8] < -1e-6
          : angles[at + 8] > 1e-6
    )
      isWithin = false
  }
  for (let r = 0; r < t.coupleCount[n]; r++) {
    const at = COUPLE * (MOST_COUPLES * n + r)
    const first = l + coupleMultiplier[MOST_COUPLES * n + r]
    const along = couples[at + 4] * turned[0] + couples[at + 5] * turned[1] + couples[at + 6] * turned[2]
    let squared = 0
    for (let c = 0; c < 3; c++) {
      lambda[first + c] -= side * couples[at + 3] * (turned[c] - along * couples[at + 4 + c])
      squared += lambda[first + c] * lambda[first + c]
    }
    if (squared > 1.02 * couples[at + 10] * couples[at + 10]) isWithin = false
  }
  return isWithin
}

/** Whether a limit that does not bear is passed by more than `far` [rad] by what pushes have done since the last solution. */
export function crossesBound(trees: Trees, far: number): boolean {
  const { forest, nodeCount } = trees
  const { angles, state, pushed, angleCount } = trees.articulated as Articulated
  for (let n = 0; n < nodeCount; n++) {
    if (angleCount[n] === 0 || forest.firstMember[n] === forest.firstMember[n + 1]) continue
    const o = 6 * n + 3
    const q = 6 * forest.parent[n] + 3
    for (let r = 0; r < angleCount[n]; r++) {
      const k = MOST_ANGLES * n + r
      if (state[k] === 0) continue
      const at = ANGLE * k
      let left = angles[at + 8]
      for (let c = 0; c < 3; c++) left += angles[at + c] * (pushed[o + c] - (q < 3 ? 0 : pushed[q + c]))
      if (state[k] === 1 ? left < -far : left > far) return true
    }
  }
  return false
}

/** Whether joints may be open by more than `far` [m, rad]: by the second order of pushes, or by what others have moved. */
export function isPushedFar({ position, orientation }: BodyColumns, trees: Trees, far: number): boolean {
  const { forest, nodeCount, left } = trees
  const { pushed, reach } = trees.articulated as Articulated
  const most = (2 * far) / (1 + Math.sqrt(reach[0]))
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * forest.body[n]
    const o = 6 * n
    const a = pushed[o + 3]
    const b = pushed[o + 4]
    const c = pushed[o + 5]
    const squared = a * a + b * b + c * c
    if (squared > most) return true
    for (let k = 0; k < 3; k++) if (Math.abs(position[i + k] - left[7 * n + k] - pushed[o + k]) > far) return true
    rotationBetween(orientation, i, left, 7 * n + 3, turned, 0)
    for (let k = 0; k < 3; k++) if (Math.abs(turned[k] - pushed[o + 3 + k]) > far + squared) return true
  }
  return false
}

/** Displaces the bodies of a tree by the loads on them, each alone: for a first solution from `evaluate`, which starts from where that leaves them. */
export function applyLoads({ position, orientation, inverseInertia: I }: BodyColumns, trees: Trees): void {
  const t = trees.articulated
  if (t?.isLoaded !== true) return
  const { forest, nodeCount } = trees
  t.isLoaded = false
  for (let n = 0; n < nodeCount; n++) {
    const p = 4 * forest.body[n]
    const e = 9 * forest.body[n]
    const o = 6 * n
    for (let k = 0; k < 3; k++) {
      position[p + k] += position[p + 3] * t.load[o + k]
      turned[k] = I[e + 3 * k] * t.load[o + 3] + I[e + 3 * k + 1] * t.load[o + 4] + I[e + 3 * k + 2] * t.load[o + 5]
    }
    rotateBy(orientation, p, turned)
  }
}
