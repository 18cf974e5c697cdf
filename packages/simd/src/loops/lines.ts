/** Rows that are solved by lines: `lineDistance`. */

import { type Backing, BACKING_N, BACKING_SHARE, type Batch, type BodyColumns, type Loops } from '@tautline/core/kernel'
import { areHome, type Resident } from '../resident.js'
import type { Room } from '../room.js'

/** The plan of a batch of lines, as constraints makes it (parts/line-cover.ts, `Lines`). */
interface LinePlan {
  readonly count: number
  readonly first: Int32Array
  readonly nodes: Int32Array
  reference: Float64Array
  scratch: Float64Array
  readonly isBounded: boolean
  readonly isLoop: Uint8Array
  solveBacked:
    | ((plan: LinePlan, backing: Backing, x: Float64Array, base: number, at: number, count: number) => boolean)
    | undefined
}

/** Bytes of a record of scratch (assembly/lines.ts). */
const RECORD = 416
/** Numbers a body of a line that is pressed on what is heavy: share and direction, and room to solve it (assembly/line-backed.ts). */
const PRESSED = 4
const TURNING = 9
const BLOCKS = 60
/** No line goes with this one. */
const ALONE = -1

/** Which line goes with which: the next one, where it has as many rows and no body in common. */
function pairUp({ count, first, nodes }: LinePlan): Int32Array {
  const mate = new Int32Array(count).fill(ALONE)
  const seen = new Set<number>()
  for (let l = 0; l + 1 < count; l++) {
    if (mate[l] !== ALONE || first[l + 1] - first[l] !== first[l + 2] - first[l + 1]) continue
    seen.clear()
    for (let k = first[l] + l; k <= first[l + 1] + l; k++) seen.add(nodes[k])
    let apart = true
    for (let k = first[l + 1] + l + 1; apart && k <= first[l + 2] + l + 1; k++) apart = !seen.has(nodes[k])
    if (!apart) continue
    mate[l] = l + 1
    mate[l + 1] = l
  }
  return mate
}

function longestOf({ count, first }: LinePlan): number {
  let longest = 0
  for (let l = 0; l < count; l++) longest = Math.max(longest, first[l + 1] - first[l])
  return longest
}

/** The lines of one batch in the memory. */
class ResidentLines implements Resident {
  readonly loops: Loops
  private readonly batch: Batch
  private readonly room: Room
  /** The plan that is in the memory, and where. */
  private plan: LinePlan | undefined
  private buffer: ArrayBuffer | undefined
  private mate: Int32Array = new Int32Array(0)
  private nodes = 0
  private scratch = 0
  /** What the bodies of a line that is pressed are pressed on, and the room of its solve. */
  private pressed: Float64Array = new Float64Array(0)
  private blocks = 0

  constructor(batch: Batch, room: Room) {
    this.batch = batch
    this.room = room
    const { type } = batch
    this.loops = {
      ...(type.loop?.prepare !== undefined && { prepare: type.loop.prepare.bind(type.loop) }),
      sweep: (bodies, rows, from, to, h) => {
        if (this.isReady(bodies, rows)) this.sweep(bodies, rows, from, to, h)
        else type.loop?.sweep?.(bodies, rows, from, to, h)
      },
      sweepBack: (bodies, rows, from, to, h) => {
        if (this.isReady(bodies, rows)) this.sweepBack(bodies, rows, from, to, h)
        else this.sweepBackByType(bodies, rows, from, to, h)
      },
    }
  }

  private get present(): LinePlan | undefined {
    return this.batch.plan as LinePlan | undefined
  }

  bytes(): number {
    const plan = this.present
    if (plan === undefined) return 0
    const { nodes, reference, scratch } = plan
    const longest = longestOf(plan) + 1
    const numbers = reference.length + scratch.length + (PRESSED + TURNING) * longest + BLOCKS
    // Each part may take up to a record more by its alignment.
    return 4 * nodes.length + 8 * numbers + RECORD * longest + 96
  }

  isHome(): boolean {
    return this.present === this.plan && (this.plan === undefined || this.buffer === this.room.buffer)
  }

  moveIn(): void {
    const { room, present: plan } = this
    this.plan = plan
    this.buffer = room.buffer
    if (plan === undefined) return
    const longest = longestOf(plan) + 1
    this.mate = pairUp(plan)
    this.nodes = room.take(4 * plan.nodes.length)
    new Int32Array(room.buffer, this.nodes, plan.nodes.length).set(plan.nodes)
    plan.reference = this.moved(plan.reference)
    plan.scratch = this.moved(plan.scratch)
    this.scratch = room.take(RECORD * longest)
    this.pressed = new Float64Array(room.buffer, room.take(8 * PRESSED * longest), PRESSED * longest)
    this.blocks = room.take(8 * (BLOCKS + TURNING * longest))
    plan.solveBacked = this.solveBacked.bind(this)
  }

  /** A copy of an array in the memory. */
  private moved(array: Float64Array): Float64Array {
    const copy = new Float64Array(this.room.buffer, this.room.take(8 * array.length), array.length)
    copy.set(array)
    return copy
  }

