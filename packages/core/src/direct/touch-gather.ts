/** Which contacts trees take along in a substep. Those that they do not stay with the sweep. */

import type { BodyColumns } from '../state/body-columns.js'
import type { Batch } from '../state/batch.js'
import type { WorldView } from '../define/contract.js'
import { makeTouch, OFFSET, SLIDING_FRICTION, STATIC_FRICTION } from '../define/touch.js'
import { AXES } from './touches.js'
import type { Trees } from './trees.js'

/** Coordinates of a particle. */
const PLACE = 7

const found = /* @__PURE__ */ makeTouch()

/** Tree and node of a body, by body; −1 where it is in none. */
export interface NodeMap {
  tree: Int32Array
  node: Int32Array
}

/** Writes where the nodes of trees are, among `count` bodies. */
export function mapNodes(map: NodeMap, trees: readonly Trees[], count: number): void {
  if (map.tree.length < count) {
    map.tree = new Int32Array(2 * count)
    map.node = new Int32Array(2 * count)
  }
  map.tree.fill(-1)
  for (let t = 0; t < trees.length; t++) {
    const { body } = trees[t].forest
    for (let n = 0; n < body.length; n++) {
      map.tree[body[n]] = t
      map.node[body[n]] = n
    }
  }
}

/** Takes up the contacts of a substep that hold particles of trees; the sweep leaves them alone. */
export function gatherTouches(world: WorldView, map: NodeMap, trees: readonly Trees[]): void {
  for (let t = 0; t < trees.length; t++) trees[t].touches.beginSubstep()
  const bodies = world.bodies.columns
  for (let b = 0; b < world.batches.length; b++) {
    const batch = world.batches[b]
    if (batch.type.touches?.write === undefined) continue
    const { ids, arity } = batch
    for (let row = 0; row < batch.active; row++) {
      if (map.tree[ids[arity * row]] < 0 && map.tree[ids[arity * row + 1]] < 0) continue
      if (batch.type.touches?.write(bodies, batch, row, found)) takeUp(bodies, map, trees, batch, row)
    }
  }
  for (let t = 0; t < trees.length; t++) {
    trees[t].touches.acts = trees[t].touches.count > 0
    leaveTouches(trees[t], true)
  }
}

/** Takes up the contact in `found` where its particles that move are a node of a tree, or the two of an edge. */
function takeUp(bodies: BodyColumns, map: NodeMap, trees: readonly Trees[], batch: Batch, row: number): void {
  const a = found.bodies[0]
  const b = found.bodies[1]
  const tree = map.tree[a] >= 0 ? map.tree[a] : map.tree[b]
  if (!isHeld(bodies, map, tree, a) || !isHeld(bodies, map, tree, b)) return
  const n = nodeOf(map, a)
  const m = nodeOf(map, b)
  const { parent, free, touches: t } = trees[tree]
  const isTurned = n < 0 || (m >= 0 && parent[m] === n)
  if (n >= 0 && m >= 0 && !isTurned && parent[n] !== m) return
  if (isLocked(free, n) || isLocked(free, m)) return
  const k = t.add()
  const first = isTurned ? 2 * k + 1 : 2 * k
  const second = 4 * k + 1 - first
  t.batch[k] = batch
  t.row[k] = row
  t.body[first] = a
  t.body[second] = b
  t.node[first] = n
  t.node[second] = m
  t.share[first] = found.shares[0]
  t.share[second] = b < 0 ? 0 : found.shares[1]
  for (let c = 0; c < AXES; c++) t.axes[AXES * k + c] = found.axes[c]
  for (let c = 0; c < 3; c++) t.origin[3 * k + c] = found.origin[c]
  t.offset[k] = found.numbers[OFFSET]
  t.friction[2 * k] = found.numbers[STATIC_FRICTION]
  t.friction[2 * k + 1] = found.numbers[SLIDING_FRICTION]
  t.inverseMassBound[k] = 0
  for (let e = 2 * k; e < 2 * k + 2; e++) {
    if (t.node[e] >= 0) t.inverseMassBound[k] += t.share[e] * t.share[e] * bodies.position[4 * t.body[e] + 3]
  }
}

/** Whether a tree knows how a particle moves: it is one of its nodes, or does not move; −1 is none. */
function isHeld({ position }: BodyColumns, { tree }: NodeMap, of: number, i: number): boolean {
  return i < 0 || tree[i] === of || position[4 * i + 3] === 0
}

function nodeOf({ tree, node }: NodeMap, i: number): number {
  return i < 0 || tree[i] < 0 ? -1 : node[i]
}

function isLocked(free: Uint8Array, n: number): boolean {
  return n >= 0 && (free[n] & PLACE) !== PLACE
}

/** Leaves the rows of contacts to the tree, or gives them back to the sweep. */
export function leaveTouches({ touches: t }: Trees, isLeft: boolean): void {
  for (let k = 0; k < t.count; k++) t.batch[k].type.touches?.leave?.(t.batch[k], t.row[k], isLeft)
}

/** Writes λ to where others read them. */
export function writeTouches({ touches: t }: Trees): void {
  for (let k = 0; k < t.count; k++) {
    const { lambda } = t.batch[k].common
    for (let r = 0; r < 3; r++) lambda[3 * t.row[k] + r] = t.lambda[3 * k + r]
  }
}
