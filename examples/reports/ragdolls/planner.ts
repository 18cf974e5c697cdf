/**
 * A sampling planner to set goals among obstacles beside: RRT-Connect (Kuffner and LaValle 2000) over the joints of an arm and the trunk,
 * all else at rest, with the figure's shapes and limits.
 */

import type { Ragdoll, RagdollAsset } from '@tautline/assemblies'
import { closest, type Shape } from '@tautline/collision'
import { compose, normalizeQuaternion, rotateVector } from '@tautline/core/kernel'
import type { Pose } from '@tautline/ik'
import { slerpPose } from '@tautline/ik/poses'

/** A shape that stands still: x, y, z, then its rotation row by row. */
export interface Obstacle {
  readonly shape: Shape
  readonly transform: Float64Array
}

/** Farthest that a joint turns between two checks [rad], and in one extension of a tree. */
const CHECKED = 0.06
const EXTENDED = 0.3
const MOST_TRIES = 1500

const v = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(4)
const out = /* @__PURE__ */ new Float64Array(10)

/** Transforms of the shapes of all parts in a pose, the root where the doll's is: 12 numbers each. Bones and parts are the same, unturned at rest. */
export class Shapes {
  readonly transforms: Float64Array
  readonly positions: Float64Array
  readonly rotations: Float64Array
  private readonly asset: RagdollAsset

  constructor(asset: RagdollAsset) {
    const { length } = asset.parts
    this.asset = asset
    this.transforms = new Float64Array(12 * length)
    this.positions = new Float64Array(3 * length)
    this.rotations = new Float64Array(4 * length)
  }

  /** As a pose has them. */
  place(pose: Pose): this {
    const { positions: x, rotations: r, asset } = this
    asset.parts.forEach(({ parent, bone, joint, position, turn }, part) => {
      if (parent < 0 || joint === undefined) {
        x.set(pose.positions.subarray(3 * bone, 3 * bone + 3), 3 * part)
        r.set(pose.rotations.subarray(4 * bone, 4 * bone + 4), 4 * part)
      } else {
        rotateVector(r, 4 * parent, joint.anchor[0], joint.anchor[1], joint.anchor[2], v, 0)
        for (let k = 0; k < 3; k++) x[3 * part + k] = x[3 * parent + k] + v[k]
        compose(r, 4 * parent, pose.rotations, 4 * bone, r, 4 * part)
        normalizeQuaternion(r, 4 * part)
      }
      this.set(part, position, Float64Array.from(turn))
    })
    return this
  }

  /** As the bodies have them. */
  follow(doll: Ragdoll): this {
    this.asset.parts.forEach(({ name, position, turn, matter }, part) => {
      const body = doll.body(name)
      this.rotations.set(body.orientation, 4 * part)
      const [x, y, z] = matter.centre
      this.positions.set(body.toWorld([-x, -y, -z]), 3 * part)
      this.set(part, position, Float64Array.from(turn))
    })
    return this
  }

  private set(part: number, [x, y, z]: readonly number[], turn: Float64Array): void {
    const { transforms: T, rotations: r } = this
    rotateVector(r, 4 * part, x, y, z, v, 0)
    for (let k = 0; k < 3; k++) T[12 * part + k] = this.positions[3 * part + k] + v[k]
    compose(r, 4 * part, turn, 0, q, 0)
    for (let c = 0; c < 3; c++) {
      rotateVector(q, 0, c === 0 ? 1 : 0, c === 1 ? 1 : 0, c === 2 ? 1 : 0, v, 0)
      for (let k = 0; k < 3; k++) T[12 * part + 3 + 3 * k + c] = v[k]
    }
  }
}

/** Plans for a chain of parts, all others as a start pose has them. */
export class ArmPlanner {
  private readonly doll: Ragdoll
  private readonly shapes: Shapes
  private readonly chain: readonly number[]
  private readonly pairs: readonly (readonly [number, number])[]
  private readonly next: () => number
  /** What stands about it. */
  obstacles: readonly Obstacle[] = []

  /** The chain is of parts by name, from the trunk out; numbers come from `next`. */
  constructor(doll: Ragdoll, chain: readonly string[], next: () => number) {
    const { parts, overlaps } = doll.asset
    this.doll = doll
    this.shapes = new Shapes(doll.asset)
    this.chain = chain.map((name) => parts.findIndex((part) => part.name === name))
    this.next = next
    const meets = (i: number, j: number): boolean =>
      parts[j].parent !== i && parts[i].parent !== j && !overlaps.some(([a, b]) => a === i && b === j)
    this.pairs = parts.flatMap((_, i) => parts.flatMap((_, j) => (i < j && meets(i, j) ? [[i, j] as const] : [])))
  }

