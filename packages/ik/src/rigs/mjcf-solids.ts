/** Solids of MJCF's geoms, along their own axes: volume, and principal moments of inertia. */

import { solidBox, solidCapsule, solidCylinder, solidSphere } from '@tautline/core'
import { boxVolume, capsuleVolume, cylinderVolume, sphereVolume } from '@tautline/core/kernel'
import type { Vec3 } from './transform.js'

/** A solid that may have mass. */
export interface Solid {
  /** [m³] */
  readonly volume: number
  /** Along the geom's axes [kg m²]. */
  moments(mass: number): readonly [number, number, number]
}

/** How many numbers `size` has; lengths along z are halves. */
export const SIZES: Readonly<Record<string, number>> = { sphere: 1, capsule: 2, cylinder: 2, ellipsoid: 3, box: 3 }

/** By MJCF's type, from its `size` [m]. */
export const SOLIDS: Readonly<Record<string, (s: readonly number[]) => Solid>> = {
  sphere: ([r]) => ({ volume: sphereVolume(r), moments: (mass) => solidSphere(mass, r) }),
  capsule: ([r, half]) => ({
    volume: capsuleVolume(r, 2 * half),
    moments: (mass) => solidCapsule(mass, r, 2 * half, 'z'),
  }),
  cylinder: ([r, half]) => ({
    volume: cylinderVolume(r, 2 * half),
    moments: (mass) => solidCylinder(mass, r, 2 * half, 'z'),
  }),
  box: ([x, y, z]) => {
    const sides: Vec3 = [2 * x, 2 * y, 2 * z]
    return { volume: boxVolume(sides), moments: (mass) => solidBox(mass, sides) }
  },
  ellipsoid: ([x, y, z]) => ({
    volume: (4 / 3) * Math.PI * x * y * z,
    moments: (mass) => [0.2 * mass * (y * y + z * z), 0.2 * mass * (z * z + x * x), 0.2 * mass * (x * x + y * y)],
  }),
}
