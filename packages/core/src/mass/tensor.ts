/**
 * Moving, turning and adding inertia tensors.
 *
 *   parallel axis (Huygens-Steiner)   I_p = I_c + m (|d|² 1 - d dᵀ)      d from the centre of mass to p
 *   turned by R                       I'  = R I Rᵀ
 *   compound                          m = Σ mₖ,  c = Σ mₖ cₖ / m,  I = Σ (Iₖ + mₖ (|dₖ|² 1 - dₖ dₖᵀ)),  dₖ = cₖ - c
 */

import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { finiteVector, nonNegative, positive, unitQuaternion, array, knownFields } from '../define/assert.js'

/** A full inertia tensor [kg m²]: nine numbers row by row; by column, as in a mat3, they are the same. */
// prettier-ignore
export type InertiaTensor = readonly [
  xx: number, xy: number, xz: number,
  yx: number, yy: number, yz: number,
  zx: number, zy: number, zz: number,
]

/** What a body's mass is and how it is spread. */
export interface MassProperties {
  /** [kg] */
  readonly mass: number
  /** [m] */
  readonly centerOfMass: readonly [number, number, number]
  /** About the centre of mass, along the axes that `centerOfMass` is given in [kg m²]. */
  readonly inertia: InertiaTensor
}

/** Largest |a_ij - a_ji| over the largest entry still taken for round-off: a tensor computed in float32 passes. */
export const ASYMMETRY = 1e-6

/**
 * The tensor about a point away from the centre of mass [kg m²].
 * @param inertia - about the centre of mass [kg m²]
 * @param mass - [kg]
 * @param offset - from the centre of mass to the point [m]; its sign does not matter
 */
export function parallelAxis(inertia: ArrayLike<number>, mass: number, offset: ReadonlyVec3): InertiaTensor {
  const I = symmetric('parallelAxis: inertia', inertia)
  const d = finiteVector('parallelAxis: offset', offset, 3)
  return shifted(I, positive('parallelAxis: mass', mass), d[0], d[1], d[2])
}

/**
 * Mass, centre of mass and tensor of several bodies fixed to each other. Overlaps count twice.
 * @param parts - masses [kg], centres of mass [m] and tensors about their own centres [kg m²], all in the same axes.
 *   Three moments stand for a diagonal tensor; turn a part's tensor into the common axes with {@link rotateInertia}
 */
export function combine(
  parts: readonly {
    readonly mass: number
    readonly centerOfMass: ReadonlyVec3
    readonly inertia: ArrayLike<number>
  }[],
): MassProperties {
  if (array('combine: parts', parts).length === 0)
    throw new RangeError('combine: parts must have at least one entry, got 0')
  let mass = 0
  let mx = 0
  let my = 0
  let mz = 0
  parts.forEach((part, k) => {
    knownFields(`combine: parts[${k}]`, part, ['mass', 'centerOfMass', 'inertia', 'volume'])
    const m = positive(`combine: parts[${k}].mass`, part.mass)
    const c = finiteVector(`combine: parts[${k}].centerOfMass`, part.centerOfMass, 3)
    mass += m
    mx += m * c[0]
    my += m * c[1]
    mz += m * c[2]
  })
  const x = mx / mass
  const y = my / mass
  const z = mz / mass
  const sum = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  parts.forEach((part, k) => {
    const I = tensorOrMoments(`combine: parts[${k}].inertia`, part.inertia)
    const c = part.centerOfMass
    const moved = shifted(I, part.mass, c[0] - x, c[1] - y, c[2] - z)
    for (let i = 0; i < 9; i++) sum[i] += moved[i]
  })
  return { mass, centerOfMass: [x, y, z], inertia: sum as unknown as InertiaTensor }
}

/**
 * The tensor of the same body after a rotation, or: from the body's axes to the world's [kg m²].
 * @param inertia - a tensor, or three principal moments [kg m²]
 * @param rotation - unit quaternion [x, y, z, w]
 */
export function rotateInertia(inertia: ArrayLike<number>, rotation: ReadonlyQuat): InertiaTensor {
  const I = tensorOrMoments('rotateInertia: inertia', inertia)
  const [x, y, z, w] = unitQuaternion('rotateInertia: rotation', rotation)
  // prettier-ignore
  const R = [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ]
  const entry = (i: number, j: number): number => {
    let sum = 0
    for (let k = 0; k < 3; k++) {
      const RI = R[3 * i] * I[k] + R[3 * i + 1] * I[3 + k] + R[3 * i + 2] * I[6 + k]
      sum += RI * R[3 * j + k]
    }
    return sum
  }
  return mirrored(entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2))
}

/** Nine finite numbers, symmetric up to round-off; returned exactly symmetric. */
export function symmetric(where: string, value: unknown): InertiaTensor {
  const I = finiteVector(where, value, 9)
  let scale = 0
  for (let i = 0; i < 9; i++) scale = Math.max(scale, Math.abs(I[i]))
  for (const [ij, ji] of [
    [1, 3],
    [2, 6],
    [5, 7],
  ]) {
    if (Math.abs(I[ij] - I[ji]) <= ASYMMETRY * scale) continue
    throw new RangeError(`${where} must be symmetric, got ${I[ij]} at [${ij}] and ${I[ji]} at [${ji}]`)
  }
  return mirrored(I[0], (I[1] + I[3]) / 2, (I[2] + I[6]) / 2, I[4], (I[5] + I[7]) / 2, I[8])
}

/** Six numbers of a symmetric tensor as nine. */
export function mirrored(xx: number, xy: number, xz: number, yy: number, yz: number, zz: number): InertiaTensor {
  return [xx, xy, xz, xy, yy, yz, xz, yz, zz]
}

function tensorOrMoments(where: string, value: ArrayLike<number>): InertiaTensor {
  if (value?.length !== 3) return symmetric(where, value)
  return mirrored(
    nonNegative(`${where}[0]`, value[0]),
    0,
    0,
    nonNegative(`${where}[1]`, value[1]),
    0,
    nonNegative(`${where}[2]`, value[2]),
  )
}

function shifted(I: InertiaTensor, m: number, x: number, y: number, z: number): InertiaTensor {
  return mirrored(
    I[0] + m * (y * y + z * z),
    I[1] - m * x * y,
    I[2] - m * x * z,
    I[4] + m * (z * z + x * x),
    I[5] - m * y * z,
    I[8] + m * (x * x + y * y),
  )
}
