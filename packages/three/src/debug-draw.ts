/**
 * What a world looks like inside, as coloured lines in plain arrays: for any renderer, and for tests. Nothing of three is imported.
 */

import type { World } from '@tautline/core'
import { aWorld, knownFields } from './checks.js'

/** Things to be drawn, each on or off. */
export interface DebugCategories {
  /** Axes of the bodies: x red, y green, z blue; particles as small crosses. */
  bodies: boolean
  /** Outlines of colliders. */
  colliders: boolean
  /** Anchors, axes and frames of joints. */
  joints: boolean
  /** Ranges of angles as arcs, of swings as cones, of ways as bars. */
  limits: boolean
  /** Points and normals of contacts. */
  contacts: boolean
  /** Lengths, springs, ropes, bends and volumes: lines between their bodies. */
  links: boolean
  /** What constraints and contacts push with, as arrows. */
  forces: boolean
}

/** By what lines of constraints are coloured. */
export type DebugColour = 'kind' | 'error' | 'force'

/** What a user writes to make a {@link DebugDraw}. Every field may be left out. */
export interface DebugOptions extends Partial<DebugCategories> {
  /** `error` and `force`: from dark blue, none, to bright yellow, `errorScale` or `forceScale` and more. @defaultValue 'kind' */
  colour?: DebugColour
  /** Length of the axes of bodies and joints, and radius of arcs [m]. @defaultValue 0.15 */
  size?: number
  /** Error [m or rad] that is as bright as can be. @defaultValue 0.01 */
  errorScale?: number
  /** Force [N] or couple [N m] that is as bright as can be. @defaultValue 100 */
  forceScale?: number
  /** Length of arrows [m/N]. @defaultValue 0.005 */
  arrowScale?: number
}

/** Lines of a world. Buffers grow by doubling; once they are large enough a frame allocates nothing. */
export class DebugDraw {
  /** The world. */
  readonly world: World
  /** What is drawn; switch them at any time. */
  readonly categories: DebugCategories
  /** By what lines of constraints are coloured. */
  colour: DebugColour
  /** Three numbers a point, two points a line [m]; `count` points are in use. Replaced when it grows. */
  positions: Float32Array = new Float32Array(0)
  /** Red, green, blue a point, linear, in [0, 1]. Replaced when it grows. */
  colours: Float32Array = new Float32Array(0)
  /** Points in use: twice the number of lines. */
  count = 0

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(world: World, options: DebugOptions = {}) {
    this.world = aWorld('DebugDraw: world', world)
    knownFields('DebugDraw', options, [])
    this.categories = {
      bodies: true,
      colliders: true,
      joints: true,
      limits: true,
      contacts: true,
      links: true,
      forces: true,
    }
    this.colour = options.colour ?? 'kind'
  }

  /** Draws everything anew, at `alpha` from the start of the last step (0) to its end (1). */
  update(_alpha = 1): void {
    this.count = 0
  }
}
