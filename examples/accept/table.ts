/** Tables for a terminal. */

import type { Difference } from './compare.js'
import type { Verdict } from './known.js'

/** Columns as wide as their widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)))
  return rows
    .map((row) =>
      row
        .map((cell, k) => cell.padEnd(widths[k]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A figure of three digits with its unit. */
export function quantity(value: number | null | undefined, unit: string): string {
  if (value === undefined) return '-'
  if (value === null) return 'not finite'
  return `${Number(value.toPrecision(3))}${unit === '' ? '' : ` ${unit}`}`
}

/** Metrics with their bounds. */
export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ scene, metric: { name, unit, value, bound }, standing, known }) => [
    scene,
    name,
    quantity(value, unit),
    quantity(bound, unit),
    standing === 'holds'
      ? ''
      : known === undefined
        ? standing
        : `${standing}: issue ${known.issue}, was ${quantity(known.value, unit)}`,
  ])
  return columns([['scene', 'metric', 'value', 'at most', ''], ...rows])
}

/** Metrics before and after, the worse ones marked. */
export function differenceTable(differences: readonly Difference[]): string {
  const rows = differences.map(({ scene, name, unit, before, after, change }) => [
    scene,
    name,
    quantity(before, unit),
    quantity(after, unit),
    change === 'worse' || change === 'failed' ? `${change.toUpperCase()} <<<` : change === 'same' ? '' : change,
  ])
  return columns([['scene', 'metric', 'before', 'after', ''], ...rows])
}
