/** Levels of detail: what a user writes, checked and filled in. */

import { Body, type LeanWorld } from '@tautline/core'
import { array, flag, knownFields, nonNegative, object, oneOf, shown } from '@tautline/core/kernel'
import type { SelfCollision, SurfaceContacts } from '@tautline/collision'
import { surfaceContactsOf } from './checks.js'

/** What is simulated from a distance on. What a level leaves out is as in the one before; before the first, all is as it was made. */
export interface LodLevel {
  /** From which distance on it holds [m]; each is farther than the one before. */
  distance: number
  /** How it meets itself: no more than it was made with. @defaultValue as before */
  selfCollision?: SelfCollision
  /** Whether edges and triangles touch things, not the particles alone, or with `'auto'` what can pass between those: no more than it was made with. @defaultValue as before */
  surfaceContacts?: SurfaceContacts
  /** Whether it resists bending, and twist. @defaultValue as before */
  bend?: boolean
  /** Whether it moves by itself; if not, it holds its pose. @defaultValue as before */
  simulate?: boolean
}

/** What {@link Assembly.setLod} takes. */
export interface LodDef {
  /** From near to far. */
  levels: readonly LodLevel[]
  /** Share of its distance by which a level is left nearer than it is entered, so that nothing flickers. @defaultValue 0.1 */
  hysteresis?: number
  /** What it rides on while it is not simulated: static or kinematic at that time, or it is simulated on. @defaultValue the `frame` of cloth, else none: it stays where it is */
  frame?: Body
}

/** Fields of a level that a kind of assembly may have, but for the distance. */
export type LodField = Exclude<keyof LodLevel, 'distance'>

/** A level with all fields. */
export type FullLevel = Required<LodLevel>

/** Levels with everything filled in; the first is as it was made. */
export interface LodPlan {
  readonly levels: readonly FullLevel[]
  readonly hysteresis: number
  readonly frame: Body | undefined
}

/** How an assembly's particles were made to touch. */
export interface MadeContacts {
  readonly selfCollision: SelfCollision
  readonly surfaceContacts: SurfaceContacts
}

/** Kinds of self-collision, from the least to the most. */
const KINDS: readonly SelfCollision[] = [false, 'vertices', 'surface']
/** The same of contacts of edges and triangles with colliders. */
const SURFACES: readonly SurfaceContacts[] = [false, 'auto', true]

/** Checks levels; `fields` are those that the kind of assembly has. */
export function planLod(
  where: string,
  world: LeanWorld,
  def: LodDef,
  fields: readonly LodField[],
  made: MadeContacts,
): LodPlan {
  knownFields(where, object(`${where}: definition`, def), ['levels', 'hysteresis', 'frame'])
  const given = array(`${where}: levels`, def.levels)
  const levels: FullLevel[] = [{ ...asMade(made), distance: 0 }]
  given.forEach((entry, k) => levels.push(levelOf(`${where}: levels[${k}]`, entry, levels[k], k, fields, made)))
  const hysteresis = nonNegative(`${where}: hysteresis`, def.hysteresis ?? 0.1)
  if (hysteresis >= 1) throw new RangeError(`${where}: hysteresis must be below 1, got ${hysteresis}`)
  const { frame } = def
  if (frame !== undefined) {
    if (!(frame instanceof Body)) throw new TypeError(`${where}: frame must be a body, got ${shown(frame)}`)
    world.bodies.assertAlive(`${where}: frame`, frame)
  }
  return { levels, hysteresis, frame }
}

function asMade({ selfCollision, surfaceContacts }: MadeContacts): Omit<FullLevel, 'distance'> {
  return { selfCollision, surfaceContacts, bend: true, simulate: true }
}

function levelOf(
  where: string,
  entry: unknown,
  before: FullLevel,
  k: number,
  fields: readonly LodField[],
  made: MadeContacts,
): FullLevel {
  const level = knownFields(where, object(where, entry), ['distance', ...fields]) as unknown as LodLevel
  const distance = nonNegative(`${where}: distance`, level.distance)
  if (k > 0 && distance <= before.distance) {
    throw new RangeError(
      `${where}: distance must be beyond that of the level before, ${before.distance}, got ${distance}`,
    )
  }
  const { selfCollision = before.selfCollision } = level
  if (selfCollision !== false) oneOf(`${where}: selfCollision`, selfCollision, ['vertices', 'surface'])
  if (KINDS.indexOf(selfCollision) > KINDS.indexOf(made.selfCollision)) {
    throw new RangeError(
      `${where}: selfCollision must be no more than it was made with, ${String(made.selfCollision)}, got ${selfCollision}`,
    )
  }
  const on = (field: 'bend' | 'simulate'): boolean => flag(`${where}: ${field}`, level[field] ?? before[field])
  const surfaceContacts = surfaceContactsOf(where, level.surfaceContacts ?? before.surfaceContacts)
  if (SURFACES.indexOf(surfaceContacts) > SURFACES.indexOf(made.surfaceContacts)) {
    throw new RangeError(
      `${where}: surfaceContacts must be no more than it was made with, ${String(made.surfaceContacts)}, got ${String(surfaceContacts)}`,
    )
  }
  return {
    distance,
    selfCollision,
    surfaceContacts,
    bend: on('bend'),
    simulate: on('simulate'),
  }
}

/** The level at a distance [m], for what is at level `now`: a nearer one only where it is nearer by the hysteresis. */
export function levelAt({ levels, hysteresis }: LodPlan, now: number, distance: number): number {
  let level = now
  while (level + 1 < levels.length && distance >= levels[level + 1].distance) level++
  while (level > 0 && distance < levels[level].distance * (1 - hysteresis)) level--
  return level
}
