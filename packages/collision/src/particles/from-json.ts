/** Reads sets of particles back; numbers that no world would have written are errors that name them. */

import type { Body } from '@tautline/core'
import {
  array,
  type Batch,
  type BodyColumns,
  finiteVector,
  integer,
  knownFields,
  shown,
  ROTATES,
  WORLD_BODY,
  setRows,
} from '@tautline/core/kernel'
import type { ColliderRecord } from '../state/collider.js'
import type { ParticleRecord, ParticlesDef } from './particle-set.js'
import { resolveParticles } from './particle-set.js'
import { PAIR, SET } from './particle-events.js'
import type { FormerSet, FormerSets } from './particle-sets.js'
import type { Particles } from './particles.js'
import * as face from './face-columns.js'
import * as pair from './pair-columns.js'
import { APPROACH, FRICTION, GIVES, DIRECT, NEAR, PUSH, RADIUS, RESTITUTION } from './point-columns.js'
import { type ParticleSetJson, type ParticlesJson, SAVED_FACE, SAVED_PAIR, SAVED_POINT } from './to-json.js'

const FIELDS = [
  'surfaces',
  'sets',
  'generations',
  'former',
  'before',
  'lost',
  'sensed',
  'points',
  'active',
  'faces',
  'activeFaces',
  'pairs',
  'activePairs',
]
const SET_FIELDS = [
  'id',
  'generation',
  'bodies',
  'radius',
  'rest',
  'triangles',
  'edges',
  'selfCollision',
  'surfaceContacts',
  'friction',
  'dynamicFriction',
  'restitution',
  'maxPushOut',
  'layer',
  'mask',
  'group',
  'name',
]
/** Most that a count or a generation can be. */
export const MOST_COUNT = 0x7fffffff
const widthOf = (saved: typeof SAVED_POINT): number => saved.reduce((sum, [, stride]) => sum + stride, 0)
const WIDTH = /* @__PURE__ */ widthOf(SAVED_POINT)
const PAIR_WIDTH = /* @__PURE__ */ widthOf(SAVED_PAIR)
const FACE_WIDTH = /* @__PURE__ */ widthOf(SAVED_FACE)

