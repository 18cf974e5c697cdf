/** Rows 5 to 7: spread of the times, joint gaps and penetration in the scenes of rows 1 to 3. */

import { throwFigures } from '../../scenes/attack/figures.js'
import { errorOf, type Timed } from '../bench.js'
import { figure, type ReportRow } from '../report.js'
import { type Compared, outcomesOf, ownOf, ranOf, WORKS } from './measured.js'
import { BOXES, FIGURES, PILES } from './scenes.js'

/** p95 by the median. */
const SPREAD = 2.5
/** [m] */
const MOST_GAP = 1e-5
const TIGHT_GAP = 1e-9
/** Random throws, and the share of the energy at the start that one may gain. */
const THROWS = 120
const MOST_GAIN = 0.01

/** Scenes that are measured once each; small ones alone, or all of them. */
function scenesOf(compared: readonly Compared[], isWhole: boolean): Compared[] {
  const first = compared.filter(({ scene }, k) => compared.findIndex((other) => other.scene === scene) === k)
  return first.filter(({ slow }) => isWhole || slow !== true)
}

/** The own outcomes of scenes, with the name of each. */
async function ownIn(compared: readonly Compared[]): Promise<{ scene: string; timed: Timed }[]> {
  const found: { scene: string; timed: Timed }[] = []
  for (const { scene, engines } of compared) {
    for (const timed of ownOf(await outcomesOf(scene, engines))) found.push({ scene, timed })
  }
  return found
}

/** Each row in two: the small scenes, and with `--full` all of them. */
function inTwo(
  id: string,
  row: Omit<ReportRow, 'id' | 'measure'>,
  measure: (isWhole: boolean) => ReturnType<ReportRow['measure']>,
): ReportRow[] {
  return [
    { ...row, id: `${id}.1`, scene: `small scenes of ${row.scene}`, measure: () => measure(false) },
    { ...row, id: `${id}.2`, scene: `all scenes of ${row.scene}`, slow: true, measure: () => measure(true) },
  ]
}

const JOINTED = [...FIGURES, ...BOXES]

const spread = inTwo(
  '5',
  { claim: 'Times are even', asked: `p95 ≤ ${SPREAD} × median`, scene: 'rows 1 and 2' },
  async (isWhole) => {
    const ratios = (await ownIn(scenesOf(JOINTED, isWhole))).map(({ scene, timed }) => ({
      name: `${scene} at ${timed.work}`,
      ratio: timed.p95 / timed.median,
    }))
    return {
      figures: ratios.map(({ name, ratio }) => `${name}: ${figure(ratio)}`).join('; '),
      holds: ratios.length > 0 && ratios.every(({ ratio }) => ratio <= SPREAD),
    }
  },
)

const gaps = inTwo(
  '6.1',
  { claim: 'Joints stay closed', asked: '≤ 0.01 mm', scene: 'rows 1 and 2, worst of all steps' },
  async (isWhole) => {
    const found = (await ownIn(scenesOf(JOINTED, isWhole))).map(({ scene, timed }) => ({
      name: `${scene} at ${timed.work}`,
      gap: errorOf(timed, 'gap'),
    }))
    return {
      figures: found.map(({ name, gap }) => `${name}: ${figure(1e3 * gap)} mm`).join('; '),
      holds: found.length > 0 && found.every(({ gap }) => gap <= MOST_GAP),
    }
  },
)

const tightGaps = inTwo(
  '6.2',
  {
    claim: 'Joints stay closed with `jointTolerance: 1e-9`',
    asked: '≤ 1e-6 mm',
    scene: 'rows 1 and 2, worst of all steps',
  },
  async (isWhole) => {
    const found: { name: string; gap: number }[] = []
    // The heap is a scene of two engines alone.
    for (const { scene } of scenesOf(JOINTED, isWhole).filter(({ engines }) => engines.includes('crashcat'))) {
      for (const timed of ranOf(await outcomesOf(scene, ['tautline-tight'], WORKS)))
        found.push({ name: `${scene} at ${timed.work}`, gap: errorOf(timed, 'gap') })
    }
    return {
      figures: found.map(({ name, gap }) => `${name}: ${figure(1e3 * gap)} mm`).join('; '),
      holds: found.length > 0 && found.every(({ gap }) => gap <= TIGHT_GAP),
    }
  },
)

const penetration = inTwo(
  '7',
  {
    claim: 'Bodies overlap no more than with the best other engine',
    asked: 'worst overlap ≤ the least of the others',
    scene: 'rows 1 to 3, after the last step',
  },
  async (isWhole) => {
    const found: { name: string; own: number; best: number; engine: string }[] = []
    for (const { scene, engines } of scenesOf([...JOINTED, ...PILES], isWhole)) {
      const outcomes = await outcomesOf(scene, engines)
      const others = ranOf(outcomes).filter(({ engine }) => engine !== 'tautline')
      const [first] = others.sort((r, s) => errorOf(r, 'penetration') - errorOf(s, 'penetration'))
      if (first === undefined) continue
      for (const timed of ownOf(outcomes)) {
        const [own, best] = [errorOf(timed, 'penetration'), errorOf(first, 'penetration')]
        found.push({ name: `${scene} at ${timed.work}`, own, best, engine: first.engine })
      }
    }
    return {
      figures: found
        .map(({ name, own, best, engine }) => `${name}: ${figure(1e3 * own)} mm (${engine} ${figure(1e3 * best)})`)
        .join('; '),
      holds: found.length > 0 && found.every(({ own, best }) => own <= best),
    }
  },
)

const thrown: ReportRow = {
  id: '6.3',
  claim: 'Figures thrown at random gain nothing and stay together',
  asked: `gain ≤ ${100 * MOST_GAIN} % of the energy at the start, errors of joints ≤ 0.01 mm or mrad`,
  scene: `${THROWS} throws of one to three mannequins at a wall, stairs and each other, 1 to 8 substeps, 30 to 144 Hz`,
  measure() {
    const throws = Array.from({ length: THROWS }, (_, k) => throwFigures(k + 1))
    const spreadOf = (of: 'gain' | 'error'): [number, number, number] => {
      const sorted = throws.map((found) => found[of]).sort((a, b) => a - b)
      return [sorted[THROWS >> 1], sorted[Math.floor(0.95 * THROWS)], sorted[THROWS - 1]]
    }
    const [gains, errors] = [spreadOf('gain'), spreadOf('error')]
    const list = (values: readonly number[], unit: number): string => values.map((x) => figure(unit * x)).join(', ')
    return {
      figures: `gain: ${list(gains, 100)} % (median, p95, worst); error: ${list(errors, 1e3)} mm or mrad`,
      holds: gains[2] <= MOST_GAIN && errors[2] <= MOST_GAP && throws.every(({ nonFinite }) => nonFinite === 0),
    }
  },
}

export const exactRows: readonly ReportRow[] = [...spread, ...gaps, ...tightGaps, thrown, ...penetration]
