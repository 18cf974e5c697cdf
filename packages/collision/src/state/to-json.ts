/** Collisions as plain data: colliders by number, and the rows of manifolds as they are. */

import type { ColliderDef, ColliderRecord } from './collider.js'
import type { FormerCollider } from './collider-handles.js'
import type { ContactRows } from '../contact/contact-rows.js'
import { MANIFOLD_COLUMNS, type ManifoldColumn, ROWS } from '../contact/manifold-columns.js'
import type { ShapeJson } from '../shapes/shape.js'
import type { Colliders } from './colliders.js'
import type { ParticlesJson } from '../particles/to-json.js'
import type { CollisionOptions, CollisionSettings } from './options.js'

/** A collider as plain data. */
export interface ColliderJson extends Omit<ColliderDef, 'shape'> {
  id: number
  generation: number
  placed: number
  /** Index among the bodies of the scene; −1 is the world. */
  body: number
  /** Index among the shapes. */
  shape: number
}

/** What `world.toJSON()` holds under `stages.collisions`. */
export interface CollisionsJson {
  options: CollisionOptions
  shapes: ShapeJson[]
  colliders: ColliderJson[]
  generations: number[]
  /** Pairs that ceased to touch in the last step, and since, as in `gatherEvents`. */
  ended: number[]
  lost: number[]
  /** Colliders that were removed in the step before, and since the last step began, where there are any: events name them. */
  former?: { ended: ColliderJson[]; lost: ColliderJson[] }
  /** A list of columns a manifold, in sweep order. */
  manifolds: { bodies: [number, number]; numbers: number[] }[]
  /** Sets of particles, where there are any. */
  particles?: ParticlesJson
  /** Pairs of bodies that do not meet, by index, where there are any. */
  ignoredPairs?: number[]
}

/** Columns of a manifold that go into JSON, with their strides. */
export const SAVED: readonly (readonly [string, number])[] = [
  ...(Object.entries(MANIFOLD_COLUMNS) as [ManifoldColumn, number][]),
  ['lambda', ROWS],
  ['enabled', 1],
  ['sequence', 1],
]

/** All of it. `indexOf` numbers the bodies of a scene by their rows. */
export function collisionsToJson(
  options: CollisionSettings,
  { records, generations, handles }: Colliders,
  { batch, ended, lost }: ContactRows,
  indexOf: (row: number) => number,
): CollisionsJson {
  const shapes: ShapeJson[] = []
  const known = new Map<object, number>()
  const write = (id: number, record: ColliderRecord): ColliderJson => {
    let shape = known.get(record.shape)
    if (shape === undefined) {
      shape = shapes.push(record.shape.toJSON()) - 1
      known.set(record.shape, shape)
    }
    const { material, layer, mask, group, sensor, continuous, local, orientation, generation, placed } = record
    return {
      id,
      generation,
      placed,
      body: record.body?.alive === true ? indexOf(record.body.index) : -1,
      shape,
      position: [local[0], local[1], local[2]],
      orientation: [...orientation],
      ...material,
      layer,
      mask,
      group,
      sensor,
      ...(continuous ? { continuous } : {}),
      ...(record.name === undefined ? {} : { name: record.name }),
    }
  }
  const colliders = records.flatMap((record, id) => (record === undefined ? [] : [write(id, record)]))
  const former = handles.former()
  const writeAll = (list: readonly FormerCollider[]): ColliderJson[] => list.map(({ id, record }) => write(id, record))
  const columns = batch.columns as unknown as Record<string, Float64Array>
  // A manifold that is not finite was skipped in the step, and holds nothing: it is left out, and found anew.
  const manifolds = Array.from({ length: batch.count }, (_, row) => ({
    bodies: [indexOf(batch.ids[2 * row]), indexOf(batch.ids[2 * row + 1])] as [number, number],
    numbers: SAVED.flatMap(([name, stride]) => Array.from(columns[name].subarray(stride * row, stride * (row + 1)))),
  })).filter(({ numbers }) => numbers.every(Number.isFinite))
  return {
    options,
    shapes,
    colliders,
    generations: generations.slice(),
    ended: ended.slice(),
    lost: lost.slice(),
    ...(former.ended.length + former.lost.length === 0
      ? {}
      : { former: { ended: writeAll(former.ended), lost: writeAll(former.lost) } }),
    manifolds,
  }
}

/** Pairs of bodies that do not meet, where there are any. */
export function pairsToJson(
  pairs: readonly number[],
  indexOf: (row: number) => number,
): Pick<CollisionsJson, 'ignoredPairs'> {
  return pairs.length === 0 ? {} : { ignoredPairs: pairs.map(indexOf) }
}
