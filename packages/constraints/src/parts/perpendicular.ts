/** Some direction across another. */

/** A length within this of 1 is round-off. */
const NORMALISED = 1e-14

/** Writes a unit vector ⊥ the unit vector n at `i` to `out`: n × the coordinate axis that n leans to least. */
export function perpendicular(n: ArrayLike<number>, i: number, out: Float64Array, o: number): void {
  const x = Math.abs(n[i])
  const y = Math.abs(n[i + 1])
  const z = Math.abs(n[i + 2])
  const ex = x <= y && x <= z ? 1 : 0
  const ey = ex === 0 && y <= z ? 1 : 0
  const ez = 1 - ex - ey
  const px = n[i + 1] * ez - n[i + 2] * ey
  const py = n[i + 2] * ex - n[i] * ez
  const pz = n[i] * ey - n[i + 1] * ex
  const size = Math.sqrt(px * px + py * py + pz * pz)
  // As `unitVector` has it.
  const length = Math.abs(size - 1) <= NORMALISED ? 1 : size
  out[o] = px / length
  out[o + 1] = py / length
  out[o + 2] = pz / length
}
