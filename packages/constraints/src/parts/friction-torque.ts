/**
 * Dry friction on all three rotations of a joint: the couple that holds b against a as the substep found it, δ = 0, by
 * magnitude at most a bound [N m]. A block, so that below the bound nothing creeps, however slender the bodies are.
 */

import type { BodyColumns, Rows } from '@tautline/core/kernel'
import { pairRotation } from './angular.js'
import { AXES } from './orientation.js'
import { solveAngularBlock, STEP } from './vector.js'
import { ERROR, RADIUS, RELAXATION, ROW_DAMPING, ROW_SOFTNESS, ROW_STIFFNESS } from './registers.js'

const m = /* @__PURE__ */ new Float64Array(3)

/** Opens the group for `evaluate` and writes its rows; nothing without friction. */
export function frictionTorqueRows(out: Rows, max: number, multiplier: number): void {
  if (max === 0) return
  const group = out.group('block', 'rate', 'rad')
  group.radius = max
  group.pivotCompensated = true
  for (let k = 0; k < 3; k++) {
    out.row(multiplier + k, 0)
    out.rotations(1, AXES, 3 * k)
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
  pairRotation(bodies, a, b, m)
  STEP[ROW_STIFFNESS] = 1
  STEP[ROW_DAMPING] = 0
  STEP[ROW_SOFTNESS] = alpha
  STEP[RELAXATION] = columns.relaxation[row]
  STEP[RADIUS] = columns.friction[row] * h * h
  STEP[ERROR] = m[0] + alpha * lambda[l]
  STEP[ERROR + 1] = m[1] + alpha * lambda[l + 1]
  STEP[ERROR + 2] = m[2] + alpha * lambda[l + 2]
  solveAngularBlock(bodies, a, b, p, lambda, l)
}