  /** Whether the kernel may run: it knows neither ropes and struts, nor dampers. */
  private isReady(bodies: BodyColumns, rows: Batch): boolean {
    if (!areHome(this.room, bodies, rows) || rows.damped || this.present?.isBounded === true) return false
    // Rows may have been put in order since the step began.
    if (!this.isHome() && this.room.fits(this.bytes())) this.moveIn()
    return this.plan !== undefined && this.isHome()
  }

  /** The first line that begins at a row or after it. */
  private lineFrom(row: number): number {
    const { first, count } = this.plan as LinePlan
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >> 1
      if (first[middle] < row) low = middle + 1
      else high = middle
    }
    return low
  }

  private sweep(bodies: BodyColumns, rows: Batch, from: number, to: number, h: number): void {
    const { mate } = this
    const end = this.lineFrom(to)
    let line = this.lineFrom(from)
    while (line < end) {
      const other = mate[line] > line && mate[line] < end ? mate[line] : line
      this.solve(bodies, rows, line, other, false, h)
      line = other + 1
    }
  }

  private sweepBack(bodies: BodyColumns, rows: Batch, from: number, to: number, h: number): void {
    const { mate } = this
    const begin = this.lineFrom(from)
    let line = this.lineFrom(to) - 1
    while (line >= begin) {
      const other = mate[line] >= begin && mate[line] < line ? mate[line] : line
      this.solve(bodies, rows, other, line, true, h)
      line = other - 1
    }
  }

  /** Solves a line and the one that goes with it, or the same; what the kernel leaves is done by the type. */
  private solve(bodies: BodyColumns, rows: Batch, a: number, b: number, isBack: boolean, h: number): void {
    const { first } = this.plan as LinePlan
    const left = this.isLeft(bodies, a) || (a !== b && this.isLeft(bodies, b)) ? 1 : this.solvePair(bodies, rows, a, b)
    if (left === 0) return
    const { type } = this.batch
    if (a === b) type.loop?.sweep?.(bodies, rows, first[a], first[a + 1], h)
    else if (isBack) {
      this.solve(bodies, rows, b, b, isBack, h)
      this.solve(bodies, rows, a, a, isBack, h)
    } else {
      this.solve(bodies, rows, a, a, isBack, h)
      this.solve(bodies, rows, b, b, isBack, h)
    }
  }

  /** 0 where it has solved both. */
  private solvePair(bodies: BodyColumns, rows: Batch, a: number, b: number): number | undefined {
    const { first, reference } = this.plan as LinePlan
    const { rest, lambda, softness, relaxation } = rows.columns
    return this.room.exports?.sweepLinePair(
      bodies.position.byteOffset,
      bodies.startPosition.byteOffset,
      this.nodes,
      rest.byteOffset,
      lambda.byteOffset,
      softness.byteOffset,
      relaxation.byteOffset,
      reference.byteOffset,
      this.scratch,
      first[a],
      first[a] + a,
      first[b],
      first[b] + b,
      first[a + 1] - first[a],
    )
  }

  /** Whether the type has to solve a line: a ring, or one with a body that is pressed on what is heavy. */
  private isLeft({ backing }: BodyColumns, line: number): boolean {
    const { first, nodes, isLoop } = this.plan as LinePlan
    if (isLoop[line] === 1) return true
    if (backing === undefined || backing.count === 0) return false
    for (let k = first[line] + line; k <= first[line + 1] + line; k++) if (backing.find(nodes[k] >> 2) >= 0) return true
    return false
  }

  /** Solves one that is, forth and back: what its bodies are pressed on goes to the kernel, and forces come back in `plan.scratch`. */
  private solveBacked(
    plan: LinePlan,
    backing: Backing,
    x: Float64Array,
    base: number,
    at: number,
    count: number,
  ): boolean {
    const { room, pressed } = this
    if (room.exports === undefined || !this.isHome() || x.buffer !== room.buffer) return false
    const { record } = backing
    for (let k = 0; k <= count; k++) {
      const place = backing.find(plan.nodes[at + k] >> 2)
      const o = PRESSED * k
      pressed[o] = place < 0 ? 0 : record[place + BACKING_SHARE]
      for (let axis = 0; axis < 3; axis++) pressed[o + 1 + axis] = place < 0 ? 0 : record[place + BACKING_N + axis]
    }
    room.exports.solveBackedLine(
      x.byteOffset,
      this.nodes + 4 * at,
      plan.reference.byteOffset + 8 * base,
      plan.scratch.byteOffset,
      pressed.byteOffset,
      this.blocks,
      count,
    )
    return true
  }

  /** Back along the lines where the kernel may not run. */
  private sweepBackByType(bodies: BodyColumns, rows: Batch, from: number, to: number, h: number): void {
    const { segments } = rows
    for (let s = rows.netSegments - 1; s >= 0; s--) {
      if (segments[s] >= from && segments[s + 1] <= to)
        this.batch.type.loop?.sweep?.(bodies, rows, segments[s], segments[s + 1], h)
    }
  }
}

/** Kernel of `lineDistance`. */
export function lines(batch: Batch, room: Room): Resident {
  return new ResidentLines(batch, room)
}
