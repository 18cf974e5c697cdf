/**
 * Box against box: the separating axis test over 15 axes (Gottschalk et al. 1996), in the frame of a.
 *
 *   s(L) = |t·L| − Σ aᵢ |eᵢ·L| − Σ bⱼ |fⱼ·L|,  L = eᵢ, fⱼ, eᵢ × fⱼ of unit length
 *
 * Where they overlap, the axis of largest s gives depth and normal exactly. Where they are apart, s is a lower bound of the
 * distance; it is the distance if two points are that near to each other, else the closest features are found by GJK.
 */

import type { Shape } from '../../shapes/shape.js'
import { type Manifold, type ManifoldList, NORMAL_ON_A, NORMAL_ON_B } from './manifold.js'
import { clipFeatures } from './clip.js'
import { MARGIN } from './closest-pair.js'
import { FACE_A, FACE_B, LABEL_B, type Polygon } from './polygon.js'
import { polytopePair } from './polytope-pair.js'
import { FLAT, isSteady } from './touch.js'

/** An axis must be better by this much, as a share of the boxes, to be preferred to one before it: no flicker. */
const BETTER = 1e-8
/** sin² of the angle of two edges below which they count as parallel: their axis is then one of the faces'. */
const PARALLEL = 1e-14
/** Share by which what was clipped may miss the separation of the axis. */
const REACHED = 1e-9

const n = /* @__PURE__ */ new Float64Array(3)
/** Along the axis in `n`. */
const separation = /* @__PURE__ */ new Float64Array(1)
const EDGES = 6

/** Writes the contacts of boxes a and b, b standing at `T` in the frame of a. */
export function boxBox(a: Shape, b: Shape, T: Float64Array, list: ManifoldList): void {
  const margin = MARGIN[0]
  const p = a.params
  const q = b.params
  const ax = p[0]
  const ay = p[1]
  const az = p[2]
  const bx = q[0]
  const by = q[1]
  const bz = q[2]
  const tx = T[0]
  const ty = T[1]
  const tz = T[2]
  const r00 = T[3]
  const r01 = T[4]
  const r02 = T[5]
  const r10 = T[6]
  const r11 = T[7]
  const r12 = T[8]
  const r20 = T[9]
  const r21 = T[10]
  const r22 = T[11]
  const s00 = Math.abs(r00)
  const s01 = Math.abs(r01)
  const s02 = Math.abs(r02)
  const s10 = Math.abs(r10)
  const s11 = Math.abs(r11)
  const s12 = Math.abs(r12)
  const s20 = Math.abs(r20)
  const s21 = Math.abs(r21)
  const s22 = Math.abs(r22)
  const better = BETTER * (ax + ay + az + bx + by + bz)

  // Faces of a, then of b.
  let best = Math.abs(tx) - ax - bx * s00 - by * s01 - bz * s02
  let axis = 0
  let s = Math.abs(ty) - ay - bx * s10 - by * s11 - bz * s12
  if (s > best + better) {
    best = s
    axis = 1
  }
  s = Math.abs(tz) - az - bx * s20 - by * s21 - bz * s22
  if (s > best + better) {
    best = s
    axis = 2
  }
  if (best > margin) return
  const u0 = tx * r00 + ty * r10 + tz * r20
  s = Math.abs(u0) - bx - ax * s00 - ay * s10 - az * s20
  if (s > best + better) {
    best = s
    axis = 3
  }
  const u1 = tx * r01 + ty * r11 + tz * r21
  s = Math.abs(u1) - by - ax * s01 - ay * s11 - az * s21
  if (s > best + better) {
    best = s
    axis = 4
  }
  const u2 = tx * r02 + ty * r12 + tz * r22
  s = Math.abs(u2) - bz - ax * s02 - ay * s12 - az * s22
  if (s > best + better) {
    best = s
    axis = 5
  }
  if (best > margin) return

  // Edges: |eᵢ × fⱼ|² = 1 − Rᵢⱼ², here as the sum of the other two squares of the column, which does not cancel.
  let w = r10 * r10 + r20 * r20
  if (w > PARALLEL) {
    s = (Math.abs(tz * r10 - ty * r20) - ay * s20 - az * s10 - by * s02 - bz * s01) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 6
    }
  }
  w = r11 * r11 + r21 * r21
  if (w > PARALLEL) {
    s = (Math.abs(tz * r11 - ty * r21) - ay * s21 - az * s11 - bx * s02 - bz * s00) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 7
    }
  }
  w = r12 * r12 + r22 * r22
  if (w > PARALLEL) {
    s = (Math.abs(tz * r12 - ty * r22) - ay * s22 - az * s12 - bx * s01 - by * s00) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 8
    }
  }
  w = r00 * r00 + r20 * r20
  if (w > PARALLEL) {
    s = (Math.abs(tx * r20 - tz * r00) - ax * s20 - az * s00 - by * s12 - bz * s11) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 9
    }
  }
  w = r01 * r01 + r21 * r21
  if (w > PARALLEL) {
    s = (Math.abs(tx * r21 - tz * r01) - ax * s21 - az * s01 - bx * s12 - bz * s10) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 10
    }
  }
  w = r02 * r02 + r22 * r22
  if (w > PARALLEL) {
    s = (Math.abs(tx * r22 - tz * r02) - ax * s22 - az * s02 - bx * s11 - by * s10) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 11
    }
  }
  w = r00 * r00 + r10 * r10
  if (w > PARALLEL) {
    s = (Math.abs(ty * r00 - tx * r10) - ax * s10 - ay * s00 - by * s22 - bz * s21) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 12
    }
  }
  w = r01 * r01 + r11 * r11
  if (w > PARALLEL) {
    s = (Math.abs(ty * r01 - tx * r11) - ax * s11 - ay * s01 - bx * s22 - bz * s20) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 13
    }
  }
  w = r02 * r02 + r12 * r12
  if (w > PARALLEL) {
    s = (Math.abs(ty * r02 - tx * r12) - ax * s12 - ay * s02 - bx * s21 - by * s20) / Math.sqrt(w)
    if (s > best + better) {
      best = s
      axis = 14
    }
  }
  if (best > margin) return
  writeAxis(axis, T)
  separation[0] = best
  touch(a, b, T, axis, list)
}

