/**
 * The memory of one world's kernels. Nothing in it is freed, and it never grows: growing it would detach every array that anyone holds. What does
 * not fit goes, with all that lives, to a new memory, and the old one to the garbage collector.
 */

import { type Exports, instantiate } from './compiled.js'

/** Bytes of a page of WebAssembly. */
const PAGE = 65_536
/** Bytes at the beginning that nobody gets: no column has the address 0. */
const FIRST = 64
/** Bytes at the end: a loop may read a record beyond the last row. */
const SLACK = 64
/** Columns begin at multiples of this [bytes]. */
export const ALIGNMENT = 16
/** Of what lives, how much a new memory holds. */
const GROWTH = 1.5
/** A memory of more than so many times what lives is given up. */
const WASTE = 4

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
}

/** A memory, its instance, and how much of it is given out. */
export class Room {
  buffer: ArrayBuffer = new ArrayBuffer(0)
  exports: Exports | undefined
  private used = 0

  /** Whether so many bytes still fit. */
  fits(bytes: number): boolean {
    return this.used + bytes + SLACK <= this.buffer.byteLength
  }

  /** Whether it is far larger than so many bytes need. */
  isWasteful(bytes: number): boolean {
    return this.buffer.byteLength > WASTE * (bytes + FIRST + SLACK) && this.buffer.byteLength > PAGE
  }

  /**
   * A new memory for so many bytes; what was given out lies in the old one. False where there is none to be had: a process has addresses for some ten
   * thousand, and a step must not throw.
   */
  renew(bytes: number): boolean {
    const pages = Math.ceil((GROWTH * bytes + FIRST + SLACK) / PAGE)
    try {
      const { buffer, exports } = instantiate(pages)
      this.exports = exports
      this.buffer = buffer
      this.used = FIRST
      return true
    } catch {
      return false
    }
  }

  /** The place of so many bytes, which fit. */
  take(bytes: number): number {
    const offset = this.used
    this.used += aligned(bytes)
    return offset
  }
}
