/** Pairs of colliders that overlap where they are now: for what was just added, before a step pushes it apart. */

import { Body } from '@tautline/core'
import { instance, knownFields, nonNegative } from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'
import { IntList } from '../detect/broad/int-list.js'
import { collide } from '../detect/narrow/collide.js'
import { ManifoldList } from '../detect/narrow/manifold.js'
import type { Collider } from '../state/collider-handle.js'
import type { ColliderRecord } from '../state/collider.js'
import type { LeanCollisions } from '../lean-collisions.js'
import type { QueryOptions } from './queries.js'
import { Source } from './source.js'

/** What `findOverlaps` takes. */
export interface FindOverlapsOptions extends QueryOptions {
  /** Shallower overlaps are left out [m]. @defaultValue 0.001: what rests overlaps by less */
  tolerance?: number
  /** Pairs of this body alone, as of one that was just added. @defaultValue all pairs */
  body?: Body
}

/** Two colliders that overlap. */
export interface Overlap {
  a: Collider
  b: Collider
  /** How deep [m]. */
  depth: number
  /** Unit vector from b to a, world: a displacement of a by `depth` along it ends the overlap there. */
  normal: vec3
}

const near = /* @__PURE__ */ new IntList()
const list = /* @__PURE__ */ new ManifoldList()

/**
 * All pairs that overlap by more than a tolerance and would push each other apart in the next step, deepest first. Pairs that do not meet, by layers,
 * groups, joints or `setPairCollision`, and sensors are left out. Throws a `TypeError` or `RangeError` on a bad argument.
 */
export function findOverlaps(collisions: LeanCollisions, options: FindOverlapsOptions = {}): Overlap[] {
  const where = 'findOverlaps'
  const { tolerance, body, filter } = knownFields(`${where}: options`, options, ['filter', 'tolerance', 'body'])
  const source = new Source(collisions, where, (filter ?? {}) as object)
  const least = nonNegative(`${where}: tolerance`, tolerance ?? 1e-3)
  const { colliders, world } = collisions
  if (body !== undefined) {
    world.bodies.assertAlive(`${where}: body`, instance(`${where}: body`, body, Body, 'a body'))
  }
  const own = body === undefined ? undefined : new Set(colliders.idsOf((body as Body).index))
  collisions.filter.refresh()
  const accepted = colliders.records.map((record, id) => record?.sensor === false && source.accepts(id))
  const found: Overlap[] = []
  for (const id of own ?? colliders.records.keys()) {
    if (!accepted[id]) continue
    near.clear()
    source.tree.query(colliders.tree.tight, 6 * id, near)
    near.sort(0)
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k]
      // Of two that are both asked for, the lower one finds the pair.
      if (other === id || (other < id && (own === undefined || own.has(other)))) continue
      if (!accepted[other] || !collisions.filter.meets(id, other)) continue
      const overlap = measure(collisions, Math.min(id, other), Math.max(id, other))
      if (overlap.depth > least) found.push(overlap)
    }
  }
  return found.sort((r, s) => s.depth - r.depth || r.a.id - s.a.id || r.b.id - s.b.id)
}

/** The deepest overlap of two colliders at their present poses; of depth 0 without one. */
function measure({ colliders }: LeanCollisions, a: number, b: number): Overlap {
  const { records, transform } = colliders
  list.clear()
  const shapeA = (records[a] as ColliderRecord).shape
  collide(shapeA, transform, 12 * a, (records[b] as ColliderRecord).shape, transform, 12 * b, 0, list)
  const overlap: Overlap = { a: colliders.handle(a), b: colliders.handle(b), depth: 0, normal: [0, 0, 0] }
  for (let k = 0; k < list.count; k++) {
    const { count, separation, normal } = list.items[k]
    for (let i = 0; i < count; i++) {
      if (-separation[i] <= overlap.depth) continue
      overlap.depth = -separation[i]
      overlap.normal = [normal[0], normal[1], normal[2]]
    }
  }
  return overlap
}