/** Fills the sets of `particles` from `data`. */
export function particlesFromJson(
  where: string,
  particles: Particles,
  data: unknown,
  bodies: readonly Body[],
  columns: BodyColumns,
  colliders: readonly (ColliderRecord | undefined)[],
  isKnownCollider: IsKnown,
): void {
  const json = knownFields(where, data, FIELDS) as unknown as ParticlesJson
  for (const field of [
    'sets',
    'generations',
    'before',
    'lost',
    'sensed',
    'surfaces',
    'points',
    'faces',
    'pairs',
  ] as const) {
    if (!Array.isArray(json[field]))
      throw new TypeError(`${where}: ${field} must be an array, got ${shown(json[field])}`)
  }
  const generations = json.generations.map((value, k) => integer(`${where}: generations[${k}]`, value, 0, MOST_COUNT))
  const records = new Array<ParticleRecord | undefined>(generations.length).fill(undefined)
  json.sets.forEach((entry, k) => {
    const at = `${where}: sets[${k}]`
    const { id, record } = setFromJson(at, entry, generations.length, bodies)
    if (records[id] !== undefined) throw new RangeError(`${at}: id must be the only one of its number, got ${id} again`)
    if (record.generation !== generations[id]) {
      throw new RangeError(`${at}: generation must be ${generations[id]}, as in generations, got ${record.generation}`)
    }
    record.bodies.forEach((body, j) => {
      if (body?.type === 'dynamic' && (columns.flags[body.index] & ROTATES) !== 0) {
        throw new TypeError(`${at}: bodies[${j}] must be a particle, got ${body.label}, which turns`)
      }
    })
    records[id] = record
  })
  const former = formerFrom(where, json, generations.length, bodies)
  const known = new Set([...former.ended, ...former.lost].map(({ id, record }) => `${id} ${record.generation}`))
  records.forEach((record, id) => record !== undefined && known.add(`${id} ${record.generation}`))
  const isKnown = [isKnownCollider, (id: number, generation: number) => known.has(`${id} ${generation}`)] as const
  const before = touchesFrom(`${where}: before`, json.before, generations.length, colliders.length, isKnown)
  const lost = touchesFrom(`${where}: lost`, json.lost, generations.length, colliders.length, isKnown)
  if (json.sensed.length % 2 !== 0)
    throw new RangeError(`${where}: sensed must be 2 numbers each, got ${json.sensed.length}`)
  json.sensed.forEach((value, k) => {
    const most = (k % 2 === 0 ? generations : colliders).length - 1
    integer(`${where}: sensed[${k}]`, value, 0, most)
    if ((k % 2 === 0 ? records : colliders)[value] === undefined) {
      throw new RangeError(`${where}: sensed[${k}] must be one that exists, got ${value}`)
    }
  })
  if (json.surfaces.length % 3 !== 0)
    throw new RangeError(`${where}: surfaces must be 3 numbers each, got ${json.surfaces.length}`)
  json.surfaces.forEach((value, k) => {
    if (k % 3 < 2) integer(`${where}: surfaces[${k}]`, value, 0, generations.length - 1)
    else if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(`${where}: surfaces[${k}] must be an impulse >= 0, got ${shown(value)}`)
    }
  })
  const rows = json.points.map((numbers, k) => {
    const values = finiteVector(`${where}: points[${k}]`, numbers, WIDTH)
    checkPoint(`${where}: points[${k}]`, values, records, colliders)
    return values
  })
  integer(`${where}: active`, json.active, 0, rows.length)
  const faces = json.faces.map((numbers, k) => {
    const values = finiteVector(`${where}: faces[${k}]`, numbers, FACE_WIDTH)
    checkFace(`${where}: faces[${k}]`, values, records, colliders)
    return values
  })
  integer(`${where}: activeFaces`, json.activeFaces, 0, faces.length)
  const pairs = json.pairs.map((numbers, k) => {
    const values = finiteVector(`${where}: pairs[${k}]`, numbers, PAIR_WIDTH)
    checkPair(`${where}: pairs[${k}]`, values, records)
    return values
  })
  integer(`${where}: activePairs`, json.activePairs, 0, pairs.length)
  particles.restore({
    sets: { records, generations, handles: [], lost: [], ended: [] },
    before,
    lost,
    sensed: json.sensed,
    surfaces: json.surfaces,
  })
  particles.sets.restoreRemoved(former)
  const rowOf = (values: ArrayLike<number>, k: number): number => records[values[k]]!.rows[values[k + 1]]
  writeRows(particles.points.batch as Batch, SAVED_POINT, rows, json.active, (values) => [
    rowOf(values, 0),
    colliders[values[2]]!.body?.index ?? WORLD_BODY,
  ])
  writeRows(particles.faces.batch as Batch, SAVED_FACE, faces, json.activeFaces, (values) => [
    ...cornersOf(records[values[0]]!, values[1]),
    colliders[values[2]]!.body?.index ?? WORLD_BODY,
  ])
  writeRows(particles.selfContacts!.batch as Batch, SAVED_PAIR, pairs, json.activePairs, (values) => [
    rowOf(values, 0),
    rowOf(values, 2),
  ])
}

function setFromJson(where: string, entry: unknown, count: number, bodies: readonly Body[]): FormerSet {
  const given = knownFields(where, entry, SET_FIELDS) as unknown as ParticleSetJson
  const { id, generation, bodies: indices, rest, ...def } = given
  integer(`${where}: id`, id, 0, count - 1)
  integer(`${where}: generation`, generation, 0, MOST_COUNT)
  if (!Array.isArray(indices)) throw new TypeError(`${where}: bodies must be an array, got ${shown(indices)}`)
  const seen = new Set<number>()
  const list = indices.map((value, k) => {
    const index = integer(`${where}: bodies[${k}]`, value, -1, bodies.length - 1)
    if (index < 0) return null
    const body = bodies[index]
    if (seen.has(index)) throw new RangeError(`${where}: bodies[${k}] must be another body, got ${index} twice`)
    seen.add(index)
    return body
  })
  const at = Float64Array.from(finiteVector(`${where}: rest`, rest, 3 * list.length))
  return { id, record: { ...resolveParticles(where, list, at, def as ParticlesDef), generation } }
}

