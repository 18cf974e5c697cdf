/**
 * The bodies of an impact, and how they move until the substep is over.
 *
 * A member is moved through the substep here, in steps as short as its motion asks for. What else moves among the pairs is carried
 * along at its own velocity, so that members meet it where it is, and put back in the end: kinematic bodies, what hangs on joints,
 * and what nothing has struck hard enough. It keeps the velocity that impacts gave it.
 *
 * Velocities are those of the instant here: u = v + ½ h a, since positions of x += h (v + h a) lie on a parabola that has this
 * velocity at x. With it u += ½ τ a, x += τ u, u += ½ τ a is exact for any τ, and an impact within the substep changes no energy
 * but its own.
 */

import { type LeanWorld } from '@tautline/core'
import {
  ADVANCED,
  ARRIVED,
  type BodyColumns,
  drift,
  DYNAMIC,
  HAS_TARGET,
  KINEMATIC,
  predictSpin,
  refreshInertia,
  RESTS,
  rotationBetween,
  ROTATES,
  type Gyroscopic,
  worldInertia,
} from '@tautline/core/kernel'
import { IntList } from '../detect/broad/int-list.js'

/** Pose, velocity and spin of a body. */
const STATE = 13
/** Rotation [rad] that the midpoint rule takes at once, to a share of 1e-6; and how many of them at most. */
const TURN = 0.2
const MOST_TURNS = 512
/** Beyond so many turns they are left to the core, which parts each of them again: the product of both has no bound that a step can bear. */
const TOO_MANY = 4096
const TENSOR = /* @__PURE__ */ new Float64Array(9)
/** Not in the group. */
const NONE = -1

export class ImpactGroup {
  /** Rows of the bodies, members and carried ones. */
  readonly bodies: IntList = new IntList()
  /** By place in `bodies`: 1 for a member. */
  member: Uint8Array = new Uint8Array(16)
  /** By place: where, and how far around, pairs have been looked for [m]. */
  private range = new Float64Array(4 * 16)
  /** By place: state when it came in, and state to go back to. */
  private start = new Float64Array(16 * STATE)
  private kept = new Float64Array(16 * STATE)
  /** By place: acceleration [m/s²]. */
  private acceleration = new Float64Array(3 * 16)
  private places = new Int32Array(0)
  private readonly world: LeanWorld
  private h = 0

  constructor(world: LeanWorld) {
    this.world = world
  }

  /** Empties the group for a substep of `h`. */
  begin(h: number): void {
    const { bodies, places } = this
    for (let k = 0; k < bodies.count; k++) if (bodies.items[k] < places.length) places[bodies.items[k]] = NONE
    bodies.clear()
    const { count } = this.world.bodies
    if (places.length < count) this.places = new Int32Array(2 * count).fill(NONE)
    this.h = h
  }

  /** Place of a body in the group, or −1. */
  placeOf(i: number): number {
    return this.places[i]
  }

  isMember(i: number): boolean {
    const place = this.places[i]
    return place !== NONE && this.member[place] === 1
  }

  /** Takes a body in, with `left` substeps to come in the step; returns its place. */
  add(i: number, left: number): number {
    const { bodies, places, h } = this
    if (places[i] !== NONE) return places[i]
    const place = bodies.count
    bodies.push(i)
    places[i] = place
    this.reserve(place + 1)
    const c = this.world.bodies.columns
    this.member[place] = 0
    this.range[4 * place + 3] = -1
    store(c, i, this.start, STATE * place)
    // A step that is taken back may have been begun without it.
    store(c, i, this.kept, STATE * place)
    const { gravity } = this.world.settings
    const falls = c.kind[i] === DYNAMIC && (c.flags[i] & RESTS) === 0
    for (let k = 0; k < 3; k++) {
      const a = falls ? c.gravityScale[i] * gravity[k] + c.inverseMass[i] * c.force[3 * i + k] : 0
      this.acceleration[3 * place + k] = a
      c.velocity[3 * i + k] += 0.5 * h * a
    }
    if (c.kind[i] === KINEMATIC) aim(c, i, left * h)
    return place
  }

