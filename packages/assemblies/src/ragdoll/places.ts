/** Where bodies have parts, and bodies put where parts are to be. */

import type { Body } from '@tautline/core'
import { rotateVector, rotationBetween, turn } from '@tautline/core/kernel'
import type { quat, vec3 } from 'gl-matrix'
import type { RagdollAsset } from './data.js'
import type { Motion } from './motion.js'
import type { RagdollState } from './state.js'
import type { PartPlaces } from './validate.js'

const v = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(4)

/** Where the bodies have parts, at `alpha` from the start of the last step (0) to its end (1); those of removed ones as in the target. */
export function readPlaces(
  { parts }: RagdollAsset,
  { bodies }: RagdollState,
  target: Motion,
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
      turn(q, 0, alpha * v[0], alpha * v[1], alpha * v[2])
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

/** Puts a body where a part is, at the velocity since `before`, `dt` ago [s]; at rest without. */
export function moveBody(
  { parts }: RagdollAsset,
  body: Body,
  part: number,
  places: PartPlaces,
  before: PartPlaces | undefined,
  dt: number,
): void {
  const { rotations } = places
  const { centre } = parts[part].matter
  const x = centreAt(places, part, centre)
  body.setPosition(x)
  body.setOrientation([0, 1, 2, 3].map((k) => rotations[4 * part + k]) as quat)
  if (before === undefined) {
    body.setVelocity([0, 0, 0])
    body.setAngularVelocity([0, 0, 0])
    return
  }
  const y = centreAt(before, part, centre)
  rotationBetween(rotations, 4 * part, before.rotations, 4 * part, v, 0)
  body.setVelocity([(x[0] - y[0]) / dt, (x[1] - y[1]) / dt, (x[2] - y[2]) / dt])
  body.setAngularVelocity([v[0] / dt, v[1] / dt, v[2] / dt])
}

function centreAt({ positions, rotations }: PartPlaces, part: number, centre: ArrayLike<number>): vec3 {
  rotateVector(rotations, 4 * part, centre[0], centre[1], centre[2], v, 0)
  return [0, 1, 2].map((k) => positions[3 * part + k] + v[k]) as vec3
}