/** Sets that were removed: events name them. */
function formerFrom(where: string, json: ParticlesJson, count: number, bodies: readonly Body[]): FormerSets {
  const given = json.former === undefined ? {} : knownFields(`${where}: former`, json.former, ['ended', 'lost'])
  const read = (name: 'ended' | 'lost'): FormerSet[] =>
    array(`${where}: former: ${name}`, given[name] ?? []).map((entry, k) =>
      setFromJson(`${where}: former: ${name}[${k}]`, entry, count, bodies),
    )
  return { ended: read('ended'), lost: read('lost') }
}

/** Whether something of a number and a generation exists, or was removed a moment ago. */
export type IsKnown = (id: number, generation: number) => boolean

/**
 * Pairs that touch: see `Touches`. `isKnown` is asked of colliders and of sets. Files of former versions name removed ones that they do not describe: left
 * out.
 */
function touchesFrom(
  where: string,
  list: readonly number[],
  sets: number,
  colliders: number,
  isKnown: readonly [IsKnown, IsKnown],
): number[] {
  if (list.length % PAIR !== 0) throw new RangeError(`${where} must be ${PAIR} numbers each, got ${list.length}`)
  const numbers = list.map((value, k) => {
    const field = k % PAIR
    const others = list[k - field + 2] === 0 ? colliders : sets
    const most = field === 0 ? sets - 1 : field === 2 || field === 5 ? 1 : field === 3 ? others - 1 : MOST_COUNT
    return integer(`${where}[${k}]`, value, 0, most)
  })
  return numbers.filter((_, k) => {
    const o = k - (k % PAIR)
    return isKnown[SET](numbers[o], numbers[o + 1]) && isKnown[numbers[o + 2]](numbers[o + 3], numbers[o + 4])
  })
}

/** Numbers of a record that have a range besides being finite. */
const RANGES: readonly (readonly [at: number, least: number, most: number, whole: boolean])[] = [
  [FRICTION, 0, Infinity, false],
  [FRICTION + 1, 0, Infinity, false],
  [RESTITUTION, 0, 1, false],
  [PUSH, 0, Infinity, false],
  [RADIUS, Number.MIN_VALUE, Infinity, false],
  [NEAR, 0, DIRECT, true],
  [GIVES, 0, 1, true],
  [APPROACH, -Infinity, Infinity, false],
]

function checkPoint(
  where: string,
  values: ArrayLike<number>,
  records: readonly (ParticleRecord | undefined)[],
  colliders: readonly (ColliderRecord | undefined)[],
): void {
  checkParticle(where, values, 0, records)
  checkPart(where, values, colliders)
  integer(`${where}[4]`, values[4], 0, 1)
  checkRanges(where, values, RANGES)
}

/** A collider, and a part that it has. */
function checkPart(where: string, values: ArrayLike<number>, colliders: readonly (ColliderRecord | undefined)[]): void {
  const collider = colliders[integer(`${where}[2]`, values[2], 0, colliders.length - 1)]
  if (collider === undefined) throw new RangeError(`${where}[2] must be a collider that exists, got ${values[2]}`)
  const { mesh, heightfield, children } = collider.shape
  const parts =
    mesh !== null
      ? mesh.triangles.length / 3
      : heightfield !== null
        ? 2 * (heightfield.columns - 1) * (heightfield.rows - 1)
        : (children?.length ?? 1)
  integer(`${where}[3]`, values[3], 0, parts - 1)
}

