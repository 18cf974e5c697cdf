/** How trees of boxes are searched: what says how far it is to a box. */

/** Something that is set against boxes with sides along the axes. */
export interface Probe {
  /** How far the box at boxes[b…b + 5] is, never more than what is in it; `Infinity` if that is beyond `limit`. */
  reach(boxes: Float64Array, b: number, limit: number): number
}

/**
 * A ray, or a box that moves straight on: far is the t at which it comes to a box.
 *
 * The slab test (Kay and Kajiya 1986) on boxes grown by half the size of what moves. Divisions by a direction of 0 give
 * infinities of the right sign; 0 · ∞, the ray in the plane of a side, gives NaN, which no comparison takes.
 */
export class Slab implements Probe {
  private readonly o: Float64Array = new Float64Array(3)
  private readonly inverse: Float64Array = new Float64Array(3)
  private readonly half: Float64Array = new Float64Array(3)
  private from = 0

  /** o + t d for t >= `from`, with o and d, of any length, at L[0…5]. */
  set(L: Float64Array, from: number, halfX: number, halfY: number, halfZ: number): void {
    const { o, inverse, half } = this
    for (let k = 0; k < 3; k++) {
      o[k] = L[k]
      inverse[k] = 1 / L[3 + k]
    }
    half[0] = halfX
    half[1] = halfY
    half[2] = halfZ
    this.from = from
  }

  reach(boxes: Float64Array, b: number, limit: number): number {
    const { o, inverse, half } = this
    let first = this.from
    let last = limit
    for (let k = 0; k < 3; k++) {
      const low = (boxes[b + k] - half[k] - o[k]) * inverse[k]
      const high = (boxes[b + 3 + k] + half[k] - o[k]) * inverse[k]
      const near = inverse[k] >= 0 ? low : high
      const far = inverse[k] >= 0 ? high : low
      if (near > first) first = near
      if (far < last) last = far
    }
    return first <= last ? first : Infinity
  }
}

/** A point: far is its distance to a box. A negative limit, as of a point inside a shape, is no farther than 0. */
export class PointProbe implements Probe {
  readonly point: Float64Array = new Float64Array(3)

  reach(boxes: Float64Array, b: number, limit: number): number {
    const { point } = this
    let square = 0
    for (let k = 0; k < 3; k++) {
      const d = Math.max(boxes[b + k] - point[k], 0, point[k] - boxes[b + 3 + k])
      square += d * d
    }
    const distance = Math.sqrt(square)
    return distance <= limit || distance === 0 ? distance : Infinity
  }
}
