/**
 * A tree of boxes over things that move: the broad phase.
 *
 * A binary tree kept as good as it is cheap to keep: the surface-area heuristic says that the work of a query grows with
 * the sum of the areas of the inner boxes (Goldsmith and Salmon 1987). A leaf goes where it adds least to that sum, and on
 * the way up each node swaps a child with a grandchild where that lowers it (Kopta et al. 2012; Catto, "Dynamic BVHs",
 * 2019). The box of a leaf in the tree is fat, so that a thing that moves a little moves in it, and the tree stays.
 *
 * A proxy is what a leaf stands for, named by a number of the caller's. Node 2 id is the leaf of proxy id and odd nodes are
 * inner: n leaves have n − 1 inner nodes, so both fit without a table from one to the other.
 *
 * Boxes are six numbers: least x, y, z, greatest x, y, z. A box with an infinite side (a plane's) would make that of all
 * its ancestors infinite; such proxies are kept in a list beside the tree.
 */

import { contains, copyBox, isBounded, isNearer, merge, overlaps, writeArea, writeJoinedArea } from './box.js'
import { IntList } from './int-list.js'

/** A node that is none: the parent of the root, the root of an empty tree. */
export const NO_NODE = -1

/** In `parent`: a leaf that is not in use, and one that is on the list of the unbounded. */
const ABSENT = -2
const UNBOUNDED = -3

/** Odd and without pattern: spreads the bits of a number. */
const SCATTER = 0x9e3779b1

const FIRST_CAPACITY = 16

/** Areas, in memory: what a function returns would be boxed where it is not inlined. */
const AREA = /* @__PURE__ */ new Float64Array(3)
const JOINED = /* @__PURE__ */ new Float64Array(2)

/**
 * How far a fat box reaches beyond the box of what moves, in mean sides of that: all round, and where it has just left the
 * last one. Less is more work on the tree, more is more pairs that touch only in fat.
 */
const FAT = 0.1
const FAT_AHEAD = 0.5

/** Dynamic tree of axis-aligned boxes. */
export class BoxTree {
  /** Fat box a node (6); of an inner node: that of its leaves. Replaced, like all arrays here, when the tree grows. */
  boxes: Float64Array = new Float64Array(12 * FIRST_CAPACITY)
  /** Box a proxy (6), as it was given. */
  tight: Float64Array = new Float64Array(6 * FIRST_CAPACITY)
  /** Two children an inner node, at 2 node. */
  children: Int32Array = new Int32Array(4 * FIRST_CAPACITY)
  /** Not 0 for a proxy that was inserted as fixed. */
  fixed: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  root: number = NO_NODE
  /** Proxies whose box is not finite, ascending. */
  readonly unbounded: IntList = new IntList()
  /** Proxies. */
  count = 0
  /** One more than the greatest number a proxy has had. */
  ids = 0
  /** Proxies added, taken out or given another fat box since `clearChanges`, each once, and a flag for each of them. */
  readonly changes: IntList = new IntList()
  changed: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  private parent: Int32Array = new Int32Array(2 * FIRST_CAPACITY).fill(ABSENT)
  /** Nodes still to be visited: never more than there are leaves. */
  private stack: Int32Array = new Int32Array(FIRST_CAPACITY)
  /** First of the free inner nodes, linked by `parent`. */
  private free: number = NO_NODE
  /** Inner nodes from this one on were never used. */
  private fresh = 1

  /** Whether proxy `id` is in use. */
  has(id: number): boolean {
    return id < this.ids && this.parent[2 * id] !== ABSENT
  }

  /** Adds proxy `id`, not in use, with the box at `box[o]`. What never moves is `fixed`: no pair of two such is sought. */
  insert(id: number, box: Float64Array, o: number, fixed: boolean): void {
    this.reserve(id + 1)
    this.count++
    this.fixed[id] = fixed ? 1 : 0
    this.place(id, box, o)
  }

  /** Takes out proxy `id`. */
  remove(id: number): void {
    this.count--
    this.displace(id)
  }

