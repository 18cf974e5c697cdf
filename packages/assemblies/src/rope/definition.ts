/** What a user writes to make a rope, checked and filled in. */

import { Body, type LeanWorld } from '@tautline/core'
import { finiteVector, flag, integer, knownFields, nonNegative, object, positive, shown } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { isNear } from '../attach.js'
import { checkName } from '../parts/checks.js'
import { lengthOfWay, spreadAlong, wayOf } from '../parts/way.js'
import type { Winch } from '../parts/winch.js'

/** What an end of a rope hangs on: a body, held where the rope ends, or that place itself (`'world'`). A `point` is that place once more. */
export type RopeEnd = Body | { body: Body; point?: ReadonlyVec3 } | 'world'

/** What {@link rope} takes. */
export interface RopeDef {
  /** Where it begins [m]; goes with `to`. @defaultValue by `points` */
  from?: ReadonlyVec3
  /** Where it ends [m]. @defaultValue by `points` */
  to?: ReadonlyVec3
  /** x, y, z of points along it [m], in place of `from` and `to`. @defaultValue none */
  points?: ArrayLike<number>
  /** Length at rest [m]; longer than the way, it sags downward at the start. @defaultValue that of the way */
  length?: number
  /** Shown in messages, and in JSON. @defaultValue none */
  name?: string
  /** Half its thickness: of what collides, and of the mass by density [m] @defaultValue 0.02 */
  radius?: number
  /** How many pieces it has. @defaultValue length / (5 radius), 4 to 200 */
  segments?: number
  /** Of the material [kg/m³]. @defaultValue 1000 */
  density?: number
  /** Mass of all of it [kg], in place of `density`. @defaultValue by `density` */
  mass?: number
  /** Velocity of all of it [m/s]. @defaultValue [0, 0, 0] */
  velocity?: ReadonlyVec3
  /** What its first end hangs on. @defaultValue nothing */
  start?: RopeEnd
  /** What its last end hangs on. @defaultValue nothing */
  end?: RopeEnd
  /** Strain a newton [1/N]: 1/(E A). @defaultValue 0 */
  stretchCompliance?: number
  /** Against bending [1/(N m²)]: 1/(E I); Infinity does not bend back. What is stiff beside its weight is a little softer at few substeps: that is a rod. @defaultValue Infinity */
  bendCompliance?: number
  /** Damping of stretch and bending: the time in which half of a motion is lost that no inertia keeps up, about [s]. @defaultValue 0 */
  damping?: number
  /** Rate at which its velocity decays [1/s]. @defaultValue 0 */
  linearDamping?: number
  /** Tension at which it breaks [N]. @defaultValue Infinity */
  breakForce?: number
  /** Whether it touches other things, where the world has `Collisions`. @defaultValue true */
  collides?: boolean
  /** Whether it touches itself. @defaultValue false */
  selfCollision?: boolean
  /** Friction coefficient. @defaultValue 0.4 */
  friction?: number
  /** Layers that it is on, a bit each. @defaultValue 1 */
  layer?: number
  /** Layers that it meets, a bit each. @defaultValue all */
  mask?: number
  /** Which end pays out and takes in. @defaultValue 'start' */
  winchEnd?: 'start' | 'end'
  /** Speed at which its length goes to what it is set to [m/s]. @defaultValue 2 */
  growthRate?: number
  /** Pull at which a winch stops taking in [N]. @defaultValue Infinity */
  winchForce?: number
}

const FIELDS: readonly (keyof RopeDef)[] = [
  'from',
  'to',
  'points',
  'length',
  'name',
  'radius',
  'segments',
  'density',
  'mass',
  'velocity',
  'start',
  'end',
  'stretchCompliance',
  'bendCompliance',
  'damping',
  'linearDamping',
  'breakForce',
  'collides',
  'selfCollision',
  'friction',
  'layer',
  'mask',
  'winchEnd',
  'growthRate',
  'winchForce',
]

/** What it is made of: stays. */
export interface RopeSettings {
  readonly radius: number
  /** Mass of a metre [kg/m]. */
  readonly lineDensity: number
  /** Length of a segment at rest, but for the one at the winch [m]. */
  readonly segment: number
  readonly stretchCompliance: number
  readonly bendCompliance: number
  readonly damping: number
  readonly linearDamping: number
  readonly breakForce: number
  readonly collides: boolean
  readonly selfCollision: boolean
  readonly friction: number
  readonly layer: number
  readonly mask: number
}

/** How its length changes, and at which end. */
export interface RopeWinch extends Winch {
  readonly end: 'start' | 'end'
}

/** A definition with everything filled in. */
export interface RopePlan {
  readonly settings: RopeSettings
  readonly winch: RopeWinch
  /** Nodes at the start [m]. */
  readonly nodes: Float64Array
  readonly velocity: ArrayLike<number>
}

/** Fewest and most segments that a rope has by itself. */
const FEWEST = 4
const MANY = 200
/** Radii that a segment is long by itself. */
const SLENDER = 5

