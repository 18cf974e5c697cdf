/**
 * A rig in a pose, as its block needs it: world poses, the axes of all degrees of freedom, and the matter that each carries.
 *
 * Degrees of freedom are numbered along the bones. An angular one turns everything from its bone on about a world axis through
 * the bone's origin; a linear one moves it along a world axis. A free root has three linear ones, then three angular ones.
 */

import { compose, frameX, frameZ, rotateSymmetric, rotateVector } from '@tautline/core'
import { readCoordinates } from './coordinates.js'
import { BALL, FREE, FREEDOMS, HINGE, LOCKED, SLIDER, UNIVERSAL } from './joints.js'
import { Pose, WorldPose } from './pose.js'
import type { Rig } from './rig.js'

const frame = /* @__PURE__ */ new Float64Array(4)
const centre = /* @__PURE__ */ new Float64Array(3)
const first = /* @__PURE__ */ new Float64Array(3)
const rotated = /* @__PURE__ */ new Float64Array(9)
const NO_ROTATION = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1)

/** What a solve works on. */
export class Kinematics {
  readonly rig: Rig
  readonly pose: Pose
  readonly world: WorldPose
  /** Coordinates of hinges, universal joints and sliders, two numbers a bone. */
  readonly coordinates: Float64Array
  /** How much longer than at rest the way from its parent is, by bone. */
  readonly stretch: Float64Array
  /** Kind of joint in force, by bone: a root's may be `FREE`. */
  readonly kinds: Int8Array
  /** First degree of freedom of a bone; one more entry closes the last. */
  readonly firstFreedom: Int32Array
  readonly freedoms: number
  /** Of each degree of freedom: its bone, whether it is angular, its world axis. */
  readonly bone: Int32Array
  readonly angular: Uint8Array
  readonly axes: Float64Array
  /** Of a bone and all beyond it: mass, first moment and inertia about the first root's origin, world axes. */
  readonly carriedMass: Float64Array
  readonly carriedMoment: Float64Array
  readonly carriedInertia: Float64Array
  /** World rotation of each bone's parent; the identity for roots. */
  private readonly parentRotations: Float64Array

  constructor(rig: Rig) {
    const n = rig.count
    this.rig = rig
    this.pose = new Pose(rig)
    this.world = new WorldPose(rig)
    this.coordinates = new Float64Array(2 * n)
    this.stretch = new Float64Array(n).fill(1)
    this.kinds = new Int8Array(n)
    this.firstFreedom = new Int32Array(n + 1)
    const bones: number[] = []
    const angular: number[] = []
    for (let i = 0; i < n; i++) {
      const isFree = rig.parent[i] < 0 && rig.rootMode !== 'pinned'
      const kind = isFree ? FREE : rig.joints[i].kind
      this.kinds[i] = kind
      this.firstFreedom[i] = bones.length
      for (let k = 0; k < FREEDOMS[kind]; k++) {
        bones.push(i)
        angular.push(kind === SLIDER || (kind === FREE && k < 3) ? 0 : 1)
      }
    }
    this.firstFreedom[n] = bones.length
    this.freedoms = bones.length
    this.bone = Int32Array.from(bones)
    this.angular = Uint8Array.from(angular)
    this.axes = new Float64Array(3 * bones.length)
    this.carriedMass = new Float64Array(n)
    this.carriedMoment = new Float64Array(3 * n)
    this.carriedInertia = new Float64Array(6 * n)
    this.parentRotations = new Float64Array(4 * n)
  }

  /** Takes a pose over. */
  read(pose: Pose): void {
    this.pose.copy(pose)
    readCoordinates(this.rig, this.kinds, this.pose, this.coordinates)
  }

  /** World poses and axes of the present pose. */
  update(): void {
    const { rig, world, kinds, firstFreedom, axes, parentRotations } = this
    world.update(rig, this.pose)
    for (let i = 0; i < rig.count; i++) {
      const p = rig.parent[i]
      const kind = kinds[i]
      const from = p < 0 ? NO_ROTATION : world.rotations
      for (let k = 0; k < 4; k++) parentRotations[4 * i + k] = from[(p < 0 ? 0 : 4 * p) + k]
      const o = 3 * firstFreedom[i]
      if (kind === LOCKED) continue
      if (kind === BALL || kind === FREE) {
        for (let d = 0; d < FREEDOMS[kind]; d++) {
          for (let k = 0; k < 3; k++) axes[o + 3 * d + k] = d % 3 === k ? 1 : 0
        }
        continue
      }
      // Before the joint's own turn: its first axis belongs to the parent.
      compose(parentRotations, 4 * i, rig.restRotation, 4 * i, frame, 0)
      compose(frame, 0, rig.joints[i].frame, 0, frame, 0)
      frameX(frame, 0, axes, o)
      if (kind === HINGE || kind === SLIDER) continue
      compose(world.rotations, 4 * i, rig.joints[i].frame, 0, frame, 0)
      if (kind === UNIVERSAL) frameZ(frame, 0, axes, o + 3)
    }
  }

