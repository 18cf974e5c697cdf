/**
 * L Lᵀ of a sparse, symmetric, positive definite matrix of 3 × 3 blocks: which blocks there are is found once, their values as often as they change (Davis, "Direct
 * Methods for Sparse Linear Systems", 2006, chapter 4: left-looking, each column waiting in the list of the row that it is needed in next).
 */

import type { Graph } from './dissection.js'

/** Numbers of a block. */
const BLOCK = 9

/** Share of a diagonal's first value that must be left when it is eliminated: less is round-off. */
const PIVOT = 1e-13

/** A matrix, and its factor in its place. */
export class BlockCholesky {
  /** By column: its first block below the diagonal; closed by their number. */
  readonly first: Int32Array
  /** Row of each block, ascending in a column. */
  readonly row: Int32Array
  /** The blocks, row by row: the matrix first, then L. */
  readonly block: Float64Array
  /** Blocks of the diagonal, row by row: the matrix first, then the inverse of L's. */
  readonly diagonal: Float64Array
  /** Columns that wait in the list of a row: its first, the next of each, and the block that each has come to. */
  private readonly head: Int32Array
  private readonly next: Int32Array
  private readonly at: Int32Array
  /** Where the column in hand has a row. */
  private readonly place: Int32Array

  /** For a matrix that has blocks where the graph, whose nodes are numbered in the order of their elimination, has edges. */
  constructor(graph: Graph) {
    const count = graph.first.length - 1
    const columns = structure(graph)
    this.first = new Int32Array(count + 1)
    for (let j = 0; j < count; j++) this.first[j + 1] = this.first[j] + columns[j].length
    this.row = new Int32Array(this.first[count])
    for (let j = 0; j < count; j++) this.row.set(columns[j], this.first[j])
    this.block = new Float64Array(BLOCK * this.row.length)
    this.diagonal = new Float64Array(BLOCK * count)
    this.head = new Int32Array(count)
    this.next = new Int32Array(count)
    this.at = new Int32Array(count)
    this.place = new Int32Array(count)
  }

  /** Which block is at (i, j), i > j; −1 where there is none. */
  blockAt(i: number, j: number): number {
    for (let k = this.first[j]; k < this.first[j + 1]; k++) if (this.row[k] === i) return k
    return -1
  }

  /** Factorises what stands in `block` and `diagonal`; false where it is not positive definite. */
  factorise(): boolean {
    const { first, row, head, next, at, place } = this
    const count = first.length - 1
    head.fill(-1)
    for (let j = 0; j < count; j++) {
      for (let k = first[j]; k < first[j + 1]; k++) place[row[k]] = k
      for (let c = head[j]; c >= 0;) {
        const following = next[c]
        this.subtract(j, c)
        this.wait(c, at[c] + 1)
        c = following
      }
      if (!invertRoot(this.diagonal, BLOCK * j)) return false
      for (let k = first[j]; k < first[j + 1]; k++) timesTransposed(this.block, BLOCK * k, this.diagonal, BLOCK * j)
      this.wait(j, first[j])
    }
    return true
  }

  /** Puts column c into the list of the row of its block k, where it has one. */
  private wait(c: number, k: number): void {
    if (k === this.first[c + 1]) return
    this.at[c] = k
    const i = this.row[k]
    this.next[c] = this.head[i]
    this.head[i] = c
  }

  /** Takes L_ic L_jcᵀ from column j, for all i from j on. */
  private subtract(j: number, c: number): void {
    const { row, block, diagonal, place } = this
    const from = this.at[c]
    const end = this.first[c + 1]
    const o = BLOCK * from
    const a = block[o]
    const b = block[o + 1]
    const d = block[o + 2]
    const e = block[o + 3]
    const f = block[o + 4]
    const g = block[o + 5]
    const l = block[o + 6]
    const m = block[o + 7]
    const n = block[o + 8]
    for (let k = from; k < end; k++) {
      const s = BLOCK * k
      const into = k === from ? diagonal : block
      const t = k === from ? BLOCK * j : BLOCK * place[row[k]]
      for (let i = 0; i < BLOCK; i += 3) {
        const x = block[s + i]
        const y = block[s + i + 1]
        const z = block[s + i + 2]
        into[t + i] -= x * a + y * b + z * d
        into[t + i + 1] -= x * e + y * f + z * g
        into[t + i + 2] -= x * l + y * m + z * n
      }
    }
  }

