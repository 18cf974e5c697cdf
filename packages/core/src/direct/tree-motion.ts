/** The motion of a tree against its own centre of mass, or, where something holds it, against that: slowed, a free tree keeps its momentum. */

import type { BodyColumns } from '../state/body-columns.js'
import { kineticOf } from '../measure/energy.js'
import type { Trees } from './trees.js'

/** Velocity of the centre of mass of a free tree, 0 of others [m/s]. */
const mean = /* @__PURE__ */ new Float64Array(3)

/** Kinetic energy of a tree [J]: of a free one, about its centre of mass. */
export function motionOf(bodies: BodyColumns, { forest: { body, ground } }: Trees): number {
  const { velocity, inverseMass } = bodies
  let mass = 0
  let sum = 0
  mean.fill(0)
  for (let n = 0; n < body.length; n++) {
    const i = body[n]
    if (inverseMass[i] === 0) continue
    sum += kineticOf(bodies, i)
    mass += 1 / inverseMass[i]
    for (let k = 0; k < 3; k++) mean[k] += velocity[3 * i + k] / inverseMass[i]
  }
  if (mass === 0 || ground.length > 0) {
    mean.fill(0)
    return sum
  }
  for (let k = 0; k < 3; k++) {
    mean[k] /= mass
    sum -= 0.5 * mass * mean[k] * mean[k]
  }
  return sum
}

/** Leaves a share of the motion that `motionOf` has measured last. */
export function slowMotion(
  { velocity, angularVelocity }: BodyColumns,
  { forest: { body } }: Trees,
  share: number,
): void {
  for (const i of body) {
    for (let k = 0; k < 3; k++) {
      velocity[3 * i + k] = mean[k] + share * (velocity[3 * i + k] - mean[k])
      angularVelocity[3 * i + k] *= share
    }
  }
}
