/**
 * A table of Float64 columns, carved out of one growable buffer.
 *
 * Bodies are one table and each batch of constraints is one: what a step reads and writes lies in tables and nowhere
 * else, so that a snapshot is a copy of their live parts and a restore is `set()`. Free numbers of slots are handed out here as well.
 */

/** Names of the columns, each with its stride (numbers a row). */
export type Strides<K extends string> = Readonly<Record<K, number>>

/** The columns themselves. The object keeps its identity when the table grows; the arrays in it are replaced. */
export type Columns<K extends string> = { [P in K]: Float64Array }

const FIRST_CAPACITY = 16
const NOTHING = /* @__PURE__ */ new ArrayBuffer(0)

/** One object of each set of names, by the text that is read to make others: while it lives, all of them are of one shape to engines. */
const shapes = /* @__PURE__ */ new Map<string, object>()

/**
 * An object that has the names of columns, all of one shape whatever world it is for: loops that are compiled for one world run in all others. Copied from
 * another it has a shape of its own, for which they are compiled anew; added one by one, more than a dozen names make a hash table of it, and each
 * `bodies.position` in a loop a search in that.
 */
function shaped(strides: Strides<string>): object {
  const text = JSON.stringify(strides)
  if (!shapes.has(text)) shapes.set(text, JSON.parse(text) as object)
  return JSON.parse(text) as object
}

/** Rows of numbers, a Float64Array a column. */
export class Table<K extends string> {
  /** Rows in use. */
  count = 0
  /** Rows that fit before the buffer has to grow. */
  capacity = 0
  readonly columns: Columns<K>
  /** What the columns are carved out of. */
  buffer: ArrayBuffer = NOTHING
  /** Names and strides without K: a table of more columns is to pass for one of fewer. */
  private readonly names: readonly string[]
  readonly strides: Strides<string>
  /** The columns and their strides by number, for what goes through all of them a row: searched by name, two dozen take longer than what is written. */
  private readonly list: Float64Array[] = []
  private readonly widths: readonly number[]

  constructor(strides: Strides<K>) {
    this.strides = strides
    this.names = Object.keys(strides)
    this.widths = Object.values(strides)
    this.columns = shaped(strides) as Columns<K>
    this.reserve(FIRST_CAPACITY)
  }

  /** Numbers a row over all columns. */
  get width(): number {
    let width = 0
    for (const name of this.names) width += this.strides[name]
    return width
  }

  /** Appends a row of zeros and returns its index. */
  push(): number {
    if (this.count === this.capacity) this.reserve(2 * this.capacity)
    const row = this.count++
    const { list, widths } = this
    for (let k = 0; k < list.length; k++) {
      const column = list[k]
      const end = (row + 1) * widths[k]
      for (let i = row * widths[k]; i < end; i++) column[i] = 0
    }
    return row
  }

  /** Makes room for `capacity` rows. Arrays taken from `columns` before are stale afterwards. */
  reserve(capacity: number): void {
    if (capacity > this.capacity) this.resize(capacity)
  }

  /** Gives back the room of rows that are not in use. Arrays taken from `columns` before are stale afterwards. */
  shrink(): void {
    const capacity = Math.max(this.count, FIRST_CAPACITY)
    if (capacity < this.capacity) this.resize(capacity)
  }

  /** Bytes that `place` takes of a buffer. */
  get bytes(): number {
    return 8 * this.capacity * this.width
  }

  /** Moves the columns to another buffer, at an offset that is a multiple of 8. Arrays taken from `columns` before are stale afterwards. */
  place(buffer: ArrayBuffer, offset: number): void {
    this.carve(this.capacity, buffer, offset)
  }

  private resize(capacity: number): void {
    this.carve(capacity, new ArrayBuffer(8 * capacity * this.width), 0)
  }

  private carve(capacity: number, buffer: ArrayBuffer, offset: number): void {
    const { names, widths } = this
    for (let k = 0; k < names.length; k++) {
      const name = names[k] as K
      const stride = widths[k]
      const column = new Float64Array(buffer, offset, capacity * stride)
      if (this.capacity > 0) column.set(this.columns[name].subarray(0, this.count * stride))
      this.columns[name] = this.list[k] = column
      offset += 8 * capacity * stride
    }
    this.capacity = capacity
    this.buffer = buffer
  }

  /** Overwrites row `to` with row `from`. */
  copyRow(from: number, to: number): void {
    for (const name of this.names as readonly K[]) {
      const stride = this.strides[name]
      this.columns[name].copyWithin(to * stride, from * stride, (from + 1) * stride)
    }
  }

  /** Reorders the rows: the new row `k` is the old row `source[k]`. `scratch` holds a number a row. */
  permute(source: Int32Array, scratch: Float64Array): void {
    const { list, widths, count } = this
    for (let c = 0; c < list.length; c++) {
      // Most columns of most tables hold the same in all rows.
      if (isRepeated(list[c], widths[c], widths[c] * count)) continue
      for (let s = 0; s < widths[c]; s++) gather(list[c], widths[c], s, source, count, scratch)
    }
  }

  /** The widest column's stride. */
  get widest(): number {
    return Math.max(1, ...this.widths)
  }

  /** Numbers that `save` writes. */
  get size(): number {
    return this.count * this.width
  }

  /** Copies the live part into `out` at `offset` and returns the offset behind it. */
  save(out: Float64Array, offset: number): number {
    if (this.count === 0) return offset
    for (const name of this.names as readonly K[]) {
      const live = this.columns[name].subarray(0, this.count * this.strides[name])
      out.set(live, offset)
      offset += live.length
    }
    return offset
  }

  /** Takes `count` rows from what `save` wrote at `offset` and returns the offset behind them. */
  load(data: Float64Array, offset: number, count: number): number {
    this.reserve(count)
    this.count = count
    if (count === 0) return offset
    for (const name of this.names as readonly K[]) {
      const length = count * this.strides[name]
      this.columns[name].set(data.subarray(offset, offset + length))
      offset += length
    }
    return offset
  }
}

/** Reorders one of the `stride` numbers of each row, the one at `at`. */
function gather(
  column: Float64Array,
  stride: number,
  at: number,
  source: Int32Array,
  count: number,
  scratch: Float64Array,
): void {
  for (let k = 0; k < count; k++) scratch[k] = column[source[k] * stride + at]
  if (stride === 1) column.set(scratch.subarray(0, count))
  else for (let k = 0; k < count; k++) column[k * stride + at] = scratch[k]
}

/** Whether all rows of `stride` numbers are the same, bit by bit. */
function isRepeated(column: Float64Array, stride: number, length: number): boolean {
  for (let i = stride; i < length; i++) if (!Object.is(column[i], column[i - stride])) return false
  return true
}

/** Numbers given up and waiting to be given out again, the lowest first: a binary heap. */
export class FreeNumbers {
  private readonly heap: number[] = []

  get count(): number {
    return this.heap.length
  }

  /** Forgets all. */
  clear(): void {
    this.heap.length = 0
  }

  add(n: number): void {
    const { heap } = this
    let at = heap.push(n) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (heap[above] <= n) break
      heap[at] = heap[above]
      at = above
    }
    heap[at] = n
  }

  /** Takes the lowest; there must be one. */
  take(): number {
    const { heap } = this
    const lowest = heap[0]
    const last = heap.pop() as number
    if (heap.length === 0) return lowest
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && heap[below + 1] < heap[below]) below++
      if (heap[below] >= last) break
      heap[at] = heap[below]
      at = below
    }
    heap[at] = last
    return lowest
  }
}
