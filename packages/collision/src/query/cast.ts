/**
 * When a shape that moves first touches another, as a share t in [0, 1] of the way: its time of impact.
 *
 * Compounds are cast part by part, surfaces triangle by triangle: those near the way, each no farther than the best so far.
 */

import { writeBounds } from '../shapes/bounds.js'
import { composeTransforms, relativeTransform } from '../detect/narrow/relative.js'
import type { Shape } from '../shapes/shape.js'
import { advanceStraight, advanceRotating, PAIR } from './advance.js'
import { BvhWalk } from './bvh-walk.js'
import { Slab } from './probe.js'
import {
  FACET,
  FACET_BOX,
  FACETS,
  facetName,
  facetReach,
  findFacets,
  hasFacets,
  isPassed,
  placeFacet,
} from './facets.js'

/** Where a cast ends. */
export class CastHit {
  /** Share of the way, in [0, 1]. */
  time = 0
  /**
   * Gap of the two parts that meet, at that time [m]: the margin, or less where they begin nearer. Parts that move apart do not
   * count. Negative, the depth, for an overlap.
   */
  distance = 0
  /** On the surface of what is struck, at that time, world [m]. */
  readonly point: Float64Array = new Float64Array(3)
  /** Unit vector from what is struck to what moves, world. */
  readonly normal: Float64Array = new Float64Array(3)
  /** The triangle of a mesh, by its number in the list that it was made of, or of a heightfield; −1 for other shapes. */
  feature = -1
  /** Part of a compound that is struck; −1 for other shapes. */
  child = -1
  /** Part of a compound that strikes; −1 for other shapes. */
  ownChild = -1
}

/** Pieces of a way over a heightfield: the shape itself and so many cells long. */
const PIECE = 4

/** Boxes are grown by this share of all lengths in play, for rounding. */
const CAST_ROUNDING = 1e-12

/** One cast at a time; made once, so that a cast allocates nothing. */
class Caster {
  private readonly ofA: Float64Array = new Float64Array(9)
  private readonly ofB: Float64Array = new Float64Array(9)
  private turning = false
  private margin = 0
  private out: CastHit = new CastHit()
  private found = false
  /** The parts at hand, and where they begin. */
  private readonly A: Float64Array = new Float64Array(12)
  private readonly B: Float64Array = new Float64Array(12)
  /** The triangle at hand. */
  private readonly F: Float64Array = new Float64Array(12)
  private child = -1
  private ownChild = -1
  /** Box of a as b sees it, then its middle and its way. */
  private readonly box: Float64Array = new Float64Array(6)
  private readonly way: Float64Array = new Float64Array(6)
  private readonly localWay: Float64Array = new Float64Array(3)
  private readonly slab: Slab = new Slab()
  private readonly walk: BvhWalk = new BvhWalk(this.slab)

  begin(displacement: Float64Array, margin: number, out: CastHit): void {
    this.ofA.fill(0)
    this.ofB.fill(0)
    for (let k = 0; k < 3; k++) this.ofA[k] = displacement[k]
    this.turning = false
    this.margin = margin
    this.out = out
    this.found = false
  }

  beginTurning(ofA: Float64Array, ofB: Float64Array | null, margin: number, out: CastHit): void {
    this.begin(ofA, margin, out)
    this.ofA.set(ofA)
    if (ofB !== null) this.ofB.set(ofB)
    this.turning = true
  }

  /** Each part of a against each part of b. */
  run(a: Shape, A: Float64Array, ao: number, b: Shape, B: Float64Array, bo: number): boolean {
    const countA = a.children === null ? 1 : a.children.length
    const countB = b.children === null ? 1 : b.children.length
    for (let j = 0; j < countB; j++) {
      this.child = b.children === null ? -1 : j
      const partB = partOf(b, j, B, bo, this.B)
      for (let i = 0; i < countA; i++) {
        this.ownChild = a.children === null ? -1 : i
        const partA = partOf(a, i, A, ao, this.A)
        if (hasFacets(partB)) this.castFacets(partA, partB)
        else this.castConvex(partA, partB, this.B, partB.reach, -1, null)
      }
    }
    return this.found
  }

