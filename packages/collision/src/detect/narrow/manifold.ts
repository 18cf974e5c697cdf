/** What the narrow phase finds for two shapes: manifolds of up to four points each. */

import { MAX_POINTS, NORMAL_ON_B } from './carrier.js'

export * from './carrier.js'

/** A contact manifold between two convex parts. */
export class Manifold {
  count = 0
  /** Unit vector, world axes, from b to a. */
  readonly normal: Float64Array = new Float64Array(3)
  /** Points on the surface of a and of b, world [m], three numbers each; a − b lies along the normal. */
  readonly pointA: Float64Array = new Float64Array(3 * MAX_POINTS)
  readonly pointB: Float64Array = new Float64Array(3 * MAX_POINTS)
  /** (a − b)·n [m]: negative where they overlap. */
  readonly separation: Float64Array = new Float64Array(MAX_POINTS)
  /** Names a point over steps: the pair of features it comes from. Unique within the manifold. */
  readonly feature: Int32Array = new Int32Array(MAX_POINTS)
  /** `NORMAL_ON_A` or `NORMAL_ON_B`: the body whose face or surface gives the normal. */
  carrier: number = NORMAL_ON_B
  /**
   * Rounding radius of each side [m]: its point is that of a core (a centre, a point of a segment) pushed out by this
   * along the normal. 0 for flat shapes. A rolling ball keeps its core where its surface point would turn away.
   */
  roundA = 0
  roundB = 0
  /** Names the manifold among those of one pair over steps: child of a compound, group of triangles. */
  key = 0
}

/** Manifolds of one pair; kept and used again, so that a step allocates nothing. */
export class ManifoldList {
  count = 0
  readonly items: Manifold[] = []

  clear(): void {
    this.count = 0
  }

  /** The next one, empty. */
  next(): Manifold {
    if (this.count === this.items.length) this.items.push(new Manifold())
    const manifold = this.items[this.count++]
    manifold.count = 0
    manifold.roundA = manifold.roundB = 0
    manifold.key = 0
    return manifold
  }
}
