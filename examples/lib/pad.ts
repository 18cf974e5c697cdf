/** What a player does: a stick and buttons, from keys or fingers or a test. No DOM. */

import { cos, sin } from '@tautline/core/kernel'
import { lengthOf } from './length.js'

export interface PadButton {
  readonly label: string
  /** As `KeyboardEvent.key` has it, in small letters. */
  readonly key: string
}

export class Pad {
  readonly buttons: readonly PadButton[]
  /** What the stick is for: to be read before one has tried. */
  readonly stick: string
  /** To the right and ahead, in [−1, 1]. */
  x = 0
  y = 0
  /** About the vertical, from where the picture is seen [rad]: ahead is away from there. */
  turn = 0
  /** Whether anybody plays; until then scenes play by themselves. */
  isUsed = false
  private readonly held = new Set<string>()
  private readonly struck = new Set<string>()

  constructor(stick: string, buttons: readonly PadButton[] = []) {
    this.stick = stick
    this.buttons = buttons
  }

  /** Moves the stick. */
  push(x: number, y: number): void {
    const size = Math.max(1, lengthOf(x, y))
    this.x = x / size
    this.y = y / size
    if (x !== 0 || y !== 0) this.isUsed = true
  }

  press(label: string): void {
    this.isUsed = true
    if (!this.held.has(label)) this.struck.add(label)
    this.held.add(label)
  }

  release(label: string): void {
    this.held.delete(label)
  }

  isHeld(label: string): boolean {
    return this.held.has(label)
  }

  /** Whether it was pressed since this was asked last. */
  wasPressed(label: string): boolean {
    return this.struck.delete(label)
  }

  /** Where the stick points in the scene: x and z of a direction, as long as the stick is pushed. */
  get way(): [number, number] {
    const [s, c] = [sin(this.turn), cos(this.turn)]
    return [this.x * c - this.y * s, -this.x * s - this.y * c]
  }
}
