/**
 * LDLᵀ of a symmetric positive definite matrix of 6 × 6 blocks, a block a body, stored by rows from the first block that is
 * not zero (skyline: fill stays inside it). Bodies numbered layer by layer from an end of the island keep it low.
 */

/** Unknowns of a body. */
export const DOF = 6

/** A matrix and its factor. Buffers grow and are kept. */
export class Skyline {
  /** Number of bodies; per body its first block, and where its six rows start in `values`. */
  private count = 0
  private first: Int32Array = new Int32Array(16)
  private start: Int32Array = new Int32Array(16)
  private values: Float64Array = new Float64Array(0)
  /** 1/D. */
  private inverse: Float64Array = new Float64Array(0)
  private size = 0

  /** Starts a matrix of `count` bodies with no links. */
  begin(count: number): void {
    this.count = count
    if (this.first.length < count) {
      this.first = new Int32Array(2 * count)
      this.start = new Int32Array(2 * count)
    }
    for (let i = 0; i < count; i++) this.first[i] = i
  }

  /** Bodies i and j share a row. */
  link(i: number, j: number): void {
    if (j < this.first[i]) this.first[i] = j
    if (i < this.first[j]) this.first[j] = i
  }

  /** Closes the pattern. */
  end(): void {
    const { count, first, start } = this
    let size = 0
    for (let i = 0; i < count; i++) {
      start[i] = size
      size += DOF * DOF * (i - first[i] + 1)
    }
    this.size = size
    if (this.values.length < size) this.values = new Float64Array(2 * size)
    if (this.inverse.length < DOF * count) this.inverse = new Float64Array(2 * DOF * count)
  }

  /** The unit matrix. */
  setUnit(): void {
    const { count, first, start, values } = this
    values.fill(0, 0, this.size)
    for (let i = 0; i < count; i++) {
      const before = DOF * (i - first[i])
      for (let k = 0; k < DOF; k++) values[start[i] + k * (before + DOF) + before + k] = 1
    }
  }

  /**
   * Adds s[at] b bᵀ, where b has six numbers at `u` for body i and six at `u + 6` for body j; a body of −1 has none.
   */
  addRow(s: Float64Array, at: number, b: Float64Array, u: number, i: number, j: number): void {
    const factor = s[at]
    if (i >= 0) this.addBlock(factor, b, u, i, u, i)
    if (j >= 0) this.addBlock(factor, b, u + DOF, j, u + DOF, j)
    if (i < 0 || j < 0) return
    if (i > j) this.addBlock(factor, b, u, i, u + DOF, j)
    else this.addBlock(factor, b, u + DOF, j, u, i)
  }

  /** Block (i, j), i >= j, of the lower half. */
  private addBlock(factor: number, b: Float64Array, u: number, i: number, v: number, j: number): void {
    const { first, start, values } = this
    const width = DOF * (i - first[i] + 1)
    let o = start[i] + DOF * (j - first[i])
    for (let k = 0; k < DOF; k++, o += width) {
      const f = factor * b[u + k]
      if (f === 0) continue
      const last = i === j ? k : DOF - 1
      for (let m = 0; m <= last; m++) values[o + m] += f * b[v + m]
    }
  }

  /** Factors in place; false where it is not positive definite. */
  factor(): boolean {
    const { count, first, start, values, inverse } = this
    for (let i = 0; i < count; i++) {
      const from = DOF * first[i]
      const width = DOF * (i - first[i] + 1)
      for (let k = 0; k < DOF; k++) {
        const row = start[i] + k * width
        const column = DOF * i + k
        // L_ij D_j = K_ij − Σ L_im D_m L_jm, then D_i = K_ii − Σ L_im² D_m
        for (let j = from; j < column; j++) {
          const body = (j / DOF) | 0
          const begins = DOF * first[body]
          const m0 = begins > from ? begins : from
          const a = row - from
          const b = start[body] + (j - DOF * body) * DOF * (body - first[body] + 1) - begins
          let sum = values[a + j]
          for (let m = m0; m < j; m++) sum -= values[a + m] * values[b + m]
          values[a + j] = sum
        }
        let d = values[row - from + column]
        for (let j = from; j < column; j++) {
          const scaled = values[row - from + j]
          values[row - from + j] = scaled * inverse[j]
          d -= scaled * values[row - from + j]
        }
        if (!(d > 0)) return false
        inverse[column] = 1 / d
      }
    }
    return true
  }

  /** Solves in place. */
  solve(x: Float64Array): void {
    const { count, first, start, values, inverse } = this
    for (let i = 0; i < count; i++) {
      const from = DOF * first[i]
      const width = DOF * (i - first[i] + 1)
      for (let k = 0; k < DOF; k++) {
        const a = start[i] + k * width - from
        let sum = x[DOF * i + k]
        for (let m = from; m < DOF * i + k; m++) sum -= values[a + m] * x[m]
        x[DOF * i + k] = sum
      }
    }
    for (let k = 0; k < DOF * count; k++) x[k] *= inverse[k]
    for (let i = count - 1; i >= 0; i--) {
      const from = DOF * first[i]
      const width = DOF * (i - first[i] + 1)
      for (let k = DOF - 1; k >= 0; k--) {
        const a = start[i] + k * width - from
        const own = x[DOF * i + k]
        for (let m = from; m < DOF * i + k; m++) x[m] -= values[a + m] * own
      }
    }
  }
}