  /** Whether a body that goes no farther than `way` [m] stays where pairs have been looked for. */
  isWithin(place: number, way: number): boolean {
    const { position: x } = this.world.bodies.columns
    const { range } = this
    const o = 4 * place
    const p = 4 * this.bodies.items[place]
    const dx = x[p] - range[o]
    const dy = x[p + 1] - range[o + 1]
    const dz = x[p + 2] - range[o + 2]
    return Math.sqrt(dx * dx + dy * dy + dz * dz) + way <= range[o + 3]
  }

  /** Notes that pairs have been looked for within `range` [m] of where a body is. */
  setRange(place: number, range: number): void {
    const { position: x } = this.world.bodies.columns
    for (let k = 0; k < 3; k++) this.range[4 * place + k] = x[4 * this.bodies.items[place] + k]
    this.range[4 * place + 3] = range
  }

  /** Adds to the velocities of members what they gain in `t` [s]. */
  kick(t: number): void {
    const { velocity } = this.world.bodies.columns
    const { bodies, member, acceleration } = this
    for (let place = 0; place < bodies.count; place++) {
      if (member[place] === 0) continue
      const o = 3 * bodies.items[place]
      for (let k = 0; k < 3; k++) velocity[o + k] += t * acceleration[3 * place + k]
    }
  }

  /** Moves everything at its velocity for `t` [s]. */
  drift(t: number): void {
    const c = this.world.bodies.columns
    const { gyroscopic } = this.world.settings
    const { bodies, member } = this
    for (let place = 0; place < bodies.count; place++) {
      const i = bodies.items[place]
      if (member[place] === 0) {
        drift(c, i, t)
        continue
      }
      for (let k = 0; k < 3; k++) c.position[4 * i + k] += t * c.velocity[3 * i + k]
      if ((c.flags[i] & ROTATES) !== 0) rotateFreely(c, i, t, gyroscopic)
    }
  }

  /** Keeps all states, to come back to them. */
  keep(): void {
    const c = this.world.bodies.columns
    const { bodies, kept } = this
    for (let place = 0; place < bodies.count; place++) store(c, bodies.items[place], kept, STATE * place)
  }

  /** Back to what was kept. */
  goBack(): void {
    const c = this.world.bodies.columns
    const { bodies, kept, member } = this
    for (let place = 0; place < bodies.count; place++) {
      load(c, bodies.items[place], kept, STATE * place)
      if (member[place] === 1) refreshInertia(c, bodies.items[place])
    }
  }

  /** Ends the substep: members have moved through it, and what was carried goes back to where it was. */
  end(): void {
    const c = this.world.bodies.columns
    const { bodies, member, acceleration, start, h } = this
    for (let place = 0; place < bodies.count; place++) {
      const i = bodies.items[place]
      const damping = member[place] === 1 ? 1 / (1 + h * c.linearDamping[i]) : 1
      for (let k = 0; k < 3; k++) {
        c.velocity[3 * i + k] = damping * (c.velocity[3 * i + k] - 0.5 * h * acceleration[3 * place + k])
      }
      if (member[place] === 1) {
        c.flags[i] |= ADVANCED
        continue
      }
      const o = STATE * place
      for (let k = 0; k < 3; k++) c.position[4 * i + k] = start[o + k]
      for (let k = 0; k < 4; k++) c.orientation[4 * i + k] = start[o + 3 + k]
      if (c.kind[i] !== KINEMATIC) continue
      for (let k = 0; k < 3; k++) {
        c.velocity[3 * i + k] = start[o + 7 + k]
        c.angularVelocity[3 * i + k] = start[o + 10 + k]
      }
    }
  }

