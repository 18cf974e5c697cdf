/** Rows of sleepers, set aside while the rows of a step are made, and put behind them: what rests is not looked at. */

import { type Batch, RUNAWAY, setRows } from '@tautline/core/kernel'

/** Columns of a row that are kept, with their strides. */
export type KeptColumns = readonly (readonly [string, number])[]

export class KeptRows {
  count = 0
  private numbers: Float64Array = new Float64Array(0)
  private readonly columns: KeptColumns
  private readonly width: number

  constructor(columns: KeptColumns) {
    this.columns = columns
    this.width = columns.reduce((sum, [, stride]) => sum + stride, 0)
  }

  /** Forgets all. */
  clear(): void {
    this.count = 0
  }

  /** Sets a row aside. */
  keep(batch: Batch, row: number): void {
    const { columns, width } = this
    let at = width * this.count++
    if (at + width > this.numbers.length) {
      const grown = new Float64Array(2 * (at + width))
      grown.set(this.numbers)
      this.numbers = grown
    }
    const { numbers } = this
    for (let c = 0; c < columns.length; c++) {
      const stride = columns[c][1]
      const column = batch.columns[columns[c][0]]
      for (let k = stride * row; k < stride * (row + 1); k++) numbers[at++] = column[k]
    }
  }

  /** Writes them back to the rows from `from` on. */
  putBack(batch: Batch, from: number): void {
    const { columns, numbers, count } = this
    let at = 0
    for (let row = from; row < from + count; row++) {
      for (let c = 0; c < columns.length; c++) {
        const stride = columns[c][1]
        const column = batch.columns[columns[c][0]]
        for (let k = stride * row; k < stride * (row + 1); k++) column[k] = numbers[at++]
      }
      for (let k = batch.arity * row; k < batch.arity * (row + 1); k++) batch.ids[k] = batch.common.body[k]
    }
  }
}

/** Drops all rows of a batch where a pose beyond measure has left its mark on one: they are found anew. */
export function dropUnbounded(batch: Batch<'record'>, width: number): void {
  const { record } = batch.columns
  for (let k = 0; k < width * batch.count; k++) {
    if (Math.abs(record[k]) < RUNAWAY) continue
    setRows(batch, 0, 0)
    return
  }
}
