/** What a scene of the bench is, and what one engine does in it. */

/** An engine in a scene, and the settings that it is tried with. */
export interface Contender {
  readonly engine: string
  /** Those that tables show. What a number means, the engine's note says: substeps, iterations, collision steps. */
  readonly usual: readonly number[]
  /** More of them, for the plot of error against time. */
  readonly others?: readonly number[]
}

/** Figures beside the time, by name: see {@link FIGURES}. `null` where a value is not finite, as JSON has none. */
export type Figures = Readonly<Partial<Record<FigureName, number | null>>>

/** How figures are written: what they are, and by how much they are scaled. */
export const FIGURES = {
  gap: { label: 'worst gap [mm]', scale: 1e3 },
  penetration: { label: 'penetration [mm]', scale: 1e3 },
  sideways: { label: 'sideways [mm]', scale: 1e3 },
  lost: { label: 'lost', scale: 1 },
  stretch: { label: 'mean stretch [%]', scale: 100 },
  maxStretch: { label: 'worst stretch [%]', scale: 100 },
  overlap: { label: 'overlap [mm]', scale: 1e3 },
  crossing: { label: 'vertices too near [%]', scale: 100 },
  volumeError: { label: 'worst loss of volume [%]', scale: 100 },
  depth: { label: 'depth [mm]', scale: 1e3 },
  distance: { label: 'distance, mean [mm]', scale: 1e3 },
  missed: { label: 'missed [%]', scale: 100 },
  bytes: { label: 'bytes a body', scale: 1 },
  rows: { label: 'rows', scale: 1 },
  perRow: { label: 'ns a row', scale: 1e6 },
  perPass: { label: 'ns a row and pass', scale: 1e6 },
  perBody: { label: 'ns a body', scale: 1e6 },
} as const satisfies Record<string, { label: string; scale: number }>

export type FigureName = keyof typeof FIGURES

/** An engine with a scene in it. */
export interface Task {
  /** Precision, SIMD, settings, and how it makes do with what it lacks. */
  readonly note: string
  /** Loading the engine, and making the scene [ms]. */
  readonly init: number
  readonly setup: number
  /** Runs one sample and says how long it took [ms]; what is watched besides is outside of that time. */
  run(isMeasured: boolean): number
  /** What was watched, when all samples are through. `median` is that of their times [ms]. */
  figures(median: number): Figures
  /** Hash of the state, where there is one: two revisions that agree in it did the same. */
  hash?(): string | undefined
}

/** A scene: what each engine is measured in. */
export interface BenchScene {
  readonly name: string
  /** Under which heading its table stands. */
  readonly family: string
  /** What a reader needs to repeat it. */
  readonly text: string
  /** What a sample is: a step, a solve, … */
  readonly sample: string
  /** Samples that are thrown away, and those that are measured. */
  readonly warmUp: number
  readonly samples: number
  /** Measured samples with `--quick`; left out there without it. */
  readonly quick?: number
  readonly contenders: readonly Contender[]
  /** Figure that the plot of error against time is drawn of. */
  readonly precision?: FigureName
  /** Loads an engine and makes the scene. */
  open(engine: string, work: number): Promise<Task>
}

/** What JSON takes. */
export function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
