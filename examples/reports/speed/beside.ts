/** Rows that ask for a share of another engine's time. */

import { contend, loadText, ratioOf, type Timed, timedOf, timedText } from '../bench.js'
import { figure, type ReportRow, skipped } from '../report.js'

/** How they all run. */
export const RUN =
  'a process an engine, all by turns in ten rounds, 60 Hz, nothing sleeps; ratio: median over rounds of the ratio of medians'

/** A scene, who is compared in it, and what is asked. */
export interface Beside {
  readonly id: string
  readonly claim: string
  readonly asked: string
  /** Of the bench. */
  readonly scene: string
  readonly text: string
  readonly own: readonly [engine: string, work: number]
  readonly other: readonly [engine: string, work: number]
  /** Others whose figures stand beside. */
  readonly more?: readonly string[]
  readonly slow?: boolean
  error(timed: Timed): string
  /** Whether it holds, by the share of the other's time. */
  holds(ratio: number, own: Timed, other: Timed): boolean
}

export function besideRow({ id, claim, asked, scene, text, slow = false, ...row }: Beside): ReportRow {
  return {
    id,
    claim,
    asked,
    scene: `${text}; bench scene \`${scene}\`, ${RUN}`,
    ...(slow && { slow }),
    async measure() {
      const { own, other, more = [] } = row
      const outcomes = await contend(scene, [own[0], other[0], ...more])
      const [ours, theirs] = [timedOf(outcomes, ...own), timedOf(outcomes, ...other)]
      if ('failed' in ours) throw new Error(`${ours.engine}: ${ours.failed}`)
      if ('failed' in theirs) return skipped(`${theirs.engine}: ${theirs.failed}`)
      const ratio = ratioOf(ours, theirs)
      const times = [ours, ...outcomes.filter((one) => one !== ours)].map((one) => timedText(one, row.error))
      return {
        figures: `${figure(ratio)} of ${theirs.engine}'s time (${figure(ours.busy / theirs.busy)} by processor time; ${loadText()}): ${times.join('; ')}`,
        holds: row.holds(ratio, ours, theirs),
      }
    },
  }
}
