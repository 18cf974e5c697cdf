/** Compares two runs, metric by metric. */

import { isWorse, type Metric, type SceneResult } from './metric.js'

/** How a metric is after a change, by its tolerance. `failed`: its scene ended with an error after the change. */
export type Change = 'same' | 'better' | 'worse' | 'new' | 'gone' | 'failed'

export interface Difference {
  readonly scene: string
  readonly name: string
  readonly unit: string
  readonly before?: number | null
  readonly after?: number | null
  readonly change: Change
  /** A metric of time: it is repeated before it counts as worse. */
  readonly isTime: boolean
}

/** All metrics of both runs, in the order of the later one; those of scenes that did not run after the change are left out. */
export function compareRuns(before: readonly SceneResult[], after: readonly SceneResult[]): Difference[] {
  return after.flatMap((result) => {
    const former = before.find(({ scene }) => scene === result.scene)
    return compareScenes(former, result)
  })
}

function compareScenes(before: SceneResult | undefined, after: SceneResult): Difference[] {
  const { scene } = after
  const formerMetrics = before?.metrics ?? []
  const present = after.metrics.map((metric) =>
    difference(
      scene,
      formerMetrics.find(({ name }) => name === metric.name),
      metric,
    ),
  )
  const gone = formerMetrics
    .filter(({ name }) => !after.metrics.some((metric) => metric.name === name))
    .map(({ name, unit, value, isTime }): Difference => {
      const change = after.failed === undefined ? 'gone' : 'failed'
      return { scene, name, unit, before: value, change, isTime }
    })
  return [...present, ...gone]
}

function difference(scene: string, before: Metric | undefined, after: Metric): Difference {
  const { name, unit, value, isTime } = after
  if (before === undefined) return { scene, name, unit, after: value, change: 'new', isTime }
  return { scene, name, unit, before: before.value, after: value, change: changeOf(before, after), isTime }
}

/** By the tolerance of the later run: what a change of the gate loosens is seen in its own diff. */
function changeOf(before: Metric, after: Metric): Change {
  if (isWorse(before.value, after.value, after.tolerance)) return 'worse'
  return isWorse(after.value, before.value, after.tolerance) ? 'better' : 'same'
}

/** Whether a difference fails the comparison. */
export function isLoss({ change }: Difference): boolean {
  return change === 'worse' || change === 'failed'
}
