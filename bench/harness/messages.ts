/** What a contest and its processes say to each other. */

import type { Figures } from './scene.js'

/** To a process: run so many samples, or say what was watched and end. */
export type Order = { readonly run: number; readonly isMeasured: boolean } | { readonly finish: number }

/** From a process. */
export type Answer =
  | { readonly ready: Ready }
  | { readonly times: readonly number[]; readonly busy: readonly number[] }
  | { readonly end: End }
  | { readonly failed: string }

export interface Ready {
  readonly note: string
  /** [ms] */
  readonly init: number
  readonly setup: number
}

export interface End {
  readonly figures: Figures
  readonly hash?: string
  /** Largest memory of the process [MB]. */
  readonly memory: number
}
