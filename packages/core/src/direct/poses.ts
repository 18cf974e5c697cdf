/** Poses and multipliers of a tree, noted and taken back. */

import type { BodyColumns } from '../state/body-columns.js'
import { RUNAWAY } from '../step/limits.js'
import type { Trees } from './trees.js'

/** Notes poses and multipliers; a multiplier beyond all measure counts as none. */
export function note(bodies: BodyColumns, trees: Trees, poses: Float64Array, multipliers: Float64Array): void {
  const { firstMultiplier, place } = trees
  notePoses(bodies, trees, poses)
  for (let e = 0; e < place.length; e++) {
    const lambda = trees.lambda[e]
    const m = firstMultiplier[e]
    const width = firstMultiplier[e + 1] - m
    const o = place[e]
    for (let k = 0; k < width; k++) {
      if (!(Math.abs(lambda[o + k]) < RUNAWAY)) lambda[o + k] = 0
      multipliers[m + k] = lambda[o + k]
    }
  }
}

export function notePoses({ position, orientation }: BodyColumns, { forest }: Trees, poses: Float64Array): void {
  const { body } = forest
  for (let n = 0; n < body.length; n++) {
    const i = 4 * body[n]
    const o = 7 * n
    poses[o] = position[i]
    poses[o + 1] = position[i + 1]
    poses[o + 2] = position[i + 2]
    poses[o + 3] = orientation[i]
    poses[o + 4] = orientation[i + 1]
    poses[o + 5] = orientation[i + 2]
    poses[o + 6] = orientation[i + 3]
  }
}

/** Notes v and ω of the tree's bodies. */
export function noteVelocities({ velocity, angularVelocity }: BodyColumns, { forest }: Trees, out: Float64Array): void {
  const { body } = forest
  for (let n = 0; n < body.length; n++) {
    const i = 3 * body[n]
    const o = 6 * n
    out[o] = velocity[i]
    out[o + 1] = velocity[i + 1]
    out[o + 2] = velocity[i + 2]
    out[o + 3] = angularVelocity[i]
    out[o + 4] = angularVelocity[i + 1]
    out[o + 5] = angularVelocity[i + 2]
  }
}

/** Whether a body has moved farther since the last pass. */
export function hasMoved({ position, orientation }: BodyColumns, { forest, left }: Trees, far: number): boolean {
  const { body } = forest
  for (let n = 0; n < body.length; n++) {
    const i = 4 * body[n]
    for (let k = 0; k < 3; k++) if (Math.abs(position[i + k] - left[7 * n + k]) > far) return true
    // A quaternion changes by half the angle.
    for (let k = 0; k < 4; k++) if (2 * Math.abs(orientation[i + k] - left[7 * n + 3 + k]) > far) return true
  }
  return false
}

/** Goes back to what was noted. */
export function goBack(bodies: BodyColumns, trees: Trees, poses: Float64Array, multipliers: Float64Array): void {
  goBackPoses(bodies, trees, poses)
  goBackMultipliers(trees, multipliers)
}

export function goBackPoses({ position, orientation }: BodyColumns, trees: Trees, poses: Float64Array): void {
  const { forest, nodeCount } = trees
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * forest.body[n]
    for (let k = 0; k < 3; k++) position[i + k] = poses[7 * n + k]
    for (let k = 0; k < 4; k++) orientation[i + k] = poses[7 * n + 3 + k]
  }
}

export function goBackMultipliers({ lambda, place, firstMultiplier }: Trees, multipliers: Float64Array): void {
  for (let e = 0; e < place.length; e++) {
    const m = firstMultiplier[e]
    for (let k = m; k < firstMultiplier[e + 1]; k++) lambda[e][place[e] + k - m] = multipliers[k]
  }
}

/** Bits of the coordinates that move a centre of mass. */
const TRANSLATIONS = 7
/** Share of Σ m |x| below which a shift is round-off, and poses keep their bits. */
const NOTHING = 1e-15
/** From the centre of mass to where it was, times mass [kg m]. */
const AWAY = /* @__PURE__ */ new Float64Array(3)

/**
 * Puts the centre of mass of a free tree back where the pass started from. Joints do not move it, but Newton's method does, by its tolerance and by
 * round-off, which is large in stiff loops.
 */
export function keepCentre({ position }: BodyColumns, trees: Trees): void {
  const { body } = trees.forest
  const { mass, free, start } = trees
  if (!trees.isFree || trees.touches.acts || trees.held.count > 0) return
  let total = 0
  let size = 0
  AWAY.fill(0)
  for (let n = 0; n < body.length; n++) {
    if ((free[n] & TRANSLATIONS) !== TRANSLATIONS) return
    total += mass[n]
    for (let k = 0; k < 3; k++) {
      const x = position[4 * body[n] + k]
      AWAY[k] += mass[n] * (start[7 * n + k] - x)
      size += mass[n] * Math.abs(x)
    }
  }
  if (!(Math.abs(AWAY[0]) + Math.abs(AWAY[1]) + Math.abs(AWAY[2]) > NOTHING * size)) return
  for (let n = 0; n < body.length; n++) {
    for (let k = 0; k < 3; k++) position[4 * body[n] + k] += AWAY[k] / total
  }
}
