/** The stones of an arch. */

import type { Triple } from './layouts.js'

/** Of the arch: half span and rise of its middle line, thickness, depth [m]. */
export const ARCH = { halfSpan: 5, rise: 10, thickness: 1.5, depth: 1, stones: 17 } as const

/**
 * Corners of the stones in the plane, from the left foot to the right: four a stone, counter-clockwise.
 *
 * The middle line is the catenary y = H − a (cosh(x/a) − 1), the line along which an arch of even thickness carries itself
 * by compression alone, with a such that it meets the ground at x = ± L. Joints stand at right angles to it, at equal
 * lengths of it, the arc length from the crown being a sinh(x/a); the two feet are cut level with the ground instead.
 * The top of the keystone is level as well, its two upper corners being mirror images.
 */
export function archStones(): Triple[][] {
  const { halfSpan: L, rise: H, thickness: t, stones } = ARCH
  let [low, high] = [0.5, 20]
  for (let k = 0; k < 100; k++) {
    const a = 0.5 * (low + high)
    // The narrower the catenary, the higher it rises.
    if (a * (cosh(L / a) - 1) > H) low = a
    else high = a
  }
  const a = 0.5 * (low + high)
  const length = a * sinh(L / a)
  const onLine = (s: number): { x: number; y: number; nx: number; ny: number } => {
    const x = a * asinh(s / a)
    const slope = -sinh(x / a)
    const norm = Math.sqrt(1 + slope * slope)
    return { x, y: H - a * (cosh(x / a) - 1), nx: -slope / norm, ny: 1 / norm }
  }
  /** Where the line at `side` of the middle line meets the ground: by halving, near its foot. */
  const foot = (side: number): number => {
    let [from, to] = [0.8 * length, 1.2 * length]
    for (let k = 0; k < 100; k++) {
      const s = 0.5 * (from + to)
      const { y, ny } = onLine(s)
      if (y + 0.5 * side * t * ny > 0) from = s
      else to = s
    }
    const { x, nx } = onLine(0.5 * (from + to))
    return x + 0.5 * side * t * nx
  }
  const joint = (k: number): [Triple, Triple] => {
    if (k === 0)
      return [
        [-foot(-1), 0, 0],
        [-foot(1), 0, 0],
      ]
    if (k === stones)
      return [
        [foot(-1), 0, 0],
        [foot(1), 0, 0],
      ]
    const { x, y, nx, ny } = onLine(length * ((2 * k) / stones - 1))
    return [
      [x - 0.5 * t * nx, y - 0.5 * t * ny, 0],
      [x + 0.5 * t * nx, y + 0.5 * t * ny, 0],
    ]
  }
  return Array.from({ length: stones }, (_, k) => {
    const [inner, outer] = joint(k)
    const [nextInner, nextOuter] = joint(k + 1)
    return [inner, nextInner, nextOuter, outer]
  })
}

/** Centre of area of a quadrilateral. */
export function centroid(corners: readonly Triple[]): [number, number] {
  let [area, x, y] = [0, 0, 0]
  corners.forEach(([px, py], k) => {
    const [qx, qy] = corners[(k + 1) % corners.length]
    const cross = px * qy - qx * py
    area += cross
    x += ((px + qx) * cross) / 3
    y += ((py + qy) * cross) / 3
  })
  return [x / area, y / area]
}

/** eˣ by its series, in |x| of a few: only sums and quotients, so that stones are of the same bits on every engine. */
function exp(x: number): number {
  let [sum, term] = [1, 1]
  for (let k = 1; k < 60; k++) {
    term *= x / k
    sum += term
  }
  return sum
}

function cosh(x: number): number {
  return 0.5 * (exp(x) + exp(-x))
}

function sinh(x: number): number {
  return 0.5 * (exp(x) - exp(-x))
}

/** By Newton's method, from below. */
function asinh(y: number): number {
  let x = 0
  for (let k = 0; k < 60; k++) x += (y - sinh(x)) / cosh(x)
  return x
}
