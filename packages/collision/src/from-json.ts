/** Reads what `to-json.ts` writes. Apart from it, so that a page that only steps does not carry every shape. */

import { Body, type LeanWorld } from '@tautline/core'
import {
  finiteVector,
  inContext,
  integer,
  knownFields,
  object,
  type StageReader,
  WORLD_BODY,
  shown,
  array,
  instance,
} from '@tautline/core/kernel'
import { checkMovable, type ColliderRecord, resolveCollider } from './state/collider.js'
import { Collisions } from './collisions.js'
import type { LeanCollisions } from './lean-collisions.js'
import type { CollisionOptions } from './state/options.js'
import type { FormerCollider, FormerColliders } from './state/collider-handles.js'
import type { Shape } from './shapes/shape.js'
import { shapeFromJSON } from './shapes/from-json.js'
import { bringParticles } from './particles/add-particles.js'
import { type IsKnown, particlesFromJson, MOST_COUNT } from './particles/from-json.js'
import { setPairCollision } from './state/pair-collision.js'
import { type ColliderJson, type CollisionsJson, SAVED } from './state/to-json.js'
import { MAX_POINTS } from './detect/narrow/manifold.js'

/** Rows of manifolds have no definition of a user's. */
const NO_DEF = {}

const WHERE = 'collisionsFromJSON'
const FIELDS = [
  'options',
  'shapes',
  'colliders',
  'generations',
  'ended',
  'lost',
  'former',
  'manifolds',
  // Its name in former versions.
  'patches',
  'particles',
  'ignoredPairs',
]
/** Numbers of a pair that ceased to touch. */
const ENDED = 5
/** Numbers of a manifold. */
const WIDTH = /* @__PURE__ */ SAVED.reduce((sum, [, stride]) => sum + stride, 0)

/**
 * Reads collisions back: `fromJSON(json, types, { collisions: collisionsFromJSON })`. The stage is then found by
 * `Collisions.of(world)`. Numbers that no world would have written are errors that name them.
 */
export const collisionsFromJSON: StageReader = (world: LeanWorld, data: unknown, bodies: readonly Body[]): void => {
  array(`${WHERE}: bodies`, bodies).forEach((body, k) => instance(`${WHERE}: bodies[${k}]`, body, Body, 'a body'))
  const { patches, ...given } = knownFields(`${WHERE}: data`, data, FIELDS)
  const json = { ...given, manifolds: given.manifolds ?? patches } as unknown as CollisionsJson
  for (const field of ['shapes', 'colliders', 'generations', 'ended', 'lost', 'manifolds'] as const) {
    if (!Array.isArray(json[field]))
      throw new TypeError(`${WHERE}: ${field} must be an array, got ${shown(json[field])}`)
  }
  const shapes = json.shapes.map((shape, k) => inContext(`${WHERE}: shapes[${k}]`, () => shapeFromJSON(shape)))
  const collisions = new Collisions(world, currentOptions(json.options))
  const generations = json.generations.map((value, k) => integer(`${WHERE}: generations[${k}]`, value, 0, MOST_COUNT))
  const records = new Array<ColliderRecord | undefined>(generations.length).fill(undefined)
  json.colliders.forEach((entry, k) => {
    const at = `${WHERE}: colliders[${k}]`
    const { id, record } = colliderFrom(at, entry, generations.length, shapes, bodies)
    if (records[id] !== undefined) throw new RangeError(`${at}: id must be the only one of its number, got ${id} again`)
    if (record.generation !== generations[id]) {
      throw new RangeError(`${at}: generation must be ${generations[id]}, as in generations, got ${record.generation}`)
    }
    if (record.body?.type === 'dynamic') checkMovable(at, record.shape)
    records[id] = record
  })
  const former = formerFrom(json, generations.length, shapes, bodies)
  const known = new Set([...former.ended, ...former.lost].map(({ id, record }) => `${id} ${record.generation}`))
  records.forEach((record, id) => record !== undefined && known.add(`${id} ${record.generation}`))
  const isKnown = (id: number, generation: number): boolean => known.has(`${id} ${generation}`)
  const state = {
    records,
    generations,
    ended: endedFrom('ended', json, isKnown),
    lost: endedFrom('lost', json, isKnown),
  }
  json.manifolds.forEach((entry, k) =>
    checkManifold(`${WHERE}: manifolds[${k}]`, entry, bodies, records, json.manifolds.length),
  )
  collisions.restore(state)
  collisions.colliders.handles.restoreFormer(former)
  for (const { bodies: pair, numbers } of json.manifolds) writeManifoldRow(collisions, pair, numbers, bodies)
  if (json.particles !== undefined) {
    particlesFromJson(
      `${WHERE}: particles`,
      bringParticles(collisions),
      json.particles,
      bodies,
      world.bodies.columns,
      records,
      isKnown,
    )
  }
  for (const [a, b] of pairsFrom(json.ignoredPairs, bodies)) setPairCollision(collisions, a, b, false)
  world.markOrderStale()
}

