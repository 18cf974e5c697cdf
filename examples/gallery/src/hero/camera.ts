/** A camera for the picture of the first screen: perspective, from plain numbers. */

import type { Vector } from '../../../data/adult.js'

/** From where the scene is seen: middle [m], distance [m], turn about the vertical and tilt down [rad]. */
const MIDDLE: Vector = [0, 1.72, 0]
const DISTANCE = 9
const TURN = 0.32
const TILT = 0.1
/** Height of the view at the middle [m], and its least width. */
const HEIGHT = 4.3
const WIDTH = 4.2

/** A point of the picture [css px], how far it is [m], and pixels a metre there. */
export interface Seen {
  x: number
  y: number
  depth: number
  scale: number
}

export class Camera {
  private width = 1
  private height = 1
  private focus = 1
  private readonly sin = [Math.sin(TURN), Math.sin(TILT)]
  private readonly cos = [Math.cos(TURN), Math.cos(TILT)]

  /** Takes the size of the picture [css px]: all of the scene stays in it. */
  resize(width: number, height: number): void {
    this.width = width
    this.height = height
    this.focus = DISTANCE * Math.min(height / HEIGHT, width / WIDTH)
  }

  /** Where a point of the world [m] is seen. */
  see([px, py, pz]: ArrayLike<number> & Iterable<number>, out: Seen): Seen {
    const [x, y, z] = [px - MIDDLE[0], py - MIDDLE[1], pz - MIDDLE[2]]
    const across = this.cos[0] * x - this.sin[0] * z
    const toward = this.sin[0] * x + this.cos[0] * z
    const up = this.cos[1] * y - this.sin[1] * toward
    out.depth = DISTANCE - (this.sin[1] * y + this.cos[1] * toward)
    out.scale = this.focus / out.depth
    out.x = 0.5 * this.width + out.scale * across
    out.y = 0.5 * this.height - out.scale * up
    return out
  }

  /** The point of the world [m] at a place of the picture [css px], as far away as `depth` [m]. */
  at(x: number, y: number, depth: number): [number, number, number] {
    const scale = this.focus / depth
    const [across, up] = [(x - 0.5 * this.width) / scale, (0.5 * this.height - y) / scale]
    const back = DISTANCE - depth
    const rise = this.cos[1] * up + this.sin[1] * back
    const toward = this.cos[1] * back - this.sin[1] * up
    return [
      MIDDLE[0] + this.cos[0] * across + this.sin[0] * toward,
      MIDDLE[1] + rise,
      MIDDLE[2] + this.cos[0] * toward - this.sin[0] * across,
    ]
  }
}
