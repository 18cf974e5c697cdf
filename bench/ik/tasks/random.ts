/** Random numbers from a seed, the same on every machine. */

import { cos, sin } from '@tautline/core/kernel'

/** Linear congruential generator modulo 2³² (Numerical Recipes' constants); the upper bits are what counts. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
    // Neighbouring seeds begin alike.
    for (let k = 0; k < 8; k++) this.next()
  }

  /** In [0, 1). */
  next(): number {
    this.state = (Math.imul(1664525, this.state) + 1013904223) >>> 0
    return this.state / 4294967296
  }

  between(min: number, max: number): number {
    return min + (max - min) * this.next()
  }

  /** Uniform in a ball about the origin. */
  inBall(radius: number): [number, number, number] {
    for (;;) {
      const [x, y, z] = [this.between(-1, 1), this.between(-1, 1), this.between(-1, 1)]
      if (x * x + y * y + z * z <= 1) return [radius * x, radius * y, radius * z]
    }
  }

  /** Uniform in a disc about the origin. */
  inDisc(radius: number): [number, number] {
    const r = radius * Math.sqrt(this.next())
    const angle = this.between(-Math.PI, Math.PI)
    return [r * cos(angle), r * sin(angle)]
  }
}
