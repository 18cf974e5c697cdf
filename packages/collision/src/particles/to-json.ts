/** Sets of particles as plain data: what they are, and the rows of those that rest. */

import type { Batch } from '@tautline/core/kernel'
import type { Material } from '../state/material.js'
import { FACE_COLUMNS } from './face-columns.js'
import { PAIR_COLUMNS } from './pair-columns.js'
import { POINT_COLUMNS, ROWS } from './point-columns.js'
import type { FaceContacts } from './face-columns.js'
import type { PairContacts } from './pair-columns.js'
import type { PointContacts } from './point-columns.js'
import type { ParticleRecord, SelfCollision, SurfaceContacts } from './particle-set.js'
import type { FormerSet, ParticleSets } from './particle-sets.js'
import type { SavedParticles } from './saved.js'

/** A set as plain data. */
export interface ParticleSetJson extends Omit<Material, 'torsionalFriction' | 'rollingFriction'> {
  id: number
  generation: number
  /** Indices among the bodies of the scene; −1 of one that was removed. */
  bodies: number[]
  radius: number[]
  rest: number[]
  triangles: number[]
  edges: number[]
  selfCollision: SelfCollision
  surfaceContacts: SurfaceContacts
  layer: number
  mask: number
  group: number
  name?: string
}

/** What `world.toJSON()` holds under `stages.collisions.particles`. */
export interface ParticlesJson {
  sets: ParticleSetJson[]
  generations: number[]
  /** Sets that were removed in the step before, and since the last step began, where there are any: events name them. */
  former?: { ended: ParticleSetJson[]; lost: ParticleSetJson[] }
  /** Who touched in the step before, who was removed since, and who is in a sensor. */
  before: number[]
  lost: number[]
  sensed: number[]
  /** Two sets that push each other as surfaces, and their impulse [N s]: three numbers each. */
  surfaces: number[]
  /** Rows of contacts with colliders, in sweep order, and how many of them act. */
  points: number[][]
  active: number
  /** The same of contacts of faces with colliders. */
  faces: number[][]
  activeFaces: number
  /** The same of contacts with particles. */
  pairs: number[][]
  activePairs: number
}

/** Columns of a contact that go into JSON, with their strides. */
export const SAVED_POINT: readonly (readonly [string, number])[] = [...Object.entries(POINT_COLUMNS), ['lambda', ROWS]]

/** The same of a contact of a face. */
export const SAVED_FACE: readonly (readonly [string, number])[] = [...Object.entries(FACE_COLUMNS), ['lambda', ROWS]]

/** The same of a contact of two particles. */
export const SAVED_PAIR: readonly (readonly [string, number])[] = [...Object.entries(PAIR_COLUMNS), ['lambda', ROWS]]

const NO_ROWS: WrittenRows = { numbers: [], active: 0 }

/** Rows of a batch as lists of numbers, and how many of them act. */
interface WrittenRows {
  numbers: number[][]
  active: number
}

/** What is written of particles besides what a snapshot holds. */
interface WrittenParticles {
  readonly sets: ParticleSets
  readonly points: { readonly batch: PointContacts }
  readonly faces: { readonly batch: FaceContacts }
  readonly selfContacts?: { readonly batch: PairContacts } | undefined
}

/** All of it; nothing where there never was a set. */
export function particlesToJson(
  { sets, points, faces, selfContacts }: WrittenParticles,
  { before, lost, sensed, surfaces }: SavedParticles,
  indexOf: (row: number) => number,
): ParticlesJson | undefined {
  if (sets.records.length === 0) return undefined
  const rows = rowsToJson(points.batch as Batch, SAVED_POINT)
  const faceRows = rowsToJson(faces.batch as Batch, SAVED_FACE)
  const pairRows = selfContacts === undefined ? NO_ROWS : rowsToJson(selfContacts.batch as Batch, SAVED_PAIR)
  const former = sets.removed()
  const writeAll = (list: readonly FormerSet[]): ParticleSetJson[] =>
    list.map(({ id, record }) => setToJson(id, record, indexOf))
  return {
    sets: sets.records.flatMap((record, id) => (record === undefined ? [] : [setToJson(id, record, indexOf)])),
    generations: sets.generations.slice(),
    ...(former.ended.length + former.lost.length === 0
      ? {}
      : { former: { ended: writeAll(former.ended), lost: writeAll(former.lost) } }),
    before: [...before],
    lost: [...lost],
    sensed: [...sensed],
    surfaces: [...surfaces],
    points: rows.numbers,
    active: rows.active,
    faces: faceRows.numbers,
    activeFaces: faceRows.active,
    pairs: pairRows.numbers,
    activePairs: pairRows.active,
  }
}

/** Rows as lists of numbers, and how many of them act. What is not finite holds nothing, and is found anew. */
function rowsToJson(batch: Batch, saved: readonly (readonly [string, number])[]): WrittenRows {
  const numbers: number[][] = []
  let active = 0
  for (let row = 0; row < batch.count; row++) {
    const list = saved.flatMap(([name, stride]) =>
      Array.from(batch.columns[name].subarray(stride * row, stride * (row + 1))),
    )
    if (!list.every(Number.isFinite)) continue
    numbers.push(list)
    if (row < batch.active) active++
  }
  return { numbers, active }
}

function setToJson(id: number, record: ParticleRecord, indexOf: (row: number) => number): ParticleSetJson {
  const { friction, dynamicFriction, restitution, maxPushOut } = record.material
  const { generation, selfCollision, surfaceContacts, layer, mask, group, name } = record
  return {
    id,
    generation,
    bodies: record.bodies.map((body) => (body?.alive === true ? indexOf(body.index) : -1)),
    radius: Array.from(record.radius),
    rest: Array.from(record.rest),
    triangles: Array.from(record.triangles),
    edges: Array.from(record.edges),
    selfCollision,
    surfaceContacts,
    friction,
    dynamicFriction,
    restitution,
    maxPushOut,
    layer,
    mask,
    group,
    ...(name === undefined ? {} : { name }),
  }
}
