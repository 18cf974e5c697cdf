// Two lines in hand, and their records of scratch: a record a row and one more, two lanes a number.

import { dot, firsts, seconds } from './access'

/** Bytes of a record, and what is where in it (constraints: parts/line-record.ts). */
export const RECORD: usize = 416
export const NX: usize = 0
export const NY: usize = 16
export const NZ: usize = 32
export const DISTANCE: usize = 48
export const BEFORE: usize = 64
export const FACTOR: usize = 80
export const STEP: usize = 96
export const W: usize = 112
export const X0: usize = 128
export const Y0: usize = 144
export const Z0: usize = 160
export const SOFT: usize = 176
export const ERROR: usize = 192
export const REFERENCE: usize = 208
export const FX: usize = 224
export const FY: usize = 240
export const FZ: usize = 256
/** Six of Q, three of s. */
export const Q: usize = 272
export const S: usize = 368

/** Columns and scratch. */
export let position: usize = 0
export let nodes: usize = 0
export let lambda: usize = 0
export let reference: usize = 0
export let scratch: usize = 0
/** First rows of the two, first places in `nodes`, and rows. */
export let baseA: usize = 0
export let atA: usize = 0
export let baseB: usize = 0
export let atB: usize = 0
export let count: usize = 0

/** Takes two lines in hand. */
export function take(
  columns: usize,
  bodies: usize,
  multipliers: usize,
  tensions: usize,
  records: usize,
  rowA: usize,
  nodeA: usize,
  rowB: usize,
  nodeB: usize,
  rows: usize,
): void {
  position = columns
  nodes = bodies
  lambda = multipliers
  reference = tensions
  scratch = records
  baseA = rowA
  atA = nodeA
  baseB = rowB
  atB = nodeB
  count = rows
}

/** Entries j and k of a column. */
export function pair(column: usize, j: usize, k: usize): v128 {
  return v128.load64_lane(column + (k << 3), v128.load64_zero(column + (j << 3)), 1)
}

/** Writes entries j and k. */
export function putPair(column: usize, j: usize, k: usize, value: v128): void {
  v128.store64_lane(column + (j << 3), value, 0)
  v128.store64_lane(column + (k << 3), value, 1)
}

/** The offset in bytes of the record of body k: `nodes` holds offsets in numbers. */
export function nodeAt(k: usize): usize {
  return (<usize>load<u32>(nodes + (k << 2))) << 3
}

/** Puts body k of both lines somewhere. */
export function putBodies(k: usize, x: v128, y: v128, z: v128): void {
  const a = position + nodeAt(atA + k)
  const b = position + nodeAt(atB + k)
  v128.store(a, firsts(x, y))
  v128.store(b, seconds(x, y))
  v128.store64_lane(a, z, 0, 16)
  v128.store64_lane(b, z, 1, 16)
}

/** Everything as it was before the pass. */
export function undo(): void {
  let o = scratch
  for (let k: usize = 0; k <= count; k++) {
    putBodies(k, v128.load(o, X0), v128.load(o, Y0), v128.load(o, Z0))
    if (k < count) {
      putPair(lambda, baseA + k, baseB + k, v128.load(o, BEFORE))
      putPair(reference, baseA + k, baseB + k, v128.load(o, REFERENCE))
    }
    o += RECORD
  }
}

/** Whether a row, whose ends move by r against each other, turns by less than its length: not a number does not. */
export function turnsLittle(o: usize, rx: v128, ry: v128, rz: v128): v128 {
  const along = dot(rx, ry, rz, v128.load(o, NX), v128.load(o, NY), v128.load(o, NZ))
  const d = v128.load(o, DISTANCE)
  return f64x2.le(f64x2.sub(dot(rx, ry, rz, rx, ry, rz), f64x2.mul(along, along)), f64x2.mul(d, d))
}
