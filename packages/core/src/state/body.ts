/** The handle of a body. */

import type { ReadonlyQuat, ReadonlyVec3, quat, vec3 } from 'gl-matrix'
import { finite, finiteVector, outVector } from '../define/assert.js'
import type { Bodies } from './bodies.js'
import type { BodyDef, BodyType } from './body-definition.js'
import { ASLEEP, DYNAMIC, FROZEN, KINEMATIC, ROTATES } from './body-columns.js'
import { rotateVector, rotateVectorInverse } from '../math/rotation.js'

/** How the handle of a body is printed: which row, and by which name. */
export interface BodyHandleJson {
  body: number
  generation: number
  name?: string
}

/**
 * A body of a world: an index and a generation. There is one handle of each. When the body is removed the handle goes stale, and each use of it is
 * a `RangeError` that names it. Vectors are returned as copies; `get…(out)` writes into your own.
 */
export class Body {
  /** The table it lives in. */
  readonly bodies: Bodies
  /** Its row. */
  readonly index: number
  /** How often the row had been given out before. */
  readonly generation: number
  /** As given in its definition. */
  readonly name: string | undefined
  /** Anything of yours, an entity or a mesh: it stays with the handle, also through `restore`, and is no part of JSON. */
  userData: unknown = undefined

  constructor(bodies: Bodies, index: number, generation: number, name: string | undefined) {
    this.bodies = bodies
    this.index = index
    this.generation = generation
    this.name = name
  }

  /** Whether the body still exists. */
  get alive(): boolean {
    return this.bodies.isAlive(this)
  }

  /**
   * `dynamic`, `static` or `kinematic`. A body that changes keeps its joints, colliders, mass and inertia. `dynamic` needs a finite mass: from the
   * definition, from the shape of `Collisions.addBody`, or from `setMass`. A body that becomes static stops. One that becomes kinematic keeps its velocity,
   * as in Box2D, Jolt and Rapier; set the velocity to zero to stop it.
   */
  get type(): BodyType {
    const kind = this.bodies.columns.kind[this.row()]
    return kind === DYNAMIC ? 'dynamic' : kind === KINEMATIC ? 'kinematic' : 'static'
  }

  set type(type: BodyType) {
    this.bodies.setType(this.row(), this.label, type)
  }

  /** Whether it has no inertia, hence no orientation of its own. */
  get isParticle(): boolean {
    return (this.bodies.columns.flags[this.row()] & ROTATES) === 0
  }

  /** Whether it became non-finite in a step and stands still; setting its pose frees it. */
  get frozen(): boolean {
    return (this.bodies.columns.flags[this.row()] & FROZEN) !== 0
  }

  /** Whether it sleeps. Setting its pose or velocity, a force, an impulse, or something that moves into it wakes it. */
  get asleep(): boolean {
    return (this.bodies.columns.flags[this.row()] & ASLEEP) !== 0
  }

  /** Wakes it; what it touches follows at the next step. */
  wake(): void {
    this.bodies.wake(this.row())
  }

  /** Puts it to sleep at once, whatever its speed. Among others that are awake it wakes again at the next step. */
  sleep(): void {
    this.bodies.putToSleep(this.row())
  }

  /** [kg]; `Infinity` for a static or kinematic body. */
  get mass(): number {
    const row = this.row()
    return this.bodies.columns.kind[row] === DYNAMIC ? 1 / this.bodies.columns.inverseMass[row] : Infinity
  }

  /** Principal moments of inertia [kg m²]; zeros for a particle. */
  get principalInertia(): vec3 {
    return this.read(this.bodies.columns.principalInertia, 3, [0, 0, 0])
  }

  /** @deprecated The name that `principalInertia` had. */
  get moments(): vec3 {
    return this.principalInertia
  }

  /** Centre of mass [m]. */
  get position(): vec3 {
    return this.getPosition([0, 0, 0])
  }

  /** Unit quaternion `[x, y, z, w]`. */
  get orientation(): quat {
    return this.getOrientation([0, 0, 0, 1])
  }

  /** [m/s] */
  get velocity(): vec3 {
    return this.getVelocity([0, 0, 0])
  }

  /** World frame [rad/s]. */
  get angularVelocity(): vec3 {
    return this.getAngularVelocity([0, 0, 0])
  }

  getPosition(out: vec3): vec3 {
    return this.read(this.bodies.columns.position, 4, out)
  }

  getOrientation(out: quat): quat {
    return this.read(this.bodies.columns.orientation, 4, out)
  }

  getVelocity(out: vec3): vec3 {
    return this.read(this.bodies.columns.velocity, 3, out)
  }

