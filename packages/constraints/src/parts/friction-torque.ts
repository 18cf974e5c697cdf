/**
 * Dry friction on all three rotations of a joint: the couple that holds b against a as the substep found it, δ = 0, by
 * magnitude at most a bound [N m]. A block, so that below the bound nothing creeps, however slender the bodies are.
 */

import type { BodyColumns, Rows } from '@tautline/core/kernel'
import { turnedPair } from './angular.js'
import { AXES } from './orientation.js'
import { solveAngularBlock, STEP } from './vector.js'

const m = /* @__PURE__ */ new Float64Array(3)

/** Opens the group for `evaluate` and writes its rows; nothing without friction. */
export function frictionTorqueRows(out: Rows, max: number, multiplier: number): void {
  if (max === 0) return
  const group = out.group('block', 'rate', 'rad')
  group.radius = max
  group.pivotCompensated = true
  for (let k = 0; k < 3; k++) {
    out.row(multiplier + k, 0)
    out.turns(1, AXES, 3 * k)
  }
}

/** Its update; κ at `l`. */
export function solveJointFriction(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  columns: Record<'friction' | 'lambda' | 'relaxation' | 'regularization', Float64Array>,
  row: number,
  l: number,
  h: number,
): void {
  const { lambda } = columns
  const alpha = columns.regularization[row]
  turnedPair(bodies, a, b, m)
  STEP[0] = 1
  STEP[1] = 0
  STEP[2] = alpha
  STEP[3] = columns.relaxation[row]
  STEP[4] = columns.friction[row] * h * h
  STEP[5] = m[0] + alpha * lambda[l]
  STEP[6] = m[1] + alpha * lambda[l + 1]
  STEP[7] = m[2] + alpha * lambda[l + 2]
  solveAngularBlock(bodies, a, b, p, lambda, l)
}
