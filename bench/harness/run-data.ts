/** A whole run, as it is kept. */

import { readFileSync } from 'node:fs'
import type { Machine } from './machine.js'
import type { Measured } from './tables.js'

export interface BenchRun {
  readonly machine: Machine
  /** Whether it was one of `--quick`: fewer steps and scenes, and no more settings than the usual. */
  readonly quick: boolean
  readonly scenes: readonly Measured[]
}

/** Reads a run that `--save` kept. */
export function readRun(file: string): BenchRun {
  return JSON.parse(readFileSync(file, 'utf8')) as BenchRun
}
