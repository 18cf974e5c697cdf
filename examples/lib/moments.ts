/** Moments of inertia for random bodies. */

/** Three moments [kg m²] as some body has them: the largest is cut to the sum of the others. */
export function realMoments(moments: readonly [number, number, number]): [number, number, number] {
  const [x, y, z] = moments
  return [Math.min(x, y + z), Math.min(y, x + z), Math.min(z, x + y)]
}
