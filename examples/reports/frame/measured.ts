/** Scenes of the bench that several rows of `frame` read: each is measured once a run. */

import { contend, type Contended, loadText, ratioOf, type Timed, timedOf, timedText } from '../bench.js'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'

/** Default substeps of a world, and those of the bench. */
export const WORKS = [8, 4] as const

/** How all rows of time run. */
export const RUN =
  'a process an engine, by turns in ten rounds, 60 Hz, nothing sleeps, 60 steps of warm-up; ratio: median over rounds of the ratio of medians'

const measured = new Map<string, Promise<Contended[]>>()

/** The outcomes of a scene; measured when first asked for. */
export function outcomesOf(
  scene: string,
  engines: readonly string[],
  works: readonly number[] = [],
): Promise<Contended[]> {
  const key = [scene, ...engines, ...works].join(' ')
  const found = measured.get(key) ?? contend(scene, engines, works)
  measured.set(key, found)
  return found
}

/** Those that ran. */
export function ranOf(outcomes: readonly Contended[]): Timed[] {
  return outcomes.filter((one): one is Timed => !('failed' in one))
}

/** Those of Tautline that ran. */
export function ownOf(outcomes: readonly Contended[]): Timed[] {
  return ranOf(outcomes).filter(({ engine }) => engine === 'tautline')
}

/** A scene, who is compared in it, and the largest share of the other's time. */
export interface Compared {
  readonly id: string
  readonly claim: string
  readonly scene: string
  readonly engines: readonly string[]
  readonly other: readonly [engine: string, work: number]
  readonly most: number
  /** Substeps of Tautline. */
  readonly works?: readonly number[]
  readonly slow?: boolean
}

/** A row that asks for a share of another engine's time, at each number of substeps. */
export function comparedRow(compared: Compared): ReportRow {
  const { id, claim, scene, engines, other, most, works = WORKS, slow = false } = compared
  return {
    id,
    claim,
    asked: `≤ ${most} × ${other[0]}`,
    scene: `bench scene \`${scene}\`, ${works.join(' and ')} substeps; ${RUN}`,
    ...(slow && { slow }),
    async measure(): Promise<Measured> {
      const outcomes = await outcomesOf(scene, engines)
      const theirs = timedOf(outcomes, ...other)
      if ('failed' in theirs) return skipped(`${theirs.engine}: ${theirs.failed}`)
      const ratios = works.map((work) => {
        const ours = timedOf(outcomes, 'tautline', work)
        return 'failed' in ours ? NaN : ratioOf(ours, theirs)
      })
      const shares = ratios.map((ratio, k) => `${figure(ratio)} at ${works[k]} substeps`).join(', ')
      const times = outcomes.map((one) => timedText(one)).join('; ')
      return { figures: `${shares}; ${times}; ${loadText()}`, holds: ratios.every((ratio) => ratio <= most) }
    },
  }
}
