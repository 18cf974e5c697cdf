/**
 * What a world looks like inside, as coloured lines in plain arrays: for any renderer, and for tests. Nothing of three is imported.
 *
 * Colliders and contacts are those of the world's `Collisions`, found as a stage of its step: a page without them carries none of it.
 */

import type { LeanCollisions } from '@tautline/collision'
import { type LeanWorld } from '@tautline/core'
import {
  ASLEEP,
  type BodyColumns,
  DEAD,
  DYNAMIC,
  frameX,
  frameY,
  frameZ,
  oneOf,
  positive,
  ROTATES,
} from '@tautline/core/kernel'
import { aWorld, knownFields, kindOf, share } from './checks.js'
import { type Colour, PALETTE, scaleColour } from './debug/colours.js'
import { drawBatch } from './debug/constraints.js'
import { ARROW, CROSS, type DrawFlags, HALF, SIZE } from './debug/flags.js'
import { drawOutline, outlineOf } from './debug/outlines.js'
import { Pen } from './debug/pen.js'
import { Sketch } from './debug/sketch.js'
import { POSE, writePose } from './poses.js'

/** Things to be drawn, each on or off. */
export interface DebugCategories {
  /** Axes of the bodies: x red, y green, z blue; particles as small crosses. @defaultValue true */
  bodies: boolean
  /** Outlines of colliders: dynamic, still, asleep and sensors in colours of their own. @defaultValue true */
  colliders: boolean
  /** Anchors, axes and frames of joints, and what they gape by. @defaultValue true */
  joints: boolean
  /** Ranges of angles as arcs, of swings as cones, of ways as bars, each with a needle where it is. @defaultValue true */
  limits: boolean
  /** Points and normals of contacts. @defaultValue true */
  contacts: boolean
  /** Lengths, springs, ropes, bends, volumes, and types without an outline: lines between anchors or bodies. @defaultValue true */
  links: boolean
  /** What constraints push their first body with, and contacts the one that moves, as arrows. @defaultValue false */
  forces: boolean
}

/** By what lines of constraints and contacts are coloured. */
export type DebugColour = 'kind' | 'error' | 'force'

/** What a user writes to make a {@link DebugDraw}. Every field may be left out. */
export interface DebugOptions extends Partial<DebugCategories> {
  /**
   * `kind`: what it is; `error` and `force`: from dark blue, none, over green to yellow, which is `errorScale` or `forceScale` and more.
   * @defaultValue 'kind'
   */
  colour?: DebugColour
  /** Length of axes, radius of arcs [m]. @defaultValue 0.15 */
  size?: number
  /** Error that is as bright as can be [m, rad]. @defaultValue 0.01 */
  errorScale?: number
  /** Force or couple that is as bright as can be [N, N m]. @defaultValue 100 */
  forceScale?: number
  /** Length of arrows [m/N, m/(N m)]. @defaultValue 0.005 */
  arrowScale?: number
}

const CATEGORIES: DebugCategories = {
  bodies: true,
  colliders: true,
  joints: true,
  limits: true,
  contacts: true,
  links: true,
  forces: false,
}
const SCALES = ['size', 'errorScale', 'forceScale', 'arrowScale'] as const
const FIELDS = [...Object.keys(CATEGORIES), ...SCALES, 'colour']
/** Share of the size that a particle's cross has. */
const CROSS_SHARE = 0.3

const pose = /* @__PURE__ */ new Float64Array(POSE)
const axes = /* @__PURE__ */ new Float64Array(9)
/** Normal, then place, gap and force a point. */
const manifold = /* @__PURE__ */ new Float64Array(23)
const push = /* @__PURE__ */ new Float64Array(3)

