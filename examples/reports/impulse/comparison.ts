/** Row 4: the two schools on one scene a row, a process a contender. The whole of it is docs/comparison. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Budget, contenders } from '@tautline/impulse-compat'
import { best, BUDGETS, type Contest, contest, timeOf, updatesOf, usualCost } from '../../comparison/contest.js'
import { budgetOf } from '../../comparison/plots.js'
import { comparisonScenes } from '../../scenes/impulse/index.js'
import { figure, type ReportRow } from '../report.js'

/** Fewer than those of the documents: the usual setting of displacement, fewer substeps, and one step with iterations. */
const FEW: readonly Budget[] = [
  { substeps: 8, iterations: 1 },
  { substeps: 4, iterations: 1 },
  { substeps: 2, iterations: 4 },
  { substeps: 1, iterations: 8 },
  { substeps: 1, iterations: 20 },
]
/** Scenes that take the contenders more than about ten seconds. */
const LONG = ['bridge', 'joint grid', 'card house', 'arch', 'high mass ratio 1']
const DOCUMENTS = fileURLToPath(new URL('../../../docs/comparison', import.meta.url))

export const comparison: readonly ReportRow[] = [
  ...comparisonScenes.map(({ name, about, seconds }, k): ReportRow => ({
    id: `4.${k + 1}`,
    claim: `${name}: work and precision of six contenders`,
    asked: 'each contender measured; a finite error of each at some budget',
    scene: `${seconds} s of steps of 1/60 s, budgets ${FEW.map(({ substeps, iterations }) => `${substeps}×${iterations}`).join(', ')}; error: ${about} [m]`,
    slow: LONG.includes(name),
    async measure() {
      const [found] = await contest([name], FEW)
      const finite = contenders.every((contender) =>
        found.rows.some((row) => row.contender === contender.name && row.error < Infinity),
      )
      return { figures: describe(found), holds: finite && found.rows.length === FEW.length * contenders.length }
    },
  })),
  {
    id: `4.${comparisonScenes.length + 1}`,
    claim: 'docs/comparison has the tables, and plots of every scene',
    asked: 'figures of every contender at every budget, a table and two plots a scene, made by `npm run comparison`',
    scene: 'the files of this checkout',
    measure() {
      const files = comparisonScenes.flatMap(({ name }) =>
        ['time', 'updates'].map((by) => `${name.replaceAll(/[^a-z0-9]+/g, '-')}-${by}.svg`),
      )
      const missing = ['tables.md', 'data.json', ...files].filter((file) => !existsSync(`${DOCUMENTS}/${file}`))
      if (missing.length > 0) return { figures: `missing: ${missing.join(', ')}`, holds: false }
      const contests = JSON.parse(readFileSync(`${DOCUMENTS}/data.json`, 'utf8')) as Contest[]
      const rows = contests.reduce((sum, found) => sum + found.rows.length, 0)
      const wanted = comparisonScenes.length * contenders.length * BUDGETS.length
      return { figures: `${files.length} plots, ${rows} of ${wanted} runs`, holds: rows === wanted }
    },
  },
]

/** Least error in the time, and in the row updates, of displacement at 8×1; energy gained at 8×1. */
function describe({ rows }: Contest): string {
  const at = (cost: typeof timeOf): string =>
    contenders
      .map(({ name }) => {
        const row = best(rows, name, usualCost(rows, cost), cost)
        return `${name} ${row === undefined ? 'none so cheap' : `${figure(row.error, 2)} (${budgetOf(row)})`}`
      })
      .join(', ')
  const gains = contenders
    .map(({ name }) => figure(rows.find(({ contender }) => contender === name)?.energyGain ?? NaN, 2))
    .join(', ')
  const drifts = rows
    .filter(({ budget, angularChange }) => budget.substeps === 8 && angularChange !== undefined)
    .map((row) => `${figure(row.momentumChange ?? NaN, 2)} and ${figure(row.angularChange ?? NaN, 2)}`)
  const momentum = drifts.length > 0 ? `; momentum lost at 8×1 [kg m/s and kg m²/s]: ${drifts.join(', ')}` : ''
  return `in equal time: ${at(timeOf)}; in equal row updates: ${at(updatesOf)}; energy gained at 8×1: ${gains} J${momentum}`
}
