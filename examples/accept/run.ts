/** `npm run accept`: see `options.ts` and docs/acceptance.md. */

import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareRuns, type Difference, isLoss } from './compare.js'
import { runGate } from './gate.js'
import { judge, type KnownFailure, knownFailures, rewritten, staleEntries, type Verdict } from './known.js'
import { HELP, type Options, readOptions } from './options.js'
import { isRevision, runRevision } from './revision.js'
import { readRun, type Run, writeRun } from './saved.js'
import { SCENES } from './scenes/index.js'
import { columns, differenceTable, verdictTable } from './table.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAMES = SCENES.map(({ name }) => name)

/** One line on a terminal, written over by the next. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

/** Says once how long a whole run takes, where no line shows how far it is. */
function announce({ isWhole, scenes }: Options): void {
  if (isWhole && !process.stderr.isTTY) {
    console.error(`accept: ${scenes.length} scenes, one to two minutes on two quiet cores`)
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

/** The run that is compared with, or nothing. */
function former({ against, scenes }: Options): Run | undefined {
  if (against === undefined) return undefined
  if (existsSync(against)) return readRun(against)
  if (!isRevision(ROOT, against)) {
    throw new RangeError(`accept: against must be a file or a git revision, got ${against}`)
  }
  progress(`running ${against} …`)
  return runRevision(ROOT, against, scenes)
}

/** Prints differences that show in three digits, and counts the rest. */
function printDifferences(differences: readonly Difference[]): void {
  const shown = differences.filter(({ before, after, change }) => change !== 'same' || digits(before) !== digits(after))
  const losses = differences.filter(isLoss).length
  const gains = differences.filter(({ change }) => change === 'better').length
  if (shown.length > 0) console.log(`${differenceTable(shown)}\n`)
  console.log(
    `${differences.length} metrics compared: ${losses} worse, ${gains} better, ${differences.length - shown.length} the same to three digits`,
  )
}

function digits(value: number | null | undefined): string {
  return value?.toPrecision(3) ?? String(value)
}

/** Prints new failures, or all metrics of scenes that were given by name. */
function printVerdicts(verdicts: readonly Verdict[], isWhole: boolean): void {
  const shown = isWhole ? verdicts.filter(({ isNews, standing }) => isNews || standing === 'mended') : verdicts
  if (shown.length > 0) console.log(`${verdictTable(shown)}\n`)
}

function summary(verdicts: readonly Verdict[], run: Run, seconds: number): string {
  const of = (standing: string): Verdict[] => verdicts.filter((verdict) => verdict.standing === standing)
  const known = [...of('known'), ...of('known, worse')]
  const issues = [...new Set(known.map((verdict) => verdict.known?.issue))].sort((r, s) => (r ?? 0) - (s ?? 0))
  const byIssue = issues.map((issue) => `${known.filter((one) => one.known?.issue === issue).length} of issue ${issue}`)
  const news = verdicts.filter(({ isNews }) => isNews).length
  const byIssueText = known.length === 0 ? '' : ` (${byIssue.join(', ')})`
  return `scenes: ${run.results.length}, metrics: ${verdicts.length}; ${of('holds').length} hold, ${known.length} fail as known${byIssueText}, ${news} new; ${Math.round(seconds)} s`
}

/** Prints other problems: scenes that crashed, list entries without a metric, and known failures that now hold. */
function printNotes({ results }: Run, verdicts: readonly Verdict[], stale: readonly KnownFailure[]): void {
  for (const { scene, failed } of results)
    if (failed !== undefined) console.log(`${scene} ended with an error: ${failed}`)
  for (const { scene, metric } of stale) console.log(`known-failures.json: there is no metric ${metric} of ${scene}`)
  for (const { scene, metric, standing, isNews } of verdicts) {
    if (standing !== 'mended') continue
    const advice = isNews ? ', take it out of known-failures.json (--update-known)' : ' on this machine'
    console.log(`${scene}, ${metric.name}: mended${advice}`)
  }
}

/** Runs what was asked for, prints it, and says whether nothing is new. */
async function main(options: Options): Promise<boolean> {
  const start = performance.now()
  const known = knownFailures()
  announce(options)
  const before = former(options)
  const run = await runGate({
    scenes: options.scenes,
    nudge: options.nudge,
    known,
    onProgress: progress,
    ...(before !== undefined && { before: before.results }),
  })
  progress('')
  if (options.save !== undefined) writeRun(options.save, run)
  const verdicts = judge(run.results, known)
  const stale = staleEntries(run.results, known, NAMES)
  const differences = before === undefined ? [] : compareRuns(before.results, run.results)
  if (before !== undefined) printDifferences(differences)
  printVerdicts(verdicts, options.isWhole || before !== undefined)
  printNotes(run, verdicts, stale)
  if (options.updateKnown) {
    const file = new URL('known-failures.json', import.meta.url)
    writeFileSync(file, `${JSON.stringify(rewritten(verdicts, known), null, 2)}\n`)
  }
  console.log(summary(verdicts, run, (performance.now() - start) / 1000))
  const isFailed = run.results.some(({ failed }) => failed !== undefined)
  return !isFailed && stale.length === 0 && !verdicts.some(({ isNews }) => isNews) && !differences.some(isLoss)
}

let options: Options
try {
  options = readOptions(process.argv.slice(2), NAMES)
} catch (error) {
  fail(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
}
if (options.help) {
  console.log(HELP)
} else if (options.list) {
  console.log(columns(SCENES.map(({ name, text }) => [name, text])))
} else {
  try {
    process.exitCode = (await main(options)) ? 0 : 1
  } catch (error) {
    progress('')
    fail(error instanceof Error ? error.message : String(error))
  }
}
