/** Results as tables: Markdown, which is read as it is in a terminal too. */

import type { Outcome, Result } from './contest.js'
import { type BenchScene, type FigureName, FIGURES } from './scene.js'

/** Outcomes of a scene. */
export interface Measured {
  readonly scene: string
  readonly outcomes: readonly Outcome[]
}

/** A table of a scene, with what it is above it and the notes of its contenders below. */
export function sceneTable(scene: BenchScene, outcomes: readonly Outcome[]): string {
  const results = outcomes.filter((outcome): outcome is Result => 'median' in outcome)
  const names = figureNames(results)
  const head = ['engine', 'work', 'median', 'p95', 'worst', 'CPU', 'set-up']
  const rows = outcomes.map((outcome) => {
    const { engine, work } = outcome
    if ('failed' in outcome) return [engine, String(work), outcome.failed, ...Array<string>(4 + names.length).fill('')]
    const { median, p95, worst, busy, setup } = outcome
    const times = [median, p95, worst, busy, setup].map(milliseconds)
    return [engine, String(work), ...times, ...names.map((name) => figureText(outcome, name))]
  })
  const columns = [...head, ...names.map((name) => FIGURES[name].label)]
  const notes = [...new Set(results.map(({ engine, note }) => `${engine}: ${note}.`))]
  return [`**${scene.name}**: ${scene.text}. Times in ms a ${scene.sample}.`, markdown(columns, rows), ...notes].join(
    '\n\n',
  )
}

/** Rows with columns of one width, the first two to the left. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, k) => Math.max(3, ...all.map((row) => row[k].length)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, k) => (k < 1 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join(' | ')} |`
  const rule = `| ${widths.map((width, k) => (k < 1 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(all[0]), rule, ...all.slice(1).map(line)].join('\n')
}

/** Figures that any contender has, in the order of {@link FIGURES}. */
function figureNames(results: readonly Result[]): FigureName[] {
  return (Object.keys(FIGURES) as FigureName[]).filter((name) =>
    results.some(({ figures }) => figures[name] !== undefined),
  )
}

export function figureText({ figures }: Result, name: FigureName): string {
  const value = figures[name]
  if (value === undefined) return ''
  return value === null ? 'not finite' : digits(FIGURES[name].scale * value)
}

export function milliseconds(time: number): string {
  return digits(time)
}

/** Three digits, without a power of ten where one can read it without. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(1)
  return String(Number(value.toPrecision(size >= 100 ? Math.max(3, Math.ceil(Math.log10(size + 1))) : 3)))
}

/** Scenes in rows, contenders in columns: median / p95 of a step [ms], then the error that counts there. */
export function summary(measured: readonly (Measured & { readonly precision?: FigureName | undefined })[]): string {
  const contenders = [...new Set(measured.flatMap(({ outcomes }) => usualOf(outcomes).map(nameOf)))]
  const rows = measured.map(({ scene, outcomes, precision }) => {
    const results = outcomes.filter((outcome): outcome is Result => 'median' in outcome)
    const error = precision ?? figureNames(results)[0]
    const cells = contenders.map((name) => cellOf(usualOf(outcomes), name, error))
    return [scene, ...cells, error === undefined ? '' : FIGURES[error].label]
  })
  return markdown(['scene: median / p95 ms, error', ...contenders, 'error'], rows)
}

function nameOf({ engine, work }: Outcome): string {
  return `${engine} ${work}`
}

/** Those that are shown, and not only drawn. */
function usualOf(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.filter(({ isUsual }) => isUsual)
}

function cellOf(outcomes: readonly Outcome[], name: string, error: FigureName | undefined): string {
  const outcome = outcomes.find((one) => nameOf(one) === name)
  if (outcome === undefined) return ''
  if ('failed' in outcome) return outcome.failed
  const figure = error === undefined ? '' : figureText(outcome, error)
  return `${milliseconds(outcome.median)} / ${milliseconds(outcome.p95)}${figure === '' ? '' : `, ${figure}`}`
}
