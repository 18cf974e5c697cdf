/**
 * Draws constraints: each type says what it looks like by its `outline`, and one that does not is drawn as lines from its first body to
 * the others.
 */

import { type LeanWorld } from '@tautline/core'
import {
  type Batch,
  type BodyColumns,
  constraintError,
  measureReaction,
  type Outline,
  WORLD_BODY,
} from '@tautline/core/kernel'
import { type Colour, PALETTE, scaleColour } from './colours.js'
import { ARROW, type DrawFlags } from './flags.js'
import type { Pen } from './pen.js'
import type { Sketch } from './sketch.js'
import { dot } from './vectors.js'

/** Force and couple on the first body [N, N m]. */
const push = /* @__PURE__ */ new Float64Array(6)
const COUPLE = 3

/** Draws all rows of a batch that act, with the bodies at the poses in `c`. */
export function drawBatch(
  world: LeanWorld,
  c: BodyColumns,
  batch: Batch,
  pen: Pen,
  sketch: Sketch,
  flags: DrawFlags,
): void {
  if (!(flags.joints || flags.limits || flags.links || flags.contacts || flags.forces)) return
  const { arity, ids, type } = batch
  const { enabled } = batch.common
  for (let row = 0; row < batch.count; row++) {
    if (enabled[row] === 0) continue
    if (flags.forces || flags.colour === 'force') measureReaction(world, batch, row, 0, push)
    if (flags.colour === 'error') {
      scaleColour(constraintError(c, batch, row) / flags.scales[0], sketch.colour)
    } else if (flags.colour === 'force') {
      scaleColour(Math.max(lengthOf(0), lengthOf(COUPLE)) / flags.scales[1], sketch.colour)
    }
    const a = ids[arity * row]
    sketch.begin(c, a, arity > 1 ? ids[arity * row + 1] : a)
    if (type.outline === undefined) outlineStar(c, batch, row, sketch)
    else type.outline(c, batch, row, sketch)
    if (!flags.forces) continue
    drawPush(pen, sketch, flags, 'force', 0)
    drawPush(pen, sketch, flags, 'couple', COUPLE)
  }
}

/** An arrow where the row takes hold of its first body. */
function drawPush(pen: Pen, sketch: Sketch, flags: DrawFlags, colour: Colour, o: number): void {
  const rgb = PALETTE[colour]
  for (let k = 0; k < 3; k++) pen.ink[k] = rgb[k]
  pen.arrow(sketch.start, 0, push, o, flags.sizes, ARROW)
}

/** From the first body to each other one; a cross at a single one, or at the one that is no world. */
function outlineStar({ position }: BodyColumns, { arity, ids }: Batch, row: number, out: Outline): void {
  const o = arity * row
  let lines = 0
  for (let k = 1; k < arity; k++) {
    if (ids[o] === WORLD_BODY || ids[o + k] === WORLD_BODY) continue
    out.link(position, 4 * ids[o], 4 * ids[o + k])
    lines++
  }
  if (lines > 0) return
  for (let k = 0; k < arity; k++) if (ids[o + k] !== WORLD_BODY) out.target(position, 4 * ids[o + k])
}

function lengthOf(o: number): number {
  return Math.sqrt(dot(push, o, push, o))
}
