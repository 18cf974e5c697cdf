/**
 * Frames from one thread to another, the newest at any time, and nobody waits.
 *
 * Shared memory holds three frames: one that is written, one that is read, one in the middle. Who is done with its own exchanges it with
 * the middle one, by one atomic operation. Without shared memory the frames are transferred, and come back when they were read.
 */

import { HEADER } from './layout.js'

/** Set in the middle while it is newer than what is read. */
const FRESH = 4
const INDEX = 3
/** Of the control word, in front of the frames [B]: a line of a cache. */
const CONTROL = 64
const FRAMES = 3

/** Where frames are written. */
export interface FrameWriter {
  /**
   * A frame of `length` numbers or more to write to, or nothing, where none has come back; `due` makes one then.
   */
  open(length: number, due: boolean): Float64Array | undefined
  /** Hands it over. */
  publish(): void
}

/** Where the newest frame is read. */
export interface FrameReader {
  /** The newest frame; the same again where there is no newer one. It stays as it is until the next call. */
  newest(): Float64Array | undefined
}

interface Room {
  readonly control: Int32Array
  readonly frames: readonly Float64Array[]
}

function roomIn(buffer: SharedArrayBuffer): Room {
  const length = (buffer.byteLength - CONTROL) / (FRAMES * Float64Array.BYTES_PER_ELEMENT)
  const frames = [0, 1, 2].map(
    (k) => new Float64Array(buffer, CONTROL + k * length * Float64Array.BYTES_PER_ELEMENT, length),
  )
  return { control: new Int32Array(buffer, 0, 1), frames }
}

/** The middle frame at first; the reader begins with 0, the writer with 2. */
const MIDDLE = 1

/** Writes to shared memory; `announce` is told of each new one. */
export class SharedWriter implements FrameWriter {
  private room: Room | undefined
  private own = 2
  private readonly announce: (buffer: SharedArrayBuffer) => void

  constructor(announce: (buffer: SharedArrayBuffer) => void) {
    this.announce = announce
  }

  open(length: number): Float64Array {
    const { room } = this
    if (room !== undefined && room.frames[0].length >= length) return room.frames[this.own]
    const bytes = FRAMES * grown(length) * Float64Array.BYTES_PER_ELEMENT
    const buffer = new SharedArrayBuffer(CONTROL + bytes)
    const larger = roomIn(buffer)
    larger.control[0] = MIDDLE
    this.room = larger
    this.own = 2
    this.announce(buffer)
    return larger.frames[2]
  }

  publish(): void {
    if (this.room === undefined) return
    this.own = Atomics.exchange(this.room.control, 0, this.own | FRESH) & INDEX
  }
}

/** Reads shared memory. */
export class SharedReader implements FrameReader {
  private room: Room | undefined
  private next: Room | undefined
  private own = 0
  private read: Float64Array | undefined

  /** Takes up new memory, from its first frame on. */
  enter(buffer: SharedArrayBuffer): void {
    this.next = roomIn(buffer)
  }

  newest(): Float64Array | undefined {
    if (this.next !== undefined && isFresh(this.next)) {
      this.room = this.next
      this.next = undefined
      this.own = 0
    }
    const { room } = this
    if (room !== undefined && isFresh(room)) {
      this.own = Atomics.exchange(room.control, 0, this.own) & INDEX
      this.read = room.frames[this.own]
    }
    return this.read
  }
}

function isFresh({ control }: Room): boolean {
  return (Atomics.load(control, 0) & FRESH) !== 0
}

/** Writes frames that are transferred. Three are under way at most, but for those that are due. */
export class TransferWriter implements FrameWriter {
  private readonly free: ArrayBuffer[] = []
  private made = 0
  private written: Float64Array<ArrayBuffer> | undefined
  private readonly post: (buffer: ArrayBuffer) => void

  constructor(post: (buffer: ArrayBuffer) => void) {
    this.post = post
  }

  open(length: number, due: boolean): Float64Array | undefined {
    let buffer = this.free.pop()
    if (buffer === undefined) {
      if (this.made >= FRAMES && !due) return undefined
      this.made++
    }
    if (buffer === undefined || buffer.byteLength < length * Float64Array.BYTES_PER_ELEMENT) {
      buffer = new ArrayBuffer(grown(length) * Float64Array.BYTES_PER_ELEMENT)
    }
    return (this.written = new Float64Array(buffer))
  }

  publish(): void {
    if (this.written === undefined) return
    this.post(this.written.buffer)
    this.written = undefined
  }

  /** Takes the memory of a frame back. */
  takeBack(buffer: ArrayBuffer): void {
    if (this.made <= FRAMES) this.free.push(buffer)
    else this.made--
  }
}

/** Reads frames that are transferred, and gives back what is older. */
export class TransferReader implements FrameReader {
  private read: Float64Array<ArrayBuffer> | undefined
  private next: Float64Array<ArrayBuffer> | undefined
  private readonly giveBack: (buffer: ArrayBuffer) => void

  constructor(giveBack: (buffer: ArrayBuffer) => void) {
    this.giveBack = giveBack
  }

  /** Takes in a frame that has come. */
  enter(buffer: ArrayBuffer): void {
    if (this.next !== undefined) this.giveBack(this.next.buffer)
    this.next = new Float64Array(buffer)
  }

  newest(): Float64Array | undefined {
    if (this.next === undefined) return this.read
    if (this.read !== undefined) this.giveBack(this.read.buffer)
    this.read = this.next
    this.next = undefined
    return this.read
  }
}

/** Room for a quarter more, that a body more does not ask for new memory. */
function grown(length: number): number {
  return HEADER + 16 * Math.ceil((1.25 * length) / 16)
}
