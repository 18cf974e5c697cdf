/**
 * A static tree of boxes over triangles.
 *
 * Built from the top: the items of a node are put into bins along the longest side of the box around their centres, and
 * cut between the two bins where the surface area heuristic is least, Σ area × items (J. MacDonald and K. Booth 1990,
 * "Heuristics for ray tracing using space subdivision"; I. Wald 2007, "On fast construction of SAH-based bounding volume
 * hierarchies"). The same boxes give the same tree.
 */

import type { IntList } from '../detect/broad/int-list.js'

export interface Bvh {
  /** Least and greatest x, y, z a node (6). */
  readonly boxes: Float64Array
  /** Two numbers a node. Leaf: −1 − first, count, into `items`. Inner: its left child, its right child. Node 0 is the root. */
  readonly nodes: Int32Array
  /** Item numbers in leaf order. */
  readonly items: Int32Array
  /** Nodes from the root to the deepest leaf: a stack of `depth + 1` is enough to walk it. */
  readonly depth: number
}

/** Items up to which a node is a leaf: their own boxes are as quick to test as another level. */
const LEAF = 4

/** More bins gain little. */
const BINS = 16

/** Items at `from … to − 1` that become `node`. */
interface Task {
  node: number
  from: number
  to: number
  depth: number
}

/** Builds the tree over boxes of six numbers each; there is at least one. */
export function buildBvh(itemBoxes: Float64Array): Bvh {
  const count = itemBoxes.length / 6
  const items = Int32Array.from({ length: count }, (_, k) => k)
  const boxes: number[] = []
  const nodes: number[] = [0, 0]
  let depth = 0
  const tasks: Task[] = [{ node: 0, from: 0, to: count, depth: 1 }]
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { node, from, to } = task
    depth = Math.max(depth, task.depth)
    const box = emptyBox()
    for (let k = from; k < to; k++) grow(box, 0, itemBoxes, 6 * items[k])
    for (let k = 0; k < 6; k++) boxes[6 * node + k] = box[k]
    if (to - from <= LEAF) {
      nodes[2 * node] = -1 - from
      nodes[2 * node + 1] = to - from
      continue
    }
    const middle = split(itemBoxes, items, from, to)
    const left = nodes.length / 2
    nodes[2 * node] = left
    nodes[2 * node + 1] = left + 1
    nodes.push(0, 0, 0, 0)
    tasks.push({ node: left + 1, from: middle, to, depth: task.depth + 1 })
    tasks.push({ node: left, from, to: middle, depth: task.depth + 1 })
  }
  return { boxes: Float64Array.from(boxes), nodes: Int32Array.from(nodes), items, depth }
}

/** Parts items[from … to) in two and returns where the second part begins; neither is empty. */
function split(itemBoxes: Float64Array, items: Int32Array, from: number, to: number): number {
  const box = emptyBox()
  for (let k = from; k < to; k++) {
    for (let axis = 0; axis < 3; axis++) {
      const c = centre(itemBoxes, items[k], axis)
      box[axis] = Math.min(box[axis], c)
      box[3 + axis] = Math.max(box[3 + axis], c)
    }
  }
  const side = [box[3] - box[0], box[4] - box[1], box[5] - box[2]]
  const axis = side[0] >= side[1] && side[0] >= side[2] ? 0 : side[1] >= side[2] ? 1 : 2
  const scale = BINS / side[axis]
  // Where all centres coincide, up to what can be divided by, any cut is as good.
  if (!(scale < Infinity)) return (from + to) >> 1
  const binOf = new Uint8Array(to - from)
  for (let k = from; k < to; k++) {
    const bin = Math.floor(scale * (centre(itemBoxes, items[k], axis) - box[axis]))
    binOf[k - from] = Math.min(BINS - 1, bin)
  }
  const cut = cheapestCut(itemBoxes, items.subarray(from, to), binOf)
  const after: number[] = []
  let middle = from
  for (let k = from; k < to; k++) {
    if (binOf[k - from] < cut) items[middle++] = items[k]
    else after.push(items[k])
  }
  items.set(after, middle)
  return middle
}

/** The bin before which to cut. The first and the last bin hold items, so both sides do. */
function cheapestCut(itemBoxes: Float64Array, items: Int32Array, binOf: Uint8Array): number {
  const boxes = new Float64Array(6 * BINS)
  for (let bin = 0; bin < BINS; bin++) boxes.set(emptyBox(), 6 * bin)
  const counts = new Int32Array(BINS)
  for (let k = 0; k < items.length; k++) {
    grow(boxes, 6 * binOf[k], itemBoxes, 6 * items[k])
    counts[binOf[k]]++
  }
  // What lies from bin k on, summed up from the right; then what lies before it, from the left.
  const costFrom = new Float64Array(BINS)
  const right = emptyBox()
  for (let k = BINS - 1, count = 0; k > 0; k--) {
    grow(right, 0, boxes, 6 * k)
    count += counts[k]
    costFrom[k] = halfArea(right) * count
  }
  const left = emptyBox()
  let best = 1
  let least = Infinity
  for (let k = 1, count = 0; k < BINS; k++) {
    grow(left, 0, boxes, 6 * k - 6)
    count += counts[k - 1]
    const cost = halfArea(left) * count + costFrom[k]
    if (cost < least) {
      least = cost
      best = k
    }
  }
  return best
}

function centre(boxes: Float64Array, item: number, axis: number): number {
  return 0.5 * (boxes[6 * item + axis] + boxes[6 * item + 3 + axis])
}

function emptyBox(): Float64Array {
  return Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)
}

function grow(box: Float64Array, i: number, by: Float64Array, j: number): void {
  for (let k = 0; k < 3; k++) {
    box[i + k] = Math.min(box[i + k], by[j + k])
    box[i + 3 + k] = Math.max(box[i + 3 + k], by[j + 3 + k])
  }
}

function halfArea(box: Float64Array): number {
  const x = box[3] - box[0]
  const y = box[4] - box[1]
  const z = box[5] - box[2]
  return x * y + y * z + z * x
}

/** Nodes still to pass; grows once for the deepest tree there is. */
let stack = /* @__PURE__ */ new Int32Array(64)

/** Fills `out` with the items of all leaves whose box meets box[o…o + 5], ascending. */
export function queryBvh(bvh: Bvh, box: Float64Array, o: number, out: IntList): void {
  const { boxes, nodes, items } = bvh
  if (stack.length <= bvh.depth) stack = new Int32Array(2 * bvh.depth)
  out.clear()
  stack[0] = 0
  for (let top = 1; top > 0;) {
    const node = stack[--top]
    if (!boxesMeet(boxes, 6 * node, box, o)) continue
    const first = nodes[2 * node]
    const second = nodes[2 * node + 1]
    if (first < 0) {
      for (let k = -1 - first; k < second - 1 - first; k++) out.push(items[k])
    } else {
      stack[top++] = second
      stack[top++] = first
    }
  }
  out.sort(0)
}

function boxesMeet(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return (
    a[i] <= b[j + 3] &&
    a[i + 3] >= b[j] &&
    a[i + 1] <= b[j + 4] &&
    a[i + 4] >= b[j + 1] &&
    a[i + 2] <= b[j + 5] &&
    a[i + 5] >= b[j + 2]
  )
}
