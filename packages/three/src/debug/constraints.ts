/**
 * What constraints look like: anchors, axes and ranges of those that the library has, lines between bodies of all others.
 *
 * Types are known by name and by the columns that they store; one of another's making that has anchors is drawn by them.
 */

import {
  type Batch,
  type BodyColumns,
  compose,
  constraintError,
  frameX,
  frameY,
  frameZ,
  measureReaction,
  rotateVector,
  sinCos,
  twistAngle,
  WORLD_BODY,
  type World,
} from '@tautline/core'
import { type Colour, PALETTE, scaleColour } from './colours.js'
import type { Pen } from './pen.js'

/** What is wanted, and with what it is drawn. */
export interface Wishes {
  joints: boolean
  limits: boolean
  links: boolean
  contacts: boolean
  forces: boolean
  colour: 'kind' | 'error' | 'force'
  /** Size of axes and arcs [m]; half of it; size of crosses; length of arrows [m/N]. */
  readonly sizes: Float64Array
  /** What is as bright as can be: [m or rad], [N or N m]. */
  readonly scales: Float64Array
}

const SIZE = 0
const HALF = 1
const CROSS = 2
const ARROW = 3

/** Points in the world: anchors of a and b, centres of a and b, a point in between, the end of a needle. */
const P = /* @__PURE__ */ new Float64Array(18)
const ANCHOR_A = 0
const ANCHOR_B = 3
const CENTRE_A = 6
const CENTRE_B = 9
const APEX = 12
const TIP = 15
/** Axes of the frames of a and b, and three more. */
const U = /* @__PURE__ */ new Float64Array(27)
const B = 9
const E = 18
const F = /* @__PURE__ */ new Float64Array(8)
const t = /* @__PURE__ */ new Float64Array(4)
/** An arc: from, to, radius. */
const range = /* @__PURE__ */ new Float64Array(3)
const angles = /* @__PURE__ */ new Float64Array(2)
const push = /* @__PURE__ */ new Float64Array(6)
const rowInk = /* @__PURE__ */ new Float64Array(3)
const length = /* @__PURE__ */ new Float64Array(1)

type Columns = Readonly<Record<string, Float64Array | undefined>>
type Kind = 'joints' | 'links' | 'contacts'
type Draw = (c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes) => void

/** The colour mode of the row in hand. */
let isKind = true

function ink(pen: Pen, colour: Colour): void {
  const rgb = PALETTE[colour]
  for (let k = 0; k < 3; k++) pen.ink[k] = isKind ? rgb[k] : rowInk[k]
}

/** By name of type: what it counts as, and how it is drawn. */
const DRAWN: Readonly<Record<string, { kind: Kind; draw: Draw; needs: readonly string[] }>> = {
  ballSocket: { kind: 'joints', draw: drawAnchors, needs: ['anchorA', 'anchorB'] },
  fixed: { kind: 'joints', draw: drawFixed, needs: ['anchorA', 'anchorB'] },
  hinge: { kind: 'joints', draw: drawHinge, needs: ['anchorA', 'anchorB', 'frameA', 'frameB', 'limit'] },
  slider: { kind: 'joints', draw: drawSlider, needs: ['anchorA', 'anchorB', 'frameA', 'limit'] },
  universal: { kind: 'joints', draw: drawUniversal, needs: ['anchorA', 'anchorB', 'frameA', 'frameB', 'limits'] },
  swingTwist: { kind: 'joints', draw: drawSwingTwist, needs: ['anchorA', 'anchorB', 'frameA', 'frameB', 'limits'] },
  axle: { kind: 'joints', draw: drawAxle, needs: ['frameA', 'frameB'] },
  cone: { kind: 'joints', draw: drawCone, needs: ['axisA', 'axisB', 'limit'] },
  angularDrive: { kind: 'joints', draw: drawAxle, needs: ['frameA', 'frameB'] },
  contact: { kind: 'contacts', draw: drawContact, needs: ['anchorA', 'anchorB', 'normal'] },
  dihedralBend: { kind: 'links', draw: drawBend, needs: [] },
  isometricBend: { kind: 'links', draw: drawBend, needs: [] },
  ropeLength: { kind: 'links', draw: drawChain, needs: [] },
  tetraVolume: { kind: 'links', draw: drawAllPairs, needs: [] },
  drag: { kind: 'links', draw: drawDrag, needs: ['point', 'target'] },
}