  getAngularVelocity(out: vec3): vec3 {
    return this.read(this.bodies.columns.angularVelocity, 3, out)
  }

  /** Moves the body at once, without giving it velocity; frees it when it was frozen. */
  setPosition(position: ReadonlyVec3): void {
    this.bodies.setPosition(this.row(), finiteVector('setPosition: position', position, 3))
  }

  /** Turns the body at once, without giving it angular velocity; frees it when it was frozen. */
  setOrientation(orientation: ReadonlyQuat): void {
    this.bodies.setOrientation(this.row(), 'setOrientation: orientation', orientation)
  }

  /** [m/s]. A kinematic body keeps moving with it until it is given a target. */
  setVelocity(velocity: ReadonlyVec3): void {
    this.bodies.setVelocity(this.row(), finiteVector('setVelocity: velocity', velocity, 3))
  }

  /** World frame [rad/s]. */
  setAngularVelocity(velocity: ReadonlyVec3): void {
    this.bodies.setAngularVelocity(this.row(), finiteVector('setAngularVelocity: velocity', velocity, 3))
  }

  /**
   * Where a kinematic body is to be at the end of the next step; substeps interpolate. It turns there the short way round, by half a
   * turn a step at most: set `angularVelocity` instead for what spins faster.
   */
  setTarget(position: ReadonlyVec3, orientation?: ReadonlyQuat): void {
    const row = this.row()
    if (this.bodies.columns.kind[row] !== KINEMATIC) {
      throw new TypeError(`setTarget: ${this.label} must be kinematic, got ${this.type}`)
    }
    this.bodies.setTarget(row, finiteVector('setTarget: position', position, 3), orientation)
  }

  /**
   * New mass [kg] and inertia [kg m²], read as in {@link BodyDef}; without inertia it becomes a particle. A static body that gets a finite mass becomes dynamic,
   * a dynamic one that gets `Infinity` becomes static.
   */
  setMass(mass: number, inertia?: BodyDef['inertia']): void {
    this.bodies.setMass(this.row(), 'setMass', mass, inertia)
  }

  /** Multiplies the world's gravity. */
  setGravityScale(scale: number): void {
    const row = this.row()
    this.bodies.columns.gravityScale[row] = finite('setGravityScale: scale', scale)
    this.bodies.wake(row)
  }

  /**
   * Force [N] during the whole of the next step, at a world point [m] or the centre of mass. Forces add up and are
   * cleared by the step.
   */
  applyForce(force: ReadonlyVec3, point?: ReadonlyVec3): void {
    const f = finiteVector('applyForce: force', force, 3)
    const row = this.row()
    const m = point === undefined ? undefined : this.moment('applyForce: point', point, f)
    const { columns } = this.bodies
    assertFits('applyForce: force', f, columns.force, row, f, 1)
    if (m !== undefined) assertFits('applyForce: force', f, columns.torque, row, m, 1)
    this.bodies.wake(row)
    add(columns.force, row, f, 1)
    if (m !== undefined) add(columns.torque, row, m, 1)
  }

  /** Torque [N m], world frame, during the whole of the next step. */
  applyTorque(torque: ReadonlyVec3): void {
    const t = finiteVector('applyTorque: torque', torque, 3)
    const row = this.row()
    assertFits('applyTorque: torque', t, this.bodies.columns.torque, row, t, 1)
    this.bodies.wake(row)
    add(this.bodies.columns.torque, row, t, 1)
  }

  /** Changes velocity at once by an impulse [N s] at a world point [m] or the centre of mass. */
  applyImpulse(impulse: ReadonlyVec3, point?: ReadonlyVec3): void {
    const p = finiteVector('applyImpulse: impulse', impulse, 3)
    const row = this.row()
    const m = point === undefined ? undefined : this.moment('applyImpulse: point', point, p)
    const { position, velocity } = this.bodies.columns
    const w = position[4 * row + 3]
    assertFits('applyImpulse: impulse', p, velocity, row, p, w)
    if (m !== undefined) this.addSpin('applyImpulse: impulse', p, row, m)
    this.bodies.wake(row)
    add(velocity, row, p, w)
  }

  /** Changes angular velocity at once by an angular impulse [N m s], world frame. */
  applyAngularImpulse(impulse: ReadonlyVec3): void {
    const l = finiteVector('applyAngularImpulse: impulse', impulse, 3)
    const row = this.row()
    this.addSpin('applyAngularImpulse: impulse', l, row, l)
    this.bodies.wake(row)
  }

