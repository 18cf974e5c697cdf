/**
 * Mass, centre and inertia tensor of what a robot's link is made of.
 *
 *   several parts   m = Σ m_i,  c = Σ m_i c_i / m,  I = Σ R_i I_i R_iᵀ + m_i (|d|² 1 − d dᵀ),  d = c_i − c   (C. Huygens, J. Steiner)
 */

import { type Quat, type Vec3, difference, dot, scaled, sum, rotated } from './transform.js'

export interface Matter {
  /** [kg] */
  readonly mass: number
  /** [m] */
  readonly centre: Vec3
  /** Nine numbers about the centre [kg m²]. */
  readonly inertia: readonly number[]
}

/**
 * Of a link without matter, [kg] and [kg m²]: a rig's bones must weigh something. A billionth of a kilogram moves no
 * entry of a robot's mass matrix by more than its ninth digit.
 */
export const NEXT_TO_NOTHING: Matter = {
  mass: 1e-9,
  centre: [0, 0, 0],
  inertia: [1e-12, 0, 0, 0, 1e-12, 0, 0, 0, 1e-12],
}

/** R I Rᵀ. */
export function rotatedTensor(rotation: Readonly<Quat>, inertia: readonly number[]): number[] {
  const columns = [0, 1, 2].map((k) => rotated(rotation, [inertia[k], inertia[3 + k], inertia[6 + k]]))
  // R I, by columns; then each of its rows is turned as well.
  const rows = [0, 1, 2].map((r) => rotated(rotation, [columns[0][r], columns[1][r], columns[2][r]]))
  const [xy, xz, yz] = [
    0.5 * (rows[0][1] + rows[1][0]),
    0.5 * (rows[0][2] + rows[2][0]),
    0.5 * (rows[1][2] + rows[2][1]),
  ]
  return [rows[0][0], xy, xz, xy, rows[1][1], yz, xz, yz, rows[2][2]]
}

/** Of all parts together, in their common frame; `undefined` where they weigh nothing. */
export function together(parts: readonly Matter[]): Matter | undefined {
  const mass = parts.reduce((m, part) => m + part.mass, 0)
  if (!(mass > 0)) return undefined
  const moment = parts.reduce<Vec3>((c, part) => sum(c, scaled(part.centre, part.mass)), [0, 0, 0])
  const centre = scaled(moment, 1 / mass)
  const inertia = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (const part of parts) {
    const d = difference(part.centre, centre)
    for (let k = 0; k < 9; k++) {
      const [r, c] = [(k - (k % 3)) / 3, k % 3]
      inertia[k] += part.inertia[k] + part.mass * ((r === c ? dot(d, d) : 0) - d[r] * d[c])
    }
  }
  return { mass, centre, inertia }
}

/** Reads mass and inertia of a file; errors name the option that reads the file without them. */
export function readingMatter<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new RangeError(`${error.message} (matter: 'none' reads the file without masses and inertias)`, {
      cause: error,
    })
  }
}
