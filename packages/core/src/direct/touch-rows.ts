/**
 * Contacts in the system of a tree: springs that are at rest where the substep begins, so that they only ever take energy (docs/method.md,
 * "Contacts of ropes").
 *
 *   λ_n = max(0, −c/a),  λ_t = −u/a within the disc of radius ν λ_n, on its rim beyond        M + K gets Σ Jᵀ (∂λ/∂e) J
 *
 * What slides gets the stiffness of a secant, |λ_t|/|u| in all directions of the plane, in place of the tangent, which has none along u: with
 * it steps go down in the energy of what sticks and slides at one bound (iteratively reweighted least squares), with the tangent they go to and fro.
 *
 * A solution with contacts is checked: Newton's method also finds roots that no motion leads to.
 */

import type { BodyColumns } from '../state/body-columns.js'
import { noteResidual, type Trees } from './trees.js'
import { BLOCK, SIX } from './body-block.js'
import { AXES, type Touches } from './touches.js'

/** How many times stiffer a contact is than its particles are, with what their joints hold them by. */
const STIFF = 30
/** Share of how far its load would press it in that a contact may be apart, and bear. */
const BEARS = 3

const p = /* @__PURE__ */ new Float64Array(3)
const axis = /* @__PURE__ */ new Float64Array(3)
/** Stiffness of a contact, 3×3, and −force, world. */
const B = /* @__PURE__ */ new Float64Array(9)
const q = /* @__PURE__ */ new Float64Array(3)

/** Errors, forces and stiffness at the present pose, after those of joints. */
export function addTouches(bodies: BodyColumns, trees: Trees, safe: boolean): void {
  const { touches: t } = trees
  for (let k = 0; k < t.count; k++) {
    measure(bodies, t, k)
    openCoupling(trees, k)
  }
  // The safe stiffness of joints is not in H yet.
  if (!safe) soften(trees)
  if (!t.pushes) return
  for (let k = 0; k < t.count; k++) {
    B.fill(0)
    q.fill(0)
    press(t, k)
    if (t.lambda[3 * k] === 0) continue
    addForces(trees, k)
    addBlocks(trees, k)
    noteResidual(0, t.inverseMassBound[k] * t.lambda[3 * k])
  }
}

/** c, and slip along t̂₁ and t̂₂. */
function measure({ position: x }: BodyColumns, t: Touches, k: number): void {
  for (let c = 0; c < 3; c++) {
    p[c] = 0
    for (let e = 2 * k; e < 2 * k + 2; e++) if (t.body[e] >= 0) p[c] += t.share[e] * x[4 * t.body[e] + c]
  }
  const o = AXES * k
  t.error[3 * k] = t.axes[o] * p[0] + t.axes[o + 1] * p[1] + t.axes[o + 2] * p[2] - t.offset[k]
  for (let c = 0; c < 3; c++) p[c] -= t.origin[3 * k + c]
  for (let r = 1; r < 3; r++) {
    const u = o + 3 * r
    t.error[3 * k + r] = t.axes[u] * p[0] + t.axes[u + 1] * p[1] + t.axes[u + 2] * p[2]
  }
}

/** Softness by the mass of the particles and the stiffness that joints give them. */
function soften({ H, mass, touches: t }: Trees): void {
  for (let k = 0; k < t.count; k++) {
    let w = 0
    for (let e = 2 * k; e < 2 * k + 2; e++) {
      const n = t.node[e]
      if (n < 0) continue
      const h = BLOCK * n
      w += (t.share[e] * t.share[e]) / (mass[n] + Math.max(0, H[h], H[h + 7], H[h + 14]))
    }
    t.softness[k] = w / STIFF
  }
}

/** λ, with −force in `q` and stiffness in `B`. */
function press(t: Touches, k: number): void {
  const l = 3 * k
  const { lambda, error } = t
  lambda[l] = lambda[l + 1] = lambda[l + 2] = 0
  if (!(error[l] < 0)) return
  const stiff = 1 / t.softness[k]
  lambda[l] = -stiff * error[l]
  addRow(t, k, 0, stiff)
  const slip = Math.sqrt(error[l + 1] * error[l + 1] + error[l + 2] * error[l + 2])
  const sticks = stiff * slip <= t.friction[2 * k] * t.load[k]
  const along = sticks ? stiff : (t.friction[2 * k + 1] * t.load[k]) / slip
  if (!(along > 0)) return
  for (let r = 1; r < 3; r++) {
    lambda[l + r] = -along * error[l + r]
    addRow(t, k, r, along)
  }
}

/** Row r of a contact, whose λ is known. */
function addRow(t: Touches, k: number, r: number, stiff: number): void {
  const o = AXES * k + 3 * r
  for (let c = 0; c < 3; c++) axis[c] = t.axes[o + c]
  for (let i = 0; i < 3; i++) {
    q[i] -= t.lambda[3 * k + r] * axis[i]
    for (let j = 0; j < 3; j++) B[3 * i + j] += stiff * axis[i] * axis[j]
  }
}

function addForces({ g, touches: t }: Trees, k: number): void {
  for (let e = 2 * k; e < 2 * k + 2; e++) {
    if (t.node[e] < 0) continue
    for (let c = 0; c < 3; c++) g[SIX * t.node[e] + c] += t.share[e] * q[c]
  }
}

