/** Points of bodies that a geometry is drawn through: where they are between two steps. */

import { type Body } from '@tautline/core'
import { rotateVector } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { finiteVector } from '@tautline/core/kernel'
import type { Object3D } from 'three'
import type { GrabPoint } from './bindings.js'
import { aBody, isThree, kindOf } from './checks.js'
import { POSE, writePose, writePosition } from './poses.js'
import { Space } from './space.js'

/** A node: a body's centre of mass, or a point of it. */
export type NodeDef = Body | NodePoint

/** A point of a body. */
export interface NodePoint {
  /** The body. */
  body: Body
  /** In its space, from its centre of mass [m]. */
  point: ReadonlyVec3
}

const pose = /* @__PURE__ */ new Float64Array(POSE)
const lever = /* @__PURE__ */ new Float64Array(3)

/** Nodes and where they are. */
export class Nodes {
  readonly count: number
  /** World, three numbers a node [m], as of the last `update`; those of bodies that are no more stay. */
  readonly positions: Float64Array
  private readonly bodies: readonly Body[]
  /** Points in the bodies' spaces; absent where all nodes are centres. */
  private readonly points: Float64Array | undefined
  private readonly object: Object3D | null
  private readonly space = new Space()

  /** Throws `TypeError`/`RangeError` where there are fewer than `least` nodes, or one is none. All are of one world. */
  constructor(where: string, nodes: readonly NodeDef[], least: number, object: Object3D | null = null) {
    if (!Array.isArray(nodes)) throw new TypeError(`${where}: nodes must be an array of bodies, got ${kindOf(nodes)}`)
    if (nodes.length < least) {
      throw new RangeError(`${where}: nodes must be at least ${least}, got ${nodes.length}`)
    }
    if (object !== null) isThree(`${where}: space`, object, 'isObject3D')
    this.object = object
    const list = nodes as readonly NodeDef[]
    this.count = list.length
    this.bodies = list.map((node, k) => {
      const body = (node as NodePoint | null)?.body ?? node
      aBody(`${where}: nodes[${k}]`, body)
      const of = (body as Body).bodies
      const first = (list[0] as NodePoint).body ?? list[0]
      if (of !== first.bodies)
        throw new RangeError(`${where}: nodes[${k}] must be of the first one's world, got another's`)
      return body as Body
    })
    const isPoint = (node: NodeDef): node is NodePoint => 'point' in node
    if (list.some(isPoint)) {
      const points = new Float64Array(3 * list.length)
      list.forEach((node, k) => {
        if (isPoint(node)) points.set(finiteVector(`${where}: nodes[${k}].point`, node.point, 3), 3 * k)
      })
      this.points = points
    }
    this.positions = new Float64Array(3 * list.length)
  }

  /** Positions at `alpha`, in the world. */
  update(alpha: number): void {
    const { bodies, points, positions: x } = this
    const c = bodies[0].bodies.columns
    for (let k = 0; k < bodies.length; k++) {
      const body = bodies[k]
      if (!body.alive) continue
      const o = 3 * k
      if (points === undefined) {
        writePosition(c, body.index, alpha, x, o)
        continue
      }
      writePose(c, body.index, alpha, pose, 0)
      rotateVector(pose, 3, points[o], points[o + 1], points[o + 2], lever, 0)
      for (let n = 0; n < 3; n++) x[o + n] = pose[n] + lever[n]
    }
  }

  /** Brings `count` world points in `x` into the space of the object. */
  toSpace(x: Float64Array, count: number): void {
    if (this.object !== null) this.space.enter(this.object).points(x, 0, count)
  }

  /** See `Grabbable`. */
  nearest(point: ReadonlyVec3): GrabPoint | null {
    const { bodies, points } = this
    this.update(1)
    let least = Infinity
    let best = -1
    for (let k = 0; k < bodies.length; k++) {
      if (!bodies[k].alive) continue
      let squared = 0
      for (let n = 0; n < 3; n++) {
        const d = this.positions[3 * k + n] - point[n]
        squared += d * d
      }
      if (squared >= least) continue
      least = squared
      best = k
    }
    if (best < 0) return null
    const o = 3 * best
    return { body: bodies[best], point: points === undefined ? [0, 0, 0] : [points[o], points[o + 1], points[o + 2]] }
  }
}
