/**
 * How a tree of joints answers a push on one of its bodies, by the factors of its last solution (articulated.ts):
 *
 *   up:     t = −(τ + …) about the point, θ₀ = D⁻¹ t, and the parent gets g_U = f − Eᵀ t, g_θ = Fᵀ t
 *   down:   θ = F θ_p − E U − θ₀, x = U − θ × r
 *
 * Φ, by which a body answers a push on itself, is in articulated-phi.ts.
 */

import type { BodyColumns } from '../state/body-columns.js'
import { rotateBy } from '../math/rotation.js'
import { pointMotion } from './articulated-point.js'
import { placePhi } from './articulated-phi.js'
import { eliminateResponse } from './articulated.js'
import { type Articulated, E, F, FACTORS, INV, LEVER, MUU, UP } from './articulated-columns.js'
import { notePoses, noteVelocities } from './poses.js'
import type { Trees } from './trees.js'

const turned = /* @__PURE__ */ new Float64Array(3)
/** f and t of the node in hand on the way up; motion of the node in hand on the way down. */
const POINT = /* @__PURE__ */ new Float64Array(6)
const G = /* @__PURE__ */ new Float64Array(6)

/** Six numbers of motion a node, and the nodes from one to its root. */
let motion = /* @__PURE__ */ new Float64Array(0)
let way = /* @__PURE__ */ new Int32Array(0)

/** Whether the tree answers pushes; eliminates its response where that has not been done since its last solution. */
function hasResponse(trees: Trees, t: Articulated): boolean {
  const { nodeCount } = trees
  if (way.length < nodeCount) {
    motion = new Float64Array(12 * nodeCount)
    way = new Int32Array(2 * nodeCount)
  }
  if (!t.hasResponse) t.hasResponse = eliminateResponse(trees, t)
  return t.hasResponse
}

/** Carries the push in `G` from node n up to its root: adds to `struck` on the way. */
function climb({ forest }: Trees, { response, struck }: Articulated, n: number): void {
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
function descend({ forest }: Trees, { response, struck }: Articulated, i: number): void {
  const k = FACTORS * i
  const o = 6 * i
  if (forest.firstMember[i] === forest.firstMember[i + 1]) {
    moveRoot(response, struck, k, o)
    return
  }
  pointMotion(response, k, motion, 6 * forest.parent[i], POINT)
  const U = POINT[0]
  const V = POINT[1]
  const W = POINT[2]
  const p0 = POINT[3]
  const p1 = POINT[4]
  const p2 = POINT[5]
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
function descendTo(trees: Trees, t: Articulated, n: number): void {
  const { parent } = trees.forest
  let count = 0
  for (let i = n; i >= 0; i = parent[i]) way[count++] = i
  for (let k = count - 1; k >= 0; k--) descend(trees, t, way[k])
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

/** Φ of node n, row-major, into `out`; false where the tree does not answer. */
export function responseOf(trees: Trees, n: number, out: Float64Array): boolean {
  const t = trees.articulated as Articulated
  if (!hasResponse(trees, t)) return false
  placePhi(trees.forest, t, n)
  for (let k = 0; k < 36; k++) out[k] = t.phi[36 * n + k]
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
  climb(trees, t, n)
}

/** Pushes node n [kg m, kg m²]. */
export function displaceTree(bodies: BodyColumns, trees: Trees, n: number, push: Float64Array, o: number): void {
  const t = trees.articulated as Articulated
  addPush(bodies, trees, n, push, o, true)
  if (!t.hasResponse) return
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
  descendTo(trees, t, n)
  moveBody(bodies, trees, n)
}

/** Moves all bodies to where pushes have them. */
export function endPushes(bodies: BodyColumns, trees: Trees): void {
  const t = trees.articulated as Articulated
  for (let n = trees.nodeCount - 1; n >= 0; n--) {
    descend(trees, t, n)
    moveBody(bodies, trees, n)
    for (let k = 6 * n; k < 6 * n + 6; k++) t.pushed[k] += motion[k]
  }
  t.pushes = 0
  notePoses(bodies, trees, trees.left)
}

/** The same of velocities. */
export function bringVelocity(bodies: BodyColumns, trees: Trees, n: number): void {
  const t = trees.articulated as Articulated
  if (t.pushes === 0 || t.pushes === t.taken[n]) return
  t.taken[n] = t.pushes
  descendTo(trees, t, n)
  accelerateBody(bodies, trees, n)
}

export function endImpulses(bodies: BodyColumns, trees: Trees): void {
  const t = trees.articulated as Articulated
  for (let n = trees.nodeCount - 1; n >= 0; n--) {
    descend(trees, t, n)
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

/** Displaces the bodies of a tree by the loads on them, each alone: for a first solution from `evaluate`, which starts from where that leaves them. */
export function applyLoads({ position, orientation, inverseInertia: I }: BodyColumns, trees: Trees): void {
  const t = trees.articulated
  if (t?.isLoaded !== true) return
  const { forest, nodeCount } = trees
  const share = t.loadShare[0]
  for (let n = 0; n < nodeCount; n++) {
    const p = 4 * forest.body[n]
    const e = 9 * forest.body[n]
    const o = 6 * n
    for (let k = 0; k < 3; k++) {
      position[p + k] += share * position[p + 3] * t.load[o + k]
      turned[k] =
        share * (I[e + 3 * k] * t.load[o + 3] + I[e + 3 * k + 1] * t.load[o + 4] + I[e + 3 * k + 2] * t.load[o + 5])
    }
    rotateBy(orientation, p, turned)
  }
}
