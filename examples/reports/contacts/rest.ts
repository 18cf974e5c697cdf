/** Row 8: what rests is still, and sleeps. */

import type { ContactOptions, ContactScene } from '../../scenes/contacts/index.js'
import { mixedPile, pyramid, restlessness, run, stack } from '../../scenes/contacts/index.js'
import { figure, type ReportRow } from '../report.js'

/** Asked: kinetic energy a body [J] after a time [s], and by when everything sleeps [s]. */
const STILL = 1e-6
const STILL_AFTER = 3
const ASLEEP_BY = 5
/** For how long it has to stay still [s]. */
const STAYS = 1

const SCENES: readonly { name: string; make: (options?: ContactOptions) => ContactScene }[] = [
  { name: 'stack of 20', make: (options) => stack(20, options) },
  { name: 'pyramid of 210', make: (options) => pyramid(20, options) },
  { name: 'pile of 40 mixed shapes', make: (options) => mixedPile(40, options) },
]
const TEXT =
  '8 substeps of 1 sweep, 60 Hz; the pile falls into a pit of 4 m, seed 5, friction against rolling 5 cm and twist 1 cm'

const still: ReportRow = {
  id: '8.1',
  claim: 'Kinetic energy a body of what rests, without sleep: stack of 20, pyramid of 210, pile of 40 mixed shapes',
  asked: `< 1e-6 J after ${STILL_AFTER} s`,
  scene: `largest of the ${STAYS} s from then on; ${TEXT}`,
  measure() {
    const found = SCENES.map(({ name, make }) => {
      const scene = make()
      let most = 0
      run(scene, STILL_AFTER + STAYS, (time) => {
        if (time > STILL_AFTER) most = Math.max(most, restlessness(scene))
      })
      return { name, most }
    })
    return {
      figures: found.map(({ name, most }) => `${name} ${figure(most)} J`).join('; '),
      holds: found.every(({ most }) => most < STILL),
    }
  },
}

const asleep: ReportRow = {
  id: '8.2',
  claim: 'The same with sleep: everything sleeps',
  asked: `by ${ASLEEP_BY} s`,
  scene: `the default 0.03 m/s for 0.5 s; ${TEXT}`,
  measure() {
    const found = SCENES.map(({ name, make }) => {
      const scene = make({ sleeping: {} })
      let [when, awake] = [Infinity, scene.bodies.length]
      run(scene, ASLEEP_BY, (time) => {
        awake = scene.bodies.filter((body) => !body.asleep).length
        when = awake === 0 ? Math.min(when, time) : Infinity
      })
      return { name, when, awake }
    })
    return {
      figures: found
        .map(({ name, when, awake }) => `${name} ${when <= ASLEEP_BY ? `${figure(when)} s` : `${awake} awake`}`)
        .join('; '),
      holds: found.every(({ when }) => when <= ASLEEP_BY),
    }
  },
}

export const rest: readonly ReportRow[] = [still, asleep]
