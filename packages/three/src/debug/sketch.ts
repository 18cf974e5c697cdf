/** Draws what the `outline` of a constraint type says: each part in its category, its colour and its size. */

import { type BodyColumns, frameX, frameY, frameZ, type Outline, WORLD_BODY } from '@tautline/core/kernel'
import { type Colour, PALETTE } from './colours.js'
import { CROSS, type DrawFlags, HALF, SIZE } from './flags.js'
import type { Pen } from './pen.js'
import { RIM, SwingRim } from './swing-rim.js'
import { cross, dot, perpendicular, unitAt } from './vectors.js'

/** Two points of a line. */
const P = /* @__PURE__ */ new Float64Array(6)
const TIP = 3
/** Axes of a frame, or of the plane of an arc. */
const U = /* @__PURE__ */ new Float64Array(9)
const Y = 3
const Z = 6
/** An arc: from, to, radius. */
const range = /* @__PURE__ */ new Float64Array(3)
const turn = /* @__PURE__ */ new Float64Array(2)
const length = /* @__PURE__ */ new Float64Array(1)

/** One outline after another, by one pen. */
export class Sketch implements Outline {
  private readonly pen: Pen
  private readonly flags: DrawFlags
  private readonly rim = new SwingRim()
  private position: Float64Array = P
  private a = 0
  private b = 0
  private isPlaced = false
  /** Whether parts have their own colours; else all have that of `colour`. */
  private isKind = true
  /** Red, green and blue of a row that is coloured by its error or force. */
  readonly colour: Float64Array = new Float64Array(3)
  /** Where the row takes hold of its first body [m]: the first point of its outline, or the centre. */
  readonly start: Float64Array = new Float64Array(3)

  constructor(pen: Pen, flags: DrawFlags) {
    this.pen = pen
    this.flags = flags
  }

  /** Turns to a row whose first two bodies are `a` and `b`. */
  begin({ position }: BodyColumns, a: number, b: number): void {
    this.position = position
    this.a = a
    this.b = b
    this.isKind = this.flags.colour === 'kind'
    this.place(position, 4 * a)
    this.isPlaced = false
  }

  anchors(g: Float64Array, a: number, b: number): void {
    this.place(g, a)
    if (!this.flags.joints) return
    this.levers(g, a, b)
    this.pen.cross(g, a, this.flags.sizes, CROSS)
    this.ink('gap')
    this.pen.line(g, a, g, b)
  }

  slide(g: Float64Array, a: number, b: number, axis: number, limits: Float64Array, l: number): void {
    const { pen, flags } = this
    this.place(g, a)
    if (flags.joints) {
      this.levers(g, a, b)
      pen.cross(g, b, flags.sizes, CROSS)
      this.axis(g, a, axis)
      // What of b is off the axis is error.
      let along = 0
      for (let k = 0; k < 3; k++) along += g[axis + k] * (g[b + k] - g[a + k])
      for (let k = 0; k < 3; k++) P[TIP + k] = g[a + k] + along * g[axis + k]
      this.ink('joint')
      pen.line(g, a, P, TIP)
      this.ink('gap')
      pen.line(P, TIP, g, b)
    }
    if (flags.limits) this.bar(g, a, axis, limits, l)
  }

  axis(g: Float64Array, point: number, axis: number): void {
    this.place(g, point)
    const { pen, flags } = this
    if (!flags.joints) return
    this.ink('joint')
    length[0] = -flags.sizes[SIZE]
    pen.ray(g, point, g, axis, flags.sizes, SIZE)
    pen.ray(g, point, g, axis, length, 0)
  }

  needle(g: Float64Array, point: number, axis: number): void {
    this.place(g, point)
    if (!this.flags.joints) return
    this.ink('needle')
    this.pen.ray(g, point, g, axis, this.flags.sizes, SIZE)
  }

  frame(g: Float64Array, point: number, q: Float64Array, o: number): void {
    this.place(g, point)
    const { pen, flags } = this
    if (!flags.joints) return
    loadAxes(q, o)
    this.ink('x')
    pen.ray(g, point, U, 0, flags.sizes, HALF)
    this.ink('y')
    pen.ray(g, point, U, Y, flags.sizes, HALF)
    this.ink('z')
    pen.ray(g, point, U, Z, flags.sizes, HALF)
  }

  arc(
    g: Float64Array,
    point: number,
    axis: number,
    needle: number,
    limits: Float64Array,
    l: number,
    angle: Float64Array,
    k: number,
  ): void {
    this.place(g, point)
    const { pen, flags } = this
    const [min, max] = [limits[l], limits[l + 1]]
    if (!flags.limits || (min === -Infinity && max === Infinity)) return
    // In the plane across the axis: the needle, and what is a quarter turn ahead of it.
    const along = dot(g, axis, g, needle)
    for (let n = 0; n < 3; n++) U[n] = g[needle + n] - along * g[axis + n]
    const size = Math.sqrt(dot(U, 0, U, 0))
    if (!(size > 1e-9)) return
    for (let n = 0; n < 3; n++) U[n] /= size
    cross(g, axis, U, 0, U, Y)
    const from = Math.max(min, max < Infinity ? max - 2 * Math.PI : -Math.PI)
    range[0] = from - angle[k]
    range[1] = Math.min(max, from + 2 * Math.PI) - angle[k]
    range[2] = flags.sizes[SIZE]
    this.ink('limit')
    pen.arc(g, point, U, 0, Y, range, true)
    this.ink('needle')
    pen.ray(g, point, U, 0, flags.sizes, SIZE)
  }