/** The axis in the frame of a, from b to a. */
function writeAxis(axis: number, T: Float64Array): void {
  n[0] = n[1] = n[2] = 0
  if (axis < 3) {
    n[axis] = 1
  } else if (axis < EDGES) {
    n[0] = T[axis]
    n[1] = T[axis + 3]
    n[2] = T[axis + 6]
  } else {
    const i = Math.floor((axis - EDGES) / 3)
    const j = axis - EDGES - 3 * i
    const y = (i + 1) % 3
    const z = (i + 2) % 3
    const fy = T[3 + 3 * y + j]
    const fz = T[3 + 3 * z + j]
    const length = Math.sqrt(fy * fy + fz * fz)
    n[y] = -fz / length
    n[z] = fy / length
  }
  if (n[0] * T[0] + n[1] * T[1] + n[2] * T[2] > 0) {
    n[0] = -n[0]
    n[1] = -n[1]
    n[2] = -n[2]
  }
}

/** Points for the axis in `n`, at which the boxes are `s` apart. */
function touch(a: Shape, b: Shape, T: Float64Array, axis: number, list: ManifoldList): void {
  const s = separation[0]
  const faceA = steepest(n[0], n[1], n[2])
  const cosA = Math.abs(n[faceA])
  const x = T[3] * n[0] + T[6] * n[1] + T[9] * n[2]
  const y = T[4] * n[0] + T[7] * n[1] + T[10] * n[2]
  const z = T[5] * n[0] + T[8] * n[1] + T[11] * n[2]
  const faceB = steepest(x, y, z)
  const along = faceB === 0 ? x : faceB === 1 ? y : z
  const cosB = Math.abs(along)
  const manifold = list.next()
  if (cosA < FLAT && cosB < FLAT) {
    if (!crossEdges(a.params, b.params, T, axis - EDGES, x, y, z, manifold)) {
      list.count--
      polytopePair(a, b, T, list)
    }
    return
  }
  const steadyA = isSteady(cosA, s)
  const steadyB = isSteady(cosB, s)
  const onA = steadyA || (!steadyB && cosA >= FLAT)
  writeBoxFace(FACE_A, a.params, faceA, n[faceA] < 0 ? 1 : -1, 0)
  writeBoxFace(FACE_B, b.params, faceB, along > 0 ? 1 : -1, LABEL_B)
  FACE_B.place(T)
  // A face so close to the axis that it makes no difference gives the normal: it is the same next step.
  if (onA && steadyA) {
    n[0] = -FACE_A.normal[0]
    n[1] = -FACE_A.normal[1]
    n[2] = -FACE_A.normal[2]
  } else if (!onA && steadyB) {
    n.set(FACE_B.normal)
  }
  clipFeatures(n, onA, true, manifold)
  manifold.carrier = onA ? NORMAL_ON_A : NORMAL_ON_B
  manifold.normal.set(n)
  if (s > 0 && leastSeparation(manifold) > s + REACHED + 1e-6 * s) {
    list.count--
    polytopePair(a, b, T, list)
  }
}

function leastSeparation(manifold: Manifold): number {
  let least = Infinity
  for (let k = 0; k < manifold.count; k++) least = Math.min(least, manifold.separation[k])
  return least
}

