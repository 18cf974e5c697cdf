/**
 * A ray against surfaces of triangles: meshes and heightfields. In the frame of the shape.
 *
 * The triangle test is that of Woop, Benthin and Wald 2013: space is sheared so that the ray runs along an axis, and the
 * signs of three 2D cross products say on which side of each edge it passes. Two triangles with a common edge compute the
 * same product for it, up to sign, and 0 counts as inside: no ray slips through between them.
 */

import type { Shape } from '../shapes/shape.js'
import type { HeightfieldData } from '../shapes/heightfield-data.js'
import { writeHeightfieldTriangle } from '../shapes/heightfield-data.js'
import { type MeshData, writeMeshTriangle } from '../shapes/mesh-data.js'
import { BvhWalk } from './bvh-walk.js'
import { Slab } from './probe.js'

/** What a ray has hit: t, and the unit normal, turned towards where it came from. */
export const STRUCK: Float64Array = /* @__PURE__ */ new Float64Array(4)

/** Boxes are grown by this share of all lengths in play: more than rounding does to where a ray enters them. */
const BOX_ROUNDING = 1e-14

const slab = /* @__PURE__ */ new Slab()
const walk = /* @__PURE__ */ new BvhWalk(slab)
const corners = /* @__PURE__ */ new Float64Array(9)

/** Axes of the sheared frame, the ray's own last, and the shear. */
const axes = /* @__PURE__ */ new Int32Array(3)
const shear = /* @__PURE__ */ new Float64Array(3)

/**
 * The first triangle of a mesh that the ray at L[0…5] meets at a t in [from, to], the lowest of those met at the same t; −1
 * if there is none. Writes `STRUCK`.
 */
export function rayMesh(shape: Shape, L: Float64Array, from: number, to: number): number {
  const mesh = shape.mesh as MeshData
  const { items } = mesh.bvh
  setShear(L)
  const pad = BOX_ROUNDING * sizeOf(shape, L)
  slab.set(L, from - pad, pad, pad, pad)
  walk.start(mesh.bvh, to)
  let best = -1
  STRUCK[0] = to
  while (walk.next(STRUCK[0])) {
    for (let k = walk.first; k < walk.first + walk.count; k++) {
      const triangle = items[k]
      writeMeshTriangle(mesh, triangle, corners, 0)
      if (meets(L, from, mesh.oneSided, best < 0 || triangle < best)) best = triangle
    }
  }
  return best
}

/**
 * The same for a heightfield. The grid is passed in strips across the axis along which the ray goes farther in cells; of
 * each strip the cells are looked at that the ray, a little widened, is above or below.
 */
export function rayHeightfield(shape: Shape, L: Float64Array, from: number, to: number): number {
  const field = shape.heightfield as HeightfieldData
  const { columns, rows, cellX, cellZ } = field
  const pad = BOX_ROUNDING * sizeOf(shape, L)
  slab.set(L, from - pad, pad, pad, pad)
  const enter = slab.reach(shape.bounds, 0, to)
  if (enter === Infinity) return -1
  setShear(L)
  // Along u it goes farther; U and V are the number of cells, their size and the ray, in cells from the first line of the grid.
  const alongX = Math.abs(L[3]) * cellZ >= Math.abs(L[5]) * cellX
  const countU = alongX ? columns - 1 : rows - 1
  const countV = alongX ? rows - 1 : columns - 1
  const sizeU = alongX ? cellX : cellZ
  const sizeV = alongX ? cellZ : cellX
  const oU = L[alongX ? 0 : 2] / sizeU + 0.5 * countU
  const oV = L[alongX ? 2 : 0] / sizeV + 0.5 * countV
  const dU = L[alongX ? 3 : 5] / sizeU
  const dV = L[alongX ? 5 : 3] / sizeV
  const padU = pad / sizeU + BOX_ROUNDING * countU
  const padV = pad / sizeV + BOX_ROUNDING * countV
  const leave = leaveOf(shape.bounds, L, to, pad)
  const startU = oU + enter * dU
  const endU = oU + leave * dU
  const back = dU < 0
  const first = cellOf(back ? startU + padU : startU - padU, countU)
  const last = cellOf(back ? endU - padU : endU + padU, countU)
  let best = -1
  STRUCK[0] = to
  for (let u = first; back ? u >= last : u <= last; u += back ? -1 : 1) {
    // Times at which it is in this strip; all of them for a ray straight down.
    const into = ((back ? u + 1 + padU : u - padU) - oU) / dU
    const out = ((back ? u - padU : u + 1 + padU) - oU) / dU
    const t0 = dU !== 0 && into > enter ? into : enter
    const t1 = dU !== 0 && out < leave ? out : leave
    if (t0 > STRUCK[0]) break
    const v0 = oV + t0 * dV
    const v1 = oV + t1 * dV
    const lastV = cellOf(Math.max(v0, v1) + padV, countV)
    for (let v = cellOf(Math.min(v0, v1) - padV, countV); v <= lastV; v++) {
      const i = alongX ? u : v
      const j = alongX ? v : u
      for (let half = 0; half < 2; half++) {
        const triangle = 2 * (j * (columns - 1) + i) + half
        writeHeightfieldTriangle(field, triangle, corners, 0)
        if (meets(L, from, false, best < 0 || triangle < best)) best = triangle
      }
    }
  }
  return best
}

