/**
 * Types of numbers in loops that are compiled twice (docs/kernels.md). TypeScript treats all of them as numbers; AssemblyScript uses them as they are.
 */

/** A whole number below 2³¹. */
export type i32 = number
/** A floating-point number of 64 bits. */
export type f64 = number
/** Numbers of a table, or scratch. */
export type Column = Float64Array
/** Whole numbers of a table, or scratch. */
export type Ints = Int32Array
/** Small whole numbers. */
export type Bytes = Uint8Array

/** A number that is whole as one. */
export function i32(x: f64): i32 {
  return x | 0
}

/** A whole number as one that is divided without being rounded. */
export function f64(n: i32): f64 {
  return n
}