/** Makes room for what couples both particles. */
function openCoupling({ C, coupled, touches: t }: Trees, k: number): void {
  const n = t.node[2 * k]
  if (t.node[2 * k + 1] < 0 || coupled[n] !== 0) return
  coupled[n] = 1
  C.fill(0, BLOCK * n, BLOCK * n + BLOCK)
}

function addBlocks({ H, C, touches: t }: Trees, k: number): void {
  for (let e = 2 * k; e < 2 * k + 2; e++) {
    if (t.node[e] >= 0) addBlock(H, BLOCK * t.node[e], t.share[e] * t.share[e])
  }
  if (t.node[2 * k + 1] >= 0) addBlock(C, BLOCK * t.node[2 * k], t.share[2 * k] * t.share[2 * k + 1])
}

function addBlock(into: Float64Array, h: number, share: number): void {
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) into[h + SIX * i + j] += share * B[3 * i + j]
}

/**
 * What bounds friction at first: the loads that balance the joints where bodies are as they were in the last substep. g is what joints and
 * inertia leave of that, and `scratch` has six numbers a node.
 */
export function guessLoads({ touches: t, g }: Trees, scratch: Float64Array): void {
  scratch.fill(0)
  for (let k = 0; k < t.count; k++) {
    t.load[k] = 0
    for (let e = 2 * k; e < 2 * k + 2; e++) if (t.node[e] >= 0) t.load[k] += t.share[e] * outward(t, g, k, e)
    if (t.error[3 * k] < BEARS * t.softness[k] * t.load[k]) {
      for (let e = 2 * k; e < 2 * k + 2; e++) if (t.node[e] >= 0) scratch[SIX * t.node[e]] += t.share[e]
    } else t.load[k] = 0
  }
  for (let k = 0; k < t.count; k++) {
    if (!(t.load[k] > 0)) continue
    t.load[k] = 0
    for (let e = 2 * k; e < 2 * k + 2; e++) {
      if (t.node[e] >= 0 && t.share[e] > 0) {
        t.load[k] += (t.share[e] * outward(t, g, k, e)) / scratch[SIX * t.node[e]]
      }
    }
    t.load[k] = Math.max(0, t.load[k])
  }
  scratch.fill(0)
}

function outward(t: Touches, g: Float64Array, k: number, e: number): number {
  const o = AXES * k
  const n = SIX * t.node[e]
  return t.axes[o] * g[n] + t.axes[o + 1] * g[n + 1] + t.axes[o + 2] * g[n + 2]
}

/** Has friction follow the loads that were found; the largest change, as a share of the largest load. */
export function followLoads({ touches: t }: Trees): number {
  let change = 0
  let largest = 0
  for (let k = 0; k < t.count; k++) {
    change = Math.max(change, Math.abs(t.lambda[3 * k] - t.load[k]))
    largest = Math.max(largest, t.lambda[3 * k])
    t.load[k] = t.lambda[3 * k]
  }
  return largest > 0 ? change / largest : 0
}

/** What kinetic energy may grow by against the prediction, as joints turn in the substep. */
const TOUCH_GROWTH = 1.01
/** Speeds that a substep adds to a body at rest by this acceleration [m/s²] are ignored: repairs of poses are no motion. */
const TREMOR = 20
/** Ways [m] that are none. */
const STILL = 1e-9

/**
 * Whether bodies do not move more than they were predicted to. Joints and contacts that stand still do no work, so that Σ m |x − x₀|² is at most that of x̂;
 * where something drives them, there is no such bound.
 */
export function isPassive(bodies: BodyColumns, trees: Trees): boolean {
  if (isDriven(bodies, trees)) return true
  const { forest, mass, start, substep } = trees
  const tremor = TREMOR * substep[0] * substep[0]
  const { position: x, startPosition: x0 } = bodies
  let solved = 0
  let predicted = 0
  let spare = 0
  for (let n = 0; n < forest.nodeCount; n++) {
    spare += mass[n] * tremor * tremor
    for (let c = 0; c < 3; c++) {
      const i = 4 * forest.body[n] + c
      solved += mass[n] * (x[i] - x0[i]) * (x[i] - x0[i])
      predicted += mass[n] * (start[7 * n + c] - x0[i]) * (start[7 * n + c] - x0[i])
    }
  }
  return solved <= TOUCH_GROWTH * predicted + spare
}

/** Whether the ground of joints or what contacts stand on moves. */
function isDriven({ position: x, startPosition: x0 }: BodyColumns, { forest, touches }: Trees): boolean {
  const { ground } = forest
  for (let n = 0; n < ground.length; n++) {
    for (let i = 4 * ground[n]; i < 4 * ground[n] + 3; i++) if (Math.abs(x[i] - x0[i]) > STILL) return true
  }
  for (let k = 0; k < touches.count; k++) if (isCarried(x0, touches, k)) return true
  return false
}

function isCarried(x0: Float64Array, t: Touches, k: number): boolean {
  for (let c = 0; c < 3; c++) {
    let p = -t.origin[3 * k + c]
    for (let e = 2 * k; e < 2 * k + 2; e++) if (t.body[e] >= 0) p += t.share[e] * x0[4 * t.body[e] + c]
    if (Math.abs(p) > STILL) return true
  }
  return false
}
