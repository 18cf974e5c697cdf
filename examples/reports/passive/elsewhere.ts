/** Row 9: what the other reports measured before, and measure now. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contacts } from '../contacts.js'
import { foundation } from '../foundation.js'
import { ik } from '../ik.js'
import { impulse } from '../impulse.js'
import { jointTrees } from '../joint-trees.js'
import { figure, type Measured, median, type Report, type ReportRow, skipped } from '../report.js'

/** This checkout. */
const HERE = fileURLToPath(new URL('../../..', import.meta.url))

const REPORTS: readonly Report[] = [jointTrees, contacts, foundation, impulse, ik]

/** Verdict and figures of a row at the revision that this issue started from. */
interface Before {
  holds: boolean
  measured: string
}

/** By report and row; made by `npm run report -- NAME --json` at that revision. */
type BeforeFile = Record<string, Record<string, Before>>

function readBefore(): BeforeFile {
  const path = new URL('before.json', import.meta.url)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BeforeFile) : {}
}

async function measured(row: ReportRow): Promise<Measured> {
  try {
    return await row.measure()
  } catch (error) {
    return { figures: `failed: ${String(error).split('\n')[0]}`, holds: false }
  }
}

/** All rows of a report that were measured before, again. */
async function compared(report: Report): Promise<Measured> {
  const before = readBefore()[report.name]
  if (before === undefined) {
    return skipped(
      `examples/reports/passive/before.json has no figures of ${report.name}: add those of the old revision`,
    )
  }
  const worse: string[] = []
  const better: string[] = []
  let same = 0
  for (const row of report.rows) {
    const old = before[row.id]
    if (old === undefined) continue
    const now = await measured(row)
    if (now.skipped === true || now.holds === old.holds) same++
    else (now.holds ? better : worse).push(`${row.id} ${row.claim}: before ${old.measured}; now ${now.figures}`)
  }
  await report.close?.()
  const list = (title: string, rows: readonly string[]): string =>
    rows.length === 0 ? `${title} none` : `${title} ${rows.length}: ${rows.join(' | ')}`
  return {
    figures: `${same} rows as before; ${list('held before and do not now:', worse)}; ${list('hold now and did not before:', better)}`,
    holds: worse.length === 0,
  }
}

/** Steps a turn, turns that warm up, and those that count. */
const BURST = 10
const WARM_UP = 6
const TIMED = 40
const MOST_RATIO = 1.05

/** A process of one state, and what asks it for the time of a burst of steps [ms]. */
async function startTimer(root: string, file: string, name: string, size: number): Promise<Timer> {
  const script = new URL('step-times.ts', import.meta.url).pathname
  const child = fork(script, [join(root, 'examples/scenes', file), name, String(size)], {
    cwd: root,
    execArgv: ['--import', 'tsx', '--conditions=@tautline/source'],
  })
  const answer = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(ended)])) as unknown[]
    return message
  }
  await answer()
  return {
    burst: async () => {
      child.send(BURST)
      return (await answer()) as number
    },
    end: () => void child.kill(),
  }
}

interface Timer {
  burst(): Promise<number>
  end(): void
}

function ended(): never {
  throw new Error('a process that times steps has ended')
}

/**
 * Median over pairs of bursts, this state and the one before by turns, of the ratio of their times. Each has a process of its own: in one, the
 * state that is loaded second finds call sites that have seen the other.
 */
async function timeRatio(before: string, file: string, name: string, size: number): Promise<number> {
  const timers = [await startTimer(HERE, file, name, size), await startTimer(before, file, name, size)]
  const ratios: number[] = []
  try {
    for (let turn = 0; turn < WARM_UP + TIMED; turn++) {
      const spent = [0, 0]
      for (const which of turn % 2 === 0 ? [0, 1] : [1, 0]) spent[which] = await timers[which].burst()
      if (turn >= WARM_UP) ratios.push(spent[0] / spent[1])
    }
  } finally {
    for (const timer of timers) timer.end()
  }
  return median(ratios)
}

async function timed(): Promise<Measured> {
  const path = process.env.TAUTLINE_BEFORE
  if (path === undefined) return skipped('TAUTLINE_BEFORE must be the path of a checkout of the old revision, got none')
  const chain = await timeRatio(path, 'impulse/index.ts', 'heavyChain', 100)
  const stones = await timeRatio(path, 'contacts/index.ts', 'pyramid', 10)
  return {
    figures: `heavy chain ${figure(chain)}, pyramid ${figure(stones)} of the time before`,
    holds: chain <= MOST_RATIO && stones <= MOST_RATIO,
  }
}

export const elsewhere: readonly ReportRow[] = [
  ...REPORTS.map((report, k) => ({
    id: `9.${k + 1}`,
    claim: `Nothing paid for it in ${report.name}`,
    asked: 'every row that held before holds',
    scene: `all rows of ${report.name} that were measured before, without --full; figures of before in before.json`,
    slow: true,
    measure: () => compared(report),
  })),
  {
    id: `9.${REPORTS.length + 1}`,
    claim: 'Nor in time',
    asked: '≤ 1.05 of the time before, both',
    scene: `heavy chain of 20 links, 1:100, and pyramid with a base of 10, ${BURST * TIMED} steps each, in two processes, ${BURST} steps by turns with the checkout at TAUTLINE_BEFORE`,
    measure: timed,
  },
]
