/** Where bodies have parts, and bodies put where parts are to be. */

import type { Body } from '@tautline/core'
import { rotateVector, rotationBetween, rotate } from '@tautline/core/kernel'
import type { quat, vec3 } from 'gl-matrix'
import type { RagdollAsset } from './data.js'
import type { RagdollState } from './state.js'
import type { PartPlaces } from './validate.js'

const v = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(4)

/** Where the bodies have parts, at `alpha` from the start of the last step (0) to its end (1); those of removed ones as in the target. */
export function readPlaces(
  { parts }: RagdollAsset,
  { bodies }: Pick<RagdollState, 'bodies'>,
  target: PartPlaces,
  alpha: number,
  { positions, rotations }: PartPlaces,
): void {
  for (let part = 0; part < bodies.length; part++) {
    const body = bodies[part]
    if (!body.alive) {
      for (let k = 0; k < 3; k++) positions[3 * part + k] = target.positions[3 * part + k]
      for (let k = 0; k < 4; k++) rotations[4 * part + k] = target.rotations[4 * part + k]
      continue
    }
    const { position, orientation, previousPosition, previousOrientation } = body.bodies.columns
    const { index } = body
    for (let k = 0; k < 4; k++) q[k] = alpha < 1 ? previousOrientation[4 * index + k] : orientation[4 * index + k]
    if (alpha < 1) {
      rotationBetween(orientation, 4 * index, previousOrientation, 4 * index, v, 0)
      rotate(q, 0, alpha * v[0], alpha * v[1], alpha * v[2])
    }
    const { centre } = parts[part].matter
    rotateVector(q, 0, -centre[0], -centre[1], -centre[2], v, 0)
    for (let k = 0; k < 3; k++) {
      const from = previousPosition[3 * index + k]
      const to = position[4 * index + k]
      positions[3 * part + k] = v[k] + (alpha < 1 ? from + alpha * (to - from) : to)
    }
    for (let k = 0; k < 4; k++) rotations[4 * part + k] = q[k]
  }
}

/** Velocities of parts: of their centres of mass [m/s], and turns [rad/s]; three numbers a part. */
export interface PartVelocities {
  readonly velocities: Float64Array
  readonly spins: Float64Array
}

/**
 * Velocities of the motion from `before` to `now` in `dt` [s]: turns by the rotations between the two, the root's velocity by its way, all others so that
 * joints do not part. By their own ways they would, by the second order of `dt`, and joints would make spins of it.
 */
export function velocitiesBetween(
  { parts }: RagdollAsset,
  before: PartPlaces,
  now: PartPlaces,
  dt: number,
): PartVelocities {
  const velocities = new Float64Array(3 * parts.length)
  const spins = new Float64Array(3 * parts.length)
  parts.forEach(({ parent, joint, matter }, part) => {
    rotationBetween(now.rotations, 4 * part, before.rotations, 4 * part, spins, 3 * part)
    for (let k = 3 * part; k < 3 * part + 3; k++) spins[k] /= dt
    const x = centreAt(now, part, matter.centre)
    if (parent < 0 || joint === undefined || joint.kind === 'slider') {
      const y = centreAt(before, part, matter.centre)
      for (let k = 0; k < 3; k++) velocities[3 * part + k] = (x[k] - y[k]) / dt
      return
    }
    const above = centreAt(now, parent, parts[parent].matter.centre)
    const at = [0, 1, 2].map((k) => now.positions[3 * part + k])
    const carried = velocityAt(spins, parent, at, above)
    const own = velocityAt(spins, part, x, at)
    for (let k = 0; k < 3; k++) velocities[3 * part + k] = velocities[3 * parent + k] + carried[k] + own[k]
  })
  return { velocities, spins }
}

/** ω × (x − o) of a part. */
function velocityAt(spins: Float64Array, part: number, x: ArrayLike<number>, o: ArrayLike<number>): vec3 {
  const [rx, ry, rz] = [x[0] - o[0], x[1] - o[1], x[2] - o[2]]
  const [a, b, c] = [spins[3 * part], spins[3 * part + 1], spins[3 * part + 2]]
  return [b * rz - c * ry, c * rx - a * rz, a * ry - b * rx]
}

/** Puts a body where a part is, at the part's velocities; at rest without. */
export function moveBody(
  { parts }: RagdollAsset,
  body: Body,
  part: number,
  places: PartPlaces,
  motion: PartVelocities | undefined,
): void {
  body.setPosition(centreAt(places, part, parts[part].matter.centre))
  body.setOrientation([0, 1, 2, 3].map((k) => places.rotations[4 * part + k]) as quat)
  const three = (list: Float64Array | undefined): vec3 => {
    return list === undefined ? [0, 0, 0] : [list[3 * part], list[3 * part + 1], list[3 * part + 2]]
  }
  body.setVelocity(three(motion?.velocities))
  body.setAngularVelocity(three(motion?.spins))
}

function centreAt({ positions, rotations }: PartPlaces, part: number, centre: ArrayLike<number>): vec3 {
  rotateVector(rotations, 4 * part, centre[0], centre[1], centre[2], v, 0)
  return [0, 1, 2].map((k) => positions[3 * part + k] + v[k]) as vec3
}