/** Lines of a world. Buffers grow by doubling; once they are large enough, a frame allocates nothing. */
export class DebugDraw {
  /** The world. */
  readonly world: LeanWorld
  /** What is drawn; switch them at any time. */
  readonly categories: DebugCategories
  /** By what lines of constraints and contacts are coloured; switch it at any time. */
  colour: DebugColour
  private readonly pen = new Pen()
  private readonly flags: DrawFlags
  private readonly sketch: Sketch
  /** Bodies at the poses that are drawn, where these are not the present ones. */
  private view: BodyColumns | undefined

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(world: LeanWorld, options: DebugOptions = {}) {
    const where = 'DebugDraw'
    this.world = aWorld(`${where}: world`, world)
    knownFields(where, options, FIELDS)
    const categories = { ...CATEGORIES }
    for (const name of Object.keys(CATEGORIES) as (keyof DebugCategories)[]) {
      const wanted: unknown = options[name] ?? CATEGORIES[name]
      if (typeof wanted !== 'boolean') throw new TypeError(`${where}: ${name} must be a boolean, got ${kindOf(wanted)}`)
      categories[name] = wanted
    }
    this.categories = categories
    this.colour = oneOf(`${where}: colour`, options.colour ?? 'kind', ['kind', 'error', 'force'])
    const size = positive(`${where}: size`, options.size ?? 0.15)
    const arrow = positive(`${where}: arrowScale`, options.arrowScale ?? 0.005)
    const error = positive(`${where}: errorScale`, options.errorScale ?? 0.01)
    const force = positive(`${where}: forceScale`, options.forceScale ?? 100)
    this.flags = {
      ...categories,
      colour: this.colour,
      sizes: Float64Array.of(size, 0.5 * size, CROSS_SHARE * size, arrow),
      scales: Float64Array.of(error, force),
    }
    this.sketch = new Sketch(this.pen, this.flags)
  }

  /** Three numbers a point, two points a line [m]; the first `count` points are in use. Another array once it has grown. */
  get positions(): Float32Array {
    return this.pen.positions
  }

  /** Red, green and blue a point, linear, in [0, 1], as `positions`. Another array once it has grown. */
  get colours(): Float32Array {
    return this.pen.colours
  }

  /** Points in use: twice the number of lines. */
  get count(): number {
    return this.pen.count
  }

  /**
   * Draws everything anew, at `alpha` from the start of the last step (0) to its end (1); contacts are where they are at its end. Throws
   * `RangeError` for an `alpha` outside [0, 1]. @defaultValue alpha = 1
   */
  update(alpha = 1): void {
    share('update: alpha', alpha)
    const { world, pen, sketch, flags, categories } = this
    const { joints, limits, contacts, links, forces } = categories
    pen.count = 0
    // One by one: a copy of them would be garbage.
    flags.joints = joints
    flags.limits = limits
    flags.contacts = contacts
    flags.links = links
    flags.forces = forces
    flags.colour = this.colour
    const c = this.posesAt(alpha)
    const collisions = collisionsOf(world)
    if (categories.bodies) this.drawBodies(c)
    if (categories.colliders && collisions !== undefined) this.drawColliders(c, collisions)
    for (let k = 0; k < world.batches.length; k++) {
      const batch = world.batches[k]
      if (collisions !== undefined && (batch as unknown) === collisions.batch) this.drawPatches(c, collisions)
      else drawBatch(world, c, batch, pen, sketch, flags)
    }
  }

  /** The bodies' columns with the poses of `alpha`. */
  private posesAt(alpha: number): BodyColumns {
    const { bodies } = this.world
    const c = bodies.columns
    if (alpha === 1) return c
    this.view ??= { ...c, position: new Float64Array(0), orientation: new Float64Array(0) }
    const { view } = this
    let { position, orientation } = view
    if (position.length < c.position.length) {
      position = new Float64Array(c.position.length)
      orientation = new Float64Array(c.orientation.length)
    }
    Object.assign(view, c)
    view.position = position
    view.orientation = orientation
    for (let i = 0; i < bodies.count; i++) {
      if (i === 0) for (let k = 0; k < POSE; k++) pose[k] = k === 6 ? 1 : 0
      else writePose(c, i, alpha, pose, 0)
      for (let k = 0; k < 3; k++) position[4 * i + k] = pose[k]
      position[4 * i + 3] = c.position[4 * i + 3]
      for (let k = 0; k < 4; k++) orientation[4 * i + k] = pose[3 + k]
    }
    return view
  }

