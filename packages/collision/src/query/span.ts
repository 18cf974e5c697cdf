/**
 * Where a line is inside a convex shape: from which distance to which, and the normals there. Closed forms.
 *
 * All in the frame of the shape; the line is o + t d, |d| = 1. A convex shape that is the hull of parts of which each pair
 * next to each other overlaps along every line (the ends and the side of a capsule) is entered where the first of them is
 * entered, and left where the last is left.
 *
 *   ball about c   t = m ± √(r² − |p|²),  m = (c − o)·d,  p = o + m d − c        (Haines et al. 2019: no cancellation)
 *   side           c² (x² + z²) = (e − s y)²: a cylinder (s = 0) or a cone whose outward normal is c outwards and s upwards
 *   flat faces     the last plane entered, the first one left                    (Cyrus and Beck 1978)
 */

import { BOX, CAPSULE, CONVEX_HULL, CYLINDER, PLANE, type Shape, SPHERE } from '../shapes/shape.js'

/** What `spanOf` finds: t where the line enters and where it leaves, the outward unit normals at these (3 and 3). */
export const SPAN: Float64Array = /* @__PURE__ */ new Float64Array(8)

/** Faces that it enters and leaves by: those of a hull; 2 axis + 1 for a box's on the positive side; 0 if there is but one. */
export const SPAN_FACES: Int32Array = /* @__PURE__ */ new Int32Array(2)

/** Faces of a cylinder, as the narrow phase numbers them. */
const TOP = 0
const BOTTOM = 1
const SIDE = 2

/** Writes `SPAN` for the line at L[0…5], origin and unit direction, and a convex shape or plane; false if it misses. */
export function spanOf(shape: Shape, L: Float64Array): boolean {
  const { params } = shape
  SPAN[0] = Infinity
  SPAN[1] = -Infinity
  SPAN_FACES[0] = SPAN_FACES[1] = 0
  switch (shape.kind) {
    case SPHERE:
      addBall(L, 0, params[0])
      break
    case CAPSULE:
      addBall(L, params[1], params[0])
      addBall(L, -params[1], params[0])
      addSide(L, 1, 0, params[0], -params[1], params[1], false)
      break
    case BOX:
      boxSpan(L, params)
      break
    case CYLINDER:
      addSide(L, 1, 0, params[0], -params[1], params[1], true)
      break
    case CONVEX_HULL:
      planesSpan(L, shape.hull!.planes)
      break
    case PLANE:
      planesSpan(L, params)
      break
    default:
      taperedSpan(L, params)
  }
  return SPAN[0] <= SPAN[1]
}

function enter(t: number, x: number, y: number, z: number, face: number): void {
  SPAN[0] = t
  SPAN[2] = x
  SPAN[3] = y
  SPAN[4] = z
  SPAN_FACES[0] = face
}

function leave(t: number, x: number, y: number, z: number, face: number): void {
  SPAN[1] = t
  SPAN[5] = x
  SPAN[6] = y
  SPAN[7] = z
  SPAN_FACES[1] = face
}

/** Ball about (0, y, 0). */
function addBall(L: Float64Array, y: number, radius: number): void {
  const dx = L[3]
  const dy = L[4]
  const dz = L[5]
  const middle = -(L[0] * dx + (L[1] - y) * dy + L[2] * dz)
  const px = L[0] + middle * dx
  const py = L[1] - y + middle * dy
  const pz = L[2] + middle * dz
  const square = radius * radius - (px * px + py * py + pz * pz)
  if (square < 0) return
  const half = Math.sqrt(square)
  const from = middle - half
  const to = middle + half
  if (from < SPAN[0]) enter(from, (px - half * dx) / radius, (py - half * dy) / radius, (pz - half * dz) / radius, 0)
  if (to > SPAN[1]) leave(to, (px + half * dx) / radius, (py + half * dy) / radius, (pz + half * dz) / radius, 0)
}

/** The side's normal leans up by s = (r_bottom − r_top)/(2 h), and its circles on the balls lie s r above their centres. */
function taperedSpan(L: Float64Array, params: Float64Array): void {
  const top = params[0]
  const bottom = params[1]
  const h = params[2]
  const s = (bottom - top) / (2 * h)
  addBall(L, h, top)
  addBall(L, -h, bottom)
  addSide(L, Math.sqrt(1 - s * s), s, s * h + top, s * bottom - h, s * top + h, false)
}

/**
 * The frustum c ρ <= e − s y, low <= y <= high. Its flat ends count only with `caps`: those of a capsule lie inside balls.
 *
 * Along the line it is A t² + 2 B t + C <= 0. Where A < 0 the line is steeper than the cone and meets its mirror image too,
 * which has e − s y < 0.
 */
