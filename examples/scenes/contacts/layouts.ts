/** Where the bodies of a scene stand: plain data, for Tautline's scenes and for the engines it is compared with. */

import { cos, sin } from '@tautline/core/kernel'

export type Triple = [number, number, number]
export type Quadruple = [number, number, number, number]

/** Between boxes of a row of a pyramid [m]: more than the margin of any engine here, so that all solve the same contacts. */
export const PYRAMID_GAP = 0.05

/**
 * Centres of the boxes of an upright pyramid, row by row from below, on the plane y = 0: `base` boxes in the lowest row, one
 * fewer in each, in the plane z = 0. Rows touch; within a row there is a gap, so that only what carries is in contact.
 */
export function pyramidCentres(base: number, half: number, gap: number): Triple[] {
  const pitch = 2 * half + gap
  const centres: Triple[] = []
  for (let row = 0; row < base; row++) {
    for (let k = 0; k < base - row; k++) {
      centres.push([pitch * (k - 0.5 * (base - row - 1)), half * (2 * row + 1), 0])
    }
  }
  return centres
}

/** Points of a cubic lattice of `spacing`, `count` a side, from below, its centre at x = z = 0 and its lowest layer at `bottom`. */
export function lattice(count: Triple, spacing: number, bottom: number): Triple[] {
  const [nx, ny, nz] = count
  const points: Triple[] = []
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      for (let k = 0; k < nz; k++) {
        points.push([spacing * (i - 0.5 * (nx - 1)), bottom + spacing * j, spacing * (k - 0.5 * (nz - 1))])
      }
    }
  }
  return points
}

/** Length of a vector, of the same bits on every engine, which `Math.hypot` does not promise. */
export function lengthOf(vector: readonly number[]): number {
  return Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
}

/** A rotation by `angle` about a unit axis. */
export function turn(axis: Triple, angle: number): Quadruple {
  const s = sin(0.5 * angle)
  return [s * axis[0], s * axis[1], s * axis[2], cos(0.5 * angle)]
}

/** Any rotation: four numbers in [−1, 1) brought to length 1. Not quite uniform, which no scene needs. */
export function anyRotation(random: () => number): Quadruple {
  for (;;) {
    const q: Quadruple = [random(), random(), random(), random()]
    const length = lengthOf(q)
    if (length > 0.1) return q.map((x) => x / length) as Quadruple
  }
}
