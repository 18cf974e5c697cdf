/** Loads of contacts on a tree that is solved from its present pose: its bodies are displaced by them first. */

import type { BodyColumns } from '../state/body-columns.js'
import { rotateBy } from '../math/rotation.js'
import type { Trees } from './trees.js'

const turned = /* @__PURE__ */ new Float64Array(3)

/** Displaces each body of a tree by its own load: the general solution (newton.ts) starts there. */
export function applyLoads({ position, orientation, inverseInertia: I }: BodyColumns, trees: Trees): void {
  const t = trees.articulated
  if (t?.isLoaded !== true) return
  const { forest, nodeCount } = trees
  const share = t.loadShare[0]
  for (let n = 0; n < nodeCount; n++) {
    const p = 4 * forest.body[n]
    const e = 9 * forest.body[n]
    const o = 6 * n
    for (let k = 0; k < 3; k++) {
      position[p + k] += share * position[p + 3] * t.load[o + k]
      turned[k] =
        share * (I[e + 3 * k] * t.load[o + 3] + I[e + 3 * k + 1] * t.load[o + 4] + I[e + 3 * k + 2] * t.load[o + 5])
    }
    rotateBy(orientation, p, turned)
  }
}
