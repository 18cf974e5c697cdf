/** Which colliders a query looks at, and where they stand. */

import { Body } from '@tautline/core'
import { flag, instance, knownFields, shown } from '@tautline/core/kernel'
import { LeanCollisions } from '../lean-collisions.js'
import type { BoxTree } from '../detect/broad/tree.js'
import type { Shape } from '../shapes/shape.js'
import { type ColliderRecord, integer } from '../state/collider.js'
import { Collider } from '../state/collider-handle.js'
import type { QuerySource } from './candidates.js'

/** Which colliders a query looks at. Every field may be left out. */
export interface QueryFilter {
  /** Layers that count, a bit each. @defaultValue all */
  layers?: number
  /** Group of the query: colliders of the same one count always if it is above 0, never if below. @defaultValue 0: none */
  group?: number
  /** Colliders, and bodies with all of theirs, that do not count. They must exist. @defaultValue none */
  exclude?: Body | Collider | readonly (Body | Collider)[]
  /** Whether sensors count. @defaultValue false */
  sensors?: boolean
  /**
   * Asked last, at most once a collider, and before its shape is looked at: whether it counts. It may ask queries of its
   * own, but must not change the world. @defaultValue none
   */
  predicate?: (collider: Collider) => boolean
}

/** The colliders that a filter lets through, at their present poses. */
export class Source implements QuerySource {
  readonly tree: BoxTree
  readonly transform: Float64Array
  private readonly collisions: LeanCollisions
  private readonly records: readonly (ColliderRecord | undefined)[]
  private readonly body: Int32Array
  private readonly layers: number
  private readonly group: number
  private readonly sensors: boolean
  private readonly predicate: ((collider: Collider) => boolean) | undefined
  /** Numbers of colliders, and rows of bodies, that do not count. */
  private readonly excluded: ReadonlySet<number>
  private readonly excludedRows: ReadonlySet<number>

  constructor(collisions: LeanCollisions, where: string, filter: QueryFilter) {
    instance(`${where}: collisions`, collisions, LeanCollisions, 'a Collisions')
    knownFields(`${where}: filter`, filter, FILTER)
    const { exclude = [], predicate } = filter
    this.layers = integer(`${where}: filter.layers`, filter.layers ?? -1)
    this.group = integer(`${where}: filter.group`, filter.group ?? 0)
    this.sensors = flag(`${where}: filter.sensors`, filter.sensors ?? false)
    if (predicate !== undefined && typeof predicate !== 'function') {
      throw new TypeError(`${where}: filter.predicate must be a function, got ${shown(predicate)}`)
    }
    this.predicate = predicate
    const list: readonly unknown[] = Array.isArray(exclude) ? exclude : [exclude]
    this.excluded = new Set(list.filter((item) => item instanceof Collider).map(({ id }) => id))
    this.excludedRows = new Set(list.filter((item) => item instanceof Body).map(({ index }) => index))
    for (const item of list) assertKnown(collisions, `${where}: filter.exclude`, item)

    const { colliders } = collisions
    colliders.refreshPoses()
    this.collisions = collisions
    this.tree = colliders.tree
    this.transform = colliders.transform
    this.records = colliders.records
    this.body = colliders.body
  }

  shapeOf(id: number): Shape {
    return (this.records[id] as ColliderRecord).shape
  }

  /** Row of the body that a collider is fixed to. */
  rowOf(id: number): number {
    return this.body[id]
  }

  accepts(id: number): boolean {
    const { layer, group, sensor } = this.records[id] as ColliderRecord
    if (sensor && !this.sensors) return false
    if (group !== 0 && group === this.group) {
      if (group < 0) return false
    } else if ((layer & this.layers) === 0) return false
    if (this.excluded.has(id) || this.excludedRows.has(this.body[id])) return false
    return this.predicate === undefined || this.predicate(this.collisions.handle(id))
  }
}

const FILTER = ['layers', 'group', 'exclude', 'sensors', 'predicate']

function assertKnown(collisions: LeanCollisions, where: string, item: unknown): void {
  if (item instanceof Body) collisions.world.bodies.assertAlive(where, item)
  else if (!(item instanceof Collider)) {
    throw new TypeError(`${where} must be bodies and colliders, got ${shown(item)}`)
  } else if (collisions.find(item) === undefined) {
    const fault = item.collisions === collisions ? 'exist, got a removed one' : "be of this world, got another's"
    throw new RangeError(`${where}: ${item.label} of generation ${item.generation} must ${fault}`)
  }
}
