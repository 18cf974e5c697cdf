/**
 * Sensors with `continuous: true`: between the poses of substeps, the motion of bodies is tested against them, so that one that crosses a thin sensor within a
 * step is seen.
 */

import type { LeanWorld } from '@tautline/core'
import { rotationBetween } from '@tautline/core/kernel'
import { checkOwner, type CollisionParts, type SweptSensorPart } from '../contact/collision-parts.js'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders, PoseColumns } from '../state/colliders.js'
import type { ContactFilter } from './contact-filter.js'
import { crosses, Way } from './crossing.js'
import { IntList } from './broad/int-list.js'
import { BoxTree } from './broad/tree.js'

const wayA = /* @__PURE__ */ new Way()
const wayB = /* @__PURE__ */ new Way()
const motion = /* @__PURE__ */ new Float64Array(6)
const box = /* @__PURE__ */ new Float64Array(6)

class SweptSensors implements SweptSensorPart {
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly filter: ContactFilter
  private readonly note: CollisionParts['noteSensed']
  /** Continuous sensors, ascending, and the changes of colliders that the list is for. */
  private readonly sensors = new IntList()
  private listedAt = -1
  /** Boxes of their motion since the last pose that was looked at. */
  private tree = new BoxTree()
  private readonly near = new IntList()
  /** Poses of all bodies that were last looked at. */
  private last: PoseColumns = { position: new Float64Array(0), orientation: new Float64Array(0) }

  constructor(world: LeanWorld, colliders: Colliders, filter: ContactFilter, note: CollisionParts['noteSensed']) {
    this.world = world
    this.colliders = colliders
    this.filter = filter
    this.note = note
  }

  beginStep(): void {
    this.list()
    if (this.sensors.count > 0) this.keepPoses()
  }

  sweep(): void {
    const { colliders, sensors, tree, near } = this
    if (sensors.count === 0) return
    for (let k = 0; k < sensors.count; k++) {
      this.writeBox(sensors.items[k])
      tree.move(sensors.items[k], box, 0)
    }
    for (let id = 0; id < colliders.records.length; id++) {
      if (colliders.records[id] === undefined || !this.hasMoved(id)) continue
      this.writeBox(id)
      near.clear()
      tree.query(box, 0, near)
      for (let k = 0; k < near.count; k++) this.test(id, near.items[k])
      if (!tree.has(id)) continue
      // A sensor that moves also meets colliders that stand still.
      near.clear()
      colliders.tree.query(box, 0, near)
      for (let k = 0; k < near.count; k++) if (!this.hasMoved(near.items[k])) this.test(id, near.items[k])
    }
    this.keepPoses()
  }

  /** Lists the continuous sensors anew if colliders have changed. */
  private list(): void {
    const { colliders, sensors } = this
    if (this.listedAt === colliders.changes) return
    this.listedAt = colliders.changes
    sensors.clear()
    this.tree = new BoxTree()
    box.fill(0)
    colliders.records.forEach((record, id) => {
      if (record?.continuous !== true) return
      sensors.push(id)
      this.tree.insert(id, box, 0, false)
    })
  }

  private keepPoses(): void {
    const { position, orientation } = this.world.bodies.columns
    if (this.last.position.length !== position.length) {
      this.last = { position: position.slice(), orientation: orientation.slice() }
      return
    }
    this.last.position.set(position)
    this.last.orientation.set(orientation)
  }

  /** Whether the body of a collider has moved since the last pose. */
  private hasMoved(id: number): boolean {
    const { position, orientation } = this.world.bodies.columns
    const { last } = this
    const i = 4 * this.colliders.body[id]
    for (let k = i; k < i + 3; k++) if (position[k] !== last.position[k]) return true
    for (let k = i; k < i + 4; k++) if (orientation[k] !== last.orientation[k]) return true
    return false
  }

  /** Writes a box around the balls that hold a collider at the last pose and at the present one: any turn between the two stays inside a larger one. */
  private writeBox(id: number): void {
    const { colliders } = this
    const { local } = colliders.records[id] as ColliderRecord
    const o = 4 * colliders.body[id]
    // The origin of the shape turns about the centre of mass.
    const reach = colliders.reach[id] + Math.sqrt(local[0] * local[0] + local[1] * local[1] + local[2] * local[2])
    const from = this.last.position
    const to = this.world.bodies.columns.position
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(from[o + k], to[o + k]) - reach
      box[3 + k] = Math.max(from[o + k], to[o + k]) + reach
    }
  }

  /** Notes that a sensor is crossed if the two overlap between the last poses and the present ones. */
  private test(id: number, other: number): void {
    if (id === other || !this.filter.meets(id, other)) return
    const { inner } = this.colliders
    const a = Math.min(id, other)
    const b = Math.max(id, other)
    this.writeWay(a, wayA)
    this.writeWay(b, wayB)
    if (crosses(wayA, wayB, Math.min(inner[a], inner[b]))) this.note(a, b)
  }

  private writeWay(id: number, way: Way): void {
    const { last, colliders } = this
    const { position, orientation } = this.world.bodies.columns
    const i = colliders.body[id]
    for (let k = 0; k < 3; k++) motion[k] = position[4 * i + k] - last.position[4 * i + k]
    rotationBetween(orientation, 4 * i, last.orientation, 4 * i, motion, 3)
    way.set(colliders.records[id] as ColliderRecord, last, i, motion)
  }
}

/** Part of collisions: sensors may have `continuous: true`. */
export function sweptSensors(collisions: CollisionParts): void {
  checkOwner('sweptSensors', collisions)
  const { world, colliders, filter } = collisions
  collisions.sweptSensors = new SweptSensors(world, colliders, filter, (a, b) => collisions.noteSensed(a, b))
}