const ANCHORED = { kind: 'links', draw: drawLink, needs: [] } as const
const OTHER = { kind: 'links', draw: drawStar, needs: [] } as const

/** How a batch is drawn. */
function drawnAs({ type, arity, columns }: Batch): { kind: Kind; draw: Draw } {
  const found = Object.hasOwn(DRAWN, type.name) ? DRAWN[type.name] : undefined
  const own = columns as Columns
  if (found !== undefined) {
    let fits = true
    for (let k = 0; k < found.needs.length; k++) if (own[found.needs[k]] === undefined) fits = false
    if (fits) return found
  }
  const anchored = arity === 2 && own.anchorA !== undefined && own.anchorB !== undefined
  return anchored && strideOf(own.anchorA, columns.sequence) === 3 ? ANCHORED : OTHER
}

/** Numbers a row of a column, against one that has one. */
function strideOf(column: Float64Array | undefined, ofOne: Float64Array): number {
  return column === undefined ? 0 : column.length / ofOne.length
}

/** Draws all rows of a batch that act, with the bodies at the poses in `c`. */
export function drawBatch(world: World, c: BodyColumns, batch: Batch, pen: Pen, wishes: Wishes): void {
  const { kind, draw } = drawnAs(batch)
  const wanted = wishes[kind] || (kind === 'joints' && wishes.limits)
  if (!wanted && !wishes.forces) return
  const { enabled } = batch.common
  for (let row = 0; row < batch.count; row++) {
    if (enabled[row] === 0) continue
    isKind = wishes.colour === 'kind'
    if (wishes.forces || wishes.colour === 'force') measureReaction(world, batch, row, 0, push)
    if (wishes.colour === 'error') {
      scaleColour(constraintError(c, batch, row) / wishes.scales[0], rowInk)
    } else if (wishes.colour === 'force') {
      scaleColour(Math.max(lengthOf(push, 0), lengthOf(push, 3)) / wishes.scales[1], rowInk)
    }
    placeEnds(c, batch, row)
    if (wanted) draw(c, batch, row, pen, wishes)
    if (!wishes.forces) continue
    isKind = true
    ink(pen, 'force')
    pen.arrow(P, ANCHOR_A, push, 0, wishes.sizes, ARROW)
    ink(pen, 'couple')
    pen.arrow(P, ANCHOR_A, push, 3, wishes.sizes, ARROW)
  }
}

/** Centres and anchors of the first two bodies, into `P`; a type without anchors has its centres for them. */
function placeEnds(c: BodyColumns, batch: Batch, row: number): void {
  const { arity, ids } = batch
  const { anchorA, anchorB, point, sequence } = batch.columns as Columns & { sequence: Float64Array }
  const a = ids[arity * row]
  const b = arity > 1 ? ids[arity * row + 1] : a
  for (let k = 0; k < 3; k++) {
    P[ANCHOR_A + k] = P[CENTRE_A + k] = c.position[4 * a + k]
    P[ANCHOR_B + k] = P[CENTRE_B + k] = c.position[4 * b + k]
  }
  if (anchorA !== undefined && strideOf(anchorA, sequence) === 3) placeAnchor(c, a, anchorA, row, ANCHOR_A)
  if (anchorB !== undefined && strideOf(anchorB, sequence) === 3) placeAnchor(c, b, anchorB, row, ANCHOR_B)
  if (arity === 1 && strideOf(point, sequence) === 3) placeAnchor(c, a, point as Float64Array, row, ANCHOR_A)
  // Where one is the world, which is nowhere, axes without an anchor are drawn at the other.
  for (let k = 0; k < 3; k++) P[APEX + k] = a === WORLD_BODY ? P[CENTRE_B + k] : P[CENTRE_A + k]
}

function placeAnchor(c: BodyColumns, i: number, anchor: Float64Array, row: number, o: number): void {
  const k = 3 * row
  rotateVector(c.orientation, 4 * i, anchor[k], anchor[k + 1], anchor[k + 2], P, o)
  for (let n = 0; n < 3; n++) P[o + n] += c.position[4 * i + n]
}

