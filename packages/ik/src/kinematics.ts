/**
 * A rig in a pose, as its block needs it: world poses, the axes of all degrees of freedom, and the matter that each carries.
 *
 * Degrees of freedom are numbered along the bones. An angular one turns everything from its bone on about a world axis through
 * the bone's origin; a linear one moves it along a world axis. A free root has three linear ones, then three angular ones.
 */

import { compose, frameX, frameY } from '@tautline/core'
import { readCoordinates } from './coordinates.js'
import { BALL, FREE, FREEDOMS, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import { Pose, WorldPose } from './pose.js'
import type { Rig } from './rig.js'
import { turnVector } from './turns.js'

const frame = /* @__PURE__ */ new Float64Array(4)
const axis = /* @__PURE__ */ new Float64Array(6)
const first = /* @__PURE__ */ new Float64Array(3)
const tensor = /* @__PURE__ */ new Float64Array(6)

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
  /** Mobility of a joint against that of one without stiffness. */
  readonly ease: Float64Array
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
    this.carriedMass = new Float64Array(n)
    this.carriedMoment = new Float64Array(3 * n)
    this.carriedInertia = new Float64Array(6 * n)
    this.ease = Float64Array.from(rig.joints, ({ stiffness }) => 1 / (1 + stiffness))
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
    const { rig, world, carriedMass: m, carriedMoment: h, carriedInertia: I } = this
    const { centre, mass: masses, moments, parent, rod } = rig
    const { positions, rotations } = world
    const ox = positions[0]
    const oy = positions[1]
    const oz = positions[2]
    m.fill(0)
    h.fill(0)
    I.fill(0)
    for (let i = rig.count - 1; i >= 0; i--) {
      const a = 3 * i
      const t = 6 * i
      // R(q) c
      const qx = rotations[4 * i]
      const qy = rotations[4 * i + 1]
      const qz = rotations[4 * i + 2]
      const qw = rotations[4 * i + 3]
      const ux = 2 * (qy * centre[a + 2] - qz * centre[a + 1])
      const uy = 2 * (qz * centre[a] - qx * centre[a + 2])
      const uz = 2 * (qx * centre[a + 1] - qy * centre[a])
      const cx = centre[a] + qw * ux + (qy * uz - qz * uy)
      const cy = centre[a + 1] + qw * uy + (qz * ux - qx * uz)
      const cz = centre[a + 2] + qw * uz + (qx * uy - qy * ux)
      const x = positions[a] + cx - ox
      const y = positions[a + 1] + cy - oy
      const z = positions[a + 2] + cz - oz
      // Own inertia about its centre: of a rod across 1 + (along − across) n nᵀ.
      const s = rod[i]
      if (s > 0) {
        const across = moments[a + 1]
        const d = (moments[a] - across) * s * s
        tensor[0] = across + d * cx * cx
        tensor[1] = d * cx * cy
        tensor[2] = d * cx * cz
        tensor[3] = across + d * cy * cy
        tensor[4] = d * cy * cz
        tensor[5] = across + d * cz * cz
      } else this.turnInertia(i)
      const own = masses[i]
      const mass = m[i] + own
      const hx = h[a] + own * x
      const hy = h[a + 1] + own * y
      const hz = h[a + 2] + own * z
      const xx = I[t] + tensor[0] + own * (y * y + z * z)
      const xy = I[t + 1] + tensor[1] - own * x * y
      const xz = I[t + 2] + tensor[2] - own * x * z
      const yy = I[t + 3] + tensor[3] + own * (x * x + z * z)
      const yz = I[t + 4] + tensor[4] - own * y * z
      const zz = I[t + 5] + tensor[5] + own * (x * x + y * y)
      m[i] = mass
      h[a] = hx
      h[a + 1] = hy
      h[a + 2] = hz
      I[t] = xx
      I[t + 1] = xy
      I[t + 2] = xz
      I[t + 3] = yy
      I[t + 4] = yz
      I[t + 5] = zz
      const p = parent[i]
      if (p < 0) continue
      const b = 3 * p
      const u = 6 * p
      m[p] += mass
      h[b] += hx
      h[b + 1] += hy
      h[b + 2] += hz
      I[u] += xx
      I[u + 1] += xy
      I[u + 2] += xz
      I[u + 3] += yy
      I[u + 4] += yz
      I[u + 5] += zz
    }
  }

  /** World inertia of a bone about its centre, the upper triangle into `tensor`: d₂ 1 + (d₀ − d₂) x xᵀ + (d₁ − d₂) y yᵀ. */
  private turnInertia(i: number): void {
    const { rig, world } = this
    const { moments } = rig
    compose(world.rotations, 4 * i, rig.inertiaFrame, 4 * i, frame, 0)
    frameX(frame, 0, axis, 0)
    frameY(frame, 0, axis, 3)
    const last = moments[3 * i + 2]
    const d = moments[3 * i] - last
    const e = moments[3 * i + 1] - last
    for (let r = 0, t = 0; r < 3; r++) {
      for (let c = r; c < 3; c++, t++) {
        tensor[t] = (r === c ? last : 0) + d * axis[r] * axis[c] + e * axis[3 + r] * axis[3 + c]
      }
    }
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
    for (let k = 0; k < 3; k++) out[k] = local[k]
    turnVector(rotations, 4 * bone, out)
    for (let k = 0; k < 3; k++) out[k] += positions[3 * bone + k]
  }

  /** World centre of mass of everything, into `out`. */
  centreOfMass(out: Float64Array): void {
    const { rig, world, carriedMass, carriedMoment } = this
    this.carry()
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