/** Pairs of bodies that do not meet. */
function pairsFrom(data: unknown, bodies: readonly Body[]): [Body, Body][] {
  const at = `${WHERE}: ignoredPairs`
  const numbers = data === undefined ? [] : array(at, data)
  if (numbers.length % 2 !== 0) throw new RangeError(`${at} must be two a pair, got ${numbers.length}`)
  const found = numbers.map((value, k) => bodies[integer(`${at}[${k}]`, value, 0, bodies.length - 1)])
  return Array.from({ length: found.length / 2 }, (_, k) => [found[2 * k], found[2 * k + 1]])
}

/** Names that options and their rules had before. */
const FORMER: Readonly<Record<string, string>> = {
  mixFriction: 'frictionCombine',
  mixRestitution: 'restitutionCombine',
  smaller: 'min',
  larger: 'max',
  product: 'multiply',
}

/** Options by their present names. */
function currentOptions(options: unknown): CollisionOptions {
  if (options === undefined) return {}
  object(`${WHERE}: options`, options)
  const current = (name: unknown): unknown => (typeof name === 'string' ? (FORMER[name] ?? name) : name)
  return Object.fromEntries(Object.entries(options as object).map(([name, value]) => [current(name), current(value)]))
}

const COLLIDER: readonly string[] = [
  'id',
  'generation',
  'placed',
  'body',
  'shape',
  // Written by former versions.
  'particle',
  'position',
  'orientation',
  'friction',
  'dynamicFriction',
  'torsionalFriction',
  'rollingFriction',
  'restitution',
  'maxPushOut',
  'layer',
  'mask',
  'group',
  'sensor',
  'continuous',
  'name',
]

/** The body of an index; `null`, the world, for −1. */
function bodyAt(where: string, bodies: readonly Body[], index: unknown): Body | null {
  const k = integer(where, index, -1, bodies.length - 1)
  return k < 0 ? null : bodies[k]
}

/** A collider of a file: its number and record. */
function colliderFrom(
  at: string,
  entry: unknown,
  count: number,
  shapes: readonly Shape[],
  bodies: readonly Body[],
): FormerCollider {
  const {
    id,
    generation,
    placed,
    body,
    shape,
    particle: _former,
    ...def
  } = knownFields(at, entry, COLLIDER) as unknown as ColliderJson & { particle?: unknown }
  integer(`${at}: id`, id, 0, count - 1)
  integer(`${at}: generation`, generation, 0, MOST_COUNT)
  integer(`${at}: placed`, placed, 0)
  const owner = bodyAt(`${at}: body`, bodies, body)
  const geometry = shapes[integer(`${at}: shape`, shape, 0, shapes.length - 1)]
  const record = resolveCollider(at, owner, { ...def, shape: geometry })
  return { id, record: { ...record, generation, placed } }
}

/** Colliders that were removed: events name them. */
function formerFrom(
  json: CollisionsJson,
  count: number,
  shapes: readonly Shape[],
  bodies: readonly Body[],
): FormerColliders {
  const given = json.former === undefined ? {} : knownFields(`${WHERE}: former`, json.former, ['ended', 'lost'])
  const read = (name: 'ended' | 'lost'): FormerCollider[] =>
    array(`${WHERE}: former: ${name}`, given[name] ?? []).map((entry, k) =>
      colliderFrom(`${WHERE}: former: ${name}[${k}]`, entry, count, shapes, bodies),
    )
  return { ended: read('ended'), lost: read('lost') }
}