  /**
   * Puts blocks of the inverse in place of the factor, which is gone then: all that it has blocks for, the diagonal among them (Takahashi, Fagan and Chin 1973;
   * Erisman and Tinney 1975). From Z L = L⁻ᵀ, last column first: Z_ij = −(Σ Z_ik L_kj) L_jj⁻¹ over k > j, and Z_jj = (L_jj⁻ᵀ − Σ Z_kjᵀ L_kj) L_jj⁻¹.
   */
  invert(): void {
    const { first, row, block, diagonal, place } = this
    const column = new Float64Array(BLOCK * Math.max(1, widest(first)))
    const root = new Float64Array(BLOCK)
    place.fill(-1)
    for (let j = first.length - 2; j >= 0; j--) {
      const from = first[j]
      const end = first[j + 1]
      for (let k = from; k < end; k++) place[row[k]] = k - from
      // Minus L_ij L_jj⁻¹, and sums of Z with it.
      root.set(diagonal.subarray(BLOCK * j, BLOCK * j + BLOCK))
      root[1] = root[2] = root[5] = 0
      column.fill(0)
      for (let k = from; k < end; k++) timesNegative(block, BLOCK * k, root)
      for (let k = from; k < end; k++) {
        const c = row[k]
        addProduct(column, BLOCK * (k - from), diagonal, BLOCK * c, block, BLOCK * k, false)
        for (let p = first[c]; p < first[c + 1]; p++) {
          const i = place[row[p]]
          if (i < 0) continue
          addProduct(column, BLOCK * i, block, BLOCK * p, block, BLOCK * k, false)
          addProduct(column, BLOCK * (k - from), block, BLOCK * p, block, BLOCK * (from + i), true)
        }
      }
      const d = BLOCK * j
      diagonal.fill(0, d, d + BLOCK)
      addProduct(diagonal, d, root, 0, root, 0, true)
      for (let k = from; k < end; k++) {
        addProduct(diagonal, d, column, BLOCK * (k - from), block, BLOCK * k, true)
        place[row[k]] = -1
      }
      block.set(column.subarray(0, BLOCK * (end - from)), BLOCK * from)
    }
  }

  /** x := L⁻¹ x, three numbers a node. */
  solveLower(x: Float64Array): void {
    const { first, row, block, diagonal } = this
    const count = first.length - 1
    for (let j = 0; j < count; j++) {
      const o = 3 * j
      const d = BLOCK * j
      // Of a load on few nodes most columns have nothing to pass on.
      if (x[o] === 0 && x[o + 1] === 0 && x[o + 2] === 0) continue
      const a = diagonal[d] * x[o]
      const b = diagonal[d + 3] * x[o] + diagonal[d + 4] * x[o + 1]
      const c = diagonal[d + 6] * x[o] + diagonal[d + 7] * x[o + 1] + diagonal[d + 8] * x[o + 2]
      x[o] = a
      x[o + 1] = b
      x[o + 2] = c
      for (let k = first[j]; k < first[j + 1]; k++) {
        const s = BLOCK * k
        const t = 3 * row[k]
        x[t] -= block[s] * a + block[s + 1] * b + block[s + 2] * c
        x[t + 1] -= block[s + 3] * a + block[s + 4] * b + block[s + 5] * c
        x[t + 2] -= block[s + 6] * a + block[s + 7] * b + block[s + 8] * c
      }
    }
  }

  /** x := L⁻ᵀ x. */
  solveUpper(x: Float64Array): void {
    const { first, row, block, diagonal } = this
    for (let j = first.length - 2; j >= 0; j--) {
      const o = 3 * j
      let a = x[o]
      let b = x[o + 1]
      let c = x[o + 2]
      for (let k = first[j]; k < first[j + 1]; k++) {
        const s = BLOCK * k
        const t = 3 * row[k]
        const u = x[t]
        const v = x[t + 1]
        const w = x[t + 2]
        a -= block[s] * u + block[s + 3] * v + block[s + 6] * w
        b -= block[s + 1] * u + block[s + 4] * v + block[s + 7] * w
        c -= block[s + 2] * u + block[s + 5] * v + block[s + 8] * w
      }
      const d = BLOCK * j
      x[o] = diagonal[d] * a + diagonal[d + 3] * b + diagonal[d + 6] * c
      x[o + 1] = diagonal[d + 4] * b + diagonal[d + 7] * c
      x[o + 2] = diagonal[d + 8] * c
    }
  }
}

