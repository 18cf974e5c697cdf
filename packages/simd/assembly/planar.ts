// Vectors whose x and y are the lanes of one register, and z the first lane of another.

/** The difference of two points, its z by itself in the first lane. */
export function highs(a: usize, b: usize): v128 {
  return f64x2.sub(v128.load64_zero(a, 16), v128.load64_zero(b, 16))
}

/** x += m e. */
export function displace(p: usize, m: f64, exy: v128, ez: v128): void {
  const mm = f64x2.splat(m)
  v128.store(p, f64x2.add(v128.load(p), f64x2.mul(mm, exy)))
  store<f64>(p, load<f64>(p, 16) + m * f64x2.extract_lane(ez, 0), 16)
}
