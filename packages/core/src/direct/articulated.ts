/**
 * Elimination of a tree of joints that share a point, leaves first (Featherstone, "The Calculation of Robot Dynamics Using Articulated-Body Inertias", 1983).
 *
 * A body's unknowns are the displacement u of its joint's point and its turn θ; x = u + r × θ, r from its centre of mass to the point. A rigid point
 * takes u from the parent, u = U − c with U = x_p + θ_p × r_p, so that only θ is eliminated:
 *
 *   ½ (u, θ)ᵀ [A B; Bᵀ J] (u, θ) + f·u + t·θ       the body with all that hangs on it
 *   ½ (θ − θ_p)ᵀ K (θ − θ_p) + τ·(θ − θ_p)         the joint's angles and couples
 *   D = J + K,   E = D⁻¹ Bᵀ,   F = D⁻¹ K = 1 − D⁻¹ J,   θ₀ = D⁻¹ (t + τ − Bᵀ c)
 *   parent:   M_UU = A − B E,   M_Uθ = B F,   M_θθ = J F,   g_U = f − A c − B θ₀,   g_θ = t − Bᵀ c − J θ₀
 *   downward: θ = F θ_p − E U − θ₀,   force on the child = M_UU U + M_Uθ θ_p + g_U
 *
 * A row with softness a has κ = 1/a in K. A rigid one has κ = 10⁶ tr J/‖n‖² about its multiplier of before: what that leaves of it is 10⁻⁶ of the change. K
 * is written nowhere by itself: its rounding errors would be those of 10⁶ J.
 */

import type { BodyColumns } from '../state/body-columns.js'
import { rotationBetween } from '../math/rotation.js'
import { type Articulated, FACTORS, GAP, LEVER, UP } from './articulated-columns.js'
import { eliminateNode, solveRoot } from './articulated-factor.js'
import { addRows } from './articulated-rows.js'
import { clip, isDefinite } from './definite.js'
import type { Trees } from './trees.js'

/** Share of its inertia that a body's geometric stiffness may take away where it is held against it: beyond, its negative part is left out. */
const HEADROOM = 0.9

const turned = /* @__PURE__ */ new Float64Array(3)

/** Assembles and eliminates the system at the present pose; false where a joint has something else than points, angles and couples, or no inertia. */
export function eliminateArticulated(bodies: BodyColumns, trees: Trees, t: Articulated): boolean {
  t.isSafe = false
  if (eliminateAll(bodies, trees, t)) return true
  t.isSafe = true
  return eliminateAll(bodies, trees, t)
}

function eliminateAll(bodies: BodyColumns, trees: Trees, t: Articulated): boolean {
  const { forest, nodeCount } = trees
  const { firstMember, batch, row } = forest
  addBodies(bodies, trees, t)
  t.reach[0] = 0
  t.rows.substep[0] = trees.substep[0]
  for (let n = 0; n < nodeCount; n++) {
    const e = firstMember[n]
    if (firstMember[n + 1] === e) {
      addStiffness(trees, t, n)
      if (!solveRoot(t, n)) return false
      continue
    }
    t.rows.clear()
    const joint = batch[e].type.joint
    if (joint?.articulate?.(bodies, batch[e], row[e], t.rows) !== true) return false
    placePoint(trees, t, n, e)
    addStiffness(trees, t, n)
    addRows(bodies, trees, t, n, e)
    if (!eliminateNode(t, n, forest.parent[n])) return false
  }
  return true
}

/** M of all bodies. */
function placeMasses({ nodeCount, mass, inertia: I }: Trees, { A, B, J }: Articulated): void {
  B.fill(0)
  for (let n = 0; n < nodeCount; n++) {
    const o = 6 * n
    const u = 9 * n
    A[o] = A[o + 3] = A[o + 5] = mass[n]
    A[o + 1] = A[o + 2] = A[o + 4] = 0
    J[o] = I[u]
    J[o + 1] = I[u + 1]
    J[o + 2] = I[u + 2]
    J[o + 3] = I[u + 4]
    J[o + 4] = I[u + 5]
    J[o + 5] = I[u + 8]
  }
}

