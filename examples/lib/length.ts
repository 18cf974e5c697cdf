/** Lengths for what a scene does in its steps. */

/** Of a vector. `Math.hypot` has other last bits in Firefox than in Chromium: a scene that goes by it would part. */
export function lengthOf(x: number, y: number, z = 0): number {
  return Math.sqrt(x * x + y * y + z * z)
}
