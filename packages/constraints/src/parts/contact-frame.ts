/** Columns of a point contact, and the axes of its normal and friction. */

import { type Batch, rotateVector } from '@tautline/core/kernel'
import type { Pose } from './levers.js'

/** Their strides. */
export const POINT_CONTACT_COLUMNS = {
  anchorA: 3,
  anchorB: 3,
  normal: 3,
  tangent: 3,
  friction: 2,
  restitution: 1,
  maxPushOut: 1,
  goal: 1,
  overlap: 1,
  approach: 1,
  stick: 2,
  sliding: 1,
} as const

export type PointContactColumn = keyof typeof POINT_CONTACT_COLUMNS

/** n̂, t̂₁ and t̂₂ = n̂ × t̂₁ in world space, into `frame`. */
export function loadFrame(
  bodies: Pose,
  batch: Batch<PointContactColumn>,
  row: number,
  b: number,
  frame: Float64Array,
): void {
  const { normal, tangent } = batch.columns
  const k = 3 * row
  rotateVector(bodies.orientation, 4 * b, normal[k], normal[k + 1], normal[k + 2], frame, 0)
  rotateVector(bodies.orientation, 4 * b, tangent[k], tangent[k + 1], tangent[k + 2], frame, 3)
  frame[6] = frame[1] * frame[5] - frame[2] * frame[4]
  frame[7] = frame[2] * frame[3] - frame[0] * frame[5]
  frame[8] = frame[0] * frame[4] - frame[1] * frame[3]
}
