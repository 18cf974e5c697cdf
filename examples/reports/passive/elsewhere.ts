/** Row 9: what the other reports measured before, and measure now. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { World } from '@tautline/core'
import { pyramid } from '../../scenes/contacts/index.js'
import { heavyChain } from '../../scenes/impulse/index.js'
import { contacts } from '../contacts.js'
import { foundation } from '../foundation.js'
import { ik } from '../ik.js'
import { impulse } from '../impulse.js'
import { jointTrees } from '../joint-trees.js'
import { figure, type Measured, median, type Report, type ReportRow, skipped } from '../report.js'

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

/** Scenes of the other revision have the same names. */
interface OldScenes {
  heavyChain: typeof heavyChain
  pyramid: typeof pyramid
}

/** Steps that are timed after those that warm up. */
const TIMED = 400
const WARM_UP = 60
const MOST_RATIO = 1.05

/** Median over pairs of steps, old and new by turns, of the ratio of their times. */
function timeRatio(makeNew: () => World, makeOld: () => World): number {
  const worlds = [makeNew(), makeOld()]
  const ratios: number[] = []
  for (let step = 0; step < WARM_UP + TIMED; step++) {
    const spent = [0, 0]
    for (let k = 0; k < 2; k++) {
      const which = (step + k) % 2
      const start = performance.now()
      worlds[which].step()
      spent[which] = performance.now() - start
    }
    if (step >= WARM_UP) ratios.push(spent[0] / spent[1])
  }
  return median(ratios)
}

async function timed(): Promise<Measured> {
  const path = process.env.TAUTLINE_BEFORE
  if (path === undefined) return skipped('TAUTLINE_BEFORE must be the path of a checkout of the old revision, got none')
  const load = async (file: string): Promise<Partial<OldScenes>> =>
    (await import(pathToFileURL(join(path, 'examples/scenes', file)).href)) as Partial<OldScenes>
  const old = { ...(await load('impulse/index.ts')), ...(await load('contacts/index.ts')) } as OldScenes
  const chain = timeRatio(
    () => heavyChain(100).world,
    () => old.heavyChain(100).world,
  )
  const stones = timeRatio(
    () => pyramid(10).world,
    () => old.pyramid(10).world,
  )
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
    scene: `heavy chain of 20 links, 1:100, and pyramid with a base of 10, ${TIMED} steps each by turns with the checkout at TAUTLINE_BEFORE, in one process`,
    measure: timed,
  },
]