function cellOf(x: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(x)))
}

/** The last t <= `to` at which the line is in a box. */
function leaveOf(box: Float64Array, L: Float64Array, to: number, pad: number): number {
  let last = to
  for (let k = 0; k < 3; k++) {
    const d = L[3 + k]
    const t = ((d > 0 ? box[3 + k] + pad : box[k] - pad) - L[k]) / d
    if (d !== 0 && t < last) last = t
  }
  return last
}

/** The largest length that takes part in the arithmetic: that of the shape, and of where the ray is. */
function sizeOf(shape: Shape, L: Float64Array): number {
  return shape.reach + Math.abs(L[0]) + Math.abs(L[1]) + Math.abs(L[2])
}

/** Chooses the axis nearest to the ray, and swaps the others where it runs backwards, which keeps the winding. */
function setShear(L: Float64Array): void {
  const x = Math.abs(L[3])
  const y = Math.abs(L[4])
  const z = Math.abs(L[5])
  const along = x >= y && x >= z ? 0 : y >= z ? 1 : 2
  const back = L[3 + along] < 0
  axes[0] = (along + (back ? 2 : 1)) % 3
  axes[1] = (along + (back ? 1 : 2)) % 3
  axes[2] = along
  const d = L[3 + along]
  shear[0] = L[3 + axes[0]] / d
  shear[1] = L[3 + axes[1]] / d
  shear[2] = 1 / d
}

/** Whether the ray meets the triangle at `corners` nearer than `STRUCK` says, or as near, where `orEqual`. Writes it there. */
function meets(L: Float64Array, from: number, oneSided: boolean, orEqual: boolean): boolean {
  const k0 = axes[0]
  const k1 = axes[1]
  const k2 = axes[2]
  const o0 = L[k0]
  const o1 = L[k1]
  const o2 = L[k2]
  const az = corners[k2] - o2
  const bz = corners[3 + k2] - o2
  const cz = corners[6 + k2] - o2
  const ax = corners[k0] - o0 - shear[0] * az
  const ay = corners[k1] - o1 - shear[1] * az
  const bx = corners[3 + k0] - o0 - shear[0] * bz
  const by = corners[3 + k1] - o1 - shear[1] * bz
  const cx = corners[6 + k0] - o0 - shear[0] * cz
  const cy = corners[6 + k1] - o1 - shear[1] * cz
  const u = cx * by - cy * bx
  const v = ax * cy - ay * cx
  const w = bx * ay - by * ax
  const front = u >= 0 && v >= 0 && w >= 0
  const behind = u <= 0 && v <= 0 && w <= 0
  // A hole in a heightfield is NaN, and meets nothing.
  if (!front && (oneSided || !behind)) return false
  const det = u + v + w
  // Seen edge on: others hold the edge.
  if (det === 0) return false
  const t = (shear[2] * (u * az + v * bz + w * cz)) / det
  if (!(t >= from && (t < STRUCK[0] || (orEqual && t === STRUCK[0])))) return false
  writeNormal(L, t)
  return true
}

function writeNormal(L: Float64Array, t: number): void {
  const ux = corners[3] - corners[0]
  const uy = corners[4] - corners[1]
  const uz = corners[5] - corners[2]
  const vx = corners[6] - corners[0]
  const vy = corners[7] - corners[1]
  const vz = corners[8] - corners[2]
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const towards = nx * L[3] + ny * L[4] + nz * L[5] > 0 ? -1 : 1
  const scale = towards / Math.sqrt(nx * nx + ny * ny + nz * nz)
  STRUCK[0] = t
  STRUCK[1] = scale * nx
  STRUCK[2] = scale * ny
  STRUCK[3] = scale * nz
}
