/**
 * What each wheel bears at rest: the loads that hold weight and tilt, of all such the least squares.
 *
 *   Σ Lᵢ = m g,  Σ Lᵢ xᵢ = Σ Lᵢ yᵢ = 0        xᵢ, yᵢ [m] from the centre of mass, forward and aside
 *   Lᵢ = a + b xᵢ + c yᵢ, where the 3 × 3 system for a, b, c has an inverse; else all alike
 */

/** Determinant, as a share of that of a square of wheels, below which they are in a line. */
const IN_LINE = 1e-6
/** Least load of a wheel, as a share of the mean: each has a spring. */
const LEAST = 0.1

/** Masses that wheels at these places bear [kg], in their order. */
export function massesBorne(mass: number, places: readonly (readonly [number, number])[]): number[] {
  const n = places.length
  const [sx, sy, xx, xy, yy] = [0, 0, 0, 0, 0]
  const sum = { sx, sy, xx, xy, yy }
  for (const [x, y] of places) {
    sum.sx += x
    sum.sy += y
    sum.xx += x * x
    sum.xy += x * y
    sum.yy += y * y
  }
  // Of the rows (n, sx, sy), (sx, xx, xy), (sy, xy, yy) the first column of the inverse, times m.
  const a = sum.xx * sum.yy - sum.xy * sum.xy
  const b = sum.xy * sum.sy - sum.sx * sum.yy
  const c = sum.sx * sum.xy - sum.xx * sum.sy
  const determinant = n * a + sum.sx * b + sum.sy * c
  const size = (sum.xx + sum.yy) / n
  const mean = mass / n
  if (!(determinant > IN_LINE * n * n * n * size * size)) return places.map(() => mean)
  const borne = places.map(([x, y]) => Math.max((mass * (a + b * x + c * y)) / determinant, LEAST * mean))
  const total = borne.reduce((all, load) => all + load, 0)
  return borne.map((load) => (load * mass) / total)
}
