/** Reads what `to-json.ts` writes. Apart from it, so that a page that only steps does not carry every shape. */

import { type Body, finiteVector, type StageReader, type World, WORLD_BODY } from '@tautline/core'
import { type ColliderRecord, resolveCollider } from './collider.js'
import { Collisions } from './collisions.js'
import { shapeFromJSON } from './shapes/from-json.js'
import { type CollisionsJson, SAVED } from './to-json.js'

/** Rows of patches have no definition of a user's. */
const NO_DEF = {}

/**
 * Reads collisions back: `fromJSON(json, types, { collisions: collisionsFromJSON })`. The stage is then found by
 * `Collisions.of(world)`.
 */
export const collisionsFromJSON: StageReader = (world: World, data: unknown, bodies: readonly Body[]): void => {
  const json = data as CollisionsJson
  const where = 'collisionsFromJSON'
  for (const field of ['shapes', 'colliders', 'generations', 'ended', 'lost', 'patches'] as const) {
    if (!Array.isArray(json?.[field]))
      throw new TypeError(`${where}: ${field} must be an array, got ${typeof json?.[field]}`)
  }
  const collisions = new Collisions(world, json.options)
  const shapes = json.shapes.map(shapeFromJSON)
  const bodyAt = (index: number, what: string): Body | null => {
    if (index === -1) return null
    if (bodies[index] === undefined) {
      throw new RangeError(`${where}: body of ${what} must be an index below ${bodies.length}, got ${String(index)}`)
    }
    return bodies[index]
  }
  const records: (ColliderRecord | undefined)[] = []
  for (const { id, generation, placed, body, shape, particle, ...def } of json.colliders) {
    if (shapes[shape] === undefined) {
      throw new RangeError(`${where}: shape of collider ${id} must be an index below ${shapes.length}, got ${shape}`)
    }
    const named = `${where}: collider ${id}`
    const record = resolveCollider(named, bodyAt(body, `collider ${id}`), { ...def, shape: shapes[shape] })
    records[id] = { ...record, particle, generation, placed }
  }
  collisions.restore({
    records: Array.from(records),
    generations: json.generations,
    ended: json.ended,
    lost: json.lost,
  })
  const { batch } = collisions
  json.patches.forEach(({ bodies: pair, numbers }, k) => {
    const of = `patches[${k}]`
    finiteVector(
      `${where}: ${of}: numbers`,
      numbers,
      SAVED.reduce((sum, [, stride]) => sum + stride, 0),
    )
    const rows = finiteVector(`${where}: ${of}: bodies`, pair, 2)
    const ids = [rows[0], rows[1]].map((index) => bodyAt(index, of)?.index ?? WORLD_BODY)
    const row = batch.push(ids, 0, NO_DEF)
    const columns = batch.columns as unknown as Record<string, Float64Array>
    columns.relaxation[row] = 1
    columns.breakForce[row] = columns.breakTorque[row] = Infinity
    let at = 0
    for (const [name, stride] of SAVED) {
      for (let i = 0; i < stride; i++) columns[name][stride * row + i] = numbers[at++]
    }
  })
  world.markOrderStale()
}
