/** A snapshot that stays with its world; the page has its number. */

import type { Snapshot } from '@tautline/core'

/** Holds a snapshot under a class of its own, by which it is told from plain data. */
export class RetainedSnapshot {
  readonly snapshot: Snapshot

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot
  }
}
