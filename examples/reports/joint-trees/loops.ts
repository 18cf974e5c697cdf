/** Row 7: branches and loops, error against time beside pure Gauss–Seidel. */

import { figure, type ReportRow } from '../report.js'
import { bench, NOT_INSTALLED } from './process.js'

/** What `bench/trees/loops.ts` prints. */
interface LoopsResult {
  /** [ms] */
  median: number
  /** [m] */
  gap: number | null
  joints: number
  cuts: number
  unsolved: number
  fallbacks: number
}

interface Setting {
  solver: 'auto' | 'direct' | 'sweep'
  substeps: number
}

interface Point extends Setting, LoopsResult {}

const SWEPT = [1, 4, 8, 16, 32, 64]
const SOLVED = [1, 2, 4]

async function measureAll(scene: string, settings: readonly Setting[]): Promise<Point[]> {
  const points: Point[] = []
  for (const setting of settings) {
    const { solver, substeps } = setting
    const args = ['--scene', scene, '--solver', solver, '--substeps', String(substeps)]
    const result = await bench<LoopsResult>('loops', args)
    if (result === NOT_INSTALLED) throw new Error('loops: a package of the workspace is missing')
    points.push({ ...setting, ...result })
  }
  return points
}

function text({ solver, substeps, median, gap, unsolved, fallbacks }: Point): string {
  const left = unsolved + fallbacks > 0 ? ` (${unsolved} unsolved, ${fallbacks} fallbacks)` : ''
  return `${solver} × ${substeps}: ${figure(median)} ms, ${gap === null ? 'not finite' : `${figure(gap)} m`}${left}`
}

/** Whether `other` takes no more time and leaves less error. */
function beats(other: Point, { median, gap }: Point): boolean {
  return other.median <= median && (other.gap ?? Infinity) < (gap ?? Infinity)
}

function row(id: string, claim: string, scene: string, name: string, settings: readonly Setting[]): ReportRow {
  return {
    id,
    claim,
    asked:
      'error against time beside pure Gauss–Seidel; held to this: no run of pure Gauss–Seidel beats one of the direct solution at both',
    scene: `${scene}; × n: n substeps of one visit or sweep, 60 Hz; median step after 60 of warm-up, worst gap at the end of any measured step`,
    slow: name === 'grid',
    async measure() {
      const points = await measureAll(name, settings)
      const [direct, auto, swept] = (['direct', 'auto', 'sweep'] as const).map((solver) =>
        points.filter((point) => point.solver === solver),
      )
      const { joints, cuts } = direct[0]
      const isSwept = auto.every((point) => point.joints === 0)
      const found = `${joints} joints in trees, ${cuts} cut; auto ${isSwept ? 'leaves all to the sweep' : 'takes them'}`
      return {
        figures: `${found}; ${points.map(text).join('; ')}`,
        holds: direct.every((point) => !swept.some((other) => beats(other, point))),
      }
    },
  }
}

function ladder(solver: Setting['solver'], all: readonly number[]): Setting[] {
  return all.map((substeps) => ({ solver, substeps }))
}

const ALL = [...ladder('direct', SOLVED), ...ladder('auto', [1]), ...ladder('sweep', SWEPT)]

export const loops: readonly ReportRow[] = [
  row(
    '7.1',
    'Mobile of 127 joints',
    'bars of 4 m to 6 cm and 1 kg on seven levels, ball joints, seed 5; 4 s',
    'mobile',
    ALL,
  ),
  row(
    '7.2',
    'Bridge of 160 planks, a loop',
    'planks of 1 m and 5 kg on hinges between two fixed points; 4 s',
    'bridge',
    ALL,
  ),
  row(
    '7.3',
    'Joint grid 100 × 100, mostly loops',
    'spheres of 1 kg on ball joints, hung from seven, 2 g; 0.5 s after the first',
    'grid',
    [...ladder('direct', [1, 2]), ...ladder('auto', [1]), ...ladder('sweep', [1, 4, 8, 16])],
  ),
]
