/** Scenes of `npm run bench` as rows of reports read them: all contenders by turns in one run. */

import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { figure, median } from './report.js'

const run = promisify(execFile)

/** What the bench tells of one contender. Times in [ms]. */
export interface Timed {
  readonly engine: string
  readonly work: number
  readonly note: string
  readonly median: number
  readonly p95: number
  readonly worst: number
  /** Median of the processor time of a step. */
  readonly busy: number
  /** Median of each round. */
  readonly rounds: readonly number[]
  /** By name; `null` where a value is not finite. */
  readonly figures: Readonly<Record<string, number | null>>
}

/** A contender that did not run. */
export interface NotTimed {
  readonly engine: string
  readonly work: number
  readonly failed: string
}

export type Contended = Timed | NotTimed

/** Measures one scene, with those engines, or all of it; at those settings, or the usual ones. */
export async function contend(
  scene: string,
  engines: readonly string[] = [],
  works: readonly number[] = [],
): Promise<Contended[]> {
  const script = fileURLToPath(new URL('../../bench/run.ts', import.meta.url))
  const options = ['--json', '--scene', scene]
  if (engines.length > 0) options.push('--engine', engines.join(','))
  if (works.length > 0) options.push('--work', works.join(','))
  const node = ['--import', 'tsx', '--conditions=@tautline/source', script, ...options]
  const { stdout } = await run(process.execPath, node, { maxBuffer: 1 << 26 })
  return (JSON.parse(stdout) as { scenes: { outcomes: Contended[] }[] }).scenes[0].outcomes
}

/** An engine's outcome, at a setting where it has several. */
export function timedOf(outcomes: readonly Contended[], engine: string, work?: number): Timed | NotTimed {
  const found = outcomes.find((one) => one.engine === engine && (work === undefined || one.work === work))
  return found ?? { engine, work: work ?? 0, failed: 'not measured' }
}

/** How many times as long one takes as the other: the median over rounds, in which both ran one after the other. */
export function ratioOf(own: Timed, other: Timed): number {
  return median(own.rounds.map((time, round) => time / other.rounds[round]))
}

/** A figure by name; what is not finite is larger than all. */
export function errorOf({ figures }: Timed, name: string): number {
  return figures[name] ?? Infinity
}

/** In a row: engine, time, and what `error` says of it. */
export function timedText(outcome: Contended, error: (timed: Timed) => string = () => ''): string {
  if ('failed' in outcome) return `${outcome.engine} ${outcome.failed}`
  const { engine, work, median: middle, p95, worst } = outcome
  const text = error(outcome)
  return `${engine} ${work}: ${figure(middle)} ms (p95 ${figure(p95)}, worst ${figure(worst)})${text === '' ? '' : `, ${text}`}`
}

/** Millimetres of a figure. */
export function millimetres(name: string, label: string): (timed: Timed) => string {
  return ({ figures }) => {
    const value = figures[name]
    return value === null ? `${label} not finite` : value === undefined ? '' : `${label} ${figure(1e3 * value, 2)} mm`
  }
}

/** What else ran, as every row of time has to say. */
export function loadText(): string {
  return `load ${figure(loadavg()[0], 2)}`
}
