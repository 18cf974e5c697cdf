/**
 * L D Lᵀ of a symmetric positive definite matrix of 6 × 6 blocks, a block a body, sparse: bodies are eliminated in the order of least degree
 * (Tinney and Walker 1967), each that which is linked to the fewest that are left, so that few blocks fill in.
 *
 *   K_ii = L_i D_i L_iᵀ,   Y_s = K_si L_i⁻ᵀ,   L_si = Y_s D_i⁻¹,   K_st −= Y_s L_tiᵀ   for all s, t that i is linked to
 */

import { BLOCK } from '@tautline/core/kernel'

/** Unknowns of a body. */
export const DOF = 6

/** Bodies of a matrix, at most. */
export const MOST_BODIES = 64

/** A matrix and its factor. Buffers grow and are kept. */
export class BlockMatrix {
  private count = 0
  /** Whether two bodies are linked, at MOST_BODIES times one and the other; to how many that are left each is. */
  private readonly links = new Uint8Array(MOST_BODIES * MOST_BODIES)
  private readonly degree = new Int32Array(MOST_BODIES)
  /** Bodies as they are eliminated, and when each is; `count` before. */
  private readonly order = new Int32Array(MOST_BODIES)
  private readonly rank = new Int32Array(MOST_BODIES)
  /** By rank: first of the bodies that one is linked to when it is eliminated, themselves by rank; closed by their number. */
  private readonly first = new Int32Array(MOST_BODIES + 1)
  private readonly linked = new Int32Array((MOST_BODIES * MOST_BODIES) / 2)
  /** Where the block of two bodies stands, at MOST_BODIES times the one that is eliminated later and the other. */
  private readonly at = new Int32Array(MOST_BODIES * MOST_BODIES)
  private size = 0
  /** Diagonal blocks by body, lower triangles, and then those of links, row-major. */
  private values = new Float64Array(0)
  /** 1/D, and Y of the body in hand. */
  private readonly inverse = new Float64Array(DOF * MOST_BODIES)
  private readonly scaled = new Float64Array(BLOCK * MOST_BODIES)

  /** Starts a matrix of `count` bodies with no links. */
  begin(count: number): void {
    this.count = count
    this.links.fill(0, 0, MOST_BODIES * count)
    this.degree.fill(0, 0, count)
    this.rank.fill(count, 0, count)
  }

  /** Bodies i and j share a row. */
  link(i: number, j: number): void {
    const { links, degree } = this
    if (links[MOST_BODIES * i + j] !== 0) return
    links[MOST_BODIES * i + j] = links[MOST_BODIES * j + i] = 1
    degree[i]++
    degree[j]++
  }

  /** Closes the pattern: finds the order, and the blocks that fill in. */
  end(): void {
    const { count, links, order, first, linked, at } = this
    for (let c = 0; c < count; c++) this.eliminate(c)
    let size = BLOCK * count
    let n = 0
    for (let c = 0; c < count; c++) {
      const i = order[c]
      first[c] = n
      for (let r = c + 1; r < count; r++) {
        const s = order[r]
        if (links[MOST_BODIES * i + s] === 0) continue
        linked[n++] = s
        at[MOST_BODIES * s + i] = size
        size += BLOCK
      }
    }
    first[count] = n
    this.size = size
    if (this.values.length < size) this.values = new Float64Array(2 * size)
  }

  /** Takes the body of least degree, the first of equals, out of the graph as number c, and links all that it is linked to. */
  private eliminate(c: number): void {
    const { count, links, degree, rank } = this
    let body = -1
    for (let i = 0; i < count; i++) {
      if (rank[i] === count && (body < 0 || degree[i] < degree[body])) body = i
    }
    rank[body] = c
    this.order[c] = body
    const o = MOST_BODIES * body
    for (let i = 0; i < count; i++) {
      if (links[o + i] === 0 || rank[i] < count) continue
      degree[i]--
      for (let j = 0; j < i; j++) if (links[o + j] !== 0 && rank[j] === count) this.link(i, j)
    }
  }

  /** The unit matrix. */
  setUnit(): void {
    const { count, values } = this
    values.fill(0, 0, this.size)
    for (let i = 0; i < count; i++) for (let k = 0; k < DOF; k++) values[BLOCK * i + (DOF + 1) * k] = 1
  }

  /**
   * Adds s[n] b bᵀ, where b has six numbers at `u` for body i and six at `u + 6` for body j; a body of −1 has none.
   */
  addRow(s: Float64Array, n: number, b: Float64Array, u: number, i: number, j: number): void {
    const { at, rank, values } = this
    if (i >= 0) addOuter(values, BLOCK * i, s, n, b, u, u)
    if (j >= 0) addOuter(values, BLOCK * j, s, n, b, u + DOF, u + DOF)
    if (i < 0 || j < 0) return
    if (rank[i] > rank[j]) addOuter(values, at[MOST_BODIES * i + j], s, n, b, u, u + DOF)
    else addOuter(values, at[MOST_BODIES * j + i], s, n, b, u + DOF, u)
  }

  /** Factors in place; false where it is not positive definite. */
  factor(): boolean {
    const { count, order, first, linked, at, values, inverse, scaled } = this
    for (let c = 0; c < count; c++) {
      const i = order[c]
      if (!factorDiagonal(values, BLOCK * i, inverse, DOF * i)) return false
      for (let n = first[c]; n < first[c + 1]; n++) {
        const s = linked[n]
        scaleRows(values, at[MOST_BODIES * s + i], BLOCK * i, inverse, DOF * i, scaled, BLOCK * (n - first[c]))
        for (let m = first[c]; m <= n; m++) {
          const t = linked[m]
          const o = m === n ? BLOCK * s : at[MOST_BODIES * s + t]
          subtractProduct(values, o, scaled, BLOCK * (n - first[c]), at[MOST_BODIES * t + i])
        }
      }
    }
    return true
  }

