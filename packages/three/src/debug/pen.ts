/** Where coloured lines are collected. What is drawn is handed over in memory, as numbers would be boxed. */

import { sinCos } from '@tautline/core/kernel'

const FIRST = 512
/** Segments of a whole circle. */
const ROUND = 48

const turn = /* @__PURE__ */ new Float64Array(2)
const ends = /* @__PURE__ */ new Float64Array(6)

/** Lines in plain arrays, that grow by doubling. */
export class Pen {
  positions: Float32Array = new Float32Array(3 * FIRST)
  colours: Float32Array = new Float32Array(3 * FIRST)
  /** Points in use. */
  count = 0
  /** Red, green, blue of what comes next. */
  readonly ink: Float64Array = Float64Array.of(1, 1, 1)

  /** Makes room for `points` more. */
  reserve(points: number): void {
    const needed = 3 * (this.count + points)
    if (needed <= this.positions.length) return
    let length = this.positions.length
    while (length < needed) length *= 2
    const { positions, colours } = this
    this.positions = new Float32Array(length)
    this.colours = new Float32Array(length)
    this.positions.set(positions)
    this.colours.set(colours)
  }

  /** A line from the point at `i` of x to that at `j` of y. */
  line(x: Float64Array, i: number, y: Float64Array, j: number): void {
    this.reserve(2)
    const { positions, colours, ink } = this
    const o = 3 * this.count
    for (let k = 0; k < 3; k++) {
      positions[o + k] = x[i + k]
      positions[o + 3 + k] = y[j + k]
      colours[o + k] = colours[o + 3 + k] = ink[k]
    }
    this.count += 2
  }

  /** A line from the point at `i` of x along the vector at `j` of v, times v[k]. */
  ray(x: Float64Array, i: number, v: Float64Array, j: number, length: Float64Array, k: number): void {
    for (let n = 0; n < 3; n++) ends[n] = x[i + n] + length[k] * v[j + n]
    this.line(x, i, ends, 0)
  }

  /** A small cross of three lines about the point at `i`, `size[k]` long each. */
  cross(x: Float64Array, i: number, size: Float64Array, k: number): void {
    for (let axis = 0; axis < 3; axis++) {
      for (let n = 0; n < 3; n++) {
        const d = n === axis ? 0.5 * size[k] : 0
        ends[n] = x[i + n] - d
        ends[3 + n] = x[i + n] + d
      }
      this.line(ends, 0, ends, 3)
    }
  }

  /**
   * An arc about the point at `i`: towards cos φ u + sin φ v, for φ from range[0] to range[1], at the distance range[2]; the unit vectors
   * at `u` and `v` of w. With the two spokes where `spokes`.
   */
  arc(x: Float64Array, i: number, w: Float64Array, u: number, v: number, range: Float64Array, spokes: boolean): void {
    const span = range[1] - range[0]
    const parts = Math.max(1, Math.min(ROUND, Math.ceil((Math.abs(span) * ROUND) / (2 * Math.PI))))
    for (let s = 0; s <= parts; s++) {
      turn[0] = range[0] + (span * s) / parts
      sinCos(turn, 0, turn, 0)
      for (let n = 0; n < 3; n++) {
        ends[n] = ends[3 + n]
        ends[3 + n] = x[i + n] + range[2] * (turn[1] * w[u + n] + turn[0] * w[v + n])
      }
      if (s > 0) this.line(ends, 0, ends, 3)
      if (spokes && (s === 0 || s === parts)) this.line(x, i, ends, 3)
    }
  }

  /** An arrow from the point at `i` along the vector at `j` of v, times scale[k]; none where that is nothing. */
  arrow(x: Float64Array, i: number, v: Float64Array, j: number, scale: Float64Array, k: number): void {
    const s = scale[k]
    const length = s * Math.sqrt(v[j] * v[j] + v[j + 1] * v[j + 1] + v[j + 2] * v[j + 2])
    if (!(length > 1e-9 && length < Infinity)) return
    this.ray(x, i, v, j, scale, k)
    // A head across the two axes that the vector is least along.
    const along = largest(v, j)
    const head = 0.12 * length
    for (let n = 0; n < 3; n++) ends[n] = x[i + n] + s * v[j + n]
    for (let side = -1; side <= 1; side += 2) {
      const across = (along + 1) % 3
      for (let n = 0; n < 3; n++) {
        ends[3 + n] = ends[n] - (2 * head * s * v[j + n]) / length + (n === across ? side * head : 0)
      }
      this.line(ends, 0, ends, 3)
    }
  }
}

function largest(v: Float64Array, j: number): number {
  const x = Math.abs(v[j])
  const y = Math.abs(v[j + 1])
  const z = Math.abs(v[j + 2])
  return x > y ? (x > z ? 0 : 2) : y > z ? 1 : 2
}