  private get limit(): number {
    return this.found ? this.out.time : 1
  }

  /** Keeps a hit that is earlier than the best so far, or as early, which is at the start, and deeper. */
  private castConvex(a: Shape, b: Shape, B: Float64Array, reachB: number, triangle: number, mesh: Shape | null): void {
    const { A, ofA, ofB, margin, limit, turning, out } = this
    const time = turning
      ? advanceRotating(a, A, ofA, b, B, ofB, reachB, margin, limit)
      : advanceStraight(a, A, ofA, b, B, margin, limit)
    if (!(time <= limit)) return
    const distance = turning || time === 0 ? PAIR[9] : margin
    if (this.found && time === out.time && distance >= out.distance) return
    // What turns may come from either side whatever its way.
    if (mesh !== null && turning && this.facesAway(mesh, triangle)) return
    this.found = true
    out.time = time
    out.distance = distance
    for (let k = 0; k < 3; k++) {
      out.normal[k] = PAIR[k]
      out.point[k] = PAIR[6 + k]
    }
    out.feature = mesh === null ? -1 : facetName(mesh, triangle)
    out.child = this.child
    out.ownChild = this.ownChild
  }

  /** Against the triangles of b near the way. */
  private castFacets(a: Shape, b: Shape): void {
    const { A, B, ofA, ofB, box, way, localWay, slab, walk } = this
    for (let k = 0; k < 3; k++) {
      localWay[k] = 0
      for (let i = 0; i < 3; i++) localWay[k] += B[3 + 3 * i + k] * (ofA[i] - ofB[i])
    }
    writeBounds(a, relativeTransform(B, 0, A, 0, relative), 0, box, 0)
    const size = b.reach + Math.abs(relative[0]) + Math.abs(relative[1]) + Math.abs(relative[2])
    const around = this.margin + CAST_ROUNDING * size + (this.turning ? this.sway(a) : 0)
    for (let k = 0; k < 3; k++) {
      box[k] -= around
      box[3 + k] += around
      way[k] = 0.5 * (box[k] + box[3 + k])
      way[3 + k] = localWay[k]
    }
    slab.set(way, 0, 0.5 * (box[3] - box[0]), 0.5 * (box[4] - box[1]), 0.5 * (box[5] - box[2]))
    if (b.mesh === null) {
      this.castPieces(a, b)
      return
    }
    const { bvh } = b.mesh
    walk.start(bvh, this.limit)
    while (walk.next(this.limit)) {
      for (let k = walk.first; k < walk.first + walk.count; k++) this.castFacet(a, b, bvh.items[k])
    }
  }

  /** The way over a heightfield, cut so that the boxes around its pieces hold few cells beside it. */
  private castPieces(a: Shape, b: Shape): void {
    const { box, localWay } = this
    const { cellX, cellZ } = b.heightfield!
    const x = Math.abs(localWay[0]) / (PIECE * cellX + box[3] - box[0])
    const z = Math.abs(localWay[2]) / (PIECE * cellZ + box[5] - box[2])
    const count = Math.max(1, Math.ceil(Math.min(x, z)))
    for (let p = 0; p < count && p <= count * this.limit; p++) {
      for (let k = 0; k < 3; k++) {
        const from = (p / count) * localWay[k]
        const to = ((p + 1) / count) * localWay[k]
        piece[k] = box[k] + Math.min(from, to)
        piece[3 + k] = box[3 + k] + Math.max(from, to)
      }
      findFacets(b, piece)
      for (let k = 0; k < FACETS.count; k++) this.castFacet(a, b, FACETS.items[k])
    }
  }

