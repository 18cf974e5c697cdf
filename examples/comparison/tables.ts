/** The contest as Markdown. */

import { type ComparisonRow, contenders } from '@tautline/impulse-compat'
import { best, type Contest, timeOf, updatesOf, usualCost } from './contest.js'
import { budgetOf } from './plots.js'

const names = contenders.map(({ name }) => name)

/** Every scene at equal cost, then each in full. */
export function tables(contests: readonly Contest[]): string {
  return [
    '# Tables of the comparison',
    '',
    'Made by `npm run comparison`; the reading is in [comparison](../comparison.md). Budgets are substeps × iterations of a step of 1/60 s.',
    '',
    '## At equal time',
    '',
    'The least error [m] of each contender in no more time than displacement takes at 8×1, and the budget that gave it.',
    '',
    ...atEqualCost(contests, timeOf),
    '',
    '## At equal row updates',
    '',
    'The same with row updates as the cost.',
    '',
    ...atEqualCost(contests, updatesOf),
    '',
    '## Energy and momentum',
    '',
    'Most energy gained, and change at the end [J], for each contender at 8×1. A scene that comes to rest loses its own.',
    '',
    ...energies(contests),
    ...contests.flatMap(full),
    '',
  ].join('\n')
}

function atEqualCost(contests: readonly Contest[], cost: (row: ComparisonRow) => number): string[] {
  return [
    line(['scene', ...names]),
    line(['---', ...names.map(() => '---')]),
    ...contests.map(({ scene, rows }) => {
      const most = usualCost(rows, cost)
      const cells = names.map((name) => {
        const row = best(rows, name, most, cost)
        return row === undefined ? '–' : `${number(row.error)} (${budgetOf(row)})`
      })
      return line([scene, ...cells])
    }),
  ]
}

function energies(contests: readonly Contest[]): string[] {
  return [
    line(['scene', ...names]),
    line(['---', ...names.map(() => '---')]),
    ...contests.map(({ scene, rows }) => {
      const cells = names.map((name) => {
        const row = rows.find(
          ({ contender, budget }) => contender === name && budget.substeps === 8 && budget.iterations === 1,
        )
        return row === undefined ? '–' : `+${number(row.energyGain)}, ${number(row.energyChange)}`
      })
      return line([scene, ...cells])
    }),
  ]
}

function full({ scene, unit, about, rows }: Contest): string[] {
  const momentum = rows.some(({ momentumChange }) => momentumChange !== undefined)
  const head = [
    'contender',
    'budget',
    'row updates',
    'µs a step',
    `error [${unit}]`,
    'worst',
    'rms',
    'energy gain [J]',
    'energy change [J]',
  ]
  return [
    '',
    `## ${scene}`,
    '',
    `Error: ${about}.`,
    '',
    line([...head, ...(momentum ? ['Δp [kg m/s]', 'ΔL [kg m²/s]'] : [])]),
    line(['---', '---', ...head.slice(2).map(() => '---:'), ...(momentum ? ['---:', '---:'] : [])]),
    ...rows.map((row) =>
      line([
        row.contender,
        budgetOf(row),
        row.updates.toFixed(0),
        timeOf(row).toFixed(0),
        ...[row.error, row.worst, row.rms, row.energyGain, row.energyChange].map(number),
        ...(momentum ? [number(row.momentumChange ?? NaN), number(row.angularChange ?? NaN)] : []),
      ]),
    ),
  ]
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function number(value: number): string {
  if (value === Infinity) return '∞'
  return value === 0
    ? '0'
    : Math.abs(value) >= 0.01 && Math.abs(value) < 1000
      ? value.toPrecision(2)
      : value.toExponential(1)
}
