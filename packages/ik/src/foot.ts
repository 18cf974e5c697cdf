/**
 * Feet on the ground: a pose that was made for a plane is put on whatever ground there is, and the hips are lowered as far as needed.
 *
 * With the height g and the normal n of the ground under an ankle, whose height is y in the pose and a where the foot stands:
 *   rise      o = clamp(g − plane + a (1/(n·up) − 1), −mostDown, mostUp); the last term keeps the ankle at a from a slope
 *   lift      ℓ = smoothstep((y − plane − a)/lift): 0 where the foot stands
 *   ankle     x + w up o, of an o < 0 only (1 − ℓ): a foot in the air does not reach for a hole
 *   sole      w (1 − ℓ) of the shortest turn up → n, n leaning no more than `mostTilt`
 *   root      down by the least that brings each ankle within its leg's length, or as far as the leg was stretched in the pose
 * All of it is continuous in the pose, in g and in n. What jumps in the ground itself, a stair, is followed at the pace of
 * `smoothTime` τ: o ← o + (o_wanted − o) dt/(dt + τ), and likewise n and the hips. w is the weight, for blending in and out.
 */

import {
  atan2,
  finite,
  nonNegative,
  normalizeQuaternion,
  positive,
  rotate,
  unitVector,
  array,
  callable,
  instance,
  knownFields,
} from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import type { GoalOptions } from './goals/goal.js'
import { OrientationGoal } from './goals/orientation.js'
import { PositionGoal } from './goals/position.js'
import { IkSolver } from './ik-solver.js'
import { Pose, WorldPose } from './pose.js'
import { Rig } from './rig.js'
import { cross, dot, normalise } from './rotations.js'

/** The ground under a point (x, y, z): writes its height along up and its normal to `out`, four numbers; NaN where there is none. */
export type GroundAt = (x: number, y: number, z: number, out: Float64Array) => void

/** A leg by its bones, by name or row. */
export interface LegDef {
  /** The first bone of the leg, whose joint is at the hips. */
  hip: string | number
  /** The bone whose joint is the ankle. */
  foot: string | number
}

/** Options of {@link FootPlacement}; lengths in m. */
export interface FootOptions {
  /** World direction. @defaultValue y */
  up?: ReadonlyVec3
  /** Height along up of the ground that the pose was made for. @defaultValue 0 */
  plane?: number
  /** Height of the ankle over the sole of a standing foot. @defaultValue that at rest over `plane` */
  ankle?: number
  /** Most that a foot is raised. @defaultValue 0.5 of the leg */
  mostUp?: number
  /** Most that a foot is lowered. @defaultValue 0.3 of the leg */
  mostDown?: number
  /** Most that a sole leans [rad]. @defaultValue 0.6 */
  mostTilt?: number
  /** Height over the ground at which a foot no longer follows its slope. @defaultValue 0.15 of the leg */
  lift?: number
  /** Share of its length to which a leg may be stretched, beyond what the pose does. @defaultValue 0.995 */
  stretch?: number
  /** In which feet and hips follow most of a jump of the ground [s]; 0 is at once. @defaultValue 0.1 */
  smoothTime?: number
  /** Of the goals on the soles, against 1 of positions. @defaultValue 0.3 */
  orientationWeight?: number
}

/** A foot on the ground. */
export interface PlacedFoot {
  /** Of the ankle. */
  readonly position: PositionGoal
  /** Of the sole. */
  readonly orientation: OrientationGoal
  /** Height [m] and normal of the ground under it, four numbers: written by `FootPlacement.ground`, or by hand where there is none. */
  readonly ground: Float64Array
}

interface Leg extends PlacedFoot {
  readonly hip: number
  readonly foot: number
  readonly length: number
  readonly ankle: number
  readonly mostUp: number
  readonly mostDown: number
  readonly lift: number
  /** Rise and normal at present, four numbers. */
  readonly followed: Float64Array
  /** Where the pose has the ankle, and how far from the hip [m]. */
  readonly at: Float64Array
}

const OPTIONS: readonly (keyof FootOptions)[] = [
  'up',
  'plane',
  'ankle',
  'mostUp',
  'mostDown',
  'mostTilt',
  'lift',
  'stretch',
  'smoothTime',
  'orientationWeight',
]

