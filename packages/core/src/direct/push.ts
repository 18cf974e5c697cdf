/**
 * A later pass over a tree that gives way, taken in shares.
 *
 * What others have pushed its bodies by since the last pass is D = X_now ⊖ X_last. At X_last the tree is solved; from there the push is
 * taken up share by share, as loads are in stages,
 *
 *   M (X ⊖ (X_k ⊕ s D)) = J(X)ᵀ λ − J(X_k)ᵀ λ_k,   r(X, λ) = 0
 *
 * each solution the start of the next. A share that is not solved is halved; what is left when that ends is not taken up: bodies
 * stay where their joints are solved, and what touches them gives way instead. Pushed all at once, springs of a drive of 36 Hz were
 * left stretched by what touched the bodies, and held 1 kJ more than anything had given them.
 */

import type { BodyColumns } from '../state/body-columns.js'
import { rotationBetween, rotateBy } from '../math/rotation.js'
import { assemble } from './assemble.js'
import { SIX } from './body-block.js'
import { converge } from './newton.js'
import { goBack, note, notePoses } from './poses.js'
import type { Trees } from './trees.js'

/** Most solves of a share, and the smallest one: an eighth. Half of what is solved in shares needs but two. */
const MOST = 20
const LEAST = 0.125

const turned = /* @__PURE__ */ new Float64Array(3)

/** Takes up a push from the last pass's solution to `to`, as much of it as is solved; `to` are poses, λ stand as that pass left them. */
export function takeUpPush(bodies: BodyColumns, trees: Trees, to: Float64Array): void {
  const { left, found, push } = trees
  measurePush(trees, to)
  goBack(bodies, trees, left, found)
  let share = 0.5
  for (let done = 0; done < 1 && share >= LEAST;) {
    if (takeShare(bodies, trees, Math.min(share, 1 - done))) {
      done += share
      note(bodies, trees, left, found)
      share *= 2
    } else {
      goBack(bodies, trees, left, found)
      share *= 0.5
    }
  }
  push.fill(0)
}

/** D of every body. */
function measurePush({ forest, left, push }: Trees, to: Float64Array): void {
  for (let n = 0; n < forest.nodeCount; n++) {
    for (let k = 0; k < 3; k++) push[SIX * n + k] = to[7 * n + k] - left[7 * n + k]
    rotationBetween(to, 7 * n + 3, left, 7 * n + 3, push, SIX * n + 3)
  }
}

/** Whether the solution for one share more is found, from where things are. */
function takeShare(bodies: BodyColumns, trees: Trees, share: number): boolean {
  const { base, g, start, forest, push, reference, found } = trees
  reference.set(found)
  base.fill(0)
  notePoses(bodies, trees, start)
  assemble(bodies, trees, false)
  for (let k = 0; k < base.length; k++) base[k] = -g[k]
  for (let n = 0; n < forest.nodeCount; n++) {
    for (let k = 0; k < 3; k++) {
      start[7 * n + k] += share * push[SIX * n + k]
      turned[k] = share * push[SIX * n + 3 + k]
    }
    rotateBy(start, 7 * n + 3, turned)
  }
  assemble(bodies, trees, false)
  return converge(bodies, trees, MOST)
}
