/** A move under way: what its parts share. One at a time; made once, so that a move allocates little. */

import { type BodyColumns, WORLD_BODY } from '@tautline/core/kernel'
import type { LeanCollisions } from '../lean-collisions.js'
import type { Source } from '../query/source.js'
import { composeTransforms } from '../detect/narrow/relative.js'
import type { Shape } from '../shapes/shape.js'
import { support } from '../shapes/support.js'
import type { CharacterHit, MoveSettings } from './character.js'
import { Planes } from './planes.js'
import { Surroundings } from './surroundings.js'

/** No body is left out of a cast. */
export const NONE = -1

/** In `footing`: how far the foot was below what it stood on, and the normal of that. */
const SUNK = 3
const FLOOR = 4

export class Move {
  readonly near: Surroundings = new Surroundings()
  /** What stands in its way, and flat normals of what it cannot walk up, which it falls along. */
  readonly planes: Planes = new Planes()
  readonly steep: Planes = new Planes()
  /** What took velocity from it. */
  readonly walls: Planes = new Planes()
  readonly orientation: Float64Array = new Float64Array(4)
  collisions!: LeanCollisions
  source!: Source
  settings!: MoveSettings
  columns!: BodyColumns
  dt = 0
  /** Transform of the shape, world. */
  readonly T: Float64Array = new Float64Array(12)
  readonly up: Float64Array = new Float64Array(3)
  /** Wanted velocity, relative to the ground while there is any [m/s]. */
  readonly velocity: Float64Array = new Float64Array(3)
  /** Velocity of the ground at the start [m/s]. */
  readonly carried: Float64Array = new Float64Array(3)
  /** From the origin of the shape down to its lowest point [m]. */
  foot = 0
  /** What is left of dt [s]. */
  left = 0
  /** Momentum that pushing may still spend [N s]. */
  pushLeft = 0
  /** Whether it walks: it stands on ground, and does not jump. */
  walks = false
  touchesWall = false
  touchesCeiling = false
  /** What it stands on: number of the collider, −1 for none, unit normal, and the point [m]. */
  ground = -1
  readonly groundNormal: Float64Array = new Float64Array(3)
  readonly groundPoint: Float64Array = new Float64Array(3)

  /** Where it was when it came to stand there [m], how far its foot was below that then [m], and the normal of the floor. */
  readonly footing: Float64Array = new Float64Array(7)

  /** Gap that it keeps [m]. */
  get skin(): number {
    return this.settings.skinWidth
  }

  /** Casts on a way from where it stands; the way gone is added. Returns whether something was met. */
  advance(way: Float64Array, skip: number = NONE): boolean {
    const { near, T } = this
    const met = near.cast(T, way, this.skin, skip)
    const share = met ? near.hit.time : 1
    for (let k = 0; k < 3; k++) T[k] += share * way[k]
    return met
  }

  /** Stands on what was met last, along this normal; `floor` is that of what lies beyond an edge. */
  standOnHit(normal: Float64Array, floor: Float64Array = normal): void {
    const { near } = this
    this.ground = near.id
    for (let k = 0; k < 3; k++) {
      this.groundNormal[k] = normal[k]
      this.groundPoint[k] = near.hit.point[k]
    }
    this.stand(floor)
  }

  leaveGround(): void {
    this.ground = -1
    for (let k = 0; k < 3; k++) this.groundNormal[k] = this.up[k]
  }

  /** How far a point is above the feet [m]. */
  heightOf(point: Float64Array): number {
    const { T, up } = this
    return (point[0] - T[0]) * up[0] + (point[1] - T[1]) * up[1] + (point[2] - T[2]) * up[2] + this.foot
  }

  /** Notes how it stands: from there steps are counted. */
  stand(floor: Float64Array): void {
    const { T, footing } = this
    for (let k = 0; k < 3; k++) {
      footing[k] = T[k]
      footing[FLOOR + k] = floor[k]
    }
    footing[SUNK] = Math.max(0, this.heightOf(this.groundPoint) + this.skin)
  }

  /**
   * How far its foot is below what it stands on [m]: a round one hangs below an edge, and the more so the wider it is. Below 0 it has left its ground upwards, past the
   * round of an edge.
   */
  get sunk(): number {
    const { T, footing, up } = this
    let [along, upright] = [0, 0]
    for (let k = 0; k < 3; k++) {
      along += (T[k] - footing[k]) * footing[FLOOR + k]
      upright += up[k] * footing[FLOOR + k]
    }
    return footing[SUNK] - along / upright
  }

  /** Tells the user of what was met last. */
  report(): void {
    const { near, settings, collisions } = this
    if (settings.onHit === undefined) return
    const collider = collisions.handle(near.id)
    const { point, normal, feature } = near.hit
    const hit: CharacterHit = {
      collider,
      body: collider.body,
      point: [point[0], point[1], point[2]],
      normal: [normal[0], normal[1], normal[2]],
      feature,
    }
    settings.onHit(hit)
  }
}

export function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function lengthOf(v: Float64Array): number {
  return Math.sqrt(dot(v, v))
}

/** Writes v without its part along the unit vector u. */
export function flatten(v: Float64Array, u: Float64Array, out: Float64Array): void {
  const along = dot(v, u)
  for (let k = 0; k < 3; k++) out[k] = v[k] - along * u[k]
}

/** Distance from the origin of a shape at T to its lowest point, down along `up` [m]. */
export function footOf(shape: Shape, T: Float64Array, up: Float64Array): number {
  if (shape.children === null) return lowest(shape, T, up)
  let foot = -Infinity
  for (const child of shape.children) {
    composeTransforms(T, 0, child.transform, 0, part)
    let offset = 0
    for (let k = 0; k < 3; k++) offset += (T[k] - part[k]) * up[k]
    foot = Math.max(foot, offset + lowest(child.shape, part, up))
  }
  return foot
}

function lowest(shape: Shape, T: Float64Array, up: Float64Array): number {
  for (let k = 0; k < 3; k++) down[k] = -(T[3 + k] * up[0] + T[6 + k] * up[1] + T[9 + k] * up[2])
  support(shape, down, 0, point, 0)
  return dot(point, down)
}

/** Writes the velocity of a point of a body [m/s]; 0 of the world. */
export function velocityAt(c: BodyColumns, row: number, at: Float64Array, out: Float64Array): void {
  out.fill(0)
  if (row === WORLD_BODY) return
  const v = 3 * row
  const x = at[0] - c.position[4 * row]
  const y = at[1] - c.position[4 * row + 1]
  const z = at[2] - c.position[4 * row + 2]
  const wx = c.angularVelocity[v]
  const wy = c.angularVelocity[v + 1]
  const wz = c.angularVelocity[v + 2]
  out[0] = c.velocity[v] + wy * z - wz * y
  out[1] = c.velocity[v + 1] + wz * x - wx * z
  out[2] = c.velocity[v + 2] + wx * y - wy * x
}

const part = /* @__PURE__ */ new Float64Array(12)
const down = /* @__PURE__ */ new Float64Array(3)
const point = /* @__PURE__ */ new Float64Array(3)
