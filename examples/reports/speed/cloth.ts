/** Rows 6 to 8: cloth row by row, on a sphere, and on itself. */

import { contend, errorOf, loadText, millimetres, type Timed, timedOf, timedText } from '../bench.js'
import { figure, type ReportRow } from '../report.js'
import { besideRow } from './beside.js'

/** Mean stretch of an outcome. */
export function stretchText({ figures }: Timed): string {
  const { stretch } = figures
  return `mean stretch ${stretch === null ? 'not finite' : `${figure(100 * stretch)} %`}`
}

const rows = besideRow({
  id: '6',
  claim: 'Rows of cloth in plain TypeScript',
  asked: '≤ 1.0 × Jolt, a row and pass',
  scene: 'cloth-64',
  text: 'hung sheet of 64 × 64 vertices, 16 000 edges and diagonals row by row; 4 substeps and 4 iterations; time includes the vertices',
  own: ['tautline-rows', 4],
  other: ['jolt', 4],
  error: (timed) => `${figure(1e6 * errorOf(timed, 'perPass'))} ns a row and pass, ${stretchText(timed)}`,
  holds: (ratio) => ratio <= 1,
})

const drape = besideRow({
  id: '7',
  claim: 'Cloth of 10 000 on a sphere and a floor in plain TypeScript',
  asked: '≤ 1.5 × Jolt, at no more stretch than it has',
  scene: 'drape-100',
  text: 'cloth() at its defaults, 5 substeps and 5 iterations',
  own: ['tautline', 5],
  other: ['jolt', 5],
  more: ['rapier'],
  slow: true,
  error: stretchText,
  holds: (ratio, own, other) => ratio <= 1.5 && errorOf(own, 'stretch') <= errorOf(other, 'stretch'),
})

/** [ms] */
const SELF = 15

const self: ReportRow = {
  id: '8',
  claim: 'Cloth of 6000 that touches itself in plain TypeScript',
  asked: `≤ ${SELF} ms a step`,
  scene:
    '78 × 78 vertices on a sphere, a floor and itself, 10 substeps; bench scene `self-78`, median step; `plain`: a hash grid by hand',
  slow: true,
  async measure() {
    const outcomes = await contend('self-78')
    const own = timedOf(outcomes, 'tautline')
    const overlap = millimetres('overlap', 'overlap')
    const times = outcomes.map((one) => timedText(one, (timed) => `${stretchText(timed)}, ${overlap(timed)}`))
    return { figures: `${times.join('; ')}; ${loadText()}`, holds: !('failed' in own) && own.median <= SELF }
  },
}

export const clothRows: readonly ReportRow[] = [rows, drape, self]