  coneRange(g: Float64Array, point: number, axis: number, needle: number, angle: Float64Array, k: number): void {
    this.place(g, point)
    const { pen, flags } = this
    const { sizes } = flags
    if (flags.joints) {
      this.ink('joint')
      pen.ray(g, point, g, axis, sizes, SIZE)
    }
    if (!flags.limits) return
    perpendicular(g, axis, U, 0)
    cross(g, axis, U, 0, U, Y)
    unitAt(angle[k], turn)
    range[0] = 0
    range[1] = 2 * Math.PI
    range[2] = sizes[SIZE] * turn[1]
    for (let n = 0; n < 3; n++) P[n] = g[point + n] + sizes[SIZE] * turn[0] * g[axis + n]
    this.ink('limit')
    pen.arc(P, 0, U, 0, Y, range, false)
    for (let side = 0; side < 4; side++) {
      const sign = side % 2 === 0 ? 1 : -1
      const u = side < 2 ? 0 : Y
      for (let n = 0; n < 3; n++) P[TIP + n] = P[n] + sign * range[2] * U[u + n]
      pen.line(g, point, P, TIP)
    }
    this.ink('needle')
    pen.ray(g, point, g, needle, sizes, SIZE)
  }

  swing(
    g: Float64Array,
    point: number,
    needle: number,
    q: Float64Array,
    o: number,
    limits: Float64Array,
    y: number,
    z: number,
    isEllipse: boolean,
  ): void {
    this.place(g, point)
    const { pen, flags, rim } = this
    const { sizes } = flags
    if (!flags.limits || (isFree(limits, y) && isFree(limits, z))) return
    loadAxes(q, o)
    this.ink('limit')
    for (let s = 0; s <= RIM; s++) {
      for (let k = 0; k < 3; k++) P[k] = P[TIP + k]
      rim.place(U, limits, y, z, isEllipse, s)
      for (let k = 0; k < 3; k++) P[TIP + k] = g[point + k] + sizes[SIZE] * rim.direction[k]
      if (s > 0) pen.line(P, 0, P, TIP)
      if (s < RIM && s % (RIM / 8) === 0) pen.line(g, point, P, TIP)
    }
    this.ink('needle')
    pen.ray(g, point, g, needle, sizes, SIZE)
  }

  line(g: Float64Array, from: number, to: number): void {
    this.place(g, from)
    if (!this.flags.joints) return
    this.ink('joint')
    this.pen.line(g, from, g, to)
  }

  link(g: Float64Array, from: number, to: number): void {
    this.place(g, from)
    if (!this.flags.links) return
    this.ink('link')
    this.pen.line(g, from, g, to)
  }

  target(g: Float64Array, point: number): void {
    this.place(g, point)
    if (!this.flags.links) return
    this.ink('link')
    this.pen.cross(g, point, this.flags.sizes, CROSS)
  }

  contact(g: Float64Array, a: number, b: number, normal: number): void {
    this.place(g, a)
    const { pen, flags } = this
    if (!flags.contacts) return
    this.ink('contact')
    pen.cross(g, b, flags.sizes, CROSS)
    pen.ray(g, b, g, normal, flags.sizes, HALF)
    pen.line(g, a, g, b)
  }

  /** The colour of a part. */
  private ink(colour: Colour): void {
    const rgb = this.isKind ? PALETTE[colour] : this.colour
    for (let k = 0; k < 3; k++) this.pen.ink[k] = rgb[k]
  }

  private place(g: Float64Array, point: number): void {
    if (this.isPlaced) return
    this.isPlaced = true
    for (let k = 0; k < 3; k++) this.start[k] = g[point + k]
  }

  /** Lines from the centres of the two bodies to their anchors; the world has no centre. */
  private levers(g: Float64Array, a: number, b: number): void {
    this.ink('joint')
    if (this.a !== WORLD_BODY) this.pen.line(this.position, 4 * this.a, g, a)
    if (this.b !== WORLD_BODY) this.pen.line(this.position, 4 * this.b, g, b)
  }

  /** A range along an axis: a tick across it at each end, and a bar between two. */
  private bar(g: Float64Array, a: number, axis: number, limits: Float64Array, l: number): void {
    const { pen, flags } = this
    this.ink('limit')
    perpendicular(g, axis, U, 0)
    length[0] = -flags.sizes[HALF]
    let ends = 0
    for (let side = 0; side < 2; side++) {
      const s = limits[l + side]
      if (s === -Infinity || s === Infinity) continue
      const o = side === 0 ? 0 : TIP
      for (let k = 0; k < 3; k++) P[o + k] = g[a + k] + s * g[axis + k]
      pen.ray(P, o, U, 0, flags.sizes, HALF)
      pen.ray(P, o, U, 0, length, 0)
      ends++
    }
    if (ends === 2) pen.line(P, 0, P, TIP)
  }
}

/** Axes of an orientation, into `U`. */
function loadAxes(q: Float64Array, o: number): void {
  frameX(q, o, U, 0)
  frameY(q, o, U, Y)
  frameZ(q, o, U, Z)
}

function isFree(limits: Float64Array, l: number): boolean {
  return limits[l] === -Infinity && limits[l + 1] === Infinity
}