  /** Gives proxy `id` the box at `box[o]`; says whether it had to be put elsewhere in the tree. */
  move(id: number, box: Float64Array, o: number): boolean {
    const { boxes, parent } = this
    const infinite = parent[2 * id] === UNBOUNDED
    if (!infinite && contains(boxes, 12 * id, box, o)) {
      copyBox(box, o, this.tight, 6 * id)
      return false
    }
    if (infinite || !isBounded(box, o)) {
      this.displace(id)
      this.place(id, box, o)
    } else {
      this.relocate(id, box, o)
    }
    return true
  }

  /** Appends the proxies whose boxes touch the box at `box[o]`, in no particular order. */
  query(box: Float64Array, o: number, out: IntList): void {
    const { tight, boxes, children, stack } = this
    this.queryUnbounded(box, o, out)
    if (this.root === NO_NODE) return
    stack[0] = this.root
    let top = 1
    while (top > 0) {
      const node = stack[--top]
      if ((node & 1) === 0) {
        if (overlaps(tight, 3 * node, box, o)) out.push(node >> 1)
      } else if (overlaps(boxes, 6 * node, box, o)) {
        stack[top++] = children[2 * node]
        stack[top++] = children[2 * node + 1]
      }
    }
  }

  /** Appends the proxies, `id` among them, whose fat boxes touch that of proxy `id`, in no particular order. */
  queryFat(id: number, out: IntList): void {
    const { tight, boxes, children, stack } = this
    const infinite = this.parent[2 * id] === UNBOUNDED
    const box = infinite ? tight : boxes
    const o = infinite ? 6 * id : 12 * id
    this.queryUnbounded(box, o, out)
    if (this.root === NO_NODE) return
    const x0 = box[o]
    const y0 = box[o + 1]
    const z0 = box[o + 2]
    const x1 = box[o + 3]
    const y1 = box[o + 4]
    const z1 = box[o + 5]
    stack[0] = this.root
    let top = 1
    while (top > 0) {
      const node = stack[--top]
      const b = 6 * node
      if (x0 > boxes[b + 3] || boxes[b] > x1) continue
      if (y0 > boxes[b + 4] || boxes[b + 1] > y1) continue
      if (z0 > boxes[b + 5] || boxes[b + 2] > z1) continue
      if ((node & 1) === 0) {
        out.push(node >> 1)
      } else {
        stack[top++] = children[2 * node]
        stack[top++] = children[2 * node + 1]
      }
    }
  }

  /** Empties `changes`. */
  clearChanges(): void {
    const { changes, changed } = this
    for (let k = 0; k < changes.count; k++) changed[changes.items[k]] = 0
    changes.clear()
  }

  private noteChange(id: number): void {
    if (this.changed[id] !== 0) return
    this.changed[id] = 1
    this.changes.push(id)
  }

  private queryUnbounded(box: Float64Array, o: number, out: IntList): void {
    const { tight, unbounded } = this
    for (let k = 0; k < unbounded.count; k++) {
      const id = unbounded.items[k]
      if (overlaps(tight, 6 * id, box, o)) out.push(id)
    }
  }

  private reserve(ids: number): void {
    if (ids > this.ids) this.ids = ids
    const capacity = this.fixed.length
    if (ids <= capacity) return
    const size = Math.max(ids, 2 * capacity)
    this.boxes = grown(this.boxes, new Float64Array(12 * size))
    this.tight = grown(this.tight, new Float64Array(6 * size))
    this.children = grown(this.children, new Int32Array(4 * size))
    this.parent = grown(this.parent, new Int32Array(2 * size).fill(ABSENT))
    this.fixed = grown(this.fixed, new Uint8Array(size))
    this.changed = grown(this.changed, new Uint8Array(size))
    this.stack = new Int32Array(size)
  }