  private drawBodies(c: BodyColumns): void {
    const { pen, flags, world } = this
    const { sizes } = flags
    for (let i = 1; i < world.bodies.count; i++) {
      if (c.kind[i] === DEAD) continue
      if ((c.flags[i] & ROTATES) === 0) {
        this.ink('particle')
        pen.cross(c.position, 4 * i, sizes, CROSS)
        continue
      }
      frameX(c.orientation, 4 * i, axes, 0)
      frameY(c.orientation, 4 * i, axes, 3)
      frameZ(c.orientation, 4 * i, axes, 6)
      this.ink('x')
      pen.ray(c.position, 4 * i, axes, 0, sizes, SIZE)
      this.ink('y')
      pen.ray(c.position, 4 * i, axes, 3, sizes, SIZE)
      this.ink('z')
      pen.ray(c.position, 4 * i, axes, 6, sizes, SIZE)
    }
  }

  private drawColliders(c: BodyColumns, { colliders }: LeanCollisions): void {
    const { records, body } = colliders
    for (let id = 0; id < records.length; id++) {
      const record = records[id]
      if (record === undefined) continue
      const i = body[id]
      const moves = c.kind[i] === DYNAMIC
      const asleep = (c.flags[i] & ASLEEP) !== 0
      this.ink(record.sensor ? 'sensor' : asleep ? 'asleep' : moves ? 'collider' : 'still')
      drawOutline(this.pen, outlineOf(record.shape), record.local, c.position, c.orientation, 4 * i)
    }
  }

  /** Patches of the last step, where they are at its end. */
  private drawPatches(c: BodyColumns, collisions: LeanCollisions): void {
    const { pen, flags } = this
    if (!flags.contacts && !flags.forces) return
    const { count } = collisions.batch
    for (let row = 0; row < count; row++) {
      const points = collisions.readManifold(row, manifold)
      // From what stands still to what moves; between two that move, from b to a.
      const { ids } = collisions.batch
      if (c.kind[ids[2 * row]] !== DYNAMIC && c.kind[ids[2 * row + 1]] === DYNAMIC) {
        for (let n = 0; n < 3; n++) manifold[n] = -manifold[n]
      }
      for (let k = 0; k < points; k++) {
        const o = 3 + 5 * k
        const overlap = Math.max(-manifold[o + 3], 0)
        const force = manifold[o + 4]
        if (flags.contacts) {
          if (this.colour === 'kind') this.ink('contact')
          else scaleColour(this.colour === 'error' ? overlap / flags.scales[0] : force / flags.scales[1], pen.ink)
          pen.cross(manifold, o, flags.sizes, CROSS)
          pen.ray(manifold, o, manifold, 0, flags.sizes, HALF)
        }
        if (!flags.forces || force === 0) continue
        for (let n = 0; n < 3; n++) push[n] = force * manifold[n]
        this.ink('force')
        pen.arrow(manifold, o, push, 0, flags.sizes, ARROW)
      }
    }
  }

  private ink(colour: Colour): void {
    const rgb = PALETTE[colour]
    for (let k = 0; k < 3; k++) this.pen.ink[k] = rgb[k]
  }
}

/** Found by name: an import of the class would bring all of collision along. */
function collisionsOf({ stages }: LeanWorld): LeanCollisions | undefined {
  for (let k = 0; k < stages.length; k++)
    if (stages[k].name === 'collisions') return stages[k] as unknown as LeanCollisions
  return undefined
}