/** M, and M (X ⊖ X̂) less the loads, of all bodies. */
function addBodies(bodies: BodyColumns, trees: Trees, t: Articulated): void {
  const { position, orientation } = bodies
  const { forest, nodeCount, mass, inertia: I, start } = trees
  const { g, offset } = t
  placeMasses(trees, t)
  t.stiffness.fill(0)
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * forest.body[n]
    const o = 6 * n
    const u = 9 * n
    const m = mass[n]
    const x = position[i] - start[7 * n]
    const y = position[i + 1] - start[7 * n + 1]
    const z = position[i + 2] - start[7 * n + 2]
    rotationBetween(orientation, i, start, 7 * n + 3, turned, 0)
    const p = turned[0]
    const q = turned[1]
    const r = turned[2]
    offset[o] = x
    offset[o + 1] = y
    offset[o + 2] = z
    offset[o + 3] = p
    offset[o + 4] = q
    offset[o + 5] = r
    g[o] = m * x
    g[o + 1] = m * y
    g[o + 2] = m * z
    g[o + 3] = I[u] * p + I[u + 1] * q + I[u + 2] * r
    g[o + 4] = I[u + 3] * p + I[u + 4] * q + I[u + 5] * r
    g[o + 5] = I[u + 6] * p + I[u + 7] * q + I[u + 8] * r
  }
  if (t.isFirst && t.isLoaded) for (let k = 0; k < 6 * nodeCount; k++) g[k] -= t.loadShare[0] * t.load[k]
  if (trees.held.count > 0) addHeld(trees, t)
}

/** κ n (n·ΔX) and κ n nᵀ of contacts that hold bodies (held.ts). */
function addHeld({ held }: Trees, { A, B, J, g, offset }: Articulated): void {
  const { node, n: N, stiffness } = held
  for (let at = 0; at < held.count; at++) {
    const f = 6 * at
    const o = 6 * node[at]
    const u = 9 * node[at]
    let way = 0
    for (let k = 0; k < 6; k++) way += N[f + k] * offset[o + k]
    for (let k = 0; k < 6; k++) g[o + k] += stiffness[0] * way * N[f + k]
    let at6 = o
    for (let i = 0; i < 3; i++) {
      const s = stiffness[0] * N[f + i]
      const w = stiffness[0] * N[f + 3 + i]
      for (let k = 0; k < 3; k++) B[u + 3 * i + k] += s * N[f + 3 + k]
      for (let k = i; k < 3; k++) {
        A[at6] += s * N[f + k]
        J[at6++] += w * N[f + 3 + k]
      }
    }
  }
}

/** Levers and gap of a joint as seen from its child, and the geometric stiffness of its force on both bodies: (F·r) 1 − ½ (F rᵀ + r Fᵀ). */
function placePoint(trees: Trees, t: Articulated, n: number, e: number): void {
  const { forest, lambda, place } = trees
  const { point } = t.rows
  const { factors, stiffness } = t
  const isA = forest.side[e] === 0
  const s = isA ? 1 : -1
  const k = FACTORS * n
  const c = isA ? 0 : 3
  for (let i = 0; i < 3; i++) {
    factors[k + GAP + i] = s * point[6 + i]
    factors[k + LEVER + i] = point[c + i]
    factors[k + UP + i] = point[3 - c + i]
  }
  for (let i = 0; i < 6; i += 3) {
    const squared = point[i] * point[i] + point[i + 1] * point[i + 1] + point[i + 2] * point[i + 2]
    if (squared > t.reach[0]) t.reach[0] = squared
  }
  const l = place[e]
  turned[0] = s * lambda[e][l]
  turned[1] = s * lambda[e][l + 1]
  turned[2] = s * lambda[e][l + 2]
  stiffen(stiffness, 9 * n, point, c)
  const up = forest.parent[n]
  if (up < 0) return
  turned[0] = -turned[0]
  turned[1] = -turned[1]
  turned[2] = -turned[2]
  stiffen(stiffness, 9 * up, point, 3 - c)
}

/** Adds the geometric stiffness of the force in `turned` at the lever r. */
function stiffen(K: Float64Array, o: number, r: Float64Array, k: number): void {
  const fx = turned[0]
  const fy = turned[1]
  const fz = turned[2]
  const x = r[k]
  const y = r[k + 1]
  const z = r[k + 2]
  const along = fx * x + fy * y + fz * z
  K[o] += along - fx * x
  K[o + 3] -= 0.5 * (fx * y + fy * x)
  K[o + 4] += along - fy * y
  K[o + 6] -= 0.5 * (fx * z + fz * x)
  K[o + 7] -= 0.5 * (fy * z + fz * y)
  K[o + 8] += along - fz * z
}

/** Adds the geometric stiffness of node n to J, its children being eliminated. */
function addStiffness({ inertia }: Trees, { J, stiffness: K, isSafe }: Articulated, n: number): void {
  const o = 6 * n
  const u = 9 * n
  if (isSafe && !isDefinite(HEADROOM, inertia, u, K, u, 3)) clip(K, u, 3)
  J[o] += K[u]
  J[o + 1] += K[u + 3]
  J[o + 2] += K[u + 6]
  J[o + 3] += K[u + 4]
  J[o + 4] += K[u + 7]
  J[o + 5] += K[u + 8]
}