/** Axes of a's frame into U[0…8], of b's into U[9…17]; a frame that is not there is the body's own. */
function placeFrames(c: BodyColumns, batch: Batch, row: number): void {
  const { frameA, frameB } = batch.columns as Columns
  const [a, b] = [4 * batch.ids[2 * row], 4 * batch.ids[2 * row + 1]]
  placeFrame(c, a, frameA, row, 0)
  placeFrame(c, b, frameB, row, 4)
  for (let side = 0; side < 2; side++) {
    frameX(F, 4 * side, U, B * side)
    frameY(F, 4 * side, U, B * side + 3)
    frameZ(F, 4 * side, U, B * side + 6)
  }
}

function placeFrame(c: BodyColumns, q: number, frame: Float64Array | undefined, row: number, o: number): void {
  if (frame !== undefined) compose(c.orientation, q, frame, 4 * row, F, o)
  else for (let k = 0; k < 4; k++) F[o + k] = c.orientation[q + k]
}

/** Levers from the centres to the anchors, the anchors, and what is between them. */
function drawAnchors(_c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  if (!wishes.joints) return
  ink(pen, 'joint')
  if (batch.ids[2 * row] !== WORLD_BODY) pen.line(P, CENTRE_A, P, ANCHOR_A)
  if (batch.ids[2 * row + 1] !== WORLD_BODY) pen.line(P, CENTRE_B, P, ANCHOR_B)
  pen.cross(P, ANCHOR_A, wishes.sizes, CROSS)
  ink(pen, 'gap')
  pen.line(P, ANCHOR_A, P, ANCHOR_B)
}

function drawAxes(pen: Pen, o: number, u: number, sizes: Float64Array): void {
  ink(pen, 'x')
  pen.ray(P, o, U, u, sizes, HALF)
  ink(pen, 'y')
  pen.ray(P, o, U, u + 3, sizes, HALF)
  ink(pen, 'z')
  pen.ray(P, o, U, u + 6, sizes, HALF)
}

function drawFixed(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  drawAnchors(c, batch, row, pen, wishes)
  if (!wishes.joints) return
  placeFrames(c, batch, row)
  drawAxes(pen, ANCHOR_A, 0, wishes.sizes)
  drawAxes(pen, ANCHOR_B, B, wishes.sizes)
}

/** A line through an anchor, both ways along the axis at `u`. */
function drawAxis(pen: Pen, o: number, u: number, sizes: Float64Array): void {
  ink(pen, 'joint')
  length[0] = -sizes[SIZE]
  pen.ray(P, o, U, u, sizes, SIZE)
  pen.ray(P, o, U, u, length, 0)
}

/** A range about a point: an arc towards cos φ u + sin φ v, and a needle along the vector at `needle`. */
function drawRange(
  pen: Pen,
  limit: Float64Array,
  l: number,
  o: number,
  u: number,
  v: number,
  needle: number,
  sizes: Float64Array,
): void {
  const isFree = limit[l] === -Infinity && limit[l + 1] === Infinity
  range[0] = Math.max(limit[l], limit[l + 1] < Infinity ? limit[l + 1] - 2 * Math.PI : -Math.PI)
  range[1] = Math.min(limit[l + 1], range[0] + 2 * Math.PI)
  range[2] = sizes[SIZE]
  if (isFree) return
  ink(pen, 'limit')
  pen.arc(P, o, U, u, v, range, true)
  ink(pen, 'needle')
  pen.ray(P, o, U, needle, sizes, SIZE)
}

function drawHinge(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  drawAnchors(c, batch, row, pen, wishes)
  placeFrames(c, batch, row)
  if (wishes.joints) drawAxis(pen, ANCHOR_A, 0, wishes.sizes)
  const limit = (batch.columns as Columns).limit as Float64Array
  if (wishes.limits) drawRange(pen, limit, 4 * row, ANCHOR_A, 3, 6, B + 3, wishes.sizes)
}