  /** How much impacts have changed the speed of a carried body [m/s], a point at `reach` [m] of it included. */
  changeOf(place: number, reach: number): number {
    const c = this.world.bodies.columns
    const { start, acceleration, h } = this
    const i = this.bodies.items[place]
    let linear = 0
    let angular = 0
    for (let k = 0; k < 3; k++) {
      const v = c.velocity[3 * i + k] - 0.5 * h * acceleration[3 * place + k] - start[STATE * place + 7 + k]
      const w = c.angularVelocity[3 * i + k] - start[STATE * place + 10 + k]
      linear += v * v
      angular += w * w
    }
    return Math.sqrt(linear) + reach * Math.sqrt(angular)
  }

  private reserve(count: number): void {
    if (this.member.length >= count) return
    const n = 2 * count
    this.member = grow(this.member, new Uint8Array(n))
    this.range = grow(this.range, new Float64Array(4 * n))
    this.start = grow(this.start, new Float64Array(n * STATE))
    this.kept = grow(this.kept, new Float64Array(n * STATE))
    this.acceleration = grow(this.acceleration, new Float64Array(3 * n))
  }
}

/** Advances the rotation of a free body by t [s], in turns of at most `TURN`. Its energy does not grow. */
function rotateFreely(c: BodyColumns, i: number, t: number, mode: Gyroscopic): void {
  const w = c.angularVelocity
  const o = 3 * i
  const speed = Math.sqrt(w[o] * w[o] + w[o + 1] * w[o + 1] + w[o + 2] * w[o + 2])
  const turns = Math.ceil((speed * t) / TURN)
  const count = turns > TOO_MANY ? 1 : Math.min(Math.max(turns, 1), MOST_TURNS)
  const isDriven = c.torque[o] !== 0 || c.torque[o + 1] !== 0 || c.torque[o + 2] !== 0
  for (let k = 0; k < count; k++) {
    const before = spinEnergy(c, i)
    for (let q = 4 * i; q < 4 * i + 4; q++) c.startOrientation[q] = c.orientation[q]
    predictSpin(c, i, t / count, mode)
    const after = spinEnergy(c, i)
    if (isDriven || !(after > before)) continue
    const scale = Math.sqrt(before / after)
    for (let axis = o; axis < o + 3; axis++) w[axis] *= scale
  }
  refreshInertia(c, i)
}

/** Twice the energy of rotation [J]. */
function spinEnergy(c: BodyColumns, i: number): number {
  const { angularVelocity: w } = c
  const o = 3 * i
  worldInertia(c, i, TENSOR)
  let sum = 0
  for (let r = 0; r < 3; r++) {
    for (let s = 0; s < 3; s++) sum += w[o + r] * TENSOR[3 * r + s] * w[o + s]
  }
  return sum
}

function grow<A extends Float64Array | Uint8Array>(old: A, into: A): A {
  into.set(old)
  return into
}

function store(c: BodyColumns, i: number, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    out[o + k] = c.position[4 * i + k]
    out[o + 7 + k] = c.velocity[3 * i + k]
    out[o + 10 + k] = c.angularVelocity[3 * i + k]
  }
  for (let k = 0; k < 4; k++) out[o + 3 + k] = c.orientation[4 * i + k]
}

function load(c: BodyColumns, i: number, from: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    c.position[4 * i + k] = from[o + k]
    c.velocity[3 * i + k] = from[o + 7 + k]
    c.angularVelocity[3 * i + k] = from[o + 10 + k]
  }
  for (let k = 0; k < 4; k++) c.orientation[4 * i + k] = from[o + 3 + k]
}

/** Velocities of a kinematic body on its way to its target, `time` [s] from here; one that has arrived stands. */
function aim(c: BodyColumns, i: number, time: number): void {
  const v = 3 * i
  if ((c.flags[i] & HAS_TARGET) !== 0) {
    for (let k = 0; k < 3; k++) c.velocity[v + k] = (c.targetPosition[v + k] - c.position[4 * i + k]) / time
    rotationBetween(c.targetOrientation, 4 * i, c.orientation, 4 * i, c.angularVelocity, v)
    for (let k = v; k < v + 3; k++) c.angularVelocity[k] /= time
  } else if ((c.flags[i] & ARRIVED) !== 0) {
    for (let k = v; k < v + 3; k++) c.velocity[k] = c.angularVelocity[k] = 0
  }
}