  /** World rotation of a bone's parent, four numbers at `4 * i`. */
  get parents(): Float64Array {
    return this.parentRotations
  }

  /** What each bone carries, tip to root. */
  carry(): void {
    const { rig, world, carriedMass: m, carriedMoment: h, carriedInertia: I } = this
    const ox = world.positions[0]
    const oy = world.positions[1]
    const oz = world.positions[2]
    for (let i = 0; i < rig.count; i++) {
      const c = rig.centre
      rotateVector(world.rotations, 4 * i, c[3 * i], c[3 * i + 1], c[3 * i + 2], centre, 0)
      const x = world.positions[3 * i] + centre[0] - ox
      const y = world.positions[3 * i + 1] + centre[1] - oy
      const z = world.positions[3 * i + 2] + centre[2] - oz
      const mass = rig.mass[i]
      m[i] = mass
      h[3 * i] = mass * x
      h[3 * i + 1] = mass * y
      h[3 * i + 2] = mass * z
      this.turnInertia(i)
      const o = 6 * i
      I[o] = rotated[0] + mass * (y * y + z * z)
      I[o + 1] = rotated[1] - mass * x * y
      I[o + 2] = rotated[2] - mass * x * z
      I[o + 3] = rotated[4] + mass * (x * x + z * z)
      I[o + 4] = rotated[5] - mass * y * z
      I[o + 5] = rotated[8] + mass * (x * x + y * y)
    }
    for (let i = rig.count - 1; i >= 0; i--) {
      const p = rig.parent[i]
      if (p < 0) continue
      m[p] += m[i]
      for (let k = 0; k < 3; k++) h[3 * p + k] += h[3 * i + k]
      for (let k = 0; k < 6; k++) I[6 * p + k] += I[6 * i + k]
    }
  }

  /** World inertia of a bone about its centre, into `rotated`; `centre` holds the way to that. */
  private turnInertia(i: number): void {
    const { rig, world } = this
    const { moments } = rig
    const along = moments[3 * i]
    const across = moments[3 * i + 1]
    const s = rig.rod[i]
    if (s === 0) {
      compose(world.rotations, 4 * i, rig.inertiaFrame, 4 * i, frame, 0)
      rotateSymmetric(frame, 0, along, across, moments[3 * i + 2], rotated, 0)
      return
    }
    // Across 1 + (along − across) n nᵀ.
    const x = s * centre[0]
    const y = s * centre[1]
    const z = s * centre[2]
    const d = along - across
    rotated[0] = across + d * x * x
    rotated[1] = rotated[3] = d * x * y
    rotated[2] = rotated[6] = d * x * z
    rotated[4] = across + d * y * y
    rotated[5] = rotated[7] = d * y * z
    rotated[8] = across + d * z * z
  }

  /** Inertia about a bone's origin of all that it carries (151), nine numbers, and the first moment about it, into the two. */
  carriedAbout(i: number, inertia: Float64Array, moment: Float64Array): void {
    const { world, carriedMass, carriedMoment: h, carriedInertia: I } = this
    const x = world.positions[3 * i] - world.positions[0]
    const y = world.positions[3 * i + 1] - world.positions[1]
    const z = world.positions[3 * i + 2] - world.positions[2]
    const m = carriedMass[i]
    const a = h[3 * i]
    const b = h[3 * i + 1]
    const c = h[3 * i + 2]
    moment[0] = a - m * x
    moment[1] = b - m * y
    moment[2] = c - m * z
    // Σ m (d − r)²1 − (d − r)(d − r)ᵀ from the sums over d.
    const trace = m * (x * x + y * y + z * z) - 2 * (a * x + b * y + c * z)
    const o = 6 * i
    inertia[0] = I[o] + trace + 2 * a * x - m * x * x
    inertia[4] = I[o + 3] + trace + 2 * b * y - m * y * y
    inertia[8] = I[o + 5] + trace + 2 * c * z - m * z * z
    inertia[1] = inertia[3] = I[o + 1] + a * y + b * x - m * x * y
    inertia[2] = inertia[6] = I[o + 2] + a * z + c * x - m * x * z
    inertia[5] = inertia[7] = I[o + 4] + b * z + c * y - m * y * z
  }

  /** World point of a bone-space point, into `out`. */
  pointOf(bone: number, local: Float64Array, out: Float64Array): void {
    const { positions, rotations } = this.world
    rotateVector(rotations, 4 * bone, local[0], local[1], local[2], out, 0)
    for (let k = 0; k < 3; k++) out[k] += positions[3 * bone + k]
  }

  /** World centre of mass of everything, into `out`. */
  centreOfMass(out: Float64Array): void {
    const { rig, world, carriedMass, carriedMoment } = this
    let mass = 0
    first.fill(0)
    for (let i = 0; i < rig.count; i++) {
      if (rig.parent[i] >= 0) continue
      mass += carriedMass[i]
      for (let k = 0; k < 3; k++) first[k] += carriedMoment[3 * i + k]
    }
    for (let k = 0; k < 3; k++) out[k] = world.positions[k] + first[k] / mass
  }
}
