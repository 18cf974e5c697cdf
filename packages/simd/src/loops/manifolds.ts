/** Contact manifolds: `manifold`. Its passes over rows are compiled from the loops of TypeScript (collision: contact/loops). */

import type { Batch, BodyColumns, Loops } from '@tautline/core/kernel'
import type { Resident } from '../resident.js'
import { ALIGNMENT, type Room } from '../room.js'

/** A view of manifolds: columns by name, in the order of its fields (collision: contact/loops/view.ts). */
type View = Record<string, Float64Array | Int32Array | Uint8Array>

/** Passes over rows (collision: contact/manifold-rows.ts). */
interface Passes {
  prepare(view: View, from: number, to: number, h: number): void
  sweep(view: View, from: number, to: number, h: number): void
  renewMoved(view: View, from: number, to: number): void
  relax(view: View, from: number, to: number, h: number, bounces: boolean): void
  rebound(view: View, from: number, to: number, h: number): void
  finishVelocities(view: View, from: number, to: number, h: number): void
}

/** Members of the type that the kernel uses (collision: contact/manifold-rows.ts). */
interface ManifoldType {
  readonly loop: Loops
  readonly passes: Passes
  loopsOf(passes: Passes): Loops
  viewOf(bodies: BodyColumns, batch: Batch): View
}

/** Fields by body that no table holds, and how many numbers a body has in them: the kernel moves them into the memory. */
const BY_BODY: Readonly<Record<string, number>> = { preparedPosition: 4, preparedOrientation: 4, pushed: 6 }
const MADE_ANEW = ['position', 'record', 'pushed', 'joined'] as const
/** Bytes of an address. */
const ADDRESS = 4
/** Of {@link View}'s `flags`: whether a chain of impacts has struck any manifold. Which ones is not in the memory. */
const HAS_STRUCK = 2

/** Fields that loops write before they read, and flags: compiled loops have others. */
function isScratch(name: string, view: View, bodies: BodyColumns, { columns }: Batch): boolean {
  const array = view[name]
  if (name in BY_BODY || name === 'joined') return false
  return array !== bodies[name as keyof BodyColumns] && array !== columns[name]
}

/** Kernel of `manifold`. */
export function manifolds(batch: Batch, room: Room): Resident {
  const type = batch.type as unknown as ManifoldType
  const { passes } = type
  /** Addresses of the fields of the view, in their order. */
  let list = new Uint32Array(0)
  /** Scratch in the memory, by name. */
  let scratch: View = {}
  /** Fields that the list was written for: all others are replaced together with one of these. */
  let listed: Partial<View> = {}

  function isListed(view: View): boolean {
    for (const name of MADE_ANEW) if (view[name] !== listed[name]) return false
    return true
  }

  /** Writes the addresses; false where a field is not in the memory. */
  function writeList(view: View): boolean {
    let k = 0
    for (const name in view) {
      const array = view[name].buffer === room.buffer ? view[name] : scratch[name]
      if (array === undefined) return false
      list[k++] = array.byteOffset
    }
    for (const name of MADE_ANEW) listed[name] = view[name]
    return true
  }

  /** Hands compiled loops the columns: the address of the list, or 0 where some of them are not in the memory. */
  function open(view: View): number {
    if (list.buffer !== room.buffer || view.flags[HAS_STRUCK] !== 0) return 0
    if (!isListed(view) && !writeList(view)) return 0
    scratch.flags.set(view.flags)
    return list.byteOffset
  }

  const compiled: Passes = {
    prepare(view, from, to, h) {
      const at = open(view)
      if (at === 0) passes.prepare(view, from, to, h)
      else room.exports?.prepareManifolds(at, from, to, h)
    },
    sweep(view, from, to, h) {
      const at = open(view)
      if (at === 0) passes.sweep(view, from, to, h)
      else room.exports?.sweepManifolds(at, from, to, h)
    },
    renewMoved(view, from, to) {
      const at = open(view)
      if (at === 0) passes.renewMoved(view, from, to)
      else room.exports?.renewManifolds(at, from, to)
    },
    relax(view, from, to, h, bounces) {
      const at = open(view)
      if (at === 0) passes.relax(view, from, to, h, bounces)
      else room.exports?.relaxManifolds(at, from, to, h, bounces)
    },
    rebound(view, from, to, h) {
      const at = open(view)
      if (at === 0) passes.rebound(view, from, to, h)
      else room.exports?.reboundManifolds(at, from, to, h)
    },
    finishVelocities(view, from, to, h) {
      const at = open(view)
      if (at === 0) passes.finishVelocities(view, from, to, h)
      else room.exports?.finishManifolds(at, from, to, h)
    },
  }

  return {
    loops: type.loopsOf(compiled),
    bytes(bodies) {
      const view = type.viewOf(bodies, batch)
      let bytes = bodies.kind.length + ALIGNMENT
      for (const name in view) {
        bytes += ADDRESS
        if (name in BY_BODY) bytes += 8 * BY_BODY[name] * bodies.kind.length + ALIGNMENT
        else if (isScratch(name, view, bodies, batch)) bytes += view[name].byteLength + ALIGNMENT
      }
      return bytes + ALIGNMENT
    },
    isHome(bodies) {
      if (list.buffer !== room.buffer) return false
      const view = type.viewOf(bodies, batch)
      for (const name in BY_BODY) if (view[name].buffer !== room.buffer) return false
      return view.joined.buffer === room.buffer && view.preparedPosition.length === bodies.position.length
    },
    moveIn(bodies) {
      const { buffer } = room
      const view = type.viewOf(bodies, batch)
      scratch = {}
      for (const name in view) {
        if (name in BY_BODY) {
          const length = BY_BODY[name] * bodies.kind.length
          view[name] = new Float64Array(buffer, room.take(8 * length), length).fill(0)
        } else if (isScratch(name, view, bodies, batch)) {
          const array = view[name]
          const Columns = array.constructor as Float64ArrayConstructor
          scratch[name] = new Columns(buffer, room.take(array.byteLength), array.length)
        }
      }
      const joined = new Uint8Array(buffer, room.take(bodies.kind.length), bodies.kind.length).fill(0)
      joined.set(view.joined.subarray(0, joined.length))
      view.joined = joined
      const count = Object.keys(view).length
      list = new Uint32Array(buffer, room.take(ADDRESS * count), count)
      listed = {}
    },
  }
}
