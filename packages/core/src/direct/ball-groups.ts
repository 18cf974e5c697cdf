/** Scratch of groups of rows whose multiplier stays in a ball: what is done with them is in balls.ts. */

import { SIX } from './body-block.js'

const THREE = 3

/** Scratch of the groups of one set of trees that are in a ball. */
export class Balls {
  count = 0
  /** Edge and joint of a group, its first multiplier among all, how many it has, and R [kg m, kg m²]. */
  readonly edge: Int32Array
  readonly joint: Int32Array
  readonly origin: Int32Array
  readonly size: Int32Array
  readonly radius: Float64Array
  /** On the rim: the direction that λ takes, how far it has to go along it, and its gradients; `slides` is 0 inside. */
  readonly slides: Uint8Array
  readonly toward: Float64Array
  readonly change: Float64Array
  readonly Ji: Float64Array
  readonly Jp: Float64Array

  constructor(capacity: number) {
    this.edge = new Int32Array(capacity)
    this.joint = new Int32Array(capacity)
    this.origin = new Int32Array(capacity)
    this.size = new Int32Array(capacity)
    this.radius = new Float64Array(capacity)
    this.slides = new Uint8Array(capacity)
    this.toward = new Float64Array(THREE * capacity)
    this.change = new Float64Array(capacity)
    this.Ji = new Float64Array(SIX * capacity)
    this.Jp = new Float64Array(SIX * capacity)
  }
}