function drawSlider(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  placeFrames(c, batch, row)
  const limit = (batch.columns as Columns).limit as Float64Array
  if (wishes.joints) {
    ink(pen, 'joint')
    if (batch.ids[2 * row] !== WORLD_BODY) pen.line(P, CENTRE_A, P, ANCHOR_A)
    if (batch.ids[2 * row + 1] !== WORLD_BODY) pen.line(P, CENTRE_B, P, ANCHOR_B)
    pen.cross(P, ANCHOR_B, wishes.sizes, CROSS)
    drawAxis(pen, ANCHOR_A, 0, wishes.sizes)
    // What of b is off the axis is error.
    let along = 0
    for (let k = 0; k < 3; k++) along += U[k] * (P[ANCHOR_B + k] - P[ANCHOR_A + k])
    for (let k = 0; k < 3; k++) P[TIP + k] = P[ANCHOR_A + k] + along * U[k]
    ink(pen, 'joint')
    pen.line(P, ANCHOR_A, P, TIP)
    ink(pen, 'gap')
    pen.line(P, TIP, P, ANCHOR_B)
  }
  if (!wishes.limits) return
  ink(pen, 'limit')
  let ends = 0
  for (let side = 0; side < 2; side++) {
    const s = limit[4 * row + side]
    if (s === -Infinity || s === Infinity) continue
    const o = side === 0 ? APEX : TIP
    for (let k = 0; k < 3; k++) P[o + k] = P[ANCHOR_A + k] + s * U[k]
    // A tick across the axis.
    length[0] = -wishes.sizes[HALF]
    pen.ray(P, o, U, 3, wishes.sizes, HALF)
    pen.ray(P, o, U, 3, length, 0)
    ends++
  }
  if (ends === 2) pen.line(P, APEX, P, TIP)
}

function drawUniversal(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  drawAnchors(c, batch, row, pen, wishes)
  placeFrames(c, batch, row)
  const { sizes } = wishes
  if (wishes.joints) {
    drawAxis(pen, ANCHOR_A, 0, sizes)
    drawAxis(pen, ANCHOR_A, B + 6, sizes)
  }
  if (!wishes.limits) return
  const limits = (batch.columns as Columns).limits as Float64Array
  // b's cross axis is at −sin α ŷ + cos α ẑ about a's.
  for (let k = 0; k < 3; k++) U[E + k] = -U[3 + k]
  drawRange(pen, limits, 8 * row, ANCHOR_A, 6, E, B + 6, sizes)
  // b's other axis is at cos β x̂ + sin β (ẑ × x̂) about its own: x̂ of a, square to ẑ of b.
  let along = 0
  for (let k = 0; k < 3; k++) along += U[k] * U[B + 6 + k]
  for (let k = 0; k < 3; k++) U[E + k] = U[k] - along * U[B + 6 + k]
  if (!makeUnit(E)) return
  cross(B + 6, E, E + 3)
  drawRange(pen, limits, 8 * row + 4, ANCHOR_A, E, E + 3, B, sizes)
}

function drawSwingTwist(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  drawAnchors(c, batch, row, pen, wishes)
  placeFrames(c, batch, row)
  const { sizes } = wishes
  if (wishes.joints) drawAxis(pen, ANCHOR_A, B, sizes)
  if (!wishes.limits) return
  const limits = (batch.columns as Columns).limits as Float64Array
  const l = 12 * row
  drawSwing(pen, limits, l, batch.variant === 1, sizes)
  // Twist about b's axis: its y turned back by the present twist is where 0 is.
  twistAngle(F, t)
  angles[0] = -t[0]
  turnAbout(B, B + 3, E)
  cross(B, E, E + 3)
  drawRange(pen, limits, l + 8, ANCHOR_A, E, E + 3, B + 3, sizes)
}

/** Corners of a box of two swing angles, or an ellipse through its four ends: where b's axis may come to. */
const RIM = 32

function drawSwing(pen: Pen, limits: Float64Array, l: number, isCone: boolean, sizes: Float64Array): void {
  const isFree = limits[l] === -Infinity && limits[l + 1] === Infinity && limits[l + 4] === -Infinity
  if (isFree && limits[l + 5] === Infinity) return
  ink(pen, 'limit')
  for (let s = 0; s <= RIM; s++) {
    for (let k = 0; k < 3; k++) P[APEX + k] = P[TIP + k]
    rimAt(limits, l, isCone, s)
    swungTo()
    for (let k = 0; k < 3; k++) P[TIP + k] = P[ANCHOR_A + k] + sizes[SIZE] * U[E + k]
    if (s > 0) pen.line(P, APEX, P, TIP)
    if (s < RIM && s % (RIM / 8) === 0) pen.line(P, ANCHOR_A, P, TIP)
  }
  ink(pen, 'needle')
  pen.ray(P, ANCHOR_A, U, B, sizes, SIZE)
}

