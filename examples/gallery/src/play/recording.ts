/** What a text does to a world while it runs, state by state: shown in time afterwards, as if it happened then. No DOM. */

import type { Snapshot, World } from '@tautline/core'

/** States that are kept at most, and numbers in all of them: of a text that makes more, the end is seen alone. */
const MOST_STATES = 1800
const MOST_NUMBERS = 8e6
/** From one look to the next, and the last one [states]: what flies away later is not waited for. */
const LOOK = 10
const SEEN = 60

export class Recording {
  private readonly world: World
  private states: Snapshot[] = []
  private numbers = 0
  private bodies = 0
  private isOpen = true
  private next = 0

  constructor(world: World) {
    this.world = world
  }

  /** Keeps the state as it is. What was before bodies came or went is forgotten: a picture is made of those that there are. */
  add(): void {
    if (!this.isOpen) return
    const { length } = this.world.bodies.all()
    if (length !== this.bodies) this.clear()
    this.bodies = length
    const state = this.world.snapshot()
    this.states.push(state)
    this.numbers += state.data.length
    if (this.states.length <= MOST_STATES && this.numbers <= MOST_NUMBERS) return
    this.clear()
    this.isOpen = false
  }

  /** Ends with the state as it is, and goes back to the first one; `look` is called at some of them on the way. */
  rewind(look: () => void): void {
    if (this.states.length > 0) this.add()
    this.isOpen = false
    for (let k = this.states.length - 1; k >= 0; k--) {
      if (k % LOOK !== 0) continue
      this.world.restore(this.states[k])
      if (k <= SEEN) look()
    }
  }

  /** Goes on to the next state. Says whether there was one. */
  play(): boolean {
    if (this.next + 1 >= this.states.length) return false
    this.world.restore(this.states[++this.next])
    return true
  }

  /** Begins anew, with the state as it is. */
  restart(): void {
    this.next = 0
  }

  /** Ends it: the world goes on from where it is. */
  stop(): void {
    this.clear()
    this.isOpen = false
  }

  private clear(): void {
    this.states = []
    this.numbers = 0
  }
}
