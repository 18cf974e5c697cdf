/**
 * Where a pass reads the speeds J V of rows, and what an impulse changes: the velocities of bodies (matrix-free), or the
 * speeds of all rows through A = J M⁻¹ Jᵀ (assembled). The same iterates either way.
 */

import { RUNAWAY } from '@tautline/core/kernel'
import { type RowSystem, ENTRY } from './row-system.js'

/** What a pass works on. */
export interface Space {
  /** J V of row k [m/s or rad/s]. */
  speed(k: number): number
  /** Adds `CHANGE[0]` to the impulse of row k; nothing where that is not finite. */
  push(k: number): void
}

/** What {@link Space.push} adds: a number handed to a method that is not inlined would be boxed. */
export const CHANGE: Float64Array = /* @__PURE__ */ new Float64Array(1)

/** Velocities of bodies, six numbers a body. */
export class BodySpace implements Space {
  /** What speeds are read from. */
  from: Float64Array
  /** What impulses change: the same array, or for Jacobi another. */
  to: Float64Array
  private readonly system: RowSystem

  constructor(system: RowSystem, from: Float64Array, to: Float64Array = from) {
    this.system = system
    this.from = from
    this.to = to
  }

  speed(k: number): number {
    const { first, body, measure } = this.system
    const V = this.from
    const last = first[k + 1]
    let speed = 0
    for (let e = first[k]; e < last; e++) {
      const s = ENTRY * e
      const v = ENTRY * body[e]
      speed +=
        measure[s] * V[v] +
        measure[s + 1] * V[v + 1] +
        measure[s + 2] * V[v + 2] +
        (measure[s + 3] * V[v + 3] + measure[s + 4] * V[v + 4] + measure[s + 5] * V[v + 5])
    }
    return speed
  }

  push(k: number): void {
    const { first, body, response } = this.system
    const V = this.to
    const change = CHANGE[0]
    if (!(Math.abs(change) < RUNAWAY)) return
    const last = first[k + 1]
    for (let e = first[k]; e < last; e++) {
      const s = ENTRY * e
      const v = ENTRY * body[e]
      V[v] += change * response[s]
      V[v + 1] += change * response[s + 1]
      V[v + 2] += change * response[s + 2]
      V[v + 3] += change * response[s + 3]
      V[v + 4] += change * response[s + 4]
      V[v + 5] += change * response[s + 5]
    }
  }
}

/** Speeds of rows, changed through the columns of A. */
export class RowSpace implements Space {
  readonly speeds: Float64Array
  private readonly A: SparseMatrix

  constructor(A: SparseMatrix, speeds: Float64Array) {
    this.A = A
    this.speeds = speeds
  }

  speed(k: number): number {
    return this.speeds[k]
  }

  push(k: number): void {
    const { first, index, value } = this.A
    const change = CHANGE[0]
    if (!(Math.abs(change) < RUNAWAY)) return
    for (let e = first[k]; e < first[k + 1]; e++) this.speeds[index[e]] += change * value[e]
  }

  /** A as size × size numbers, row-major. */
  dense(size: number): Float64Array {
    const { first, index, value } = this.A
    const dense = new Float64Array(size * size)
    for (let k = 0; k < size; k++) {
      for (let e = first[k]; e < first[k + 1]; e++) dense[size * index[e] + k] = value[e]
    }
    return dense
  }
}

/** A by columns: rows `index[e]` with `value[e]`, e from `first[k]` to `first[k + 1]`. */
export interface SparseMatrix {
  readonly first: Int32Array
  readonly index: Int32Array
  readonly value: Float64Array
}

/** A = J M⁻¹ Jᵀ without D: an entry for each two rows that share a body that can be moved. */
export function assemble(system: RowSystem, bodies: number): SparseMatrix {
  const n = system.rows
  const { first, body, measure, response } = system
  const touching = entriesByBody(system, bodies)
  const column = new Float64Array(n)
  const isIn = new Uint8Array(n)
  const columnFirst = new Int32Array(n + 1)
  const index: number[] = []
  const value: number[] = []
  for (let k = 0; k < n; k++) {
    const rows: number[] = []
    for (let e = first[k]; e < first[k + 1]; e++) {
      for (const { row, entry } of touching[body[e]]) {
        if (isIn[row] === 0) {
          isIn[row] = 1
          column[row] = 0
          rows.push(row)
        }
        for (let l = 0; l < ENTRY; l++) column[row] += measure[ENTRY * entry + l] * response[ENTRY * e + l]
      }
    }
    rows.sort((r, s) => r - s)
    for (const row of rows) {
      index.push(row)
      value.push(column[row])
      isIn[row] = 0
    }
    columnFirst[k + 1] = index.length
  }
  return { first: columnFirst, index: Int32Array.from(index), value: Float64Array.from(value) }
}

/** Rows and entries by the body they are on. */
function entriesByBody(system: RowSystem, bodies: number): { row: number; entry: number }[][] {
  const touching: { row: number; entry: number }[][] = Array.from({ length: bodies }, () => [])
  for (let row = 0; row < system.rows; row++) {
    for (let entry = system.first[row]; entry < system.first[row + 1]; entry++) {
      touching[system.body[entry]].push({ row, entry })
    }
  }
  return touching
}