  /** A body-space point [m] in world space. */
  toWorld(local: ReadonlyVec3, out: vec3 = [0, 0, 0]): vec3 {
    const row = this.row()
    finiteVector('toWorld: local', local, 3)
    outVector('toWorld: out', out, 3)
    const { position, orientation } = this.bodies.columns
    rotateVector(orientation, 4 * row, local[0], local[1], local[2], SCRATCH, 0)
    for (let i = 0; i < 3; i++) out[i] = position[4 * row + i] + SCRATCH[i]
    return out
  }

  /** A world point [m] in body space. */
  toBody(point: ReadonlyVec3, out: vec3 = [0, 0, 0]): vec3 {
    const row = this.row()
    finiteVector('toBody: point', point, 3)
    outVector('toBody: out', out, 3)
    const { position, orientation } = this.bodies.columns
    const p = 4 * row
    rotateVectorInverse(
      orientation,
      p,
      point[0] - position[p],
      point[1] - position[p + 1],
      point[2] - position[p + 2],
      SCRATCH,
      0,
    )
    for (let i = 0; i < 3; i++) out[i] = SCRATCH[i]
    return out
  }

  /** Velocity [m/s] of the body's matter at a world point [m]. */
  velocityAt(point: ReadonlyVec3, out: vec3 = [0, 0, 0]): vec3 {
    const row = this.row()
    finiteVector('velocityAt: point', point, 3)
    outVector('velocityAt: out', out, 3)
    const { position, velocity, angularVelocity } = this.bodies.columns
    const rx = point[0] - position[4 * row]
    const ry = point[1] - position[4 * row + 1]
    const rz = point[2] - position[4 * row + 2]
    const wx = angularVelocity[3 * row]
    const wy = angularVelocity[3 * row + 1]
    const wz = angularVelocity[3 * row + 2]
    out[0] = velocity[3 * row] + wy * rz - wz * ry
    out[1] = velocity[3 * row + 1] + wz * rx - wx * rz
    out[2] = velocity[3 * row + 2] + wx * ry - wy * rx
    return out
  }

  /** Removes the body and every constraint on it. */
  remove(): void {
    this.bodies.remove(this)
  }

  /** Which it is, in JSON. */
  toJSON(): BodyHandleJson {
    const { index, generation, name } = this
    return name === undefined ? { body: index, generation } : { body: index, generation, name }
  }

  /** How messages name it. */
  get label(): string {
    return this.name === undefined ? `body ${this.index}` : `body ${this.index} "${this.name}"`
  }

  private row(): number {
    this.bodies.assertAlive('body', this)
    return this.index
  }

  /** ω += I⁻¹ l; refuses the argument `given` where ω overflows. */
  private addSpin(where: string, given: ArrayLike<number>, row: number, l: ArrayLike<number>): void {
    const { angularVelocity, inverseInertia } = this.bodies.columns
    const k = 9 * row
    for (let i = 0; i < 3; i++) {
      const e = k + 3 * i
      SCRATCH[i] = inverseInertia[e] * l[0] + inverseInertia[e + 1] * l[1] + inverseInertia[e + 2] * l[2]
    }
    assertFits(where, given, angularVelocity, row, SCRATCH, 1)
    add(angularVelocity, row, SCRATCH, 1)
  }

  private read<T extends vec3 | quat>(column: Float64Array, stride: number, out: T): T {
    const o = stride * this.row()
    outVector('body: out', out, 3)
    for (let i = 0; i < out.length; i++) out[i] = column[o + i]
    return out
  }

  /** Moment about the centre of mass of `f` at a world point. */
  private moment(where: string, point: ReadonlyVec3, f: ArrayLike<number>): vec3 {
    const at = finiteVector(where, point, 3)
    const { position } = this.bodies.columns
    const rx = at[0] - position[4 * this.index]
    const ry = at[1] - position[4 * this.index + 1]
    const rz = at[2] - position[4 * this.index + 2]
    return [ry * f[2] - rz * f[1], rz * f[0] - rx * f[2], rx * f[1] - ry * f[0]]
  }
}

const SCRATCH = /* @__PURE__ */ new Float64Array(3)

/** Refuses the argument `given` where `scale` times `more` overflows a body's column: snapshots and JSON hold finite numbers. */
function assertFits(
  where: string,
  given: ArrayLike<number>,
  column: Float64Array,
  row: number,
  more: ArrayLike<number>,
  scale: number,
): void {
  for (let k = 0; k < 3; k++) {
    if (Number.isFinite(column[3 * row + k] + scale * more[k])) continue
    throw new RangeError(`${where} must leave forces and velocities finite, got [${Array.from(given).join(', ')}]`)
  }
}

function add(column: Float64Array, row: number, more: ArrayLike<number>, scale: number): void {
  for (let k = 0; k < 3; k++) column[3 * row + k] += scale * more[k]
}
