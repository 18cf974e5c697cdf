/** What balance reads of a doll: turns and joints of parts, centre of mass, its velocity. */

import type { Body } from '@tautline/core'
import {
  cross,
  difference,
  inverse,
  type Quat,
  scaled,
  sum,
  times,
  rotationAt,
  rotated,
  type Vec3,
} from '../algebra.js'
import type { Ragdoll } from '../ragdoll.js'
import type { BodyPlan } from './body-plan.js'

/** How a part is turned from rest. */
export function partRotation(doll: Ragdoll, { rest }: BodyPlan, part: number): Quat {
  return times(rotationOf(doll.bodies[part]), inverse(rotationAt(rest.rotations, part)))
}

/** Where the joint of a part is [m]. */
export function jointOf(doll: Ragdoll, part: number): Vec3 {
  const body = doll.bodies[part]
  return difference(placeOf(body), rotated(rotationOf(body), doll.asset.parts[part].matter.centre as Vec3))
}

/** Orientation of a body. */
export function rotationOf(body: Body): Quat {
  const [x, y, z, w] = body.orientation
  return [x, y, z, w]
}

/** Position of a body [m]. */
export function placeOf(body: Body): Vec3 {
  const [x, y, z] = body.position
  return [x, y, z]
}

/** Velocity of a body's point [m/s]. */
export function velocityAt(body: Body, point: Vec3): Vec3 {
  return sum(body.velocity as Vec3, cross(body.angularVelocity as Vec3, difference(point, placeOf(body))))
}

/** Centre of mass [m] and its velocity [m/s], of living parts. */
export function centreOfMass(doll: Ragdoll): { x: Vec3; v: Vec3 } {
  let [mass, x, v]: [number, Vec3, Vec3] = [0, [0, 0, 0], [0, 0, 0]]
  for (const body of doll.bodies) {
    if (!body.alive) continue
    mass += body.mass
    x = sum(x, scaled(placeOf(body), body.mass))
    v = sum(v, scaled(body.velocity as Vec3, body.mass))
  }
  return { x: scaled(x, 1 / mass), v: scaled(v, 1 / mass) }
}
