/** What a page tells of itself, as `window.rollback`: for reports, and for the console. */

import type { HashEvent, SessionStatistics } from '../session.js'

/** Where a page is: without a connection, alone, in a match, or out of one. */
export type Standing = 'connecting' | 'alone' | 'playing' | 'away' | 'left' | 'full' | 'failed'

export interface PageState {
  readonly standing: Standing
  readonly player: 0 | 1
  /** Ticks that were made, and those of them that stand. */
  readonly tick: number
  readonly confirmed: number
  /** How far this page is ahead of the other, and a packet's way there and back [ticks]. */
  readonly ahead: number
  readonly roundTrip: number
  readonly score: readonly number[]
  /** Where both players are [m]. */
  readonly places: readonly (readonly number[])[]
  readonly statistics: SessionStatistics
  /** Every comparison of hashes. */
  readonly hashes: readonly HashEvent[]
  /** Of each rollback: how deep [ticks], and how long it took [ms]. */
  readonly depths: readonly number[]
  readonly times: readonly number[]
  /** Frames that were drawn since the match began, and from one to the next [ms]. */
  readonly frames: readonly number[]
  /** Why the last packet was refused. */
  readonly refusal: string
}

export interface PageHandle {
  state(): PageState
  /** Loses the connection, as a bad network does. */
  drop(): void
}

declare global {
  interface Window {
    rollback: PageHandle
  }
}