/** Numbers of the record of a face that have a range. */
const FACE_RANGES: typeof RANGES = [
  [face.SHARES, 0, 1, false],
  [face.SHARES + 1, 0, 1, false],
  [face.SHARES + 2, 0, 1, false],
  [face.FRICTION, 0, Infinity, false],
  [face.FRICTION + 1, 0, Infinity, false],
  [face.RESTITUTION, 0, 1, false],
  [face.PUSH, 0, Infinity, false],
  [face.RADIUS, Number.MIN_VALUE, Infinity, false],
  [face.RADIUS + 1, Number.MIN_VALUE, Infinity, false],
  [face.RADIUS + 2, Number.MIN_VALUE, Infinity, false],
  [face.NEAR, 0, face.DIRECT, true],
  [face.GIVES, 0, 1, true],
]

function checkFace(
  where: string,
  values: ArrayLike<number>,
  records: readonly (ParticleRecord | undefined)[],
  colliders: readonly (ColliderRecord | undefined)[],
): void {
  const set = records[integer(`${where}[0]`, values[0], 0, records.length - 1)]
  if (set === undefined) throw new RangeError(`${where}[0] must be a set that exists, got ${values[0]}`)
  const number = integer(`${where}[1]`, values[1], 0, set.faces.length / face.CORNERS - 1)
  if (cornersOf(set, number).some((row) => row < 0)) {
    throw new RangeError(`${where}[1] must be a face of particles that exist, got ${number}`)
  }
  checkPart(where, values, colliders)
  integer(`${where}[4]`, values[4], 0, 1)
  checkRanges(where, values, FACE_RANGES)
}

/** Rows of the bodies of a face. */
function cornersOf({ faces, rows }: ParticleRecord, number: number): number[] {
  return Array.from(faces.subarray(face.CORNERS * number, face.CORNERS * number + face.CORNERS), (k) => rows[k])
}

function writeRows(
  batch: Batch,
  saved: readonly (readonly [string, number])[],
  rows: readonly ArrayLike<number>[],
  active: number,
  bodiesOf: (values: ArrayLike<number>) => readonly number[],
): void {
  setRows(batch, rows.length, active)
  rows.forEach((values, row) => {
    let at = 0
    for (const [name, stride] of saved) {
      for (let k = stride * row; k < stride * (row + 1); k++) batch.columns[name][k] = values[at++]
    }
    bodiesOf(values).forEach((body, k) => {
      batch.common.body[batch.arity * row + k] = batch.ids[batch.arity * row + k] = body
    })
  })
}

/** Numbers of the record of a pair that have a range. */
const PAIR_RANGES: typeof RANGES = [
  [pair.APART, 0, Infinity, false],
  [pair.FRICTION, 0, Infinity, false],
  [pair.FRICTION + 1, 0, Infinity, false],
  [pair.RESTITUTION, 0, 1, false],
  [pair.PUSH, 0, Infinity, false],
  [pair.NEAR, 0, 1, true],
]

function checkPair(where: string, values: ArrayLike<number>, records: readonly (ParticleRecord | undefined)[]): void {
  const first = checkParticle(where, values, 0, records)
  if (checkParticle(where, values, 2, records) === first) {
    throw new RangeError(`${where}[3] must be another particle, got ${values[3]} twice`)
  }
  integer(`${where}[4]`, values[4], 0, 1)
  checkRanges(where, values, PAIR_RANGES)
}

/** Row of the particle that two numbers name. */
function checkParticle(
  where: string,
  values: ArrayLike<number>,
  at: number,
  records: readonly (ParticleRecord | undefined)[],
): number {
  const set = records[integer(`${where}[${at}]`, values[at], 0, records.length - 1)]
  if (set === undefined) throw new RangeError(`${where}[${at}] must be a set that exists, got ${values[at]}`)
  const row = set.rows[integer(`${where}[${at + 1}]`, values[at + 1], 0, set.rows.length - 1)]
  if (row < 0) throw new RangeError(`${where}[${at + 1}] must be a particle that exists, got ${values[at + 1]}`)
  return row
}

function checkRanges(where: string, values: ArrayLike<number>, ranges: typeof RANGES): void {
  for (const [at, least, most, whole] of ranges) {
    const value = values[6 + at]
    if (whole) integer(`${where}[${6 + at}]`, value, least, most)
    else if (value < least || value > most) {
      throw new RangeError(`${where}[${6 + at}] must be from ${least} to ${most}, got ${value}`)
    }
  }
}
