/** What is near a character: the colliders that its move may meet, found once, cast against and pushed out of many times. */

import { WORLD_BODY } from '@tautline/core/kernel'
import { IntList } from '../detect/broad/int-list.js'
import { closest } from '../detect/narrow/distance.js'
import { composeTransforms, relativeTransform } from '../detect/narrow/relative.js'
import type { Shape } from '../shapes/shape.js'
import { writeBounds } from '../shapes/bounds.js'
import { CastHit, castShape } from '../query/cast.js'
import { FACET, FACETS, findFacets, hasFacets, isPassed, placeFacet } from '../query/facets.js'
import { RayHit, rayShape } from '../query/ray.js'
import type { Source } from '../query/source.js'

/** Contacts kept at a time, the deepest first to stay. */
const MOST = 64
/** Normals this near to each other (cosine) are one contact, that of the smaller gap. */
const SAME = 0.999
/** No collider. */
const NONE = -1
/** Cosine to the crush normal below which a way leads into what crushes the character, and a normal is of its far side. */
const INTO = -0.1

export class Surroundings {
  /** What the last cast or ray met: number of the collider, where, and how. */
  id = -1
  readonly hit: CastHit = new CastHit()
  readonly ray: RayHit = new RayHit()
  /** What {@link findContacts} found: normals towards the character, and gaps [m]. */
  readonly normal: Float64Array = new Float64Array(3 * MOST)
  readonly gap: Float64Array = new Float64Array(MOST)
  /** Numbers of their colliders. */
  private readonly contact: Int32Array = new Int32Array(MOST)
  count = 0
  /** Number of the collider that crushes the character, −1 for none; and its unit normal towards the character when it began to, zeros for none. */
  crusher: number = NONE
  readonly crush: Float64Array = new Float64Array(3)
  private source!: Source
  private shape!: Shape
  private readonly ids: IntList = new IntList()
  /** Box (6) of each collider of `ids`. */
  private boxes: Float64Array = new Float64Array(6 * 16)
  private readonly trial: CastHit = new CastHit()
  /** What holds all that was gathered. */
  private readonly gathered: Float64Array = new Float64Array(6)

  /** Gathers what is within `reach` [m] of a shape at T. */
  gather(source: Source, shape: Shape, T: Float64Array, reach: number): void {
    const { ids, gathered } = this
    this.source = source
    this.shape = shape
    writeBounds(shape, T, 0, gathered, 0)
    grow(gathered, reach)
    ids.clear()
    source.tree.query(gathered, 0, ids)
    ids.sort(0)
    let count = 0
    for (let k = 0; k < ids.count; k++) if (source.accepts(ids.items[k])) ids.items[count++] = ids.items[k]
    ids.count = count
    if (this.boxes.length < 6 * count) this.boxes = new Float64Array(12 * count)
    for (let k = 0; k < count; k++) {
      writeBounds(source.shapeOf(ids.items[k]), source.transform, 12 * ids.items[k], this.boxes, 6 * k)
    }
  }

  /** Whether the shape at T is at least `reach` inside of what was gathered. */
  covers(T: Float64Array, reach: number): boolean {
    writeBounds(this.shape, T, 0, box, 0)
    grow(box, reach)
    for (let k = 0; k < 3; k++) {
      if (box[k] < this.gathered[k] || box[3 + k] > this.gathered[3 + k]) return false
    }
    return true
  }

  /**
   * What the shape at T meets first on its way, but colliders of the body in row `skip`; of several the nearest, then the lowest number.
   * What it is in and leaves it does not meet. Out of what crushes it only the side that it came in by is a way.
   */
  cast(T: Float64Array, way: Float64Array, margin: number, skip: number): boolean {
    const { source, shape, ids, hit, trial } = this
    writeBounds(shape, T, 0, box, 0)
    for (let k = 0; k < 3; k++) {
      box[k] += Math.min(0, way[k]) - margin
      box[3 + k] += Math.max(0, way[k]) + margin
    }
    this.id = -1
    const leadsIn = dot(this.crush, way) < INTO * Math.sqrt(dot(way, way))
    for (let k = 0; k < ids.count; k++) {
      const id = ids.items[k]
      if (source.rowOf(id) === skip || !this.touchesBox(k)) continue
      if (!castShape(shape, T, 0, way, source.shapeOf(id), source.transform, 12 * id, margin, trial)) continue
      if (trial.distance <= 0) {
        const isCrusher = this.isCrusher(id)
        if (isCrusher && leadsIn) {
          trial.time = 0
          trial.normal.set(this.crush)
        } else if (dot(trial.normal, way) >= 0 || (isCrusher && dot(trial.normal, this.crush) < INTO)) continue
      }
      if (this.id >= 0 && !(trial.time < hit.time || (trial.time === hit.time && trial.distance < hit.distance)))
        continue
      this.id = id
      copyHit(trial, hit)
    }
    return this.id >= 0
  }

  /** Keeps what was met, to be recalled after casts that only try. */
  keep(): void {
    kept.id = this.id
    copyHit(this.hit, kept.hit)
  }

  recall(): void {
    this.id = kept.id
    copyHit(kept.hit, this.hit)
  }

  /** Where a ray of some length meets collider `id`. */
  castRay(id: number, origin: Float64Array, direction: Float64Array, length: number): boolean {
    const { source, ray } = this
    return rayShape(source.shapeOf(id), source.transform, 12 * id, origin, direction, length, true, ray)
  }

