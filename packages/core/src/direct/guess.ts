/** The first guess of a pass: bodies as their joints displaced them in the last substep. */

import type { BodyColumns } from '../state/body-columns.js'
import { rotationBetween, turnBy } from '../math/rotation.js'
import type { Trees } from './trees.js'

const turned = /* @__PURE__ */ new Float64Array(3)

/** A first guess: bodies as they would be if their joints did to them what they did last, seen from the body. */
export function startFromPull(bodies: BodyColumns, trees: Trees): void {
  const { forest, substep } = trees
  const { position, orientation, angularVelocity, pull } = bodies
  const s = substep[0] * substep[0]
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    const p = 6 * i
    const x = substep[0] * angularVelocity[3 * i]
    const y = substep[0] * angularVelocity[3 * i + 1]
    const z = substep[0] * angularVelocity[3 * i + 2]
    position[4 * i] += s * (pull[p] + y * pull[p + 2] - z * pull[p + 1])
    position[4 * i + 1] += s * (pull[p + 1] + z * pull[p] - x * pull[p + 2])
    position[4 * i + 2] += s * (pull[p + 2] + x * pull[p + 1] - y * pull[p])
    turned[0] = s * (pull[p + 3] + y * pull[p + 5] - z * pull[p + 4])
    turned[1] = s * (pull[p + 4] + z * pull[p + 3] - x * pull[p + 5])
    turned[2] = s * (pull[p + 5] + x * pull[p + 4] - y * pull[p + 3])
    turnBy(orientation, 4 * i, turned)
  }
}

export function notePull(bodies: BodyColumns, trees: Trees): void {
  const { forest, start, substep } = trees
  const { position, orientation, pull } = bodies
  const s = 1 / (substep[0] * substep[0])
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    rotationBetween(orientation, 4 * i, start, 7 * n + 3, turned, 0)
    const o = 6 * i
    pull[o] = s * (position[4 * i] - start[7 * n])
    pull[o + 1] = s * (position[4 * i + 1] - start[7 * n + 1])
    pull[o + 2] = s * (position[4 * i + 2] - start[7 * n + 2])
    pull[o + 3] = s * turned[0]
    pull[o + 4] = s * turned[1]
    pull[o + 5] = s * turned[2]
    const sum = pull[o] + pull[o + 1] + pull[o + 2] + pull[o + 3] + pull[o + 4] + pull[o + 5]
    // Over a substep that was next to none.
    if (sum - sum !== 0) pull.fill(0, o, o + 6)
  }
}
