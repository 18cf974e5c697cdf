/** Contact manifolds: `manifold`. What few of them need is left to the type: exact islands, deep overlaps, what bounces. */

import type { Batch, BodyColumns, Loops } from '@tautline/core/kernel'
import { areHome, type Resident } from '../resident.js'
import { ALIGNMENT, MANIFOLD_COLUMNS, type Room } from '../room.js'

/** What the loops use of the plan of such a batch (collision: contact/apply-impulses.ts). */
interface ManifoldPlan {
  pushed: Float64Array
  position: Float64Array
  orientation: Float64Array
  joined: Uint8Array
  readonly hasJoined: boolean
}

/** What the loops use of the type (collision: contact/manifold-rows.ts). */
interface ManifoldType {
  readonly loop: Loops
  begin(bodies: BodyColumns, batch: Batch, from: number, to: number): number
  warmStartIslands(bodies: BodyColumns, batch: Batch, from: number, to: number, islands: number): void
  sweepAroundDeep(bodies: BodyColumns, batch: Batch, from: number, to: number): void
}

/** What a batch holds (assembly/manifolds.ts). */
const EXACT = 1
const DEEP = 2
/** What would overlap by more than this speed [m/s] brings is stopped rigidly (collision: contact/manifold-rows.ts). */
const IMPACT = 2
/** Numbers a body of what the substep has pushed it by. */
const PUSHED = 6

/** Writes where the columns lie, in the order of assembly/manifold-columns.ts. */
function listColumns(list: Uint32Array, bodies: BodyColumns, { columns }: Batch, plan: ManifoldPlan): void {
  list[0] = bodies.position.byteOffset
  list[1] = bodies.orientation.byteOffset
  list[2] = bodies.velocity.byteOffset
  list[3] = bodies.angularVelocity.byteOffset
  list[4] = bodies.inverseInertia.byteOffset
  list[5] = bodies.startPosition.byteOffset
  list[6] = bodies.startOrientation.byteOffset
  list[7] = columns.body.byteOffset
  list[8] = columns.points.byteOffset
  list[9] = columns.carrier.byteOffset
  list[10] = columns.tangent.byteOffset
  list[11] = columns.round.byteOffset
  list[12] = columns.anchorB.byteOffset
  list[13] = columns.friction.byteOffset
  list[14] = columns.torsional.byteOffset
  list[15] = columns.rolling.byteOffset
  list[16] = columns.restitution.byteOffset
  list[17] = columns.maxPushOut.byteOffset
  list[18] = columns.fall.byteOffset
  list[19] = columns.slender.byteOffset
  list[20] = columns.sliding.byteOffset
  list[21] = columns.impulse.byteOffset
  list[22] = columns.touching.byteOffset
  list[23] = columns.still.byteOffset
  list[24] = columns.fresh.byteOffset
  list[25] = columns.island.byteOffset
  list[26] = columns.seen.byteOffset
  list[27] = columns.record.byteOffset
  list[28] = columns.lambda.byteOffset
  list[29] = plan.position.byteOffset
  list[30] = plan.orientation.byteOffset
  list[31] = plan.pushed.byteOffset
  list[32] = plan.joined.byteOffset
  list[33] = columns.heft.byteOffset
}

/** The plan of a batch that has begun a substep before. */
function planOf({ plan }: Batch): ManifoldPlan | undefined {
  return plan as ManifoldPlan | undefined
}

/** Whether the plan lies in the memory, for as many bodies as their table has room for. */
function isPlanHome(room: Room, { position, kind }: BodyColumns, plan: ManifoldPlan): boolean {
  const { buffer } = room
  return (
    plan.position.buffer === buffer &&
    plan.orientation.buffer === buffer &&
    plan.pushed.buffer === buffer &&
    plan.joined.buffer === buffer &&
    plan.position.length === position.length &&
    plan.joined.length >= kind.length
  )
}

/** Moves the plan into the memory. */
function movePlan(room: Room, { position, kind }: BodyColumns, plan: ManifoldPlan): void {
  const numbers = (length: number): Float64Array => new Float64Array(room.buffer, room.take(8 * length), length).fill(0)
  plan.position = numbers(position.length)
  plan.orientation = numbers(position.length)
  plan.pushed = numbers(PUSHED * kind.length)
  const joined = new Uint8Array(room.buffer, room.take(kind.length), kind.length)
  joined.fill(0)
  joined.set(plan.joined.subarray(0, kind.length))
  plan.joined = joined
}

/** Kernel of `manifold`. */
export function manifolds(batch: Batch, room: Room): Resident {
  const type = batch.type as unknown as ManifoldType
  let list = new Uint32Array(0)

  /** Hands the module the columns; false where some of them are not in the memory. */
  function open(bodies: BodyColumns, rows: Batch): boolean {
    const plan = planOf(rows)
    if (room.exports === undefined || plan === undefined || !areHome(room, bodies, rows)) return false
    if (!isPlanHome(room, bodies, plan)) return false
    if (list.buffer !== room.buffer) list = new Uint32Array(room.buffer, MANIFOLD_COLUMNS, 34)
    listColumns(list, bodies, rows, plan)
    room.exports.openManifolds(plan.hasJoined)
    return true
  }

  const loops: Loops = {
    prepare(bodies, rows, from, to, h) {
      // Loads on joint trees are TypeScript's.
      if (bodies.loads !== undefined || !open(bodies, rows)) {
        type.loop.prepare?.(bodies, rows, from, to, h)
        return
      }
      const islands = type.begin(bodies, rows, from, to)
      room.exports?.prepareManifolds(from, to, h)
      if (islands > 0) type.warmStartIslands(bodies, rows, from, to, islands)
    },
    sweep(bodies, rows, from, to, h) {
      const traits = open(bodies, rows) ? room.exports?.traitsOfManifolds(from, to) : undefined
      if (traits === undefined || (traits & EXACT) !== 0) {
        type.loop.sweep?.(bodies, rows, from, to, h)
        return
      }
      room.exports?.sweepManifolds(from, to, -IMPACT * rows.rows.substep)
      if ((traits & DEEP) !== 0) type.sweepAroundDeep(bodies, rows, from, to)
    },
    velocities(bodies, rows, from, to, h, settings) {
      if (open(bodies, rows) && room.exports?.traitsOfManifolds(from, to) === 0) {
        room.exports.relaxManifolds(from, to, h)
      } else type.loop.velocities?.(bodies, rows, from, to, h, settings)
    },
  }
  return {
    loops,
    bytes(bodies) {
      return planOf(batch) === undefined
        ? 0
        : 8 * (2 * bodies.position.length + PUSHED * bodies.kind.length) + bodies.kind.length + 4 * ALIGNMENT
    },
    isHome(bodies) {
      const plan = planOf(batch)
      return plan === undefined || isPlanHome(room, bodies, plan)
    },
    moveIn(bodies) {
      const plan = planOf(batch)
      if (plan !== undefined) movePlan(room, bodies, plan)
    },
  }
}