function addSide(L: Float64Array, c: number, s: number, e: number, low: number, high: number, caps: boolean): void {
  const dx = c * L[3]
  const dy = L[4]
  const dz = c * L[5]
  const x = c * L[0]
  const z = c * L[2]
  let from = -Infinity
  let to = Infinity
  if (dy !== 0) {
    const atLow = (low - L[1]) / dy
    const atHigh = (high - L[1]) / dy
    from = dy > 0 ? atLow : atHigh
    to = dy > 0 ? atHigh : atLow
  } else if (L[1] < low || L[1] > high) {
    return
  }
  const w = e - s * L[1]
  const dw = -s * dy
  const A = dx * dx + dz * dz - dw * dw
  const B = x * dx + z * dz - w * dw
  const C = x * x + z * z - w * w
  let sideFrom = -Infinity
  let sideTo = Infinity
  if (A === 0 && B === 0) {
    // Along a cylinder's axis.
    if (C > 0) return
  } else {
    const D = B * B - A * C
    if (A >= 0 && D < 0) return
    if (D >= 0) {
      // One root from a sum without cancellation, the other from the product of both; infinite where A is 0.
      const q = B > 0 ? -B - Math.sqrt(D) : Math.sqrt(D) - B
      // B = D = 0 with A ≠ 0: the line meets the axis of a cone in its tip, or touches a cylinder of no radius.
      const far = q / A
      const near = q === 0 ? 0 : C / q
      const first = Math.min(near, far)
      const last = Math.max(near, far)
      if (A >= 0) {
        sideFrom = first
        sideTo = last
      } else if (dw > 0) sideFrom = last
      else sideTo = first
    }
  }
  if (Math.max(from, sideFrom) > Math.min(to, sideTo)) return
  if (sideFrom > from) {
    if (sideFrom < SPAN[0]) enterSide(L, sideFrom, c, s)
  } else if (caps) {
    enter(from, 0, dy > 0 ? -1 : 1, 0, dy > 0 ? BOTTOM : TOP)
  }
  if (sideTo < to) {
    if (sideTo > SPAN[1]) leaveSide(L, sideTo, c, s)
  } else if (caps) {
    leave(to, 0, dy > 0 ? 1 : -1, 0, dy > 0 ? TOP : BOTTOM)
  }
}

function enterSide(L: Float64Array, t: number, c: number, s: number): void {
  const x = L[0] + t * L[3]
  const z = L[2] + t * L[5]
  const rho = Math.sqrt(x * x + z * z)
  enter(t, (c * x) / rho, s, (c * z) / rho, SIDE)
}

function leaveSide(L: Float64Array, t: number, c: number, s: number): void {
  const x = L[0] + t * L[3]
  const z = L[2] + t * L[5]
  const rho = Math.sqrt(x * x + z * z)
  leave(t, (c * x) / rho, s, (c * z) / rho, SIDE)
}

function boxSpan(L: Float64Array, half: Float64Array): void {
  SPAN[0] = -Infinity
  SPAN[1] = Infinity
  for (let axis = 0; axis < 3; axis++) {
    const d = L[3 + axis]
    if (d === 0) {
      if (Math.abs(L[axis]) > half[axis]) SPAN[1] = -Infinity
      continue
    }
    const sign = d > 0 ? 1 : -1
    const from = (-sign * half[axis] - L[axis]) / d
    const to = (sign * half[axis] - L[axis]) / d
    if (from > SPAN[0]) {
      enter(from, 0, 0, 0, 2 * axis + (sign > 0 ? 0 : 1))
      SPAN[2 + axis] = -sign
    }
    if (to < SPAN[1]) {
      leave(to, 0, 0, 0, 2 * axis + (sign > 0 ? 1 : 0))
      SPAN[5 + axis] = sign
    }
  }
}

/** What lies behind all planes n·x = d, four numbers each. */
function planesSpan(L: Float64Array, planes: Float64Array): void {
  SPAN[0] = -Infinity
  SPAN[1] = Infinity
  for (let o = 0; o < planes.length; o += 4) {
    const nx = planes[o]
    const ny = planes[o + 1]
    const nz = planes[o + 2]
    const above = nx * L[0] + ny * L[1] + nz * L[2] - planes[o + 3]
    const rise = nx * L[3] + ny * L[4] + nz * L[5]
    if (rise === 0) {
      if (above > 0) SPAN[1] = -Infinity
      continue
    }
    const t = -above / rise
    if (rise < 0) {
      if (t > SPAN[0]) enter(t, nx, ny, nz, o >> 2)
    } else if (t < SPAN[1]) {
      leave(t, nx, ny, nz, o >> 2)
    }
  }
}