  /** Where a part's shape has its origin in a pose [m]. */
  pointOf(pose: Pose, part: string): [number, number, number] {
    const o = 12 * this.doll.asset.parts.findIndex(({ name }) => name === part)
    const { transforms: T } = this.shapes.place(pose)
    return [T[o], T[o + 1], T[o + 2]]
  }

  /** A pose with random joints of the chain within their limits; all else as in `start`. */
  sample(start: Pose): Pose {
    const { doll, chain, next } = this
    const pose = copyOf(start)
    do {
      for (const part of chain) {
        const { joint, bone } = doll.asset.parts[part]
        if (joint === undefined) continue
        const [a, b, c] = [0, 1, 2].map((k) => {
          const [min, max] = [joint.limits[2 * k] ?? 0, joint.limits[2 * k + 1] ?? 0]
          return min + (max - min) * next()
        })
        const [swing, twist] = joint.kind === 'hinge' ? [[0, 0, 0], a] : [[0, a, b], c]
        const angle = Math.hypot(swing[1], swing[2])
        const s = angle > 0 ? Math.sin(0.5 * angle) / angle : 0
        const chained = [
          ...joint.frameA,
          ...[0, s * swing[1], s * swing[2], Math.cos(0.5 * angle)],
          ...[Math.sin(0.5 * twist), 0, 0, Math.cos(0.5 * twist)],
          ...[-joint.frameB[0], -joint.frameB[1], -joint.frameB[2], joint.frameB[3]],
        ]
        const r = Float64Array.from(chained)
        for (let k = 4; k < 16; k += 4) compose(r, 0, r, k, r, 0)
        pose.rotations.set(r.subarray(0, 4), 4 * bone)
        normalizeQuaternion(pose.rotations, 4 * bone)
      }
    } while (doll.validate(pose).length > 0)
    return pose
  }

  /** How deep shapes lie in obstacles and in each other at worst [m], 0 where they do not. */
  depth(shapes: Shapes): number {
    const { doll, obstacles, pairs } = this
    const { parts } = doll.asset
    const { transforms: T } = shapes
    let least = 0
    for (const { shape, transform } of obstacles) {
      for (let i = 0; i < parts.length; i++) {
        least = Math.min(least, closest(parts[i].shape, T, 12 * i, shape, transform, 0, out))
      }
    }
    for (const [i, j] of pairs)
      least = Math.min(least, closest(parts[i].shape, T, 12 * i, parts[j].shape, T, 12 * j, out))
    return -least
  }

  /** Whether nothing overlaps in a pose. */
  isFree(pose: Pose): boolean {
    return this.depth(this.shapes.place(pose)) === 0
  }

  /** Whether a way free of obstacles leads from one pose to another: two trees that grow towards each other by turns. */
  connects(start: Pose, goal: Pose): boolean {
    let [from, to] = [[start], [goal]]
    if (!this.isFree(start) || !this.isFree(goal)) return false
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const grown = this.extend(from, this.sample(start))
      if (grown !== undefined) {
        from.push(grown)
        for (let last = this.extend(to, grown); last !== undefined; last = this.extend([last], grown)) {
          to.push(last)
          if (this.apart(last, grown) === 0) return true
        }
      }
      ;[from, to] = [to, from]
    }
    return false
  }

  /** The pose that its nearest node comes to on the way to another; none where something is in the way. */
  private extend(nodes: readonly Pose[], towards: Pose): Pose | undefined {
    let nearest = nodes[0]
    let least = Infinity
    for (const node of nodes) {
      const apart = this.apart(node, towards)
      if (apart < least) [nearest, least] = [node, apart]
    }
    if (least === 0) return undefined
    const share = Math.min(1, EXTENDED / least)
    const steps = Math.ceil((share * least) / CHECKED)
    let pose = nearest
    for (let k = 1; k <= steps; k++) {
      pose = slerpPose(copyOf(nearest), nearest, towards, share === 1 && k === steps ? 1 : (share * k) / steps)
      if (!this.isFree(pose)) return undefined
    }
    return pose
  }

  /** Largest turn of a joint between two poses [rad]. */
  private apart(a: Pose, b: Pose): number {
    let most = 0
    for (const part of this.chain) {
      const o = 4 * this.doll.asset.parts[part].bone
      let dot = 0
      for (let k = o; k < o + 4; k++) dot += a.rotations[k] * b.rotations[k]
      // Of the same pose exactly, 0.
      if (Math.abs(dot) < 1 - 1e-14) most = Math.max(most, 2 * Math.acos(Math.min(Math.abs(dot), 1)))
    }
    return most
  }
}

/** A pose of its own. */
export function copyOf<P extends Pose>(pose: P): P {
  return { positions: pose.positions.slice(), rotations: pose.rotations.slice() } as P
}