/** Swing angles of the `s`-th point of the rim, into `angles`. */
function rimAt(limits: Float64Array, l: number, isCone: boolean, s: number): void {
  if (isCone) {
    t[0] = (2 * Math.PI * s) / RIM
    unitAt(t[0])
    const y = t[1]
    const z = t[2]
    angles[0] = y < 0 ? -limits[l] * y : limits[l + 1] * y
    angles[1] = z < 0 ? -limits[l + 4] * z : limits[l + 5] * z
    return
  }
  // Round a box, a quarter of the points a side: −1…1 each.
  const side = Math.floor((4 * s) / RIM) % 4
  const along = ((4 * s) % RIM) / RIM
  const u = side === 0 ? -1 + 2 * along : side === 1 ? 1 : side === 2 ? 1 - 2 * along : -1
  const v = side === 0 ? -1 : side === 1 ? -1 + 2 * along : side === 2 ? 1 : 1 - 2 * along
  for (let k = 0; k < 2; k++) {
    const min = Math.max(limits[l + 4 * k], -Math.PI)
    const max = Math.min(limits[l + 4 * k + 1], Math.PI)
    angles[k] = 0.5 * (min + max) + 0.5 * (k === 0 ? u : v) * (max - min)
  }
}

/** The direction that a's x axis is swung to by `angles`, into U[E…]. */
function swungTo(): void {
  const y = angles[0]
  const z = angles[1]
  const theta = Math.sqrt(y * y + z * z)
  unitAt(theta)
  const s = theta > 1e-9 ? t[2] / theta : 1
  for (let k = 0; k < 3; k++) U[E + k] = t[1] * U[k] + s * (z * U[3 + k] - y * U[6 + k])
}

function drawAxle(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  if (!wishes.joints) return
  placeFrames(c, batch, row)
  drawAxis(pen, APEX, 0, wishes.sizes)
  ink(pen, 'needle')
  pen.ray(P, APEX, U, B, wishes.sizes, SIZE)
  ink(pen, 'joint')
  drawBetween(batch, row, pen)
}

function drawCone(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  const { axisA, axisB, limit } = batch.columns as Record<string, Float64Array>
  const { sizes } = wishes
  const k = 3 * row
  rotateVector(c.orientation, 4 * batch.ids[2 * row], axisA[k], axisA[k + 1], axisA[k + 2], U, 0)
  rotateVector(c.orientation, 4 * batch.ids[2 * row + 1], axisB[k], axisB[k + 1], axisB[k + 2], U, B)
  if (wishes.joints) {
    ink(pen, 'joint')
    pen.ray(P, APEX, U, 0, sizes, SIZE)
    drawBetween(batch, row, pen)
  }
  if (!wishes.limits) return
  const least = Math.abs(U[0]) < Math.abs(U[1]) ? 0 : 1
  for (let n = 0; n < 3; n++) U[3 + n] = (n === least ? 1 : 0) - U[least] * U[n]
  makeUnit(3)
  cross(0, 3, 6)
  unitAt(limit[row])
  const height = sizes[SIZE] * t[1]
  range[0] = 0
  range[1] = 2 * Math.PI
  range[2] = sizes[SIZE] * t[2]
  for (let n = 0; n < 3; n++) P[TIP + n] = P[APEX + n] + height * U[n]
  ink(pen, 'limit')
  pen.arc(P, TIP, U, 3, 6, range, false)
  for (let side = 0; side < 4; side++) {
    const o = side < 2 ? 3 : 6
    const sign = side % 2 === 0 ? 1 : -1
    for (let n = 0; n < 3; n++) P[ANCHOR_B + n] = P[TIP + n] + sign * range[2] * U[o + n]
    pen.line(P, APEX, P, ANCHOR_B)
  }
  ink(pen, 'needle')
  pen.ray(P, APEX, U, B, sizes, SIZE)
}

/** A line between the centres, where both are bodies. */
function drawBetween(batch: Batch, row: number, pen: Pen): void {
  if (batch.ids[2 * row] !== WORLD_BODY && batch.ids[2 * row + 1] !== WORLD_BODY) pen.line(P, CENTRE_A, P, CENTRE_B)
}

