/** A run as JSON. */

import { readFileSync, writeFileSync } from 'node:fs'
import type { SceneResult } from './metric.js'

const VERSION = 1

/** What a run found. */
export interface Run {
  readonly version: typeof VERSION
  /** Node's version and the number of processes: what times depend on. */
  readonly node: string
  readonly processes: number
  readonly results: readonly SceneResult[]
}

export function runOf(results: readonly SceneResult[], processes: number): Run {
  return { version: VERSION, node: process.version, processes, results }
}

export function writeRun(file: string, run: Run): void {
  writeFileSync(file, `${JSON.stringify(run, null, 1)}\n`)
}

/** Reads a saved run. Throws `TypeError` where the file is none. */
export function readRun(file: string): Run {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new TypeError(`accept: ${file} must be a run saved with --save, got ${String(error)}`, { cause: error })
  }
  const { version, results } = (read ?? {}) as Partial<Run>
  if (version !== VERSION || !Array.isArray(results)) {
    throw new TypeError(
      `accept: ${file} must be a run saved with --save, of version ${VERSION}, got version ${String(version)}`,
    )
  }
  return read as Run
}
