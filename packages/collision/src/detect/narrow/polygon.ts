/** Features: the polygon, segment or point that a shape shows along the normal, in the frame of the pair. */

/** Labels of b's corners start here, those of a's at 0. */
export const LABEL_B = 0x4000

/** A convex polygon, counter-clockwise from outside; a segment; or a point. */
export class Polygon {
  count = 0
  /** x, y, z a corner. */
  points: Float64Array
  /** Names of the edges that start at each corner (of the corners, for a segment and a point). */
  labels: Int32Array
  /** Outward unit normal of a polygon. */
  readonly normal: Float64Array = new Float64Array(3)
  /** Of a segment on the side of a round shape: how strongly that is curved there [m]; 0 for an edge. */
  radius = 0

  constructor(capacity: number) {
    this.points = new Float64Array(3 * capacity)
    this.labels = new Int32Array(capacity)
  }

  /** Room for `count` corners; grows once for the largest face there is. */
  reserve(count: number): void {
    if (count <= this.labels.length) return
    this.points = new Float64Array(6 * count)
    this.labels = new Int32Array(2 * count)
  }

  /** Shifts the corners and the normal by a transform. */
  place(T: Float64Array): void {
    const { points, normal } = this
    for (let o = 0; o < 3 * this.count; o += 3) {
      const x = points[o]
      const y = points[o + 1]
      const z = points[o + 2]
      points[o] = T[3] * x + T[4] * y + T[5] * z + T[0]
      points[o + 1] = T[6] * x + T[7] * y + T[8] * z + T[1]
      points[o + 2] = T[9] * x + T[10] * y + T[11] * z + T[2]
    }
    const x = normal[0]
    const y = normal[1]
    const z = normal[2]
    normal[0] = T[3] * x + T[4] * y + T[5] * z
    normal[1] = T[6] * x + T[7] * y + T[8] * z
    normal[2] = T[9] * x + T[10] * y + T[11] * z
  }
}

/** The features of a and of b that the pair at hand touches with. */
export const FACE_A: Polygon = /* @__PURE__ */ new Polygon(16)
export const FACE_B: Polygon = /* @__PURE__ */ new Polygon(16)

/** Two unit vectors that make a right-handed frame with n (Duff et al. 2017). */
export function writeBasis(n: Float64Array, out: Float64Array): void {
  const sign = n[2] < 0 ? -1 : 1
  const p = -1 / (sign + n[2])
  const q = n[0] * n[1] * p
  out[0] = 1 + sign * n[0] * n[0] * p
  out[1] = sign * q
  out[2] = -sign * n[0]
  out[3] = q
  out[4] = sign + n[1] * n[1] * p
  out[5] = -n[1]
}