/** Checks a definition. */
export function planRope(where: string, world: LeanWorld, def: RopeDef): RopePlan {
  knownFields(where, object(`${where}: definition`, def), FIELDS)
  checkName(where, def.name)
  const way = wayOf(where, def)
  const direct = lengthOfWay(way)
  if (!(direct > 0)) throw new RangeError(`${where}: points must be apart, got a way of ${direct} m`)
  const length = positive(`${where}: length`, def.length ?? direct)
  if (length < direct * (1 - 1e-9)) {
    throw new RangeError(`${where}: length must reach along the way (${direct} m), got ${length}`)
  }
  const radius = positive(`${where}: radius`, def.radius ?? 0.02)
  const by = Math.min(MANY, Math.max(FEWEST, Math.round(length / (SLENDER * radius))))
  const segments = integer(`${where}: segments`, def.segments ?? by, 1, 1e5)
  if (def.mass !== undefined && def.density !== undefined)
    throw new TypeError(`${where}: give mass or density, got both`)
  const density = positive(`${where}: density`, def.density ?? 1000)
  const lineDensity =
    def.mass === undefined ? density * Math.PI * radius * radius : positive(`${where}: mass`, def.mass) / length
  const { bendCompliance = Infinity, breakForce = Infinity, winchForce = Infinity, winchEnd = 'start' } = def
  if (winchEnd !== 'start' && winchEnd !== 'end') {
    throw new TypeError(`${where}: winchEnd must be start or end, got ${shown(winchEnd)}`)
  }
  for (const which of ['start', 'end'] as const) {
    const end = def[which]
    const o = which === 'start' ? 0 : way.length - 3
    if (end !== undefined) checkEnd(`${where}: ${which}`, world, end, [way[o], way[o + 1], way[o + 2]])
  }
  return {
    settings: {
      radius,
      lineDensity,
      segment: length / segments,
      stretchCompliance: nonNegative(`${where}: stretchCompliance`, def.stretchCompliance ?? 0),
      bendCompliance: bendCompliance === Infinity ? Infinity : nonNegative(`${where}: bendCompliance`, bendCompliance),
      damping: nonNegative(`${where}: damping`, def.damping ?? 0),
      linearDamping: nonNegative(`${where}: linearDamping`, def.linearDamping ?? 0),
      breakForce: breakForce === Infinity ? Infinity : positive(`${where}: breakForce`, breakForce),
      collides: flag(`${where}: collides`, def.collides ?? true),
      selfCollision: flag(`${where}: selfCollision`, def.selfCollision ?? false),
      friction: nonNegative(`${where}: friction`, def.friction ?? 0.4),
      layer: integer(`${where}: layer`, def.layer ?? 1, -0x80000000, 0xffffffff),
      mask: integer(`${where}: mask`, def.mask ?? -1, -0x80000000, 0xffffffff),
    },
    winch: {
      end: winchEnd,
      target: length,
      speed: positive(`${where}: growthRate`, def.growthRate ?? 2),
      rate: 0,
      force: winchForce === Infinity ? Infinity : positive(`${where}: winchForce`, winchForce),
      pace: 0,
    },
    nodes: spread(way, direct, length, segments),
    velocity: finiteVector(`${where}: velocity`, def.velocity ?? [0, 0, 0], 3),
  }
}

/** An end by fields, unchecked. */
interface Held {
  body?: unknown
  point?: unknown
}

/** Throws unless something that an end at `at` may hang on [m]. */
export function checkEnd(where: string, world: LeanWorld, end: RopeEnd, at: ArrayLike<number>): void {
  if (end === 'world') return
  if (typeof end !== 'object' || end === null || Array.isArray(end))
    throw new TypeError(`${where} must be a body, { body, point } or 'world', got ${shown(end)}`)
  const { body, point } = end instanceof Body ? { body: end } : (knownFields(where, end, ['body', 'point']) as Held)
  if (!(body instanceof Body))
    throw new TypeError(`${where}: body must be a body, got ${shown(body)}; for the world the end itself is 'world'`)
  world.bodies.assertAlive(where, body)
  if (point === undefined || isNear(finiteVector(`${where}: point`, point, 3), at)) return
  throw new RangeError(
    `${where}: point must be where the rope ends, [${at[0]}, ${at[1]}, ${at[2]}], got [${Array.from(point as ArrayLike<number>).join(', ')}]`,
  )
}

/** Nodes evenly along the way; where the rope is longer, each other one is set down so that segments have their length. */
function spread(way: ArrayLike<number>, direct: number, length: number, segments: number): Float64Array {
  const nodes = spreadAlong(way, direct, segments)
  const pace = direct / segments
  const slack = Math.sqrt(Math.max(0, (length / segments) * (length / segments) - pace * pace))
  if (length > direct * (1 + 1e-9)) for (let n = 1; n < segments; n += 2) nodes[3 * n + 1] -= slack
  return nodes
}
