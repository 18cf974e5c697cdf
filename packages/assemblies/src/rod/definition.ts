/** What a user writes to make a rod, checked and filled in. */

import { Body, type LeanWorld } from '@tautline/core'
import type { Shape } from '@tautline/collision'
import {
  finite,
  finiteVector,
  flag,
  integer,
  knownFields,
  nonNegative,
  object,
  oneOf,
  positive,
  shown,
} from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { checkName } from '../parts/checks.js'
import { lengthOfWay, spreadAlong, wayOf } from '../parts/way.js'

/** What an end of a rod hangs on: a body, or the world, where it is or at a world point, by a point or clamped. */
export type RodEnd = Body | 'world' | { body: Body | 'world'; point?: ReadonlyVec3; clamped?: boolean }

/** Curvature [1/m] and twist [rad/m] of a helix. */
export interface RodRest {
  curvature: number
  twist: number
}

/** What {@link rod} takes. */
export interface RodDef {
  /** Where it begins [m]; goes with `to`. @defaultValue by `points` */
  from?: ReadonlyVec3
  /** Where it ends [m]. @defaultValue by `points` */
  to?: ReadonlyVec3
  /** x, y, z of points along it [m], in place of `from` and `to`. @defaultValue none */
  points?: ArrayLike<number>
  /** Shown in messages, and in JSON. @defaultValue none */
  name?: string
  /** How it lies where nothing pulls: `straight`, as it is made (`shape`), or a helix. @defaultValue 'shape' */
  rest?: 'straight' | 'shape' | RodRest
  /** By how much it is twisted at the start, from end to end [rad]. @defaultValue 0 */
  twist?: number
  /** Half its thickness [m]. @defaultValue 0.02 */
  radius?: number
  /** How many rigid links it has. @defaultValue length / (5 radius), 4 to 200 */
  segments?: number
  /** Of the material [kg/m³]. @defaultValue 1000 */
  density?: number
  /** Mass of all of it [kg], in place of `density`. @defaultValue by `density` */
  mass?: number
  /** Velocity of all of it [m/s]. @defaultValue [0, 0, 0] */
  velocity?: ReadonlyVec3
  /** What its first end hangs on. @defaultValue nothing */
  start?: RodEnd
  /** What its last end hangs on. @defaultValue nothing */
  end?: RodEnd
  /** E of the material [Pa]: E I = E π r⁴/4. @defaultValue 1e7, rubber */
  youngsModulus?: number
  /** G of the material [Pa]: G J = G π r⁴/2. @defaultValue a third of E, which keeps volume */
  shearModulus?: number
  /** E I [N m²], in place of `youngsModulus`; 0 is a chain of rigid links. @defaultValue by `youngsModulus` */
  bendStiffness?: number
  /** G J [N m²], in place of `shearModulus`. @defaultValue by `shearModulus` */
  twistStiffness?: number
  /** Damping of bending and twist: the time in which half of a motion is lost that no inertia keeps up, about [s]. @defaultValue 0.02 */
  damping?: number
  /** Rate at which its velocities decay [1/s]. @defaultValue 0 */
  linearDamping?: number
  /** Curvature beyond which it stays bent [1/m]. @defaultValue Infinity */
  yieldCurvature?: number
  /** How fast it gives way beyond [1/s]. @defaultValue 10 */
  creep?: number
  /** Force at which it breaks between two links [N]. @defaultValue Infinity */
  breakForce?: number
  /** Makes the shape of a link, where the world has `Collisions`: `capsule` of `@tautline/collision`. @defaultValue none: it touches nothing */
  shape?: (radius: number, halfHeight: number) => Shape
  /** Friction coefficient. @defaultValue 0.4 */
  friction?: number
}

const FIELDS: readonly (keyof RodDef)[] = [
  'from',
  'to',
  'points',
  'name',
  'rest',
  'twist',
  'radius',
  'segments',
  'density',
  'mass',
  'velocity',
  'start',
  'end',
  'youngsModulus',
  'shearModulus',
  'bendStiffness',
  'twistStiffness',
  'damping',
  'linearDamping',
  'yieldCurvature',
  'creep',
  'breakForce',
  'shape',
  'friction',
]

/** What it is made of: stays. */
export interface RodSettings {
  readonly radius: number
  /** Mass of a metre [kg/m]. */
  readonly lineDensity: number
  /** Length of a link [m]. */
  readonly link: number
  /** E I and G J [N m²]. */
  readonly bendStiffness: number
  readonly twistStiffness: number
  readonly damping: number
  readonly linearDamping: number
  readonly yieldCurvature: number
  readonly creep: number
  readonly breakForce: number
}

/** A definition with everything filled in. */
export interface RodPlan {
  readonly settings: RodSettings
  /** Ends of links at the start [m]. */
  readonly nodes: Float64Array
  readonly velocity: ArrayLike<number>
  readonly twist: number
  readonly rest: 'straight' | 'shape' | RodRest
  readonly shape: RodDef['shape']
  readonly friction: number
}

const FEWEST = 4
const MANY = 200
/** Radii that a link is long by itself. */
const SLENDER = 5
/** E of soft rubber [Pa]; a material that keeps its volume has G = E/3. */
const RUBBER = 1e7