const a = /* @__PURE__ */ new Float64Array(3)
const b = /* @__PURE__ */ new Float64Array(3)

/** Feet of a rig: each frame `place(pose, dt)`, then the solver's `solve(pose)`. */
export class FootPlacement {
  readonly rig: Rig
  /** In the order of the legs given. */
  readonly feet: readonly PlacedFoot[]
  /** 0 leaves the pose as it is, 1 puts it on the ground. */
  weight = 1
  /** Asked for each foot by each `place`. */
  ground: GroundAt | undefined
  /** How far the hips are lowered at present [m]. */
  lowered = 0
  private readonly legs: Leg[] = []
  private readonly root: number
  private readonly up: Float64Array
  private readonly plane: number
  private readonly mostTilt: number
  private readonly stretch: number
  private readonly smoothTime: number
  private readonly world: WorldPose
  private isFirst = true

  /**
   * Adds goals for the feet to a solver of the rig, whose root must not be `pinned`. Throws `TypeError`/`RangeError`, and adds
   * nothing, when a field is wrong.
   */
  constructor(rig: Rig, solver: IkSolver, legs: readonly LegDef[], ground?: GroundAt, options: FootOptions = {}) {
    instance('FootPlacement: rig', rig, Rig, 'a Rig')
    if (instance('FootPlacement: solver', solver, IkSolver, 'an IkSolver').rig !== rig)
      throw new RangeError('FootPlacement: solver must be one of the rig, got another')
    knownFields('FootPlacement: options', options, OPTIONS)
    if (ground !== undefined) callable('FootPlacement: ground', ground)
    this.rig = rig
    this.ground = ground
    if (rig.rootMode === 'pinned') {
      // A solve puts a pinned root back to its place at rest.
      throw new RangeError('FootPlacement: root of the rig must be free, got a pinned one')
    }
    this.up = Float64Array.from(unitVector('FootPlacement: up', options.up ?? [0, 1, 0]))
    this.plane = finite('FootPlacement: plane', options.plane ?? 0)
    this.mostTilt = nonNegative('FootPlacement: mostTilt', options.mostTilt ?? 0.6)
    this.stretch = positive('FootPlacement: stretch', options.stretch ?? 0.995)
    this.smoothTime = nonNegative('FootPlacement: smoothTime', options.smoothTime ?? 0.1)
    this.world = new WorldPose(rig).update(rig, new Pose(rig))
    for (const def of array('FootPlacement: legs', legs) as typeof legs) this.legs.push(this.resolveLeg(def, options))
    let root = this.legs.length === 0 ? 0 : this.legs[0].foot
    while (rig.parent[root] >= 0) root = rig.parent[root]
    this.root = root
    this.feet = this.legs
    for (const { position, orientation } of this.legs) {
      solver.add(position)
      solver.add(orientation)
    }
  }

  /**
   * Lowers the hips of a pose and sets the goals' targets; `dt` [s] since the last call. The first call, and one of `dt` Infinity,
   * follows the ground at once.
   */
  place(pose: Pose, dt: number = Infinity): void {
    const { rig, world, legs, up } = this
    if (dt !== Infinity) nonNegative('FootPlacement.place: dt', dt)
    world.update(rig, pose)
    const pace = this.isFirst || dt === Infinity ? 1 : this.smoothTime > 0 ? dt / (dt + this.smoothTime) : 1
    this.isFirst = false
    let needed = 0
    for (const leg of legs) {
      this.follow(leg, pace)
      needed = Math.max(needed, this.reachDown(leg))
    }
    this.lowered += pace * (needed - this.lowered)
    for (let k = 0; k < 3; k++) pose.positions[3 * this.root + k] -= this.lowered * up[k]
  }

