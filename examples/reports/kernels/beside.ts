/** Rows that ask for a share of other engines' time with kernels, with the time without kernels beside it. */

import { contend, loadText, ratioOf, type Timed, timedOf, timedText } from '../bench.js'
import { figure, figures, type Measured, type ReportRow, skipped } from '../report.js'

/** How all rows of time run. */
export const RUN =
  'a process an engine, all by turns in ten rounds, 60 Hz, nothing sleeps; ratio: median over rounds of the ratio of medians'
/** With kernels, and without. */
const OWN = ['tautline-simd', 'tautline'] as const

/** Another engine, its setting, and the largest share of its time. */
export type Asked = readonly [engine: string, work: number, most: number]

export interface Beside {
  readonly id: string
  readonly claim: string
  /** Of the bench. */
  readonly scene: string
  /** Substeps of Tautline. */
  readonly works: readonly number[]
  readonly asked: readonly Asked[]
  readonly own?: readonly [kernels: string, plain: string]
  readonly slow?: boolean
  /** What else is asked, in words, and whether it holds. */
  readonly also?: readonly [text: string, holds: (own: Timed, others: readonly Timed[]) => boolean]
  error?(timed: Timed): string
}

function isTimed(one: ReturnType<typeof timedOf>): one is Timed {
  return !('failed' in one)
}

/** A row of time beside other engines. */
export function besideRow({ id, claim, scene, works, asked, own = OWN, slow = false, also, error }: Beside): ReportRow {
  return {
    id,
    claim,
    asked: [...asked.map(([engine, , most]) => `≤ ${most} × ${engine}`), ...(also === undefined ? [] : [also[0]])].join(
      ', ',
    ),
    scene: `bench scene \`${scene}\`, ${works.join(' and ')} substeps; ${RUN}`,
    ...(slow && { slow }),
    async measure(): Promise<Measured> {
      const outcomes = await contend(scene, [...own, ...asked.map(([engine]) => engine)])
      const others = asked.map(([engine, work]) => timedOf(outcomes, engine, work))
      const ours = works.map((work) => timedOf(outcomes, own[0], work))
      if (!others.every(isTimed) || !ours.every(isTimed)) return skipped('an engine did not run')
      const shares = others.map((other) => ours.map((one) => ratioOf(one, other)))
      const texts = others.map(({ engine }, k) => `${figures(shares[k])} × ${engine}`)
      const plain = works.flatMap((work, k) => {
        const one = timedOf(outcomes, own[1], work)
        return isTimed(one) ? [ratioOf(ours[k], one)] : []
      })
      const times = outcomes.map((one) => timedText(one, error)).join('; ')
      return {
        figures: `${texts.join(', ')}, ${figures(plain)} × without kernels; ${times}; ${loadText()}`,
        holds:
          shares.every((list, k) => list.every((share) => share <= asked[k][2])) &&
          (also === undefined || ours.every((one) => also[1](one, others))),
      }
    },
  }
}

/** A number of the outcome in per cent. */
export function percent(name: string): (timed: Timed) => string {
  return ({ figures: found }) => {
    const value = found[name]
    return `${name} ${value === null ? 'not finite' : `${figure(100 * value)} %`}`
  }
}