  /** Solves in place. */
  solve(x: Float64Array): void {
    const { count, order, first, linked, at, values, inverse } = this
    for (let c = 0; c < count; c++) {
      const i = order[c]
      forward(values, BLOCK * i, x, DOF * i)
      for (let n = first[c]; n < first[c + 1]; n++) {
        subtractRows(values, at[MOST_BODIES * linked[n] + i], x, DOF * i, DOF * linked[n])
      }
    }
    for (let k = 0; k < DOF * count; k++) x[k] *= inverse[k]
    for (let c = count - 1; c >= 0; c--) {
      const i = order[c]
      for (let n = first[c]; n < first[c + 1]; n++) {
        subtractColumns(values, at[MOST_BODIES * linked[n] + i], x, DOF * linked[n], DOF * i)
      }
      backward(values, BLOCK * i, x, DOF * i)
    }
  }
}

/** Block at `o` += s[n] u vᵀ of the six numbers at `u` and at `v` of b. */
function addOuter(
  values: Float64Array,
  o: number,
  s: Float64Array,
  n: number,
  b: Float64Array,
  u: number,
  v: number,
): void {
  for (let k = 0; k < DOF; k++) {
    const f = s[n] * b[u + k]
    if (f === 0) continue
    for (let m = 0; m < DOF; m++) values[o + DOF * k + m] += f * b[v + m]
  }
}

/** L D Lᵀ of the block at `o`, L below its diagonal, and 1/D; false where D is not positive. */
function factorDiagonal(values: Float64Array, o: number, inverse: Float64Array, at: number): boolean {
  for (let k = 0; k < DOF; k++) {
    let d = values[o + (DOF + 1) * k]
    for (let j = 0; j < k; j++) {
      let sum = values[o + DOF * k + j]
      for (let m = 0; m < j; m++) sum -= values[o + DOF * k + m] * values[o + DOF * j + m]
      values[o + DOF * k + j] = sum
    }
    for (let j = 0; j < k; j++) {
      const scaled = values[o + DOF * k + j]
      values[o + DOF * k + j] = scaled * inverse[at + j]
      d -= scaled * values[o + DOF * k + j]
    }
    if (!(d > 0)) return false
    inverse[at + k] = 1 / d
  }
  return true
}

/** Y = K L⁻ᵀ of the block K at `o` and L at `l`, to `y` of `scaled`, and Y D⁻¹ in place of K. */
function scaleRows(
  values: Float64Array,
  o: number,
  l: number,
  inverse: Float64Array,
  at: number,
  scaled: Float64Array,
  y: number,
): void {
  for (let k = 0; k < BLOCK; k += DOF) {
    for (let j = 0; j < DOF; j++) {
      let sum = values[o + k + j]
      for (let m = 0; m < j; m++) sum -= scaled[y + k + m] * values[l + DOF * j + m]
      scaled[y + k + j] = sum
    }
    for (let j = 0; j < DOF; j++) values[o + k + j] = scaled[y + k + j] * inverse[at + j]
  }
}

/** Block at `o` −= Y Lᵀ of Y at `y` and the block L at `l`. */
function subtractProduct(values: Float64Array, o: number, scaled: Float64Array, y: number, l: number): void {
  for (let k = 0; k < BLOCK; k += DOF) {
    const y0 = scaled[y + k]
    const y1 = scaled[y + k + 1]
    const y2 = scaled[y + k + 2]
    const y3 = scaled[y + k + 3]
    const y4 = scaled[y + k + 4]
    const y5 = scaled[y + k + 5]
    for (let j = 0, u = l; j < DOF; j++, u += DOF) {
      values[o + k + j] -=
        y0 * values[u] +
        y1 * values[u + 1] +
        y2 * values[u + 2] +
        y3 * values[u + 3] +
        y4 * values[u + 4] +
        y5 * values[u + 5]
    }
  }
}

/** x ← L⁻¹ x of the diagonal block at `o`. */
function forward(values: Float64Array, o: number, x: Float64Array, at: number): void {
  for (let k = 1; k < DOF; k++) {
    let sum = x[at + k]
    for (let m = 0; m < k; m++) sum -= values[o + DOF * k + m] * x[at + m]
    x[at + k] = sum
  }
}

/** x ← L⁻ᵀ x of the same. */
function backward(values: Float64Array, o: number, x: Float64Array, at: number): void {
  for (let k = DOF - 1; k > 0; k--) {
    const own = x[at + k]
    for (let m = 0; m < k; m++) x[at + m] -= values[o + DOF * k + m] * own
  }
}

/** Six numbers at `to` of x −= the block at `o` times those at `from`. */
function subtractRows(values: Float64Array, o: number, x: Float64Array, from: number, to: number): void {
  for (let k = 0; k < DOF; k++, o += DOF) {
    let sum = x[to + k]
    for (let m = 0; m < DOF; m++) sum -= values[o + m] * x[from + m]
    x[to + k] = sum
  }
}

/** The same by its transpose. */
function subtractColumns(values: Float64Array, o: number, x: Float64Array, from: number, to: number): void {
  for (let k = 0; k < DOF; k++, o += DOF) {
    const own = x[from + k]
    for (let m = 0; m < DOF; m++) x[to + m] -= values[o + m] * own
  }
}