/** Pairs that ceased to touch: colliders and their generations, and whether one was a sensor. Files of former versions name removed colliders that they do not describe: left out. */
function endedFrom(name: 'ended' | 'lost', json: CollisionsJson, isKnown: IsKnown): number[] {
  const list = json[name]
  if (list.length % ENDED !== 0)
    throw new RangeError(`${WHERE}: ${name} must be ${ENDED} numbers each, got ${list.length}`)
  const numbers = list.map((value, k) => {
    const most = k % ENDED < 2 ? json.generations.length - 1 : k % ENDED === 4 ? 1 : MOST_COUNT
    return integer(`${WHERE}: ${name}[${k}]`, value, 0, most)
  })
  return numbers.filter((_, k) => {
    const o = k - (k % ENDED)
    return isKnown(numbers[o], numbers[o + 2]) && isKnown(numbers[o + 1], numbers[o + 3])
  })
}

/** Checks a manifold: bodies and colliders that belong together, and every number in its range. */
function checkManifold(
  where: string,
  entry: unknown,
  bodies: readonly Body[],
  records: readonly (ColliderRecord | undefined)[],
  count: number,
): void {
  const { bodies: pair, numbers } = knownFields(where, entry, ['bodies', 'numbers'])
  const values = finiteVector(`${where}: numbers`, numbers, WIDTH)
  const rows = finiteVector(`${where}: bodies`, pair, 2)
  let at = 0
  for (const [name, stride] of SAVED) {
    const range = NUMBER_RANGES[name]
    for (let i = 0; i < stride; i++, at++) {
      const label = `${where}: numbers[${at}] (${name})`
      if (range === undefined) continue
      // Islands are numbered, each with a manifold of its own at least.
      if (range.whole) integer(label, values[at], range.least, name === 'island' ? count : range.most)
      else if (values[at] < range.least || values[at] > range.most) {
        throw new RangeError(`${label} must be from ${range.least} to ${range.most}, got ${values[at]}`)
      }
    }
  }
  for (let i = 0; i < 2; i++) {
    const owner = bodyAt(`${where}: bodies[${i}]`, bodies, rows[i])
    const record = records[integer(`${where}: numbers[${i}] (pair)`, values[i], 0, records.length - 1)]
    if (record === undefined || record.body !== owner) {
      throw new RangeError(`${where}: numbers[${i}] (pair) must be a collider of body ${rows[i]}, got ${values[i]}`)
    }
  }
  if (values[0] === values[1])
    throw new RangeError(`${where}: numbers[1] (pair) must be another collider, got ${values[1]} twice`)
  integer(`${where}: numbers[2] (pair)`, values[2], LEAST_KEY)
}

function writeManifoldRow(
  { batch }: LeanCollisions,
  pair: readonly number[],
  numbers: readonly number[],
  bodies: readonly Body[],
): void {
  const ids = pair.map((index) => (index < 0 ? WORLD_BODY : bodies[index].index))
  const row = batch.push(ids, 0, NO_DEF)
  const columns = batch.columns as unknown as Record<string, Float64Array>
  columns.relaxation[row] = 1
  columns.breakForce[row] = columns.breakTorque[row] = Infinity
  let at = 0
  for (const [name, stride] of SAVED) {
    for (let i = 0; i < stride; i++) columns[name][stride * row + i] = numbers[at++]
  }
}

/** The least key of a manifold: a sensor's. */
const LEAST_KEY = -1

/** A range of a number, whole or not. */
interface NumberRange {
  readonly least: number
  readonly most: number
  readonly whole: boolean
}

const FLAG: NumberRange = { least: 0, most: 1, whole: true }
const COUNT: NumberRange = { least: 0, most: Number.MAX_SAFE_INTEGER, whole: true }
const POSITIVE: NumberRange = { least: 0, most: Number.MAX_VALUE, whole: false }

/** Allowed ranges of the numbers of a manifold, by column, as the data may come from anywhere. Other columns may hold any finite number. */
const NUMBER_RANGES: Readonly<Partial<Record<string, NumberRange>>> = {
  points: { least: 0, most: MAX_POINTS, whole: true },
  carrier: { least: 0, most: 2, whole: true },
  round: POSITIVE,
  friction: POSITIVE,
  torsional: POSITIVE,
  rolling: POSITIVE,
  restitution: { least: 0, most: 1, whole: false },
  maxPushOut: POSITIVE,
  heft: POSITIVE,
  bearing: POSITIVE,
  tower: { least: -1, most: 1, whole: true },
  sliding: FLAG,
  touching: FLAG,
  touched: FLAG,
  stamp: POSITIVE,
  fastSubstep: COUNT,
  still: FLAG,
  fresh: FLAG,
  island: COUNT,
  enabled: FLAG,
  sequence: COUNT,
}
