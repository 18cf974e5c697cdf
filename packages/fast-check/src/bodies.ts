/** Arbitraries of bodies: masses by ratio, inertias that some solid has, poses, motion. */

import type { BodyDef } from '@tautline/core'
import fc, { type Arbitrary } from 'fast-check'
import { direction, type Quat, real, record, rotation, type Vec3, vector } from './numbers.js'

/** Where a body is. */
export interface PoseDef {
  /** Centre of mass [m]. */
  position: Vec3
  /** Unit quaternion [x, y, z, w], body to world. */
  orientation: Quat
}

/** A pose within `reach` [m] of the origin; shrinks to the origin, unturned. */
export function poses(reach: number = 2): Arbitrary<PoseDef> {
  return record({ position: vector(reach), orientation: rotation() })
}

/** Masses [kg] of which the heaviest is at most `ratio` times the lightest, 1 kg; shrinks to equal ones. */
export function masses(count: number, ratio: number = 1000): Arbitrary<number[]> {
  return fc.array(massUpTo(ratio), { minLength: count, maxLength: count })
}

/** 1 kg, or 2, 5, 10, … times it up to `ratio`; shrinks to 1. */
export function massUpTo(ratio: number): Arbitrary<number> {
  const steps = [1]
  for (let decade = 1; decade <= ratio; decade *= 10) {
    for (const digit of [2, 5, 10]) if (digit * decade <= ratio) steps.push(digit * decade)
  }
  return fc.nat({ max: steps.length - 1 }).map((k) => steps[k])
}

/** Principal moments [kg m²] of a solid cuboid of `mass` whose edges are from 0.1 to 1 m. */
export function cuboidMoments(mass: number, [x, y, z]: Vec3): Vec3 {
  return [(mass * (y * y + z * z)) / 12, (mass * (z * z + x * x)) / 12, (mass * (x * x + y * y)) / 12]
}

/** Edges of a cuboid [m]; shrinks to a cube of half a metre. */
export function edges(): Arbitrary<Vec3> {
  return fc.tuple(real(0.1, 1, 0.5), real(0.1, 1, 0.5), real(0.1, 1, 0.5))
}

/** How wild {@link bodies} may be. */
export interface BodyOptions {
  /** Heaviest to lightest. @defaultValue 100 */
  massRatio?: number
  /** Where they are, in ± [m]. @defaultValue 2 */
  reach?: number
  /** In ± [m/s]. @defaultValue 2 */
  speed?: number
  /** In ± [rad/s]. @defaultValue 5 */
  spin?: number
  /** Whether some have no inertia. @defaultValue true */
  particles?: boolean
}

/** The definition of a body; shrinks to a cube of 1 kg at the origin, at rest. */
export function bodies({
  massRatio = 100,
  reach = 2,
  speed = 2,
  spin = 5,
  particles = true,
}: BodyOptions = {}): Arbitrary<BodyDef> {
  return record({
    isParticle: particles ? fc.boolean() : fc.constant(false),
    pose: poses(reach),
    velocity: vector(speed),
    angularVelocity: vector(spin),
    mass: massUpTo(massRatio),
    size: edges(),
  }).map(({ isParticle, pose, velocity, angularVelocity, mass, size }): BodyDef => {
    if (isParticle) return { position: pose.position, velocity, mass }
    return { ...pose, velocity, angularVelocity, mass, inertia: cuboidMoments(mass, size) }
  })
}

/** Gravity [m/s²]: that of the Earth, none, or some other; shrinks to none. */
export function gravities(): Arbitrary<Vec3> {
  return fc.oneof(
    fc.constant<Vec3>([0, 0, 0]),
    fc.constant<Vec3>([0, -9.81, 0]),
    direction().map(([x, y, z]): Vec3 => [10 * x, 10 * y, 10 * z]),
  )
}