  private castFacet(a: Shape, b: Shape, triangle: number): void {
    if (!this.turning && isPassed(b, triangle, this.localWay)) return
    placeFacet(b, triangle, this.B, 0, this.F)
    if (this.slab.reach(FACET_BOX, 0, this.limit) === Infinity) return
    this.castConvex(a, FACET, this.F, facetReach(), triangle, b)
  }

  /** Whether the normal found is behind the triangle of a one-sided mesh. */
  private facesAway(mesh: Shape, triangle: number): boolean {
    const { B } = this
    for (let k = 0; k < 3; k++) inward[k] = -(B[3 + k] * PAIR[0] + B[6 + k] * PAIR[1] + B[9 + k] * PAIR[2])
    return isPassed(mesh, triangle, inward)
  }

  /** How far turning takes any point of a off its straight way, as b sees it: chords of the turns of both. */
  private sway(a: Shape): number {
    const { A, ofA, ofB } = this
    const own = chord(ofA) * (a.reach + between(A, ofA))
    const x = ofA[0] - ofB[0]
    const y = ofA[1] - ofB[1]
    const z = ofA[2] - ofB[2]
    return own + chord(ofB) * (own + a.reach + between(A, ofB) + Math.sqrt(x * x + y * y + z * z))
  }
}

/** Bound on the way of a point at distance 1 that turns by a rotation vector. */
function chord(motion: Float64Array): number {
  const x = motion[3]
  const y = motion[4]
  const z = motion[5]
  return Math.min(2, Math.sqrt(x * x + y * y + z * z))
}

/** From a shape's origin to the centre of rotation. */
function between(T: Float64Array, motion: Float64Array): number {
  const x = T[0] - motion[6]
  const y = T[1] - motion[7]
  const z = T[2] - motion[8]
  return Math.sqrt(x * x + y * y + z * z)
}

/** Writes where part k of a shape begins to `out`, and returns the part; the shape itself if it has none. */
function partOf(shape: Shape, k: number, T: Float64Array, t: number, out: Float64Array): Shape {
  if (shape.children === null) {
    for (let i = 0; i < 12; i++) out[i] = T[t + i]
    return shape
  }
  composeTransforms(T, t, shape.children[k].transform, 0, out)
  return shape.children[k].shape
}

const relative = /* @__PURE__ */ new Float64Array(12)
const piece = /* @__PURE__ */ new Float64Array(6)
const inward = /* @__PURE__ */ new Float64Array(3)
const caster = /* @__PURE__ */ new Caster()

/**
 * When shape a, convex or a compound, on its straight way from A[ao…] by `displacement` first comes within `margin` of any
 * shape b at B[bo…]. False, and `out` is as it was, where it does not.
 *
 * If it begins nearer than that, it strikes at once; but not if it leaves, or slides along, without overlap. Triangles of a
 * one-sided mesh that it meets from behind let it pass.
 */
export function castShape(
  a: Shape,
  A: Float64Array,
  ao: number,
  displacement: Float64Array,
  b: Shape,
  B: Float64Array,
  bo: number,
  margin: number,
  out: CastHit,
): boolean {
  caster.begin(displacement, margin, out)
  return caster.run(a, A, ao, b, B, bo)
}

/**
 * The same for two shapes that move and turn. `ofA` and `ofB` are nine numbers: the way of the centre of rotation, the
 * rotation vector [rad], and where the centre of rotation is at the start, all in the world; `null` stands still.
 *
 * It ends up to a millionth of the size of a before the margin, never behind it. A pair that begins within the margin, but
 * apart, strikes when it is half as far apart.
 */
export function castMoving(
  a: Shape,
  A: Float64Array,
  ao: number,
  ofA: Float64Array,
  b: Shape,
  B: Float64Array,
  bo: number,
  ofB: Float64Array | null,
  margin: number,
  out: CastHit,
): boolean {
  caster.beginTurning(ofA, ofB, margin, out)
  return caster.run(a, A, ao, b, B, bo)
}
