/**
 * Mass, centre of mass and inertia tensor of a shape of uniform density.
 *
 * Sphere, capsule, box and cylinder have closed forms, a hull is a closed mesh, a compound the sum of its parts; all from
 * core. A tapered capsule is a body of revolution about y: with R(y) the radius of its slices
 *
 *   V = π ∫ R² dy      V c = π ∫ y R² dy      I_axis = π/2 ∫ R⁴ dy      I_across = ∫ (π/4 R⁴ + π y² R²) dy,  about the origin
 *
 * A slice is a disc of area π R², with π/2 R⁴ about its axis and π/4 R⁴ about a diameter. The side is a cone that touches
 * both balls on circles: its normal leans up by s = (r_bottom − r_top)/(2 h), so they lie at y = h + s r_top and
 * −h + s r_bottom, with radii c r_top and c r_bottom, c² = 1 − s². Below, between and above these R² is a polynomial of degree
 * 2, and no integrand has a degree above 4: Gauss and Legendre's rule of three points, exact up to 5, gives all integrals.
 */

import {
  type InertiaTensor,
  type MassOrDensity,
  type MassProperties,
  type Moments,
  instance,
  checkAmount,
} from '@tautline/core'
import {
  boxVolume,
  capsuleVolume,
  closedMesh,
  combine,
  cylinderVolume,
  rotateInertia,
  solidBox,
  solidCapsule,
  solidCylinder,
  solidSphere,
  sphereVolume,
} from '@tautline/core'
import { BOX, CAPSULE, type Child, CONVEX_HULL, CYLINDER, Shape, SPHERE, TAPERED_CAPSULE } from './shape.js'
import type { HullData } from './hull-data.js'

/**
 * Mass [kg], centre of mass [m] in the shape's frame, and inertia tensor [kg m²] about it along the shape's axes.
 *
 * Where parts of a compound overlap, they weigh twice.
 * @param amount - `{ density }` [kg/m³] or `{ mass }` [kg]
 */
export function massOf(shape: Shape, amount: MassOrDensity): MassProperties {
  instance('massOf: shape', shape, Shape, 'a shape')
  if (!shape.movable) {
    throw new RangeError(`massOf: shape must be one that can move, got a ${shape.name}: it has no volume`)
  }
  const given = checkAmount('massOf', amount)
  const one = ofDensityOne(shape)
  const density = given.mass === undefined ? given.density : given.mass / one.mass
  return {
    mass: given.mass ?? density * one.mass,
    centerOfMass: one.centerOfMass,
    inertia: one.inertia.map((I) => density * I) as unknown as InertiaTensor,
  }
}

/** Mass properties at density 1: the mass is the volume. */
function ofDensityOne(shape: Shape): MassProperties {
  const [a, b, c] = shape.params
  switch (shape.kind) {
    case SPHERE:
      return centred(sphereVolume(a), solidSphere(sphereVolume(a), a))
    case CAPSULE:
      return centred(capsuleVolume(a, 2 * b), solidCapsule(capsuleVolume(a, 2 * b), a, 2 * b))
    case CYLINDER:
      return centred(cylinderVolume(a, 2 * b), solidCylinder(cylinderVolume(a, 2 * b), a, 2 * b))
    case BOX: {
      const size: [number, number, number] = [2 * a, 2 * b, 2 * c]
      return centred(boxVolume(size), solidBox(boxVolume(size), size))
    }
    case TAPERED_CAPSULE:
      return revolved(a, b, c)
    case CONVEX_HULL:
      return closedMesh(shape.hull!.vertices, trianglesOf(shape.hull!), { density: 1 })
    default:
      return combine(shape.children!.map(placed))
  }
}

function centred(volume: number, [x, y, z]: Moments): MassProperties {
  return { mass: volume, centerOfMass: [0, 0, 0], inertia: [x, 0, 0, 0, y, 0, 0, 0, z] }
}

function placed({ shape, transform: T, orientation }: Child): MassProperties {
  const { mass, centerOfMass, inertia } = ofDensityOne(shape)
  const [x, y, z] = centerOfMass
  return {
    mass,
    centerOfMass: [
      T[3] * x + T[4] * y + T[5] * z + T[0],
      T[6] * x + T[7] * y + T[8] * z + T[1],
      T[9] * x + T[10] * y + T[11] * z + T[2],
    ],
    inertia: rotateInertia(inertia, orientation),
  }
}

/** Each face as a fan. */
function trianglesOf({ faceStart, faceVertices }: HullData): number[] {
  const triangles: number[] = []
  for (let f = 0; f + 1 < faceStart.length; f++) {
    for (let k = faceStart[f] + 1; k + 1 < faceStart[f + 1]; k++) {
      triangles.push(faceVertices[faceStart[f]], faceVertices[k], faceVertices[k + 1])
    }
  }
  return triangles
}

/** A tapered capsule. */
function revolved(top: number, bottom: number, h: number): MassProperties {
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
