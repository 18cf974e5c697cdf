// How columns are read: base addresses in bytes, Float64 throughout, rows by number.

/** 2⁵²: a number of that size carries an integer in its lowest bits. */
const CARRIER: f64 = 4503599627370496

/** Entry k of a column. */
export function at(column: usize, k: usize): f64 {
  return load<f64>(column + (k << 3))
}

/** Offset in bytes of the record of four of a body, whose number is stored as Float64. */
export function recordOf(body: usize): usize {
  return (<usize>(<u32>reinterpret<u64>(load<f64>(body) + CARRIER))) << 5
}

/** The first lanes of two vectors, and the second ones. */
export function firsts(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2)
}

export function seconds(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3)
}

/** x² + y² + z², lane by lane, added in this order. */
export function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz))
}
