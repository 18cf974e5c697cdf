/** Rows 4, 8 and 9: Tautline beside itself at other settings. */

import { loadText, ratioOf, timedOf, timedText } from '../bench.js'
import { figure, type Measured, type ReportRow } from '../report.js'
import { outcomesOf, RUN, WORKS } from './measured.js'
import { sharesOf, sharesText } from './piles.js'

const SCENE = 'figures-10-15'
const SWEEP = 1
const FRICTION = 1.3
const BRIDGE = 1.5

/** A variant of Tautline beside its defaults, at each number of substeps. */
async function variant(engine: string, most: number): Promise<Measured> {
  const outcomes = await outcomesOf(SCENE, ['tautline', engine], WORKS)
  const shares = sharesOf(outcomes, engine, 'tautline')
  return {
    figures: `${sharesText(shares)}; ${outcomes.map((one) => timedText(one)).join('; ')}; ${loadText()}`,
    holds: shares.every((share) => share <= most),
  }
}

export const ownRows: readonly ReportRow[] = [
  {
    id: '4',
    claim: "10 figures of 15 parts with `solver: 'sweep'`",
    asked: `≤ ${SWEEP.toFixed(1)} × 'auto'`,
    scene: `bench scene \`${SCENE}\`; ${RUN}`,
    measure: () => variant('tautline-sweep', SWEEP),
  },
  {
    id: '8',
    claim: '10 figures of 15 parts with friction in all joints',
    asked: `≤ ${FRICTION} × without`,
    scene: `bench scene \`${SCENE}\`, frictionTorque 1 N m; ${RUN}`,
    measure: () => variant('tautline-friction', FRICTION),
  },
  {
    id: '9',
    claim: 'Bridge of two ropes and ten planks, slack and taut',
    asked: `≤ ${BRIDGE} × ten figures of 15 parts`,
    scene: `bench scene \`bridge\`; ${RUN}`,
    async measure() {
      const outcomes = await outcomesOf('bridge', [])
      const shares = ['slack', 'taut'].map((name) => ({
        name,
        shares: WORKS.map((work) => {
          const [own, other] = [timedOf(outcomes, name, work), timedOf(outcomes, 'figures', work)]
          return 'failed' in own || 'failed' in other ? NaN : ratioOf(own, other)
        }),
      }))
      const text = shares.map(({ name, shares: of }) => `${name} ${of.map((share) => figure(share)).join(', ')}`)
      return {
        figures: `${text.join('; ')} at ${WORKS.join(', ')} substeps; ${outcomes.map((one) => timedText(one)).join('; ')}; ${loadText()}`,
        holds: shares.every(({ shares: of }) => of.every((share) => share <= BRIDGE)),
      }
    },
  },
]