/** Rows below the diagonal of each column of L: those of the matrix, and those of the columns whose first row it is. */
function structure({ first, neighbour }: Graph): Int32Array[] {
  const count = first.length - 1
  const mark = new Int32Array(count).fill(-1)
  const columns: Int32Array[] = []
  const children: number[][] = Array.from({ length: count }, () => [])
  for (let j = 0; j < count; j++) {
    const rows: number[] = []
    const add = (i: number): void => {
      if (i <= j || mark[i] === j) return
      mark[i] = j
      rows.push(i)
    }
    for (let k = first[j]; k < first[j + 1]; k++) add(neighbour[k])
    for (const child of children[j]) columns[child].forEach(add)
    const column = Int32Array.from(rows).sort()
    columns.push(column)
    if (column.length > 0) children[column[0]].push(j)
  }
  return columns
}

/** Puts the inverse of L in place of the block L Lᵀ, lower triangle; false where it has none. */
function invertRoot(m: Float64Array, o: number): boolean {
  const xx = m[o]
  const yx = m[o + 3]
  const yy = m[o + 4]
  const zx = m[o + 6]
  const zy = m[o + 7]
  const zz = m[o + 8]
  if (!(xx > 0)) return false
  const a = 1 / Math.sqrt(xx)
  const p = yx * a
  const y = yy - p * p
  if (!(y > PIVOT * yy)) return false
  const b = 1 / Math.sqrt(y)
  const q = zx * a
  const r = (zy - q * p) * b
  const z = zz - q * q - r * r
  if (!(z > PIVOT * zz)) return false
  const c = 1 / Math.sqrt(z)
  m[o] = a
  m[o + 3] = -p * a * b
  m[o + 4] = b
  m[o + 6] = (p * r * b - q) * a * c
  m[o + 7] = -r * b * c
  m[o + 8] = c
  return true
}

/** B := B D⁻ᵀ of a block, D⁻¹ the lower triangle at `d`. */
function timesTransposed(block: Float64Array, o: number, inverse: Float64Array, d: number): void {
  const a = inverse[d]
  const b = inverse[d + 3]
  const c = inverse[d + 4]
  const e = inverse[d + 6]
  const f = inverse[d + 7]
  const g = inverse[d + 8]
  for (let i = o; i < o + BLOCK; i += 3) {
    const x = block[i]
    const y = block[i + 1]
    const z = block[i + 2]
    block[i] = x * a
    block[i + 1] = x * b + y * c
    block[i + 2] = x * e + y * f + z * g
  }
}

/** Most blocks of a column. */
function widest(first: Int32Array): number {
  let most = 0
  for (let j = 1; j < first.length; j++) most = Math.max(most, first[j] - first[j - 1])
  return most
}

/** B := −B D of a block, D the lower triangle `d`. */
function timesNegative(block: Float64Array, o: number, d: Float64Array): void {
  for (let i = o; i < o + BLOCK; i += 3) {
    const x = block[i]
    const y = block[i + 1]
    const z = block[i + 2]
    block[i] = -(x * d[0] + y * d[3] + z * d[6])
    block[i + 1] = -(y * d[4] + z * d[7])
    block[i + 2] = -(z * d[8])
  }
}

/** C += A B of blocks, or C += Aᵀ B. */
function addProduct(
  c: Float64Array,
  o: number,
  a: Float64Array,
  p: number,
  b: Float64Array,
  q: number,
  isTransposed: boolean,
): void {
  const across = isTransposed ? 3 : 1
  const down = isTransposed ? 1 : 3
  for (let i = 0; i < 3; i++) {
    const x = a[p + down * i]
    const y = a[p + down * i + across]
    const z = a[p + down * i + 2 * across]
    for (let k = 0; k < 3; k++) c[o + 3 * i + k] += x * b[q + k] + y * b[q + 3 + k] + z * b[q + 6 + k]
  }
}
