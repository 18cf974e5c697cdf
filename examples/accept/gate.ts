/** The gate: runs scenes, and repeats those whose time alone is outside its bound. */

import { bundled } from './bundle.js'
import { judge, type KnownFailure } from './known.js'
import { isWorse, type Metric, type SceneResult } from './metric.js'
import { PROCESSES, runAll } from './pool.js'
import { type Run, runOf } from './saved.js'
import { SCENES } from './scenes/index.js'

/** Scenes in the order in which they start: the longest first, so that no process is left with one at the end. */
const LONGEST = ['pile-bouncy', 'cloth-on-itself', 'figure-gets-up', 'soft-cube', 'cape-walks', 'cloth-draped']

/** Runs of a scene whose time is too long, at most: other programs can only add to it, so that the least counts. */
const TRIES = 3

export interface GateOptions {
  readonly scenes: readonly string[]
  readonly nudge?: number
  /** Another run: times that are worse than there are repeated too. */
  readonly before?: readonly SceneResult[]
  /** Times that are known to fail are not repeated, unless they are worse. */
  readonly known?: readonly KnownFailure[]
  readonly onProgress?: (text: string) => void
}

/** Runs the scenes, in their order. */
export async function runGate({ scenes, nudge = 0, before = [], known = [], onProgress }: GateOptions): Promise<Run> {
  const script = await bundled()
  const order = [...scenes].sort((r, s) => rank(r) - rank(s))
  const results = await runAll(script, order, {
    nudge,
    onDone: (done) => onProgress?.(`${done} of ${order.length} scenes`),
  })
  const isSlow = (result: SceneResult): boolean => {
    const time = timeOf(result)
    if (time === undefined) return false
    const former = before.find(({ scene }) => scene === result.scene)
    const was = former === undefined ? undefined : timeOf(former)
    const isLonger = was !== undefined && isWorse(was.value, time.value, time.tolerance)
    return isLonger || judge([result], known).some(({ metric, isNews }) => metric.isTime && isNews)
  }
  for (let k = 0; k < results.length; k++) {
    for (let tries = 1; tries < TRIES && isSlow(results[k]); tries++) {
      onProgress?.(`${results[k].scene} again, alone`)
      const [again] = await runAll(script, [results[k].scene], { nudge, width: 1 })
      results[k] = withLeastTime(results[k], again)
    }
  }
  return runOf(
    SCENES.flatMap(({ name }) => results.filter(({ scene }) => scene === name)),
    PROCESSES,
  )
}

function rank(scene: string): number {
  const at = LONGEST.indexOf(scene)
  return at < 0 ? LONGEST.length : at
}

function timeOf({ metrics }: SceneResult): Metric | undefined {
  return metrics.find(({ isTime }) => isTime)
}

/** The first result with the lesser of both times. */
export function withLeastTime(first: SceneResult, again: SceneResult): SceneResult {
  const other = timeOf(again)?.value
  if (other === undefined || other === null) return first
  const metrics = first.metrics.map((metric) =>
    metric.isTime && (metric.value === null || other < metric.value) ? { ...metric, value: other } : metric,
  )
  return { ...first, metrics, busy: first.busy + again.busy }
}
