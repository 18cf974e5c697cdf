/**
 * A rig in a pose, as its block needs it: world poses, the axes of all degrees of freedom, and the matter that each carries.
 *
 * Degrees of freedom are numbered along the bones. An angular one turns everything from its bone on about a world axis through
 * the bone's origin; a linear one moves it along a world axis. A free root has three linear ones, then three angular ones.
 */

import { compose, frameX, frameY } from '@tautline/core/kernel'
import { readCoordinates } from './coordinates.js'
import { BALL, FREE, FREEDOMS, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import { Pose, WorldPose } from './pose.js'
import type { Rig } from './rig.js'
import { rotateInPlace } from './rotations.js'

const frame = /* @__PURE__ */ new Float64Array(4)
const axis = /* @__PURE__ */ new Float64Array(6)
const first = /* @__PURE__ */ new Float64Array(3)

/** Numbers of a bone in `carried`, and in `matter`. */
export const CARRIED = 10
const MATTER = 8

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
  /**
   * `CARRIED` numbers a bone, of it and all beyond it: mass, first moment [3] and inertia [6, upper triangle] about the first
   * root's origin, world axes.
   */
  readonly carried: Float64Array
  /** `MATTER` numbers a bone: its centre, mass and moments, and 1/‖centre‖ where it is a rod. In one array, as registers are few. */
  private readonly matter: Float64Array
  /** Mobility of a joint against that of one without stiffness. */
  readonly mobility: Float64Array
  /** By bone: first axis of its joint in the parent's space, and a universal joint's second one in its own. */
  private readonly ownAxes: Float64Array
  /** Whether what is carried is that of the present pose. */
  private isCarried = false

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
    this.carried = new Float64Array(CARRIED * n)
    this.matter = new Float64Array(MATTER * n)
    for (let i = 0; i < n; i++) {
      this.matter.set(rig.centre.subarray(3 * i, 3 * i + 3), MATTER * i)
      this.matter[MATTER * i + 3] = rig.mass[i]
      this.matter.set(rig.moments.subarray(3 * i, 3 * i + 3), MATTER * i + 4)
      this.matter[MATTER * i + 7] = rig.rod[i]
    }
    this.mobility = Float64Array.from(rig.joints, ({ stiffness }) => 1 / (1 + stiffness))
    this.ownAxes = new Float64Array(6 * n)
    for (let i = 0; i < n; i++) this.placeAxes(i)
  }

  /** What of a joint's axes stays as it is, whatever the pose. */
  private placeAxes(i: number): void {
    const { rig, kinds, firstFreedom, axes, ownAxes } = this
    const joint = rig.joints[i]
    compose(rig.restRotation, 4 * i, joint.frame, 0, frame, 0)
    frameX(frame, 0, ownAxes, 6 * i)
    for (let k = 3; k < 6; k++) ownAxes[6 * i + k] = joint.axes[k]
    // Balls and free roots turn about the world's axes.
    if (kinds[i] !== BALL && kinds[i] !== FREE) return
    for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) axes[3 * d + ((d - firstFreedom[i]) % 3)] = 1
  }

  /** Takes a pose over. */
  read(pose: Pose): void {
    this.pose.copy(pose)
    this.readCoordinates()
  }

  /** Coordinates of the present pose. */
  readCoordinates(): void {
    readCoordinates(this.rig, this.kinds, this.pose, this.coordinates)
  }

  /** World poses and axes of the present pose. */
  update(): void {
    const { rig, world, kinds, firstFreedom, axes, ownAxes } = this
    world.update(rig, this.pose)
    this.isCarried = false
    for (let i = 0; i < rig.count; i++) {
      const kind = kinds[i]
      if (kind !== HINGE && kind !== UNIVERSAL && kind !== SLIDER) continue
      // Before the joint's own turn: its first axis belongs to the parent.
      turnAxis(world.rotations, rig.parent[i], ownAxes, 6 * i, axes, 3 * firstFreedom[i])
      if (kind === UNIVERSAL) turnAxis(world.rotations, i, ownAxes, 6 * i + 3, axes, 3 * firstFreedom[i] + 3)
    }
  }

  /** What each bone carries, tip to root. */
  carry(): void {
    if (this.isCarried) return
    this.isCarried = true
    const { rig, world, carried: C, matter } = this
    const { parent } = rig
    const { positions, rotations } = world
    const ox = positions[0]
    const oy = positions[1]
    const oz = positions[2]
    C.fill(0)
    for (let i = rig.count - 1; i >= 0; i--) {
      const a = 3 * i
      const o = MATTER * i
      const t = CARRIED * i
      // R(q) c
      const lx = matter[o]
      const ly = matter[o + 1]
      const lz = matter[o + 2]
      const qx = rotations[4 * i]
      const qy = rotations[4 * i + 1]
      const qz = rotations[4 * i + 2]
      const qw = rotations[4 * i + 3]
      const ux = 2 * (qy * lz - qz * ly)
      const uy = 2 * (qz * lx - qx * lz)
      const uz = 2 * (qx * ly - qy * lx)
      const cx = lx + qw * ux + (qy * uz - qz * uy)
      const cy = ly + qw * uy + (qz * ux - qx * uz)
      const cz = lz + qw * uz + (qx * uy - qy * ux)
      const x = positions[a] + cx - ox
      const y = positions[a + 1] + cy - oy
      const z = positions[a + 2] + cz - oz
      // Own inertia about its centre: of a rod across 1 + (along − across) n nᵀ.
      const s = matter[o + 7]
      if (s > 0) {
        const across = matter[o + 5]
        const d = (matter[o + 4] - across) * s * s
        C[t + 4] += across + d * cx * cx
        C[t + 5] += d * cx * cy
        C[t + 6] += d * cx * cz
        C[t + 7] += across + d * cy * cy
        C[t + 8] += d * cy * cz
        C[t + 9] += across + d * cz * cz
      } else this.turnInertia(i)
      const own = matter[o + 3]
      const mass = C[t] + own
      const hx = C[t + 1] + own * x
      const hy = C[t + 2] + own * y
      const hz = C[t + 3] + own * z
      const xx = C[t + 4] + own * (y * y + z * z)
      const xy = C[t + 5] - own * x * y
      const xz = C[t + 6] - own * x * z
      const yy = C[t + 7] + own * (x * x + z * z)
      const yz = C[t + 8] - own * y * z
      const zz = C[t + 9] + own * (x * x + y * y)
      C[t] = mass
      C[t + 1] = hx
      C[t + 2] = hy
      C[t + 3] = hz
      C[t + 4] = xx
      C[t + 5] = xy
      C[t + 6] = xz
      C[t + 7] = yy
      C[t + 8] = yz
      C[t + 9] = zz
      const p = parent[i]
      if (p < 0) continue
      const u = CARRIED * p
      C[u] += mass
      C[u + 1] += hx
      C[u + 2] += hy
      C[u + 3] += hz
      C[u + 4] += xx
      C[u + 5] += xy
      C[u + 6] += xz
      C[u + 7] += yy
      C[u + 8] += yz
      C[u + 9] += zz
    }
  }

  /** Adds the world inertia of a bone about its centre: d₂ 1 + (d₀ − d₂) x xᵀ + (d₁ − d₂) y yᵀ of its principal axes. */
  private turnInertia(i: number): void {
    const { rig, world, carried, matter } = this
    compose(world.rotations, 4 * i, rig.inertiaFrame, 4 * i, frame, 0)
    frameX(frame, 0, axis, 0)
    frameY(frame, 0, axis, 3)
    const last = matter[MATTER * i + 6]
    const d = matter[MATTER * i + 4] - last
    const e = matter[MATTER * i + 5] - last
    const x = axis[0]
    const y = axis[1]
    const z = axis[2]
    const u = axis[3]
    const v = axis[4]
    const w = axis[5]
    const t = CARRIED * i + 4
    carried[t] += last + d * x * x + e * u * u
    carried[t + 1] += d * x * y + e * u * v
    carried[t + 2] += d * x * z + e * u * w
    carried[t + 3] += last + d * y * y + e * v * v
    carried[t + 4] += d * y * z + e * v * w
    carried[t + 5] += last + d * z * z + e * w * w
  }

  /** Inertia about a bone's origin of all that it carries (151), nine numbers, and the first moment about it, into the two. */
  carriedAbout(i: number, inertia: Float64Array, moment: Float64Array): void {
    const { world, carried: C } = this
    const x = world.positions[3 * i] - world.positions[0]
    const y = world.positions[3 * i + 1] - world.positions[1]
    const z = world.positions[3 * i + 2] - world.positions[2]
    const o = CARRIED * i
    const m = C[o]
    const a = C[o + 1]
    const b = C[o + 2]
    const c = C[o + 3]
    moment[0] = a - m * x
    moment[1] = b - m * y
    moment[2] = c - m * z
    // Σ m (d − r)²1 − (d − r)(d − r)ᵀ from the sums over d.
    const trace = m * (x * x + y * y + z * z) - 2 * (a * x + b * y + c * z)
    inertia[0] = C[o + 4] + trace + 2 * a * x - m * x * x
    inertia[4] = C[o + 7] + trace + 2 * b * y - m * y * y
    inertia[8] = C[o + 9] + trace + 2 * c * z - m * z * z
    inertia[1] = inertia[3] = C[o + 5] + a * y + b * x - m * x * y
    inertia[2] = inertia[6] = C[o + 6] + a * z + c * x - m * x * z
    inertia[5] = inertia[7] = C[o + 8] + b * z + c * y - m * y * z
  }

  /** World point of a bone-space point, into `out`. */
  pointOf(bone: number, local: Float64Array, out: Float64Array): void {
    const { positions, rotations } = this.world
    for (let k = 0; k < 3; k++) out[k] = local[k]
    rotateInPlace(rotations, 4 * bone, out)
    for (let k = 0; k < 3; k++) out[k] += positions[3 * bone + k]
  }

  /** World centre of mass of everything, into `out`. */
  centreOfMass(out: Float64Array): void {
    const { rig, world, carried } = this
    this.carry()
    let mass = 0
    first.fill(0)
    for (let i = 0; i < rig.count; i++) {
      if (rig.parent[i] >= 0) continue
      mass += carried[CARRIED * i]
      for (let k = 0; k < 3; k++) first[k] += carried[CARRIED * i + 1 + k]
    }
    for (let k = 0; k < 3; k++) out[k] = world.positions[k] + first[k] / mass
  }
}

/** out[k…] = R(q of a bone) a[o…]; of no bone, a itself. */
function turnAxis(q: Float64Array, bone: number, a: Float64Array, o: number, out: Float64Array, k: number): void {
  const x = a[o]
  const y = a[o + 1]
  const z = a[o + 2]
  if (bone < 0) {
    out[k] = x
    out[k + 1] = y
    out[k + 2] = z
    return
  }
  const qx = q[4 * bone]
  const qy = q[4 * bone + 1]
  const qz = q[4 * bone + 2]
  const qw = q[4 * bone + 3]
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  out[k] = x + qw * tx + (qy * tz - qz * ty)
  out[k + 1] = y + qw * ty + (qz * tx - qx * tz)
  out[k + 2] = z + qw * tz + (qx * ty - qy * tx)
}
