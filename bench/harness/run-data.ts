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

/** Reads runs that `--save` kept as one: a later file's scene takes the place of an earlier one's. The machine is that of the last. */
export function readRuns(files: readonly string[]): BenchRun {
  const runs = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as BenchRun)
  const scenes = new Map(runs.flatMap(({ scenes: measured }) => measured.map((one) => [one.scene, one] as const)))
  const { machine } = runs[runs.length - 1]
  return { machine, quick: runs.some(({ quick }) => quick), scenes: [...scenes.values()] }
}
