/**
 * Principal moments and volumes of simple solids of uniform density, about the centre of mass, axes along x, y, z.
 *
 * Sphere, box, cylinder: any table of moments of inertia, e.g. Goldstein, Poole and Safko 2002, chapter 5.
 * Capsule: cylinder plus two half balls. A half ball of mass m has 2/5 m r² about any line through the centre of its
 * flat face, and its own centre of mass lies 3/8 r from that face. Moving the line from there to the middle of the
 * capsule (parallel axis, twice) gives 2/5 m r² + m (L²/4 + 3/8 L r).
 */

import type { ReadonlyVec3 } from 'gl-matrix'
import { finiteVector, nonNegative, oneOf, positive } from '../define/assert.js'

/** Principal moments of inertia about x, y, z [kg m²]. */
export type Moments = readonly [number, number, number]

/** The axis of symmetry of a capsule or cylinder. */
export type Axis = 'x' | 'y' | 'z'

/**
 * Moments of a solid ball [kg m²].
 * @param mass - [kg]
 * @param radius - [m]
 */
export function solidSphere(mass: number, radius: number): Moments {
  const m = positive('solidSphere: mass', mass)
  const r = positive('solidSphere: radius', radius)
  const I = 0.4 * m * r * r
  return [I, I, I]
}

/**
 * Moments of a thin spherical shell, a balloon or a ping-pong ball [kg m²].
 * @param mass - [kg]
 * @param radius - [m]
 */
export function hollowSphere(mass: number, radius: number): Moments {
  const m = positive('hollowSphere: mass', mass)
  const r = positive('hollowSphere: radius', radius)
  const I = (2 / 3) * m * r * r
  return [I, I, I]
}

/**
 * Moments of a solid box [kg m²].
 * @param mass - [kg]
 * @param size - full side lengths [m]
 */
export function solidBox(mass: number, size: ReadonlyVec3): Moments {
  const m = positive('solidBox: mass', mass)
  const [x, y, z] = sides('solidBox', size)
  return [(m / 12) * (y * y + z * z), (m / 12) * (z * z + x * x), (m / 12) * (x * x + y * y)]
}

/**
 * Moments of a solid cylinder [kg m²].
 * @param mass - [kg]
 * @param radius - [m]
 * @param length - [m]
 * @param axis - the axis of symmetry
 * @defaultValue axis `'y'`
 */
export function solidCylinder(mass: number, radius: number, length: number, axis: Axis = 'y'): Moments {
  const m = positive('solidCylinder: mass', mass)
  const r = positive('solidCylinder: radius', radius)
  const L = positive('solidCylinder: length', length)
  return aboutAxis('solidCylinder', axis, 0.5 * m * r * r, (m / 12) * (3 * r * r + L * L))
}

/**
 * Moments of a solid capsule [kg m²].
 * @param mass - [kg]
 * @param radius - of the cylinder and of both ends [m]
 * @param length - of the cylindrical part alone, without the ends [m]; 0 is a ball
 * @param axis - the axis of symmetry
 * @defaultValue axis `'y'`
 */
export function solidCapsule(mass: number, radius: number, length: number, axis: Axis = 'y'): Moments {
  const m = positive('solidCapsule: mass', mass)
  const r = positive('solidCapsule: radius', radius)
  const L = nonNegative('solidCapsule: length', length)
  const ends = (m * 4 * r) / (4 * r + 3 * L) // volumes are as 4/3 π r³ to π r² L
  const middle = m - ends
  const along = 0.5 * middle * r * r + 0.4 * ends * r * r
  const across = (middle / 12) * (3 * r * r + L * L) + ends * (0.4 * r * r + 0.25 * L * L + 0.375 * L * r)
  return aboutAxis('solidCapsule', axis, along, across)
}

/** Volume of a ball [m³], from its radius [m]; times a density [kg/m³] it is the mass. */
export function sphereVolume(radius: number): number {
  const r = positive('sphereVolume: radius', radius)
  return (4 / 3) * Math.PI * r * r * r
}

/** Volume of a box [m³], from its full side lengths [m]. */
export function boxVolume(size: ReadonlyVec3): number {
  const [x, y, z] = sides('boxVolume', size)
  return x * y * z
}

/** Volume of a cylinder [m³], from its radius and length [m]. */
export function cylinderVolume(radius: number, length: number): number {
  const r = positive('cylinderVolume: radius', radius)
  return Math.PI * r * r * positive('cylinderVolume: length', length)
}

/** Volume of a capsule [m³], from its radius and the length of its cylindrical part [m]. */
export function capsuleVolume(radius: number, length: number): number {
  const r = positive('capsuleVolume: radius', radius)
  return Math.PI * r * r * ((4 / 3) * r + nonNegative('capsuleVolume: length', length))
}

function sides(where: string, size: ReadonlyVec3): [number, number, number] {
  const s = finiteVector(`${where}: size`, size, 3)
  return [positive(`${where}: size[0]`, s[0]), positive(`${where}: size[1]`, s[1]), positive(`${where}: size[2]`, s[2])]
}

function aboutAxis(where: string, axis: Axis, along: number, across: number): Moments {
  oneOf(`${where}: axis`, axis, ['x', 'y', 'z'])
  return [axis === 'x' ? along : across, axis === 'y' ? along : across, axis === 'z' ? along : across]
}
