/**
 * Mass properties of a tapered capsule, a body of revolution about y: with R(y) the radius of its slices
 *
 *   V = π ∫ R² dy      V c = π ∫ y R² dy      I_axis = π/2 ∫ R⁴ dy      I_across = ∫ (π/4 R⁴ + π y² R²) dy,  about the origin
 *
 * A slice is a disc of area π R², with π/2 R⁴ about its axis and π/4 R⁴ about a diameter. The side is a cone that touches
 * both balls on circles: its normal leans up by s = (r_bottom − r_top)/(2 h), so they lie at y = h + s r_top and
 * −h + s r_bottom, with radii c r_top and c r_bottom, c² = 1 − s². Below, between and above these R² is a polynomial of degree
 * 2, and no integrand has a degree above 4: Gauss and Legendre's rule of three points, exact up to 5, gives all integrals.
 */

import type { MassProperties } from '@tautline/core'

/** At density 1 [kg/m³]: radii of the balls at y = ±h [m]. */
export function solidTaperedCapsule(top: number, bottom: number, h: number): MassProperties {
  const s = (bottom - top) / (2 * h)
  const low = -h + s * bottom
  const high = h + s * top
  const slope = (top - bottom) / (high - low)
  const ball = (y: number, centre: number, r: number): number => (r - (y - centre)) * (r + (y - centre))
  const parts: [from: number, to: number, squaredRadius: (y: number) => number][] = [
    [-h - bottom, low, (y) => ball(y, -h, bottom)],
    [low, high, (y) => square(Math.sqrt(1 - s * s) * (bottom + slope * (y - low)))],
    [high, h + top, (y) => ball(y, h, top)],
  ]
  let V = 0
  let Vy = 0
  for (const [from, to, squaredRadius] of parts) {
    V += Math.PI * integral(from, to, squaredRadius)
    Vy += Math.PI * integral(from, to, (y) => y * squaredRadius(y))
  }
  const centre = Vy / V
  let along = 0
  let across = 0
  for (const [from, to, squaredRadius] of parts) {
    along += (Math.PI / 2) * integral(from, to, (y) => square(squaredRadius(y)))
    across += Math.PI * integral(from, to, (y) => square(y - centre) * squaredRadius(y))
  }
  across += along / 2
  return { mass: V, centerOfMass: [0, centre, 0], inertia: [across, 0, 0, 0, along, 0, 0, 0, across] }
}

/** Of a polynomial up to degree 5. */
function integral(from: number, to: number, f: (y: number) => number): number {
  const middle = (from + to) / 2
  const half = (to - from) / 2
  const node = half * Math.sqrt(3 / 5)
  return (half / 9) * (5 * f(middle - node) + 8 * f(middle) + 5 * f(middle + node))
}

function square(x: number): number {
  return x * x
}