  /** Reads the ground under a foot and sets its targets. */
  private follow(leg: Leg, pace: number): void {
    const { world, up, plane, mostTilt, weight } = this
    const { foot, ground, followed, at, position, orientation } = leg
    for (let k = 0; k < 3; k++) at[k] = world.positions[3 * foot + k]
    if (this.ground !== undefined) this.ground(at[0], at[1], at[2], ground)
    for (let k = 0; k < 3; k++) a[k] = ground[1 + k]
    normalise(a)
    // The axis that leads from up to the normal, and the angle, no more than the most.
    cross(up, a, b)
    const sine = normalise(b)
    const cosine = dot(up, a)
    const wanted = ground[0] - plane + leg.ankle * (1 / Math.max(cosine, LEAST_SLOPE) - 1)
    // Nothing finite, as a ray that met nothing: the foot stays as the pose has it.
    const isThere = Number.isFinite(wanted + sine)
    const rise = isThere ? Math.min(Math.max(wanted, -leg.mostDown), leg.mostUp) : 0
    const angle = isThere ? Math.min(atan2(sine, cosine), mostTilt) : 0
    if (!isThere) b.fill(0)
    followed[0] += pace * (rise - followed[0])
    for (let k = 0; k < 3; k++) followed[1 + k] += pace * (angle * b[k] - followed[1 + k])
    const high = Math.min(Math.max((dot(up, at) - plane - leg.ankle) / leg.lift, 0), 1)
    const stands = 1 - high * high * (3 - 2 * high)
    const moved = weight * (followed[0] < 0 ? stands * followed[0] : followed[0])
    const tilt = weight * stands
    for (let k = 0; k < 3; k++) position.target[k] = at[k] + moved * up[k]
    for (let k = 0; k < 4; k++) orientation.target[k] = world.rotations[4 * foot + k]
    rotate(orientation.target, 0, tilt * followed[1], tilt * followed[2], tilt * followed[3])
    normalizeQuaternion(orientation.target, 0)
  }

  /** How far the hips have to come down for a foot to get where it is to be [m]. */
  private reachDown(leg: Leg): number {
    const { world, up, stretch } = this
    const { hip, at, position } = leg
    let before = 0
    let squared = 0
    let high = 0
    for (let k = 0; k < 3; k++) {
      const x = world.positions[3 * hip + k]
      const way = x - position.target[k]
      before += (x - at[k]) * (x - at[k])
      squared += way * way
      high += way * up[k]
    }
    const reach = Math.max(stretch * leg.length, Math.sqrt(before))
    const across = Math.max(squared - high * high, 0)
    return Math.max(high - Math.sqrt(Math.max(reach * reach - across, 0)), 0)
  }

  private resolveLeg(def: LegDef, options: FootOptions): Leg {
    const { rig, world, up, plane } = this
    knownFields('FootPlacement: legs', def, ['hip', 'foot'])
    const hip = rig.indexOf(def.hip, 'FootPlacement: hip')
    const foot = rig.indexOf(def.foot, 'FootPlacement: foot')
    const length = legLength(rig, hip, foot)
    if (!(length > 0)) {
      throw new RangeError(
        `FootPlacement: foot must hang on hip by a leg, got ${rig.names[foot]} and ${rig.names[hip]}`,
      )
    }
    const rest = dot(up, world.positions.subarray(3 * foot, 3 * foot + 3)) - plane
    const goals: GoalOptions = { chain: hip }
    const weight = nonNegative('FootPlacement: orientationWeight', options.orientationWeight ?? 0.3)
    return {
      hip,
      foot,
      length,
      ankle: nonNegative('FootPlacement: ankle', options.ankle ?? Math.max(rest, 0)),
      mostUp: nonNegative('FootPlacement: mostUp', options.mostUp ?? 0.5 * length),
      mostDown: nonNegative('FootPlacement: mostDown', options.mostDown ?? 0.3 * length),
      lift: positive('FootPlacement: lift', options.lift ?? 0.15 * length),
      position: new PositionGoal(rig, foot, [0, 0, 0], { ...goals, point: [0, 0, 0] }),
      orientation: new OrientationGoal(rig, foot, [0, 0, 0, 1], { ...goals, weight }),
      ground: Float64Array.of(plane, up[0], up[1], up[2]),
      followed: new Float64Array(4),
      at: new Float64Array(3),
    }
  }
}

/** Cosine of a slope that an ankle is held over, at least. */
const LEAST_SLOPE = 0.3

/** Length of the bones from the hip to the ankle [m]; 0 where the one is not above the other. */
function legLength(rig: Rig, hip: number, foot: number): number {
  let sum = 0
  for (let i = foot; i !== hip; i = rig.parent[i]) {
    if (rig.parent[i] < 0) return 0
    const [x, y, z] = rig.restPosition.subarray(3 * i, 3 * i + 3)
    sum += Math.sqrt(x * x + y * y + z * z)
  }
  return sum
}
