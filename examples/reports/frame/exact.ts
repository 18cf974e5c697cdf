/** Rows 5 to 7: spread of the times, joint gaps and penetration in the scenes of rows 1 to 3. */

import { errorOf, type Timed } from '../bench.js'
import { figure, type ReportRow } from '../report.js'
import { type Compared, outcomesOf, ownOf, ranOf, WORKS } from './measured.js'
import { BOXES, FIGURES, PILES } from './scenes.js'

/** p95 by the median. */
const SPREAD = 2.5
/** [m] */
const MOST_GAP = 1e-5
const TIGHT_GAP = 1e-9

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

export const exactRows: readonly ReportRow[] = [...spread, ...gaps, ...tightGaps, ...penetration]
