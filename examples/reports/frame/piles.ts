/** Row 3: piles of loose bodies, with and without restitution. */

import { ballsInBin } from '../../scenes/contacts/bin.js'
import { type Contended, loadText, ratioOf, timedOf, timedText } from '../bench.js'
import { figure, type ReportRow } from '../report.js'
import { comparedRow, outcomesOf, RUN, WORKS } from './measured.js'
import { PILES } from './scenes.js'

/** Of the time without restitution. */
const BOUNCY = 2
const COUNTS = [64, 150]
const RESTITUTION = 0.3
/** Until all balls sleep [s]. */
const AWAKE = 8

/** Shares of another variant's time, at each number of substeps; NaN where one did not run. */
export function sharesOf(outcomes: readonly Contended[], engine: string, other: string): number[] {
  return WORKS.map((work) => {
    const [own, beside] = [timedOf(outcomes, engine, work), timedOf(outcomes, other, work)]
    return 'failed' in own || 'failed' in beside ? NaN : ratioOf(own, beside)
  })
}

/** Shares in words. */
export function sharesText(shares: readonly number[]): string {
  return shares.map((share, k) => `${figure(share)} at ${WORKS[k]} substeps`).join(', ')
}

const bins = COUNTS.map((count, k): ReportRow => ({
  id: `3.3.${k + 1}`,
  claim: `${count} balls in a bin, restitution ${RESTITUTION}`,
  asked: `≤ ${BOUNCY} × the time at restitution 0`,
  scene: `bench scene \`bin-${count}\`; ${RUN}`,
  async measure() {
    const outcomes = await outcomesOf(`bin-${count}`, [])
    const shares = sharesOf(outcomes, 'bouncy', 'plain')
    return {
      figures: `${sharesText(shares)}; ${outcomes.map((one) => timedText(one)).join('; ')}; ${loadText()}`,
      holds: shares.every((share) => share <= BOUNCY),
    }
  },
}))

const sleeps: ReportRow = {
  id: '3.3.3',
  claim: 'A bouncy pile falls asleep',
  asked: `all balls within ${AWAKE} s`,
  scene: `${COUNTS.join(' and ')} balls in a bin, restitution ${RESTITUTION}, ${WORKS.join(' and ')} substeps`,
  measure() {
    const times = COUNTS.flatMap((count) => WORKS.map((work) => fallAsleep(count, work)))
    return {
      figures: times.map((time) => (Number.isFinite(time) ? `${figure(time)} s` : 'awake')).join(', '),
      holds: times.every((time) => time <= AWAKE),
    }
  },
}

/** When all balls sleep [s]. */
function fallAsleep(count: number, substeps: number): number {
  const [world, balls] = ballsInBin(count, RESTITUTION, substeps, true)
  for (let step = 1; step <= 60 * AWAKE; step++) {
    world.step()
    if (balls.every(({ asleep }) => asleep)) return step / 60
  }
  return Infinity
}

export const pileRows: readonly ReportRow[] = [...PILES.map(comparedRow), ...bins, sleeps]
