/** Row 1: cloth that falls on a sphere and a floor, beside Jolt and Rapier, beside itself in free air, and by its size. */

import { figure, figures, type Measured, type ReportRow, skipped } from '../report.js'
import { benched, inTurns, type NOT_INSTALLED } from './bench.js'

interface SheetResult {
  engine: string
  rows: number
  median: number
  p95: number
  stretch: number | null
}

interface Sheet {
  engine?: 'tautline' | 'jolt' | 'rapier' | 'plain'
  n: number
  work: number
  on: 'nothing' | 'sphere' | 'sphere and floor'
  self?: boolean
}

/** What `bench/assemblies/cloth.ts` measures in a process of its own. */
export function fall({ engine = 'tautline', n, work, on, self }: Sheet): Promise<SheetResult | typeof NOT_INSTALLED> {
  const given = ['--engine', engine, '--n', String(n), '--work', String(work), '--on', on]
  return benched('cloth.ts', self === true ? [...given, '--self'] : given)
}

const sheetsInTurns = (sheets: readonly Sheet[]): Promise<(SheetResult | undefined)[]> =>
  inTurns(sheets.map((sheet) => () => fall(sheet)))

function text({ engine, rows, median: ms, p95, stretch }: SheetResult): string {
  return `${engine} ${figure(ms)} ms (p95 ${figure(p95)}), ${rows} rows, mean stretch ${stretch === null ? 'not finite' : `${figure(100 * stretch)} %`}`
}

const FALLS =
  '2 cm between vertices, quads, defaults of cloth(), nothing sleeps, falls from the top of a sphere a quarter as wide, 3 s at 60 Hz, medians of three turns, a process each'

async function besideEngines(): Promise<Measured> {
  const scene = { n: 100, work: 5, on: 'sphere and floor' } as const
  const [jolt, rapier, own] = await sheetsInTurns([{ engine: 'jolt', ...scene }, { engine: 'rapier', ...scene }, scene])
  if (jolt === undefined || own === undefined) return skipped('jolt-physics is not installed')
  const time = own.median / jolt.median
  const stretch = (own.stretch ?? Infinity) / (jolt.stretch ?? Infinity)
  const figures = [text(own), beside(own, jolt), rapier ? beside(own, rapier) : 'rapier is not installed']
  return { figures: figures.join('; '), holds: time <= 1.5 && stretch <= 0.5 }
}

/** Figures of another engine, and how ours stand to them. */
function beside(own: SheetResult, other: SheetResult): string {
  const stretch = (own.stretch ?? Infinity) / (other.stretch ?? Infinity)
  return `${text(other)}: ${figure(own.median / other.median)} of its time, ${figure(stretch)} of its stretch`
}

async function besideFree(): Promise<Measured> {
  const results = await sheetsInTurns([
    { n: 50, work: 4, on: 'nothing' },
    { n: 50, work: 4, on: 'sphere' },
  ])
  const [free, touching] = results as SheetResult[]
  const ratio = touching.median / free.median
  return {
    figures: `free ${figure(free.median)} ms (p95 ${figure(free.p95)}), on the sphere ${figure(touching.median)} (${figure(touching.p95)}): ${figure(ratio)} times`,
    holds: ratio <= 1.5,
  }
}

const SIZES = [32, 100, 316]
/** Share by which the cost of a particle may differ from that of the middle size. */
const LINEAR = 0.2

async function bySize(): Promise<Measured> {
  const costs: number[] = []
  for (const n of SIZES) {
    const result = (await fall({ n, work: 5, on: 'sphere and floor' })) as SheetResult
    costs.push((1e6 * result.median) / (n * n))
  }
  const worst = Math.max(...costs.map((cost) => Math.abs(cost / costs[1] - 1)))
  return {
    figures: `${figures(costs)} ns a particle and step: off by ${figure(100 * worst)} %`,
    holds: worst <= LINEAR,
  }
}

export const speed: readonly ReportRow[] = [
  {
    id: '1.1',
    claim: 'Cloth of 10 000 vertices on a sphere and a floor, beside Jolt and Rapier',
    asked: '≤ 1.5 times the time of Jolt at ≤ ½ of its mean stretch, in plain TypeScript',
    scene: `100 × 100 vertices, 5 substeps and 5 iterations; Jolt: edges, diagonals and bends as edges, the latter two with compliance (without it blows up); Rapier: threads of 1000 Hz, diagonals of 30 Hz, bends of 10 Hz; it is hit by its triangles, the others by their vertices; ${FALLS}`,
    measure: besideEngines,
  },
  {
    id: '1.2',
    claim: 'Cloth of 2500 particles on a sphere, beside itself in free air',
    asked: '≤ 1.5 times the time',
    scene: `50 × 50 vertices, 4 substeps; ${FALLS}`,
    measure: besideFree,
  },
  {
    id: '1.3',
    claim: 'The cost is linear in the size of the cloth',
    asked: `a particle within ± ${100 * LINEAR} % from 10³ to 10⁵`,
    scene: `${SIZES.map((n) => n * n).join(', ')} vertices, 5 substeps, on a sphere and a floor; ${FALLS}, one turn`,
    slow: true,
    measure: bySize,
  },
]
