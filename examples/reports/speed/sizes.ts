/** Rows 10 and 11: making a world, and what a body and a row cost by how many there are. */

import { contend, errorOf, loadText, type Timed, timedOf } from '../bench.js'
import { figure, figures, type ReportRow } from '../report.js'

/** [ms] */
const SET_UP = 100

const setUp: ReportRow = {
  id: '10',
  claim: 'A world of 10⁵ rows is made at once',
  asked: `< ${SET_UP} ms`,
  scene:
    'sheet of 159 × 159 particles by addBodies, edges and diagonals by add, rows ordered; bench scene `set-up`, median',
  async measure() {
    const outcomes = await contend('set-up')
    const own = timedOf(outcomes, 'tautline')
    if ('failed' in own) throw new Error(own.failed)
    const jolt = timedOf(outcomes, 'jolt')
    const other = 'failed' in jolt ? jolt.failed : `${figure(jolt.median)} ms`
    return {
      figures: `${figure(own.median)} ms (processor ${figure(own.busy)} ms), ${figure(errorOf(own, 'rows'), 6)} rows; jolt's soft body of as many: ${other}; ${loadText()}`,
      holds: own.median < SET_UP,
    }
  },
}

/** Share of the middle of the least and the most by which costs may differ. */
const FLAT = 0.2

function flat(id: string, scene: string, what: string, name: string): ReportRow {
  return {
    id,
    claim: `The cost of a ${what} does not grow with their number`,
    asked: `10² to 10⁵: within ± ${100 * FLAT} %`,
    scene: `bench scene \`${scene}\`, 4 substeps, median step, sizes by turns`,
    async measure() {
      const timed = (await contend(scene)).filter((one): one is Timed => 'median' in one)
      const costs = timed.map((one) => 1e6 * errorOf(one, name))
      // By processor time, which others on the machine lengthen less.
      const busy = timed.map((one) => (1e6 * errorOf(one, name) * one.busy) / one.median)
      const [least, most] = [Math.min(...costs), Math.max(...costs)]
      return {
        figures: `${timed.map(({ work }) => String(work)).join(', ')} ${what === 'body' ? 'bodies' : 'rows'}: ${figures(costs)} ns each a step (processor: ${figures(busy)}); ${loadText()}`,
        holds: timed.length === 4 && most - least <= FLAT * (most + least),
      }
    },
  }
}

export const sizeRows: readonly ReportRow[] = [
  setUp,
  flat('11.1', 'by-rows', 'row', 'perRow'),
  flat('11.2', 'by-bodies', 'body', 'perBody'),
]
