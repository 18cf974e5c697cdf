/** Mass, centre of mass and inertia tensor of a shape of uniform density: each kind of shape says its own, at density 1. */

import { type MassProperties } from '@tautline/core'
import { checkAmount, type InertiaTensor, instance, type MassOrDensity, type Moments } from '@tautline/core/kernel'
import { Shape } from './shape.js'

/**
 * Mass [kg], centre of mass [m] in the shape's frame, and inertia tensor [kg m²] about it along the shape's axes.
 *
 * Where parts of a compound overlap, they weigh twice.
 * @param amount - `{ density }` [kg/m³] or `{ mass }` [kg]
 */
export function massOf(shape: Shape, amount: MassOrDensity): MassProperties {
  instance('massOf: shape', shape, Shape, 'a shape')
  if (shape.solid === null) {
    throw new RangeError(`massOf: shape must be one that can move, got a ${shape.name}: it has no volume`)
  }
  const given = checkAmount('massOf', amount)
  const one = shape.solid(shape)
  const density = given.mass === undefined ? given.density : given.mass / one.mass
  return {
    mass: given.mass ?? density * one.mass,
    centerOfMass: one.centerOfMass,
    inertia: one.inertia.map((I) => density * I) as unknown as InertiaTensor,
  }
}

/** Of a solid about its origin at density 1 [kg/m³]: its volume [m³] and moments [kg m²]. */
export function centredSolid(volume: number, [x, y, z]: Moments): MassProperties {
  return { mass: volume, centerOfMass: [0, 0, 0], inertia: [x, 0, 0, 0, y, 0, 0, 0, z] }
}
