/**
 * Where bodies are drawn: between the last two ticks. What a rollback moves is not seen to jump: it is drawn where it was, and the difference
 * fades. The game itself knows nothing of it.
 */

import type { Body } from '@tautline/core'

/** Time in which a difference fades to 37 % [s]; what is larger than this is a new place, not a correction [m]. */
const [FADE, FAR] = [0.08, 1.5]
/** Numbers of a body: position and orientation. */
const WIDTH = 7

export class ShownPoses {
  private readonly bodies: readonly Body[]
  private readonly last: Float64Array
  private readonly now: Float64Array
  /** From where a body is to where it is drawn. */
  private readonly offset: Float64Array

  constructor(bodies: readonly Body[]) {
    this.bodies = bodies
    this.now = new Float64Array(WIDTH * bodies.length)
    this.read()
    this.last = this.now.slice()
    this.offset = new Float64Array(WIDTH * bodies.length)
  }

  /** After a rollback, before the next tick. */
  rolledBack(): void {
    const before = this.now.slice()
    this.read()
    const { now, last, offset } = this
    for (let k = 0; k < now.length; k++) {
      offset[k] += before[k] - now[k]
      last[k] += now[k] - before[k]
    }
    for (let at = 0; at < now.length; at += WIDTH) {
      if (Math.hypot(offset[at], offset[at + 1], offset[at + 2]) > FAR) offset.fill(0, at, at + WIDTH)
    }
  }

  /** After a tick. */
  stepped(): void {
    const { now, last } = this
    last.set(now)
    this.read()
    for (let at = 0; at < now.length; at += WIDTH) {
      const way = Math.hypot(now[at] - last[at], now[at + 1] - last[at + 1], now[at + 2] - last[at + 2])
      if (way > FAR) last.set(now.subarray(at, at + WIDTH), at)
    }
  }

  /** Lets differences fade for a time [s]. */
  fade(seconds: number): void {
    const share = Math.exp(-seconds / FADE)
    for (let k = 0; k < this.offset.length; k++) this.offset[k] *= share
  }

  /** Numbers to draw of a body: position, and orientation, at `alpha` from the last tick but one to the last. */
  pose(index: number, alpha: number, out: Float64Array): void {
    const at = WIDTH * index
    for (let k = 0; k < WIDTH; k++) {
      out[k] = this.last[at + k] + alpha * (this.now[at + k] - this.last[at + k]) + this.offset[at + k]
    }
    const size = Math.hypot(out[3], out[4], out[5], out[6]) || 1
    for (let k = 3; k < WIDTH; k++) out[k] /= size
  }

  /** Reads the world, each quaternion with the sign that is nearer to the one before. */
  private read(): void {
    const { now } = this
    this.bodies.forEach(({ position, orientation }, index) => {
      const at = WIDTH * index
      now.set(position, at)
      let dot = 0
      for (let k = 0; k < 4; k++) dot += orientation[k] * now[at + 3 + k]
      for (let k = 0; k < 4; k++) now[at + 3 + k] = dot < 0 ? -orientation[k] : orientation[k]
    })
  }
}
