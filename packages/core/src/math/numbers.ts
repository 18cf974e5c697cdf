/**
 * Names by which loops that are compiled twice say what a number is (docs/kernels.md). To TypeScript all of them are numbers; a compiler of WebAssembly takes
 * them for what they say.
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