/** Checks a definition. */
export function planRod(where: string, world: LeanWorld, def: RodDef): RodPlan {
  knownFields(where, object(`${where}: definition`, def), FIELDS)
  checkName(where, def.name)
  const way = wayOf(where, def)
  const length = lengthOfWay(way)
  if (!(length > 0)) throw new RangeError(`${where}: points must be apart, got a way of ${length} m`)
  const radius = positive(`${where}: radius`, def.radius ?? 0.02)
  const by = Math.min(MANY, Math.max(FEWEST, Math.round(length / (SLENDER * radius))))
  const segments = integer(`${where}: segments`, def.segments ?? by, 1, 1e5)
  if (def.mass !== undefined && def.density !== undefined) {
    throw new TypeError(`${where}: give mass or density, got both`)
  }
  const density = positive(`${where}: density`, def.density ?? 1000)
  const area = Math.PI * radius * radius
  for (const which of ['start', 'end'] as const) {
    const end = def[which]
    if (end !== undefined) checkRodEnd(`${where}: ${which}`, world, end)
  }
  if (def.shape !== undefined && typeof def.shape !== 'function') {
    throw new TypeError(`${where}: shape must be a function that makes one, as capsule, got ${shown(def.shape)}`)
  }
  const endless = (field: 'yieldCurvature' | 'breakForce'): number => {
    const value = def[field] ?? Infinity
    return value === Infinity ? value : positive(`${where}: ${field}`, value)
  }
  return {
    settings: {
      radius,
      lineDensity: def.mass === undefined ? density * area : positive(`${where}: mass`, def.mass) / length,
      link: length / segments,
      ...stiffnessOf(where, def, (area * radius * radius) / 4),
      damping: nonNegative(`${where}: damping`, def.damping ?? 0.02),
      linearDamping: nonNegative(`${where}: linearDamping`, def.linearDamping ?? 0),
      yieldCurvature: endless('yieldCurvature'),
      creep: nonNegative(`${where}: creep`, def.creep ?? 10),
      breakForce: endless('breakForce'),
    },
    nodes: spreadAlong(way, length, segments),
    velocity: finiteVector(`${where}: velocity`, def.velocity ?? [0, 0, 0], 3),
    twist: finite(`${where}: twist`, def.twist ?? 0),
    rest: restOf(where, def.rest),
    shape: def.shape,
    friction: nonNegative(`${where}: friction`, def.friction ?? 0.4),
  }
}

/** E I and G J, I the second moment of area, of which a round section has twice as much against twist. */
function stiffnessOf(where: string, def: RodDef, I: number): { bendStiffness: number; twistStiffness: number } {
  for (const [one, other] of [
    ['youngsModulus', 'bendStiffness'],
    ['shearModulus', 'twistStiffness'],
  ] as const) {
    if (def[one] !== undefined && def[other] !== undefined) {
      throw new TypeError(`${where}: give ${one} or ${other}, got both`)
    }
  }
  const young = nonNegative(`${where}: youngsModulus`, def.youngsModulus ?? RUBBER)
  const shear = nonNegative(`${where}: shearModulus`, def.shearModulus ?? young / 3)
  const bendStiffness = nonNegative(`${where}: bendStiffness`, def.bendStiffness ?? young * I)
  // What is given a stiffness against bending alone is of one material.
  const isBend = def.bendStiffness !== undefined && def.shearModulus === undefined
  const twist = isBend ? (2 * bendStiffness) / 3 : 2 * shear * I
  return { bendStiffness, twistStiffness: nonNegative(`${where}: twistStiffness`, def.twistStiffness ?? twist) }
}

function restOf(where: string, rest: RodDef['rest'] = 'shape'): RodPlan['rest'] {
  if (typeof rest === 'string') return oneOf(`${where}: rest`, rest, ['straight', 'shape'] as const)
  knownFields(`${where}: rest`, object(`${where}: rest`, rest), ['curvature', 'twist'])
  return {
    curvature: finite(`${where}: rest: curvature`, rest.curvature),
    twist: finite(`${where}: rest: twist`, rest.twist),
  }
}

/** Throws unless something that an end may hang on. */
export function checkRodEnd(where: string, world: LeanWorld, end: RodEnd): void {
  if (end === 'world') return
  const known: Exclude<RodEnd, Body | 'world'> = end instanceof Body ? { body: end } : knownEnd(where, end)
  const { body, point, clamped } = known
  if (body !== 'world') {
    if (!(body instanceof Body)) throw new TypeError(`${where}: body must be a body or 'world', got ${shown(body)}`)
    world.bodies.assertAlive(where, body)
  }
  if (point !== undefined) finiteVector(`${where}: point`, point, 3)
  if (clamped === undefined) return
  flag(`${where}: clamped`, clamped)
  if (clamped && body !== 'world' && body.type === 'dynamic' && body.isParticle)
    throw new TypeError(`${where}: clamped needs a body that turns, or one that does not move, got a particle`)
}

function knownEnd(at: string, end: unknown): Exclude<RodEnd, Body | 'world'> {
  return knownFields(at, object(at, end), ['body', 'point', 'clamped']) as unknown as Exclude<RodEnd, Body | 'world'>
}
