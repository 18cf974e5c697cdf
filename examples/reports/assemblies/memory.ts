/** Row 12.1: what a step of each kind of assembly allocates. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { figure, type Measured, type ReportRow } from '../report.js'

/** So that the heap can be emptied, and fills without being collected. */
const FLAGS = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=512']
/** Below what reading the size of the heap and the compiler leave of their own [B]. */
const NOTHING = 2500

async function memory(): Promise<Measured> {
  const script = new URL('../../../bench/assemblies/allocation.ts', import.meta.url).pathname
  const flags = [...FLAGS, '--import', 'tsx', '--conditions=@tautline/source']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script])
  const bytes = Object.entries(JSON.parse(stdout) as Record<string, number>)
  return {
    figures: bytes.map(([name, value]) => `${name}: ${figure(value)} B`).join('; '),
    holds: bytes.every(([, value]) => value < NOTHING),
  }
}

export const memoryRows: readonly ReportRow[] = [
  {
    id: '12.1',
    claim: 'A step allocates nothing',
    asked: '0 bytes after warm-up; what reading the heap costs is about 2 kB a step',
    scene:
      '30 × 30 vertices on a sphere and a floor, a rope of 40 segments, a rod of 20 links on them and one that is clamped and yields, a small soft body; 4 substeps, nothing sleeps, growth of the heap over 30 steps after 400, least of 6 rounds, nothing collected meanwhile',
    measure: memory,
  },
]
