/** The handle of a body that lives in a worker: calls are posted, poses are read from the newest frame. */

import type { BodyDef, BodyType } from '@tautline/core'
import { outVector, rotate, rotationBetween } from '@tautline/core/kernel'
import type { quat, ReadonlyQuat, ReadonlyVec3, vec3 } from 'gl-matrix'
import {
  ANGULAR_VELOCITY,
  FLAGS,
  IS_FROZEN,
  ORIENTATION,
  POSES,
  POSITION,
  PREVIOUS_ORIENTATION,
  PREVIOUS_POSITION,
  SLEEPS,
  STRIDE,
  VELOCITY,
} from '../frames/layout.js'
import { RemoteHandle, type RemoteOwner } from './remote-handle.js'

/** What a body says of itself when it is asked. */
export interface BodyReading {
  type: BodyType
  /** [kg]; `Infinity` for a static or kinematic body. */
  mass: number
  /** [kg m²]; zeros for a particle. */
  principalInertia: vec3
  /** Centre of mass [m]. */
  position: vec3
  orientation: quat
  /** [m/s] */
  velocity: vec3
  /** World frame [rad/s]. */
  angularVelocity: vec3
  asleep: boolean
  frozen: boolean
}

/** What is known of a body before a frame has it. */
export interface FirstPose {
  readonly name: string | undefined
  readonly isParticle: boolean
  readonly position: ArrayLike<number>
  readonly orientation: ArrayLike<number>
}

const turned = /* @__PURE__ */ new Float64Array(3)
const quad = /* @__PURE__ */ new Float64Array(4)

/** A body of a world in a worker. */
export class RemoteBody extends RemoteHandle {
  /** As given in its definition. */
  readonly name: string | undefined
  /** Whether it was made without inertia, hence has no orientation of its own. */
  readonly isParticle: boolean
  private readonly first: FirstPose
  private guess = -1
  /** The message of calls that made or removed it, until frames know of that. */
  private since: number
  private isExpected = true

  /** Made by the remote world. */
  constructor(remote: RemoteOwner, id: number, first: FirstPose, since: number) {
    super(remote, id)
    this.name = first.name
    this.isParticle = first.isParticle
    this.first = first
    this.since = since
  }

  /** Whether it exists, as far as the newest frame and the page's own calls tell. */
  get alive(): boolean {
    const { frames } = this.remote
    return frames.batch >= this.since ? this.place() >= 0 : this.isExpected
  }

  /** Whether it sleeps. */
  get asleep(): boolean {
    return this.flag(SLEEPS)
  }

  /** Whether it became non-finite in a step and stands still. */
  get frozen(): boolean {
    return this.flag(IS_FROZEN)
  }

  /** Centre of mass [m] at the end of the last step of the newest frame. */
  get position(): vec3 {
    return this.getPosition([0, 0, 0])
  }

  /** Unit quaternion `[x, y, z, w]` there. */
  get orientation(): quat {
    return this.getOrientation([0, 0, 0, 1])
  }

  /** The position into your own array [m]: of the newest frame; of the definition until there is one that has the body. */
  getPosition(out: vec3): vec3 {
    outVector('getPosition: out', out, 3)
    return this.copy(POSITION, 3, this.first.position, out)
  }

  /** The orientation into your own array. */
  getOrientation(out: quat): quat {
    outVector('getOrientation: out', out, 4)
    return this.copy(ORIENTATION, 4, this.first.orientation, out)
  }

  /** Velocity [m/s] in the newest frame. Throws a `RangeError` unless the connection was made with `velocities`. */
  getVelocity(out: vec3): vec3 {
    outVector('getVelocity: out', out, 3)
    return this.copy(this.velocityAt('getVelocity', VELOCITY), 3, ZERO, out)
  }

  /** Angular velocity [rad/s], world frame, as {@link getVelocity}. */
  getAngularVelocity(out: vec3): vec3 {
    outVector('getAngularVelocity: out', out, 3)
    return this.copy(this.velocityAt('getAngularVelocity', ANGULAR_VELOCITY), 3, ZERO, out)
  }