function drawContact(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  const { normal } = batch.columns as Record<string, Float64Array>
  const k = 3 * row
  rotateVector(c.orientation, 4 * batch.ids[2 * row + 1], normal[k], normal[k + 1], normal[k + 2], U, 0)
  ink(pen, 'contact')
  pen.cross(P, ANCHOR_B, wishes.sizes, CROSS)
  pen.ray(P, ANCHOR_B, U, 0, wishes.sizes, HALF)
  pen.line(P, ANCHOR_A, P, ANCHOR_B)
}

/** Lengths, springs, and what else has two anchors. */
function drawLink(_c: BodyColumns, _batch: Batch, _row: number, pen: Pen, _wishes: Wishes): void {
  ink(pen, 'link')
  pen.line(P, ANCHOR_A, P, ANCHOR_B)
}

function drawDrag(_c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  const { target } = batch.columns as Record<string, Float64Array>
  ink(pen, 'link')
  pen.line(P, ANCHOR_A, target, 3 * row)
  pen.cross(target, 3 * row, wishes.sizes, CROSS)
}

/** Two triangles on an edge: the edge, and from the middle of it to what is opposite. */
function drawBend(c: BodyColumns, batch: Batch, row: number, pen: Pen, _wishes: Wishes): void {
  const o = 4 * row
  ink(pen, 'link')
  pen.line(P, CENTRE_A, P, CENTRE_B)
  for (let k = 0; k < 3; k++) P[APEX + k] = 0.5 * (P[CENTRE_A + k] + P[CENTRE_B + k])
  pen.line(P, APEX, c.position, 4 * batch.ids[o + 2])
  pen.line(P, APEX, c.position, 4 * batch.ids[o + 3])
}

function drawChain(c: BodyColumns, batch: Batch, row: number, pen: Pen, _wishes: Wishes): void {
  const o = batch.arity * row
  ink(pen, 'link')
  for (let k = 1; k < batch.arity; k++) {
    pen.line(c.position, 4 * batch.ids[o + k - 1], c.position, 4 * batch.ids[o + k])
  }
}

function drawAllPairs(c: BodyColumns, batch: Batch, row: number, pen: Pen, _wishes: Wishes): void {
  const o = batch.arity * row
  ink(pen, 'link')
  for (let k = 1; k < batch.arity; k++) {
    for (let n = 0; n < k; n++) pen.line(c.position, 4 * batch.ids[o + n], c.position, 4 * batch.ids[o + k])
  }
}

/** What is known of nothing: from the first body to each other one; a cross at a single one, or at the one that is no world. */
function drawStar(c: BodyColumns, batch: Batch, row: number, pen: Pen, wishes: Wishes): void {
  const { arity, ids } = batch
  const o = arity * row
  ink(pen, 'link')
  let lines = 0
  for (let k = 1; k < arity; k++) {
    if (ids[o] === WORLD_BODY || ids[o + k] === WORLD_BODY) continue
    pen.line(c.position, 4 * ids[o], c.position, 4 * ids[o + k])
    lines++
  }
  if (lines > 0) return
  for (let k = 0; k < arity; k++) {
    if (ids[o + k] !== WORLD_BODY) pen.cross(c.position, 4 * ids[o + k], wishes.sizes, CROSS)
  }
}

const w = /* @__PURE__ */ new Float64Array(2)

/** cos and sin of an angle, into t[1] and t[2]. */
function unitAt(angle: number): void {
  w[0] = angle
  sinCos(w, 0, w, 0)
  t[1] = w[1]
  t[2] = w[0]
}

/** U[out…] ← the unit vector at `v` turned by angles[0] about the one at `axis`, to which it is square. */
function turnAbout(axis: number, v: number, out: number): void {
  cross(axis, v, out)
  unitAt(angles[0])
  for (let k = 0; k < 3; k++) U[out + k] = t[1] * U[v + k] + t[2] * U[out + k]
}

/** U[out…] ← U[a…] × U[b…]. */
function cross(a: number, b: number, out: number): void {
  const x = U[a + 1] * U[b + 2] - U[a + 2] * U[b + 1]
  const y = U[a + 2] * U[b] - U[a] * U[b + 2]
  U[out + 2] = U[a] * U[b + 1] - U[a + 1] * U[b]
  U[out] = x
  U[out + 1] = y
}

function makeUnit(o: number): boolean {
  const size = lengthOf(U, o)
  if (!(size > 1e-9)) return false
  for (let k = 0; k < 3; k++) U[o + k] /= size
  return true
}

function lengthOf(v: Float64Array, o: number): number {
  return Math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2])
}
