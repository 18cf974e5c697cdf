/** What a report is: rows of a claim, what was asked, what was measured, and whether it holds. */

/** What a row's measurement returns. */
export interface Measured {
  /** The figures, as they are to be read. */
  figures: string
  holds: boolean
  /** It could not be measured here, and `figures` says why: neither held nor failed. */
  skipped?: true
}

/** What a row returns that cannot be measured here. */
export function skipped(reason: string): Measured {
  return { figures: `skipped: ${reason}`, holds: false, skipped: true }
}

/** One claim. */
export interface ReportRow {
  id: string
  claim: string
  asked: string
  /** Sizes, substeps, seeds: what a reader needs to repeat it. */
  scene: string
  /** Takes more than about a minute: only with `--full`. */
  slow?: boolean
  measure(): Measured | Promise<Measured>
}

export interface Report {
  name: string
  title: string
  rows: readonly ReportRow[]
  /** After the last row: ends what the rows have started. */
  close?(): Promise<void>
}

/** A figure with `digits` significant digits. */
export function figure(value: number, digits = 3): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value)
}

/** Figures in a list, each with its digits. */
export function figures(values: readonly number[], digits = 3): string {
  return values.map((value) => figure(value, digits)).join(', ')
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((r, s) => r - s)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle])
}
