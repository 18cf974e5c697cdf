/** The newest frame on the page: where each body is in it, and how far the time of drawing is past its step. */

import type { FrameReader } from '../frames/exchange.js'
import {
  ACCUMULATOR,
  BATCH,
  HEADER,
  ID,
  LAYOUT,
  NUMBER,
  ROWS,
  STEP_LENGTH,
  STEPS,
  STRIDE,
  TIME,
  TIME_SCALE,
  WRITTEN,
} from '../frames/layout.js'
import { clock } from '../platform.js'

/** Reads frames. */
export class FrameView {
  /** The frame that was taken last. */
  frame: Float64Array | undefined
  private readonly reader: FrameReader
  private readonly rows = new Map<number, number>()
  private layout = -1
  private number = 0

  constructor(reader: FrameReader) {
    this.reader = reader
  }

  /** Takes the newest frame; says whether it is newer. */
  take(): boolean {
    this.frame = this.reader.newest()
    const { frame } = this
    if (frame === undefined || frame[NUMBER] === this.number) return false
    this.number = frame[NUMBER]
    return true
  }

  /** The last message of calls that it knows of. */
  get batch(): number {
    return this.frame?.[BATCH] ?? 0
  }

  get steps(): number {
    return this.frame?.[STEPS] ?? 0
  }

  get time(): number {
    return this.frame?.[TIME] ?? 0
  }

  /** Where the record of a number begins, or −1; `guess` is where it was. */
  place(id: number, guess: number): number {
    const { frame } = this
    if (frame === undefined) return -1
    if (guess >= HEADER && guess < HEADER + frame[ROWS] * frame[STRIDE] && frame[guess + ID] === id) return guess
    if (frame[LAYOUT] !== this.layout) this.lookUp(frame)
    return this.rows.get(id) ?? -1
  }

  /**
   * How far the time is past the last step, as a share of a step in [0, 1]: of a world that runs by itself at this moment, else what its `advance`
   * has left.
   */
  get alpha(): number {
    const { frame } = this
    if (frame === undefined) return 1
    const passed = (frame[TIME_SCALE] * (clock() - frame[WRITTEN])) / 1e3
    const share = (frame[ACCUMULATOR] + passed) / frame[STEP_LENGTH]
    return Math.min(Math.max(share, 0), 1)
  }

  private lookUp(frame: Float64Array): void {
    this.rows.clear()
    const stride = frame[STRIDE]
    for (let i = 0, o = HEADER; i < frame[ROWS]; i++, o += stride) {
      if (frame[o + ID] !== 0) this.rows.set(frame[o + ID], o)
    }
    this.layout = frame[LAYOUT]
  }
}
