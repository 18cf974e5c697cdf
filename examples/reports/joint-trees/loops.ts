/** Row 7: branches and loops, error against time beside pure Gauss–Seidel. */

import { loadedBridge } from '../../scenes/loaded-bridge.js'
import { figure, median, type ReportRow } from '../report.js'
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
  halved: number
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

function text({ solver, substeps, median, gap, unsolved, halved }: Point): string {
  const left = unsolved + halved > 0 ? ` (${unsolved} unsolved, ${halved} halved)` : ''
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

/** Seconds that boxes have to fall on a bridge and come to rest [s]. */
const LOADED = 5
/** Substeps, slopes at the banks [rad] and mass ratios of boxes. */
const LOADS = [
  { substeps: 4, slope: 0.45, ratio: 20 },
  { substeps: 12, slope: 0.45, ratio: 20 },
  { substeps: 8, slope: 0.25, ratio: 20 },
  { substeps: 8, slope: 0, ratio: 20 },
  { substeps: 8, slope: 0.45, ratio: 100 },
] as const
/** How much narrower its gaps are than those of the sweep. */
const LESS = 10
/** Share of the first energy that round-off may add. */
const ROUND_OFF = 1e-9

/** What a bridge goes through. */
interface Load {
  /** Energy above the first, share of it. */
  readonly gained: number
  /** [m] */
  readonly gap: number
  /** Visits that ended in a sweep. */
  readonly given: number
  /** Median step [ms]. */
  readonly time: number
}

function load({ substeps, slope, ratio }: (typeof LOADS)[number], solver: Setting['solver']): Load {
  const { world, joints } = loadedBridge({ slope, ratio }, { dt: 1 / 60, substeps, solver })
  const first = world.energy().total
  let [most, gap, given] = [first, 0, 0]
  const times: number[] = []
  for (let step = 0; step < 60 * LOADED; step++) {
    const before = performance.now()
    world.step()
    times.push(performance.now() - before)
    most = Math.max(most, world.energy().total)
    gap = Math.max(gap, ...joints.map(({ error }) => error))
    given += world.report.direct.halved
  }
  return { gained: (most - first) / Math.abs(first), gap, given, time: median(times) }
}

const underLoad: ReportRow = {
  id: '7.4',
  claim: 'A bridge that boxes fall on, solved directly',
  asked: `no energy gained at any time, and gaps at most 1/${LESS} of those that pure Gauss–Seidel leaves with the same substeps`,
  scene: `20 planks of 1 m and 5 kg on hinges, five boxes from up to 4.4 m; ${LOADED} s; substeps, slope at the banks, mass of a box in planks: ${LOADS.map(({ substeps, slope, ratio }) => `${substeps}, ${slope} rad, ${ratio}`).join('; ')}`,
  measure() {
    const runs = LOADS.map((each) => ({ solved: load(each, 'direct'), swept: load(each, 'sweep') }))
    return {
      figures: runs
        .map(
          ({ solved, swept }) =>
            `${figure(100 * solved.gained)} % energy, ${solved.given} halved, ${figure(solved.gap)} m, ${figure(solved.time)} ms (swept ${figure(swept.gap)} m, ${figure(swept.time)} ms)`,
        )
        .join('; '),
      holds: runs.every(({ solved, swept }) => solved.gained <= ROUND_OFF && LESS * solved.gap <= swept.gap),
    }
  },
}

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
  underLoad,
]
