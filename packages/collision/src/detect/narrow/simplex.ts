/**
 * The simplex of GJK: up to four points w = a − b of two shapes' difference, and its point nearest to the origin, told by
 * regions (Ericson 2005, 5.1.5 and 5.1.6).
 */

/** w, and the points of a and of b it is made of; three numbers a corner. */
export class Simplex {
  count = 0
  readonly w: Float64Array = new Float64Array(12)
  readonly a: Float64Array = new Float64Array(12)
  readonly b: Float64Array = new Float64Array(12)
  /** Shares of the corners in the nearest point. */
  readonly share: Float64Array = new Float64Array(4)
}

/** Volume of a tetrahedron, as a share of the cube of its edges, that is flat: no side of it can be told. */
const FLAT = 1e-14

const trial = /* @__PURE__ */ new Float64Array(4)
const corners = /* @__PURE__ */ new Int32Array(3)
/** Corners of the faces of a tetrahedron, and the corner that is none. */
const FACES = /* @__PURE__ */ Int32Array.of(0, 1, 2, 3, 0, 1, 3, 2, 0, 2, 3, 1, 1, 2, 3, 0)

/**
 * Writes the point of the simplex nearest to the origin to v and drops the corners that it does not lie between.
 * @returns false if the origin lies inside, which takes four corners
 */
export function nearestOfSimplex(simplex: Simplex, v: Float64Array): boolean {
  const { w, share } = simplex
  const count = simplex.count
  share.fill(0)
  if (count === 1) share[0] = 1
  else if (count === 2) nearestOfSegment(w, share)
  else if (count === 3) {
    nearestOfTriangle(w, 0, 3, 6)
    for (let k = 0; k < 3; k++) share[k] = trial[k]
  } else if (!nearestOfTetrahedron(w, share)) return false
  v[0] = v[1] = v[2] = 0
  let kept = 0
  for (let k = 0; k < count; k++) {
    const s = share[k]
    if (s === 0) continue
    v[0] += s * w[3 * k]
    v[1] += s * w[3 * k + 1]
    v[2] += s * w[3 * k + 2]
    if (kept < k) move(simplex, k, kept)
    kept++
  }
  simplex.count = kept
  return true
}

function move({ w, a, b, share }: Simplex, from: number, to: number): void {
  share[to] = share[from]
  for (let k = 0; k < 3; k++) {
    w[3 * to + k] = w[3 * from + k]
    a[3 * to + k] = a[3 * from + k]
    b[3 * to + k] = b[3 * from + k]
  }
}

function nearestOfSegment(w: Float64Array, share: Float64Array): void {
  const ux = w[3] - w[0]
  const uy = w[4] - w[1]
  const uz = w[5] - w[2]
  const along = -(w[0] * ux + w[1] * uy + w[2] * uz)
  const square = ux * ux + uy * uy + uz * uz
  const t = along <= 0 ? 0 : along >= square ? 1 : along / square
  share[0] = 1 - t
  share[1] = t
}

/** Shares of the corners at w[a…], w[b…], w[c…] into `trial`. */
function nearestOfTriangle(w: Float64Array, a: number, b: number, c: number): void {
  const ax = w[a]
  const ay = w[a + 1]
  const az = w[a + 2]
  const ux = w[b] - ax
  const uy = w[b + 1] - ay
  const uz = w[b + 2] - az
  const vx = w[c] - ax
  const vy = w[c + 1] - ay
  const vz = w[c + 2] - az
  const d1 = -(ux * ax + uy * ay + uz * az)
  const d2 = -(vx * ax + vy * ay + vz * az)
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  const d3 = d1 - uu
  const d4 = d2 - uv
  const d5 = d1 - uv
  const d6 = d2 - vv
  let s: number
  let t: number
  if (d1 <= 0 && d2 <= 0) {
    s = t = 0
  } else if (d3 >= 0 && d4 <= d3) {
    s = 1
    t = 0
  } else if (d6 >= 0 && d5 <= d6) {
    s = 0
    t = 1
  } else {
    const va = d3 * d6 - d5 * d4
    const vb = d5 * d2 - d1 * d6
    const vc = d1 * d4 - d3 * d2
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
      s = d1 / uu
      t = 0
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
      s = 0
      t = d2 / vv
    } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
      t = (d4 - d3) / (d4 - d3 + (d5 - d6))
      s = 1 - t
    } else {
      s = vb / (va + vb + vc)
      t = vc / (va + vb + vc)
    }
  }
  trial[0] = 1 - s - t
  trial[1] = s
  trial[2] = t
}

/** The nearest point of the faces that have the origin on their outer side. */
function nearestOfTetrahedron(w: Float64Array, share: Float64Array): boolean {
  let least = Infinity
  for (let f = 0; f < 16; f += 4) {
    for (let k = 0; k < 3; k++) corners[k] = 3 * FACES[f + k]
    const a = corners[0]
    const b = corners[1]
    const c = corners[2]
    if (!isOutside(w, a, b, c, 3 * FACES[f + 3])) continue
    nearestOfTriangle(w, a, b, c)
    const x = trial[0] * w[a] + trial[1] * w[b] + trial[2] * w[c]
    const y = trial[0] * w[a + 1] + trial[1] * w[b + 1] + trial[2] * w[c + 1]
    const z = trial[0] * w[a + 2] + trial[1] * w[b + 2] + trial[2] * w[c + 2]
    const square = x * x + y * y + z * z
    if (square < least) {
      least = square
      share.fill(0)
      for (let k = 0; k < 3; k++) share[FACES[f + k]] = trial[k]
    }
  }
  return least < Infinity
}

/** Whether the origin and corner d lie on different sides of the plane of a, b, c; a flat tetrahedron has only outer sides. */
function isOutside(w: Float64Array, a: number, b: number, c: number, d: number): boolean {
  const ax = w[a]
  const ay = w[a + 1]
  const az = w[a + 2]
  const ux = w[b] - ax
  const uy = w[b + 1] - ay
  const uz = w[b + 2] - az
  const vx = w[c] - ax
  const vy = w[c + 1] - ay
  const vz = w[c + 2] - az
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const origin = -(nx * ax + ny * ay + nz * az)
  const dx = w[d] - ax
  const dy = w[d + 1] - ay
  const dz = w[d + 2] - az
  const corner = nx * dx + ny * dy + nz * dz
  const edges = (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz) * (dx * dx + dy * dy + dz * dz)
  return origin * corner <= 0 || corner * corner <= FLAT * FLAT * edges
}