  /** Puts a proxy in the tree, without fat, or on the list beside it. */
  private place(id: number, box: Float64Array, o: number): void {
    this.noteChange(id)
    copyBox(box, o, this.tight, 6 * id)
    if (isBounded(box, o)) {
      copyBox(box, o, this.boxes, 12 * id)
      this.link(2 * id, this.root)
    } else {
      this.parent[2 * id] = UNBOUNDED
      this.unbounded.insertAt(this.unbounded.lowerBound(id), id)
    }
  }

  private displace(id: number): void {
    this.noteChange(id)
    if (this.parent[2 * id] === UNBOUNDED) this.unbounded.removeAt(this.unbounded.lowerBound(id))
    else this.unlink(2 * id)
    this.parent[2 * id] = ABSENT
  }

  /** Gives a proxy that has left its fat box a new one, and a place below the nearest ancestor that holds it. */
  private relocate(id: number, box: Float64Array, o: number): void {
    const { boxes, parent } = this
    this.noteChange(id)
    copyBox(box, o, this.tight, 6 * id)
    fatten(box, o, boxes, 12 * id)
    let from = this.unlink(2 * id)
    while (from !== NO_NODE && !contains(boxes, 6 * from, boxes, 12 * id)) from = parent[from]
    this.link(2 * id, from === NO_NODE ? this.root : from)
  }

  /** Puts a leaf, whose fat box is written, into the tree, below `from` or beside it. */
  private link(leaf: number, from: number): void {
    if (from === NO_NODE) {
      this.root = leaf
      this.parent[leaf] = NO_NODE
      return
    }
    const { boxes, children, parent } = this
    const sibling = bestSibling(boxes, children, from, 6 * leaf)
    const above = parent[sibling]
    const node = this.takeInner()
    children[2 * node] = sibling
    children[2 * node + 1] = leaf
    parent[sibling] = parent[leaf] = node
    this.hang(node, above, sibling)
    merge(boxes, 6 * node, 6 * sibling, 6 * leaf)
    let up = above
    while (up !== NO_NODE) {
      const changes = merge(boxes, 6 * up, 6 * children[2 * up], 6 * children[2 * up + 1])
      rotate(boxes, children, parent, up)
      if (!changes) return
      up = parent[up]
    }
  }

  /** Takes a leaf out of the tree; its sibling steps into the place of their parent. Returns the node above it then. */
  private unlink(leaf: number): number {
    const { boxes, children, parent } = this
    const node = parent[leaf]
    if (node === NO_NODE) {
      this.root = NO_NODE
      return NO_NODE
    }
    const above = parent[node]
    this.hang(children[2 * node] === leaf ? children[2 * node + 1] : children[2 * node], above, node)
    parent[node] = this.free
    this.free = node
    let up = above
    while (up !== NO_NODE && merge(boxes, 6 * up, 6 * children[2 * up], 6 * children[2 * up + 1])) up = parent[up]
    return above
  }

  /** Makes `node` the child of `above`, or the root, in place of `before`. */
  private hang(node: number, above: number, before: number): void {
    const { children } = this
    this.parent[node] = above
    if (above === NO_NODE) this.root = node
    else if (children[2 * above] === before) children[2 * above] = node
    else children[2 * above + 1] = node
  }

  private takeInner(): number {
    const node = this.free
    if (node === NO_NODE) {
      this.fresh += 2
      return this.fresh - 2
    }
    this.free = this.parent[node]
    return node
  }
}

/**
 * The node beside which a box adds least area: down from `root`, always to the cheaper child, until none below can be as
 * good as the best so far. What a leaf adds is the area of its new parent and what its ancestors grow by.
 */