  /** Finds all that the shape at T is nearer to than `within` [m]. Returns the least gap. */
  findContacts(T: Float64Array, within: number): number {
    const { shape, ids } = this
    this.count = 0
    writeBounds(shape, T, 0, box, 0)
    grow(box, within)
    for (let k = 0; k < ids.count; k++) {
      const id = ids.items[k]
      if (!this.touchesBox(k)) continue
      for (let p = 0; p < (shape.children === null ? 1 : shape.children.length); p++) {
        this.findOfPart(partOf(shape, p, T, 0, partA), id, within)
      }
    }
    let least = Infinity
    for (let k = 0; k < this.count; k++) least = Math.min(least, this.gap[k])
    return least
  }

  forgetCrush(): void {
    this.crusher = NONE
    this.crush.fill(0)
  }

  /** Whether a collider crushes the character: it, or another of its body. */
  private isCrusher(id: number): boolean {
    const { source, crusher } = this
    if (crusher === NONE) return false
    const row = source.rowOf(id)
    return id === crusher || (row !== WORLD_BODY && row === source.rowOf(crusher))
  }

  /** Notes that the deepest contact found crushes the character, unless one is known that does. */
  noteCrush(): void {
    const { crush, normal, gap, count } = this
    if (this.crusher !== NONE) return
    let deepest = 0
    for (let k = 1; k < count; k++) if (gap[k] < gap[deepest]) deepest = k
    this.crusher = this.contact[deepest]
    for (let i = 0; i < 3; i++) crush[i] = normal[3 * deepest + i]
  }

  private findOfPart(a: Shape, id: number, within: number): void {
    const { transform } = this.source
    const b = this.source.shapeOf(id)
    const bo = 12 * id
    if (hasFacets(b)) {
      this.findOnFacets(a, b, id, within)
      return
    }
    for (let p = 0; p < (b.children === null ? 1 : b.children.length); p++) {
      const gap = closest(a, partA, 0, partOf(b, p, transform, bo, partB), partB, 0, pair)
      if (gap < within) this.note(gap, id)
    }
  }

  private findOnFacets(a: Shape, b: Shape, id: number, within: number): void {
    const { transform } = this.source
    const bo = 12 * id
    writeBounds(a, relativeTransform(transform, bo, partA, 0, relative), 0, localBox, 0)
    grow(localBox, within)
    findFacets(b, localBox)
    for (let k = 0; k < FACETS.count; k++) {
      const triangle = FACETS.items[k]
      placeFacet(b, triangle, transform, bo, partB)
      const gap = closest(a, partA, 0, FACET, partB, 0, pair)
      if (!(gap < within)) continue
      for (let i = 0; i < 3; i++) {
        inward[i] = -(
          transform[bo + 3 + i] * pair[0] +
          transform[bo + 6 + i] * pair[1] +
          transform[bo + 9 + i] * pair[2]
        )
      }
      if (!isPassed(b, triangle, inward)) this.note(gap, id)
    }
  }

  /** Keeps the contact of `pair`; of one direction the nearest, and of too many those of the smallest gaps. */
  private note(gap: number, id: number): void {
    const { normal } = this
    let at = this.count
    let farthest = 0
    for (let k = 0; k < this.count; k++) {
      if (this.gap[k] > this.gap[farthest]) farthest = k
      if (pair[0] * normal[3 * k] + pair[1] * normal[3 * k + 1] + pair[2] * normal[3 * k + 2] < SAME) continue
      if (gap >= this.gap[k]) return
      at = k
      break
    }
    if (at === MOST) {
      if (gap >= this.gap[farthest]) return
      at = farthest
    }
    if (at === this.count) this.count++
    for (let i = 0; i < 3; i++) normal[3 * at + i] = pair[i]
    this.gap[at] = gap
    this.contact[at] = id
  }

  private touchesBox(k: number): boolean {
    const { boxes } = this
    for (let i = 0; i < 3; i++) {
      if (boxes[6 * k + i] > box[3 + i] || boxes[6 * k + 3 + i] < box[i]) return false
    }
    return true
  }
}

function grow(b: Float64Array, by: number): void {
  for (let k = 0; k < 3; k++) {
    b[k] -= by
    b[3 + k] += by
  }
}

function partOf(shape: Shape, k: number, T: Float64Array, t: number, out: Float64Array): Shape {
  if (shape.children === null) {
    for (let i = 0; i < 12; i++) out[i] = T[t + i]
    return shape
  }
  composeTransforms(T, t, shape.children[k].transform, 0, out)
  return shape.children[k].shape
}

function copyHit(from: CastHit, to: CastHit): void {
  to.time = from.time
  to.distance = from.distance
  to.feature = from.feature
  for (let k = 0; k < 3; k++) {
    to.point[k] = from.point[k]
    to.normal[k] = from.normal[k]
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

const box = /* @__PURE__ */ new Float64Array(6)
const localBox = /* @__PURE__ */ new Float64Array(6)
const partA = /* @__PURE__ */ new Float64Array(12)
const partB = /* @__PURE__ */ new Float64Array(12)
const relative = /* @__PURE__ */ new Float64Array(12)
const pair = /* @__PURE__ */ new Float64Array(10)
const inward = /* @__PURE__ */ new Float64Array(3)
const kept = /* @__PURE__ */ { id: -1, hit: /* @__PURE__ */ new CastHit() }
