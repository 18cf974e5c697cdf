/**
 * Who is pressed on a surface that does not give way: there a particle stands as firm as the surface does, and what pushes it on from the other
 * side has to give way itself. Swept one after the other, two rows would take turns, and leave both violated.
 */

import { GIVES, N, NEAR, type PointContacts, RECORD, ROWS } from './point-columns.js'

export class Pressed {
  /** Where a push along n̂ takes the particle. */
  readonly way: Float64Array = new Float64Array(3)
  /** How far it is pushed, for `pass`: numbers among arguments would be boxed. */
  readonly push: Float64Array = new Float64Array(1)
  /** By body: a row that presses it. Good only where that row says so too. */
  private rowOf: Int32Array = new Int32Array(0)

  /** Notes rows with what does not give way, among `bodies` bodies. */
  note({ columns, ids }: PointContacts, from: number, to: number, bodies: number): void {
    if (this.rowOf.length < bodies) this.rowOf = new Int32Array(2 * bodies)
    const { rowOf } = this
    for (let row = from; row < to; row++) if (columns.lambda[ROWS * row] > 0) rowOf[ids[2 * row]] = row
  }

  /** Leaves out of n̂ = sign v[o…], into `way`, what would press particle i on; the row that presses it, or −1. */
  find({ columns, ids, active }: PointContacts, i: number, v: Float64Array, o: number, sign: 1 | -1): number {
    const { way, rowOf } = this
    const nx = sign * v[o]
    const ny = sign * v[o + 1]
    const nz = sign * v[o + 2]
    const { lambda, record } = columns
    way[0] = nx
    way[1] = ny
    way[2] = nz
    const row = i < rowOf.length ? rowOf[i] : 0
    if (row >= active || ids[2 * row] !== i || !(lambda[ROWS * row] > 0)) return -1
    const r = RECORD * row
    if (record[r + GIVES] !== 0 || record[r + NEAR] === 0) return -1
    const along = nx * record[r + N] + ny * record[r + N + 1] + nz * record[r + N + 2]
    if (along >= 0) return -1
    for (let k = 0; k < 3; k++) way[k] -= along * record[r + N + k]
    return row
  }

  /** Gives row `held` what a push by `push` along n̂ = sign v[o…] has beyond `way`: it goes into the surface. */
  pass({ columns }: PointContacts, held: number, v: Float64Array, o: number, sign: 1 | -1): void {
    const { lambda, record } = columns
    const r = RECORD * held
    const nx = sign * v[o]
    const ny = sign * v[o + 1]
    const nz = sign * v[o + 2]
    const into = this.push[0] * (nx * record[r + N] + ny * record[r + N + 1] + nz * record[r + N + 2])
    if (into < 0) lambda[ROWS * held] -= into
  }
}