/** Index of the component of largest size, the first of equal ones. */
function steepest(x: number, y: number, z: number): number {
  const p = Math.abs(x)
  const q = Math.abs(y)
  const r = Math.abs(z)
  return p >= q ? (p >= r ? 0 : 2) : q >= r ? 1 : 2
}

/** Writes a face of a box in its own frame. Corners are numbered by bits: 1 for +x, 2 for +y, 4 for +z. */
export function writeBoxFace(out: Polygon, half: Float64Array, i: number, sign: number, label: number): void {
  const { points, labels, normal } = out
  const j = i === 2 ? 0 : i + 1
  const k = j === 2 ? 0 : j + 1
  const side = sign > 0 ? 1 << i : 0
  out.count = 4
  normal[i] = sign
  normal[j] = normal[k] = 0
  for (let c = 0; c < 4; c++) {
    // (−, −), (+, −), (+, +), (−, +) in j and k, and back to front on the other side.
    const onJ = sign > 0 ? c === 1 || c === 2 : c >= 2
    const onK = sign > 0 ? c >= 2 : c === 1 || c === 2
    points[3 * c + i] = sign * half[i]
    points[3 * c + j] = onJ ? half[j] : -half[j]
    points[3 * c + k] = onK ? half[k] : -half[k]
    labels[c] = label + side + (onJ ? 1 << j : 0) + (onK ? 1 << k : 0)
  }
}

/**
 * The point of edge i of a and edge j of b that are closest, for n = ± eᵢ × fⱼ, which is (x, y, z) in the frame of b.
 * @returns false where they are apart and the closest points lie beyond an end
 */
function crossEdges(
  half: Float64Array,
  other: Float64Array,
  T: Float64Array,
  pair: number,
  x: number,
  y: number,
  z: number,
  manifold: Manifold,
): boolean {
  const i = Math.floor(pair / 3)
  const j = pair - 3 * i
  // Corner of a farthest against n, corner of b farthest along it; the edges' own coordinate is 0.
  const px = i === 0 ? 0 : n[0] < 0 ? half[0] : -half[0]
  const py = i === 1 ? 0 : n[1] < 0 ? half[1] : -half[1]
  const pz = i === 2 ? 0 : n[2] < 0 ? half[2] : -half[2]
  const bx = j === 0 ? 0 : x > 0 ? other[0] : -other[0]
  const by = j === 1 ? 0 : y > 0 ? other[1] : -other[1]
  const bz = j === 2 ? 0 : z > 0 ? other[2] : -other[2]
  const qx = T[3] * bx + T[4] * by + T[5] * bz + T[0]
  const qy = T[6] * bx + T[7] * by + T[8] * bz + T[1]
  const qz = T[9] * bx + T[10] * by + T[11] * bz + T[2]
  const fx = T[3 + j]
  const fy = T[6 + j]
  const fz = T[9 + j]
  // With d = q − p: α − β e·f = d·e and α e·f − β = d·f for the closest points p + α e and q + β f.
  const dx = qx - px
  const dy = qy - py
  const dz = qz - pz
  const c = i === 0 ? fx : i === 1 ? fy : fz
  const de = i === 0 ? dx : i === 1 ? dy : dz
  const df = dx * fx + dy * fy + dz * fz
  const alpha = (de - c * df) / (1 - c * c)
  const beta = (c * de - df) / (1 - c * c)
  const s = -(dx * n[0] + dy * n[1] + dz * n[2])
  if (s > 0 && (Math.abs(alpha) > half[i] || Math.abs(beta) > other[j])) return false
  const k = manifold.count++
  const { pointA, pointB } = manifold
  pointA[0] = px + (i === 0 ? alpha : 0)
  pointA[1] = py + (i === 1 ? alpha : 0)
  pointA[2] = pz + (i === 2 ? alpha : 0)
  pointB[0] = qx + beta * fx
  pointB[1] = qy + beta * fy
  pointB[2] = qz + beta * fz
  manifold.separation[k] = s
  const edgeA = edgeName(i, n[0] < 0, n[1] < 0, n[2] < 0)
  manifold.feature[k] = edgeA * LABEL_B * 2 + LABEL_B + edgeName(j, x > 0, y > 0, z > 0)
  manifold.normal.set(n)
  manifold.carrier = NORMAL_ON_B
  return true
}

/** 8 for an edge, its direction, and the corner bits of the other two. */
function edgeName(i: number, x: boolean, y: boolean, z: boolean): number {
  return 8 * (i + 1) + (x && i !== 0 ? 1 : 0) + (y && i !== 1 ? 2 : 0) + (z && i !== 2 ? 4 : 0)
}