  /**
   * The pose at `alpha` from the start of the last step (0) to its end (1), for drawing: along the line, and the short way round.
   * @defaultValue alpha = the remote world's
   */
  interpolate(position: vec3, orientation?: quat, alpha: number = this.remote.alpha): void {
    outVector('interpolate: position', position, 3)
    if (orientation !== undefined) outVector('interpolate: orientation', orientation, 4)
    const o = this.place()
    const { frame } = this.remote.frames
    if (o < 0 || frame === undefined) {
      this.getPosition(position)
      if (orientation !== undefined) this.getOrientation(orientation)
      return
    }
    for (let k = 0; k < 3; k++) {
      const from = frame[o + PREVIOUS_POSITION + k]
      const to = frame[o + POSITION + k]
      position[k] = alpha === 1 ? to : from + alpha * (to - from)
    }
    if (orientation === undefined) return
    const p = o + PREVIOUS_ORIENTATION
    rotationBetween(frame, o + ORIENTATION, frame, p, turned, 0)
    for (let k = 0; k < 4; k++) quad[k] = frame[p + k]
    rotate(quad, 0, alpha * turned[0], alpha * turned[1], alpha * turned[2])
    for (let k = 0; k < 4; k++) orientation[k] = alpha === 1 ? frame[o + ORIENTATION + k] : quad[k]
  }

  /** Everything that can be read of it, at the time when the worker hears of it. Rejected with a `RangeError` when it is no more. */
  read(): Promise<BodyReading> {
    return this.remote.ask('body.read', this)
  }

  /** See `Body.type`. */
  setType(type: BodyType): void {
    this.remote.post('body.setType', this, type)
  }

  /** Moves the body at once, without giving it velocity [m]. */
  setPosition(position: ReadonlyVec3): void {
    this.remote.post('body.setPosition', this, position)
  }

  /** Turns the body at once, without giving it angular velocity. */
  setOrientation(orientation: ReadonlyQuat): void {
    this.remote.post('body.setOrientation', this, orientation)
  }

  /** [m/s] */
  setVelocity(velocity: ReadonlyVec3): void {
    this.remote.post('body.setVelocity', this, velocity)
  }

  /** World frame [rad/s]. */
  setAngularVelocity(velocity: ReadonlyVec3): void {
    this.remote.post('body.setAngularVelocity', this, velocity)
  }

  /** Where a kinematic body is to be at the end of the next step [m]. */
  setTarget(position: ReadonlyVec3, orientation?: ReadonlyQuat): void {
    this.remote.post('body.setTarget', this, position, orientation)
  }

  /** New mass [kg] and inertia [kg m²], read as in `BodyDef`. */
  setMass(mass: number, inertia?: BodyDef['inertia']): void {
    this.remote.post('body.setMass', this, mass, inertia)
  }

  /** Multiplies the world's gravity. */
  setGravityScale(scale: number): void {
    this.remote.post('body.setGravityScale', this, scale)
  }

  /** Force [N] during the whole of the next step, at a world point [m] or the centre of mass. */
  applyForce(force: ReadonlyVec3, point?: ReadonlyVec3): void {
    this.remote.post('body.applyForce', this, force, point)
  }

  /** Torque [N m], world frame, during the whole of the next step. */
  applyTorque(torque: ReadonlyVec3): void {
    this.remote.post('body.applyTorque', this, torque)
  }

  /** Changes velocity at once by an impulse [N s] at a world point [m] or the centre of mass. */
  applyImpulse(impulse: ReadonlyVec3, point?: ReadonlyVec3): void {
    this.remote.post('body.applyImpulse', this, impulse, point)
  }

  /** Changes angular velocity at once by an angular impulse [N m s], world frame. */
  applyAngularImpulse(impulse: ReadonlyVec3): void {
    this.remote.post('body.applyAngularImpulse', this, impulse)
  }

  /** Wakes it. */
  wake(): void {
    this.remote.post('body.wake', this)
  }

  /** Puts it to sleep at once. */
  sleep(): void {
    this.remote.post('body.sleep', this)
  }

  /** Removes it and every constraint and collider on it. */
  remove(): void {
    this.since = this.remote.post('body.remove', this)
    this.isExpected = false
  }

  /** How messages name it. */
  get label(): string {
    return this.name === undefined ? `remote body ${this.id}` : `remote body ${this.id} "${this.name}"`
  }

  /** Where its record is in the newest frame; −1 where it has none. */
  place(): number {
    return (this.guess = this.remote.frames.place(this.id, this.guess))
  }

  private flag(flag: number): boolean {
    const o = this.place()
    return o >= 0 && ((this.remote.frames.frame as Float64Array)[o + FLAGS] & flag) !== 0
  }

  private copy<T extends vec3 | quat>(field: number, count: number, first: ArrayLike<number>, out: T): T {
    const o = this.place()
    const { frame } = this.remote.frames
    for (let k = 0; k < count; k++) out[k] = o < 0 || frame === undefined ? first[k] : frame[o + field + k]
    return out
  }

  private velocityAt(where: string, field: number): number {
    const { frame } = this.remote.frames
    if (frame !== undefined && frame[STRIDE] === POSES) {
      throw new RangeError(`${where}: connection must be made with velocities: true, got one without`)
    }
    return field
  }
}

const ZERO = [0, 0, 0]
