/** What touches what: events of the last step. */

import { type LeanWorld } from '@tautline/core'
import { rotateVector } from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'
import type { Collider } from '../state/collider-handle.js'
import type { Colliders } from '../state/colliders.js'
import { measureNormals } from './loops/gaps.js'
import type { ContactRows } from './contact-rows.js'
import { MOST_IMPULSE } from './loops/velocities.js'
import { carrierOf, LOCAL_N, RECORD, type Manifolds, residual } from './manifold-columns.js'
import { viewOf } from './manifold-plan.js'
import { MAX_POINTS } from '../detect/narrow/manifold.js'

/** One point of a contact. */
export interface ContactPoint {
  /** On the surface of b, world [m]. */
  position: vec3
  /** Gap [m]; below 0 they overlap. */
  separation: number
}

/** Two colliders that touch, or a sensor and what is in it. */
export interface ContactEvent {
  /** `begin`: in this step and not in the last; `persist`: in both; `end`: no more. */
  type: 'begin' | 'persist' | 'end'
  a: Collider
  b: Collider
  /** Whether one of them was removed, also since the list was made. Its handle keeps name, user data, shape and body. */
  readonly removed: boolean
  /** Whether one of them is a sensor: then there is no impulse, and there are no points. */
  sensor: boolean
  /** From b to a, world: of the manifold that pushes most. Zeros at an end and for sensors. */
  normal: vec3
  /** Middle of the points of that manifold, world [m]. */
  point: vec3
  /** Normal impulse of all manifolds in the step [N s]. */
  impulse: number
  /** Points of all manifolds. */
  points: ContactPoint[]
}

/** An event in the making: whether they touch, whether they did, and the largest impulse of a manifold so far. */
interface Known {
  event: ContactEvent
  now: boolean
  before: boolean
  most: number
}

const n = /* @__PURE__ */ new Float64Array(3)
const p = /* @__PURE__ */ new Float64Array(3)

/**
 * Events of the last step by number of collider. `rows.ended` are pairs that touched and whose rows are gone: numbers of a and
 * b, their generations, and whether one was a sensor. `sensorsOnly` leaves out all that push.
 */
export function gatherEvents(
  world: LeanWorld,
  colliders: Colliders,
  { batch, ended }: ContactRows,
  sensorsOnly = false,
): ContactEvent[] {
  const { pair, touching, touched } = batch.columns
  const found = new Map<string, Known>()
  const entry = (a: Collider, b: Collider, sensor: boolean): Known => {
    const key = `${a.id} ${b.id} ${a.generation} ${b.generation}`
    let known = found.get(key)
    if (known === undefined) {
      const event: ContactEvent = {
        type: 'persist',
        a,
        b,
        get removed() {
          return !a.alive || !b.alive
        },
        sensor,
        normal: [0, 0, 0],
        point: [0, 0, 0],
        impulse: 0,
        points: [],
      }
      known = { event, now: false, before: false, most: -1 }
      found.set(key, known)
    }
    return known
  }
  for (let row = 0; row < batch.count; row++) {
    if (touching[row] === 0 && touched[row] === 0) continue
    const isSensor = pair[3 * row + 2] < 0
    if (sensorsOnly && !isSensor) continue
    const known = entry(colliders.handle(pair[3 * row]), colliders.handle(pair[3 * row + 1]), isSensor)
    if (touched[row] === 1) known.before = true
    if (touching[row] === 0) continue
    known.now = true
    if (!isSensor) describe(world, batch, row, known)
  }
  for (let k = 0; k < ended.length; k += 5) {
    if (sensorsOnly && ended[k + 4] !== 1) continue
    const a = colliders.handle(ended[k], ended[k + 2])
    const b = colliders.handle(ended[k + 1], ended[k + 3])
    entry(a, b, ended[k + 4] === 1).before = true
  }
  const events: ContactEvent[] = []
  for (const { event, now, before } of found.values()) {
    event.type = now ? (before ? 'persist' : 'begin') : 'end'
    events.push(event)
  }
  return events.sort((r, s) => r.a.id - s.a.id || r.b.id - s.b.id)
}

/** Adds a manifold to the event of its pair. */
function describe(world: LeanWorld, batch: Manifolds, row: number, known: Known): void {
  const { points, record, anchorB, round, impulse } = batch.columns
  const { position: x, orientation: q } = world.bodies.columns
  const b = batch.ids[2 * row + 1]
  const { event } = known
  const k = RECORD * row + LOCAL_N
  rotateVector(q, 4 * carrierOf(batch, row), record[k], record[k + 1], record[k + 2], n, 0)
  measureNormals(viewOf(world.bodies.columns, batch), row)
  const count = points[row]
  const middle: vec3 = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const o = 3 * (MAX_POINTS * row + i)
    rotateVector(q, 4 * b, anchorB[o], anchorB[o + 1], anchorB[o + 2], p, 0)
    const at = (axis: number): number => x[4 * b + axis] + p[axis] + round[2 * row + 1] * n[axis]
    const position: vec3 = [at(0), at(1), at(2)]
    for (let axis = 0; axis < 3; axis++) middle[axis] += position[axis] / count
    event.points.push({ position, separation: residual[i] })
  }
  event.impulse = Math.min(event.impulse + impulse[row], MOST_IMPULSE)
  if (impulse[row] <= known.most) return
  known.most = impulse[row]
  event.normal = [n[0], n[1], n[2]]
  event.point = middle
}
