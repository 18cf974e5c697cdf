/**
 * Known failures: metrics outside their bound today, each with its value and the issue that will mend it. The gate compares with this list, so that it fails for
 * news alone.
 */

import { readFileSync } from 'node:fs'
import { isWithinBound, isWorse, type Metric, type SceneResult } from './metric.js'

/** One entry of `known-failures.json`. */
export interface KnownFailure {
  readonly scene: string
  readonly metric: string
  /** When it was recorded; `null` where it was not finite. */
  readonly value: number | null
  readonly issue: number
}

/**
 * How a metric stands.
 *
 *   holds          within its bound
 *   fails          outside its bound, and not in the list
 *   known          outside its bound, in the list, and no worse than its tolerance allows
 *   known, worse   in the list, and worse than its tolerance allows
 *   mended         in the list, and within its bound
 */
export type Standing = 'holds' | 'fails' | 'known' | 'known, worse' | 'mended'

/** A recorded time is of another machine: its multiple of the reference loop may differ by so much [share]. */
const OTHER_MACHINE = 1

export interface Verdict {
  readonly scene: string
  readonly metric: Metric
  readonly standing: Standing
  readonly known?: KnownFailure
  /** Whether the gate fails for it. */
  readonly isNews: boolean
}

/**
 * How every metric of some results stands. A mended metric fails the gate where it is exact: the change that mended it takes it off the list, and a relapse is
 * seen. Times are mended by a faster machine as well, so that these are only told.
 */
export function judge(results: readonly SceneResult[], list: readonly KnownFailure[]): Verdict[] {
  return results.flatMap(({ scene, metrics }) =>
    metrics.map((metric): Verdict => {
      const known = list.find((entry) => entry.scene === scene && entry.metric === metric.name)
      const standing = standingOf(metric, known)
      const isNews = standing === 'fails' || standing === 'known, worse' || (standing === 'mended' && !metric.isTime)
      return { scene, metric, standing, isNews, ...(known !== undefined && { known }) }
    }),
  )
}

function standingOf(metric: Metric, known: KnownFailure | undefined): Standing {
  if (isWithinBound(metric)) return known === undefined ? 'holds' : 'mended'
  if (known === undefined) return 'fails'
  const tolerance = metric.isTime ? { relative: OTHER_MACHINE, absolute: 0 } : metric.tolerance
  return isWorse(known.value, metric.value, tolerance) ? 'known, worse' : 'known'
}

/** Entries that name no metric of these results, of scenes that ran without an error. */
export function staleEntries(
  results: readonly SceneResult[],
  list: readonly KnownFailure[],
  all: readonly string[],
): KnownFailure[] {
  return list.filter(({ scene, metric }) => {
    if (!all.includes(scene)) return true
    const result = results.find((other) => other.scene === scene && other.failed === undefined)
    return result !== undefined && !result.metrics.some(({ name }) => name === metric)
  })
}

/** The committed list. */
export function knownFailures(): KnownFailure[] {
  return JSON.parse(readFileSync(new URL('known-failures.json', import.meta.url), 'utf8')) as KnownFailure[]
}

/** The list as it would be after a run: values anew, what is mended gone. What fails and is not in it stays out: it wants an issue first. */
export function rewritten(verdicts: readonly Verdict[], list: readonly KnownFailure[]): KnownFailure[] {
  return list.flatMap((entry) => {
    const verdict = verdicts.find(({ known }) => known === entry)
    if (verdict === undefined) return [entry]
    return verdict.standing === 'mended' ? [] : [{ ...entry, value: shortened(verdict.metric.value) }]
  })
}

/** Three digits are enough beside tolerances. */
function shortened(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(3))
}