function bestSibling(boxes: Float64Array, children: Int32Array, root: number, leaf: number): number {
  writeArea(boxes, leaf, AREA, 0)
  writeJoinedArea(boxes, 6 * root, leaf, JOINED, 0)
  const leafArea = AREA[0]
  let joined = JOINED[0]
  let node = root
  let best = root
  let bestCost = joined
  let grown = 0
  let level = 0
  while ((node & 1) !== 0) {
    const cost = grown + joined
    if (cost <= bestCost) {
      bestCost = cost
      best = node
    }
    const left = children[2 * node]
    const right = children[2 * node + 1]
    writeArea(boxes, 6 * node, AREA, 0)
    writeArea(boxes, 6 * left, AREA, 1)
    writeArea(boxes, 6 * right, AREA, 2)
    writeJoinedArea(boxes, 6 * left, leaf, JOINED, 0)
    writeJoinedArea(boxes, 6 * right, leaf, JOINED, 1)
    grown += joined - AREA[0]
    // At most all of its growth is spared below a child, and the new parent is no smaller than the leaf.
    let leftBound = grown + JOINED[0]
    let rightBound = grown + JOINED[1]
    if ((left & 1) !== 0) leftBound += Math.min(0, leafArea - AREA[1])
    if ((right & 1) !== 0) rightBound += Math.min(0, leafArea - AREA[2])
    if (leftBound > bestCost && rightBound > bestCost) break
    level++
    if (leftBound < rightBound || (leftBound === rightBound && goLeft(boxes, 6 * left, 6 * right, leaf, level))) {
      node = left
      joined = JOINED[0]
    } else {
      node = right
      joined = JOINED[1]
    }
  }
  return (node & 1) === 0 && grown + joined <= bestCost ? node : best
}

/** Swaps a child with a child of the other where that makes the other smaller; the best of the four ways. */
function rotate(boxes: Float64Array, children: Int32Array, parent: Int32Array, node: number): void {
  const left = children[2 * node]
  const right = children[2 * node + 1]
  let most = 0
  let child = NO_NODE
  let grandchild = NO_NODE
  for (let side = 0; side < 2; side++) {
    const moved = side === 0 ? left : right
    const other = side === 0 ? right : left
    if ((other & 1) === 0) continue
    const f = children[2 * other]
    const g = children[2 * other + 1]
    writeArea(boxes, 6 * other, AREA, 0)
    writeJoinedArea(boxes, 6 * moved, 6 * g, JOINED, 0)
    writeJoinedArea(boxes, 6 * moved, 6 * f, JOINED, 1)
    const withG = AREA[0] - JOINED[0]
    const withF = AREA[0] - JOINED[1]
    if (withG > most || withF > most) {
      most = Math.max(withG, withF)
      child = moved
      grandchild = withG >= withF ? f : g
    }
  }
  if (child === NO_NODE) return
  const other = child === left ? right : left
  const kept = children[2 * other] === grandchild ? children[2 * other + 1] : children[2 * other]
  children[2 * node] = grandchild
  children[2 * node + 1] = other
  children[2 * other] = child
  children[2 * other + 1] = kept
  parent[grandchild] = node
  parent[child] = other
  merge(boxes, 6 * other, 6 * child, 6 * kept)
}

/**
 * Which of two children that cost the same: the one whose centre is nearer. Where these too are the same, the leaf's number
 * decides, another bit of it at each level: of many boxes in one place comes a bush and not a chain.
 */
function goLeft(boxes: Float64Array, left: number, right: number, leaf: number, level: number): boolean {
  if (isNearer(boxes, left, right, leaf)) return true
  if (isNearer(boxes, right, left, leaf)) return false
  return ((Math.imul(leaf, SCATTER) >>> level) & 1) === 0
}

/** Writes a box around the one at `tight[t]` to `fat[f]`, which holds the one it has left. */
function fatten(tight: Float64Array, t: number, fat: Float64Array, f: number): void {
  const side = (tight[t + 3] - tight[t] + tight[t + 4] - tight[t + 1] + tight[t + 5] - tight[t + 2]) / 3
  for (let k = 0; k < 3; k++) {
    const low = tight[t + k]
    const high = tight[t + k + 3]
    fat[f + k] = low - side * (low < fat[f + k] ? FAT_AHEAD : FAT)
    fat[f + k + 3] = high + side * (high > fat[f + k + 3] ? FAT_AHEAD : FAT)
  }
}

/** `larger`, beginning with what `array` holds. */
export function grown<Numbers extends Float64Array | Int32Array | Uint8Array>(
  array: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(array)
  return larger
}
