/**
 * A tree of boxes over the faces of sets, for those that are near each other. It is made once, by halves of how they lie where the sets are made, and
 * its boxes follow the faces: cloth that hangs together stays together, and where it does not, the boxes are larger and the answer is the same.
 */

import { overlaps } from '../detect/broad/box.js'
import type { PairList } from '../detect/broad/pair-list.js'

export class SurfaceTree {
  /** Nodes, a parent before its children: the first child follows it. */
  private count = 0
  private second: Int32Array = new Int32Array(0)
  /** Face of a leaf; −1 of others. */
  private face: Int32Array = new Int32Array(0)
  private boxes: Float64Array = new Float64Array(0)
  private stack: Int32Array = new Int32Array(256)

  /** Makes it over `faces` faces, whose middles are at `middle[3 * face]`. */
  build(faces: number, middle: Float64Array): void {
    const nodes = Math.max(0, 2 * faces - 1)
    this.second = new Int32Array(nodes)
    this.face = new Int32Array(nodes).fill(-1)
    this.boxes = new Float64Array(6 * nodes)
    this.count = 0
    const order = Int32Array.from({ length: faces }, (_, k) => k)
    if (faces > 0) this.split(order, middle)
  }

  private split(order: Int32Array, middle: Float64Array): void {
    const node = this.count++
    if (order.length === 1) {
      this.face[node] = order[0]
      return
    }
    let axis = 0
    let widest = -1
    for (let k = 0; k < 3; k++) {
      let least = Infinity
      let most = -Infinity
      for (const face of order) {
        least = Math.min(least, middle[3 * face + k])
        most = Math.max(most, middle[3 * face + k])
      }
      if (most - least > widest) {
        widest = most - least
        axis = k
      }
    }
    order.sort((a, b) => middle[3 * a + axis] - middle[3 * b + axis] || a - b)
    const half = order.length >> 1
    this.split(order.slice(0, half), middle)
    this.second[node] = this.count
    this.split(order.slice(half), middle)
  }

  /** Has the boxes follow those of the faces, six numbers each. */
  refit(faceBoxes: Float64Array): void {
    const { count, face, second, boxes } = this
    for (let node = count - 1; node >= 0; node--) {
      const o = 6 * node
      if (face[node] >= 0) {
        const p = 6 * face[node]
        for (let k = 0; k < 6; k++) boxes[o + k] = faceBoxes[p + k]
        continue
      }
      const p = 6 * (node + 1)
      const q = 6 * second[node]
      for (let k = 0; k < 3; k++) {
        boxes[o + k] = boxes[p + k] < boxes[q + k] ? boxes[p + k] : boxes[q + k]
        boxes[o + 3 + k] = boxes[p + 3 + k] > boxes[q + 3 + k] ? boxes[p + 3 + k] : boxes[q + 3 + k]
      }
    }
  }

  /** Writes all pairs of faces whose boxes overlap, sorted. */
  findPairs(faces: number, out: PairList): void {
    const { face, second, boxes } = this
    out.clear()
    if (this.count === 0) return
    let top = 0
    this.stack[top++] = 0
    this.stack[top++] = 0
    while (top > 0) {
      if (top + 6 > this.stack.length) {
        const grown = new Int32Array(2 * this.stack.length)
        grown.set(this.stack)
        this.stack = grown
      }
      const { stack } = this
      const b = stack[--top]
      const a = stack[--top]
      if (a === b) {
        if (face[a] >= 0) continue
        const l = a + 1
        const r = second[a]
        stack[top++] = l
        stack[top++] = l
        stack[top++] = r
        stack[top++] = r
        stack[top++] = l
        stack[top++] = r
        continue
      }
      if (!overlaps(boxes, 6 * a, boxes, 6 * b)) continue
      if (face[a] >= 0 && face[b] >= 0) {
        out.reserve(out.count + 1)
        const p = face[a]
        const q = face[b]
        out.items[2 * out.count] = p < q ? p : q
        out.items[2 * out.count++ + 1] = p < q ? q : p
      } else if (face[b] >= 0 || (face[a] < 0 && span(boxes, 6 * a) >= span(boxes, 6 * b))) {
        stack[top++] = a + 1
        stack[top++] = b
        stack[top++] = second[a]
        stack[top++] = b
      } else {
        stack[top++] = a
        stack[top++] = b + 1
        stack[top++] = a
        stack[top++] = second[b]
      }
    }
    out.sort(faces)
  }
}

/** Sum of the sides of a box. */
function span(boxes: Float64Array, o: number): number {
  return boxes[o + 3] - boxes[o] + (boxes[o + 4] - boxes[o + 1]) + (boxes[o + 5] - boxes[o + 2])
}
