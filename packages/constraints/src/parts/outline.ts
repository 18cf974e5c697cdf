/** World points and axes of a pair, for `outline`: functions here place them in one array, `OUTLINE`. */

import {
  type Batch,
  type BodyColumns,
  frameX,
  frameY,
  frameZ,
  type Outline,
  rotateVector,
  WORLD_BODY,
} from '@tautline/core/kernel'
import { FRAMES, jointFrames } from './frames.js'

/** Places in `OUTLINE`: the two anchors, or centres; the x axis of a's frame, and the axes of b's. */
export const POINT_A = 0
export const POINT_B = 3
export const X_A = 6
export const X_B = 9
export const Y_B = 12
export const Z_B = 15

/** World points [m] and unit vectors of the row in hand. */
export const OUTLINE: Float64Array = /* @__PURE__ */ new Float64Array(18)
const F = /* @__PURE__ */ new Float64Array(FRAMES)

/** Places the anchors of a row. */
export function placeAnchors(bodies: BodyColumns, batch: Batch<'anchorA' | 'anchorB'>, row: number): void {
  const { ids, columns } = batch
  placeAnchor(bodies, ids[2 * row], columns.anchorA, row, POINT_A)
  placeAnchor(bodies, ids[2 * row + 1], columns.anchorB, row, POINT_B)
}

function placeAnchor(
  { position, orientation }: BodyColumns,
  i: number,
  anchor: Float64Array,
  row: number,
  o: number,
): void {
  const k = 3 * row
  rotateVector(orientation, 4 * i, anchor[k], anchor[k + 1], anchor[k + 2], OUTLINE, o)
  for (let n = 0; n < 3; n++) OUTLINE[o + n] += position[4 * i + n]
}

/** Places the axes of both frames of a row, and returns the frames: a's, then b's. */
export function placeFrames(bodies: BodyColumns, batch: Batch<'frameA' | 'frameB'>, row: number): Float64Array {
  const { ids, columns } = batch
  jointFrames(bodies, ids[2 * row], ids[2 * row + 1], columns.frameA, columns.frameB, row, F)
  frameX(F, 0, OUTLINE, X_A)
  frameX(F, 4, OUTLINE, X_B)
  frameY(F, 4, OUTLINE, Y_B)
  frameZ(F, 4, OUTLINE, Z_B)
  return F
}

/** Draws the anchors of a joint. */
export function outlineAnchors(
  bodies: BodyColumns,
  batch: Batch<'anchorA' | 'anchorB'>,
  row: number,
  out: Outline,
): void {
  placeAnchors(bodies, batch, row)
  out.anchors(OUTLINE, POINT_A, POINT_B)
}

/** Draws the anchors of a joint, places the axes of its frames, and returns these. */
export function outlinePivot(
  bodies: BodyColumns,
  batch: Batch<'anchorA' | 'anchorB' | 'frameA' | 'frameB'>,
  row: number,
  out: Outline,
): Float64Array {
  outlineAnchors(bodies, batch, row, out)
  return placeFrames(bodies, batch, row)
}

/** Draws a line between the anchors of a row. */
export function outlineLink(bodies: BodyColumns, batch: Batch<'anchorA' | 'anchorB'>, row: number, out: Outline): void {
  placeAnchors(bodies, batch, row)
  out.link(OUTLINE, POINT_A, POINT_B)
}

/** Places the centres of a pair, for axes without an anchor, and draws a line between them; the world, which has none, has the other's. */
export function outlineCentres({ position }: BodyColumns, ids: Int32Array, row: number, out: Outline): void {
  const a = ids[2 * row]
  const b = ids[2 * row + 1]
  for (let k = 0; k < 3; k++) {
    OUTLINE[POINT_A + k] = position[4 * (a === WORLD_BODY ? b : a) + k]
    OUTLINE[POINT_B + k] = position[4 * (b === WORLD_BODY ? a : b) + k]
  }
  if (a !== WORLD_BODY && b !== WORLD_BODY) out.line(OUTLINE, POINT_A, POINT_B)
}

/** Draws the x axis of a's frame, and where that of b's is. */
export function outlineAlignment(
  bodies: BodyColumns,
  batch: Batch<'frameA' | 'frameB'>,
  row: number,
  out: Outline,
): void {
  outlineCentres(bodies, batch.ids, row, out)
  placeFrames(bodies, batch, row)
  out.axis(OUTLINE, POINT_A, X_A)
  out.needle(OUTLINE, POINT_A, X_B)
}

/** Draws the way through three bodies. */
export function outlineLine({ position }: BodyColumns, { ids }: Batch, row: number, out: Outline): void {
  const middle = 4 * ids[3 * row + 1]
  out.link(position, 4 * ids[3 * row], middle)
  out.link(position, middle, 4 * ids[3 * row + 2])
}

/** Draws two triangles on an edge: the edge, and from the middle of it to the vertices opposite to it. */
export function outlineFold({ position }: BodyColumns, { ids }: Batch, row: number, out: Outline): void {
  const p = 4 * ids[4 * row]
  const q = 4 * ids[4 * row + 1]
  out.link(position, p, q)
  for (let side = 2; side < 4; side++) {
    for (let k = 0; k < 3; k++) {
      OUTLINE[POINT_A + k] = 0.5 * (position[p + k] + position[q + k])
      OUTLINE[POINT_B + k] = position[4 * ids[4 * row + side] + k]
    }
    out.link(OUTLINE, POINT_A, POINT_B)
  }
}
