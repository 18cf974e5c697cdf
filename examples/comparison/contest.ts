/** The comparison of the two schools: all scenes, all contenders, all budgets, a process each. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Budget, type Comparison, type ComparisonRow, contenders } from '@tautline/impulse-compat'
import { comparisonScenes } from '../scenes/impulse/index.js'

/** What a step may spend: small steps, one step with many iterations, and both. */
export const BUDGETS: readonly Budget[] = [
  ...[2, 4, 8, 16, 32].map((substeps) => ({ substeps, iterations: 1 })),
  ...[4, 8].map((substeps) => ({ substeps, iterations: 4 })),
  ...[5, 10, 20, 50].map((iterations) => ({ substeps: 1, iterations })),
]

/** How far a step with so many sweeps is from the converged one [m]. */
export interface Sweeps {
  readonly iterations: number
  readonly distance: number
}

/** A scene's part of the comparison. */
export interface Contest extends Comparison {
  readonly convergence: Readonly<Record<string, readonly Sweeps[]>>
}

const run = promisify(execFile)
const CONTEND = fileURLToPath(new URL('contend.ts', import.meta.url))

/** Holds the contest of the scenes named; `onDone` hears of each scene. */
export async function contest(
  names: readonly string[],
  budgets: readonly Budget[],
  onDone: (name: string) => void = () => {},
): Promise<Contest[]> {
  const found: Contest[] = []
  for (const name of names) {
    const scene = comparisonScenes.find((known) => known.name === name)
    if (scene === undefined) throw new Error(`contest: no scene of this name: ${name}`)
    const rows: ComparisonRow[] = []
    const convergence: Record<string, readonly Sweeps[]> = {}
    for (const contender of contenders) {
      const of = ['--scene', name, '--contender', contender.name, '--budgets', JSON.stringify(budgets)]
      const node = ['--import', 'tsx', '--conditions=@tautline/source', CONTEND, ...of]
      const { stdout } = await run(process.execPath, node)
      const said = JSON.parse(stdout, reviveInfinity) as { rows: ComparisonRow[]; sweeps: Sweeps[] }
      rows.push(...said.rows)
      convergence[contender.name] = said.sweeps
    }
    const { unit, about } = scene
    found.push({ scene: name, unit, about, rows, convergence })
    onDone(name)
  }
  return found
}

/** JSON writes Infinity as null. */
function reviveInfinity(_key: string, value: unknown): unknown {
  return value === null ? Infinity : value
}

/** The most precise row of a contender that costs no more than `cost` by `of`; undefined when none is so cheap. */
export function best(
  rows: readonly ComparisonRow[],
  contender: string,
  cost: number,
  of: (row: ComparisonRow) => number,
): ComparisonRow | undefined {
  return rows
    .filter((row) => row.contender === contender && of(row) <= cost)
    .reduce<ComparisonRow | undefined>(
      (least, row) => (least === undefined || row.error < least.error ? row : least),
      undefined,
    )
}

/** Time of a step [µs]. */
export function timeOf({ microseconds }: ComparisonRow): number {
  return microseconds ?? Infinity
}

/** Row updates of a step. */
export function updatesOf({ updates }: ComparisonRow): number {
  return updates
}

/** What displacement costs at its usual setting of 8 substeps with one sweep: the cost at which contenders are put side by side. */
export function usualCost(rows: readonly ComparisonRow[], of: (row: ComparisonRow) => number): number {
  const usual = rows.find(
    ({ contender, budget }) => contender === 'displacement' && budget.substeps === 8 && budget.iterations === 1,
  )
  return usual === undefined ? Infinity : of(usual)
}
