/** Ragdolls: the handle. */

import { fixed } from '@tautline/constraints'
import { Body, type Constraint, type LeanWorld } from '@tautline/core'
import {
  finiteVector,
  instance,
  knownFields,
  nonNegative,
  positive,
  rotationBetween,
  unitQuaternion,
} from '@tautline/core/kernel'
import { setPairCollision } from '@tautline/collision'
import type { ReadonlyVec3 } from 'gl-matrix'
import { share } from '../parts/checks.js'
import { Assembly, type AssemblyOwner } from '../assembly.js'
import type { SceneWriter } from '../scene.js'
import { collisionsOf } from '../parts/collisions.js'
import { partAt } from './asset.js'
import { bendBetween } from './between.js'
import type { RagdollAsset } from './data.js'
import type { RagdollSettings } from './definition.js'
import { driveJoints, leadJoints, recover } from './drives.js'
import { weakenAround, copyMotion, type Motion } from './motion.js'
import { closeLimits, openLimits } from './limits.js'
import { leadPins, pinParts } from './pins.js'
import { moveBody, readPlaces, velocitiesBetween } from './places.js'
import { blendBone, type BonePose, checkPose, placeBones, placeParts, readPose, restPose, type Space } from './pose.js'
import { gathered, isOff, type RagdollState } from './state.js'
import { profileOf } from './profiles.js'
import { type Room, roomOf } from './room.js'
import { type LimitViolation, type PartPlaces, violationsOf } from './validate.js'
import {
  checkWeights,
  chosenParts,
  partsBelow,
  type PartChoice,
  type RagdollProfile,
  type RagdollWeights,
  writeWeights,
} from './weights.js'
import { writeRagdoll } from './write.js'

/** How a pose is taken over: see {@link Ragdoll.setPose}. */
export interface SetPoseOptions {
  /** The pose `dt` before: parts go on with the velocities between the two. @defaultValue at rest */
  previous?: BonePose
  /** Time from `previous` to the pose [s]. @defaultValue the world's `dt` */
  dt?: number
}

/** How a pose is driven to: see {@link Ragdoll.driveTo}. */
export interface DriveToOptions extends Pick<RagdollWeights, 'strength' | 'damping' | 'maxTorque'> {
  /** Parts that strength, damping and largest couple are set of. @defaultValue all of them */
  bones?: PartChoice
  /** Time since the last pose was given, for its velocities [s]; 0 drives to it as if it stood still. @defaultValue the world's time since */
  dt?: number
  /** Share 0 … 1 of gravity that muscles bear beside their springs; for what is held, not for what falls. @defaultValue the root's pin */
  gravityCompensation?: number
}

/** What a hit does besides its impulse: see {@link Ragdoll.hit}. */
export interface HitOptions {
  /** Where, in the world [m]. @defaultValue the centre of mass of the part */
  point?: ReadonlyVec3
  /** Share of its strength that the part loses, 0 … 1; its neighbours lose half of that, theirs a quarter. @defaultValue 0.9 */
  weaken?: number
  /** Time in which muscles come back [s]. @defaultValue 0.8 */
  recovery?: number
}

/** A ragdoll of a world: see `ragdoll`. Bones are named as in the skeleton, or by role; one that is no part stands for the part that it is folded into. */
export class Ragdoll extends Assembly<RagdollState> {
  readonly kind = 'ragdoll'
  /** What it is made of, as it may be shared. */
  readonly asset: RagdollAsset
  readonly settings: RagdollSettings
  private motion: Motion
  private readonly space: Space
  /** Of the step in hand. */
  private substep = -1
  private readonly room: Room

  constructor(
    owner: AssemblyOwner,
    world: LeanWorld,
    name: string | undefined,
    asset: RagdollAsset,
    settings: RagdollSettings,
    state: RagdollState,
    motion: Motion,
  ) {
    super(owner, world, name, state)
    this.asset = asset
    this.settings = settings
    this.motion = motion
    this.space = spaceOf(settings)
    this.room = roomOf(asset)
  }

  /** The body of the part that a bone belongs to. */
  body(bone: string): Body {
    return this.known().bodies[partAt(`${this.label}: body`, this.asset, bone)]
  }

  /** The joint that holds the part of a bone to the one it hangs on; none of the root, and of what was cut off. */
  joint(bone: string): Constraint | undefined {
    return this.known().joints[partAt(`${this.label}: joint`, this.asset, bone)]
  }

  /** What a part is driven by at present. */
  weights(bone: string): Required<RagdollWeights> {
    const part = partAt(`${this.label}: weights`, this.asset, bone)
    const { pin, muscle, mapping, strength, damping, maxTorque, maxLead } = this.motion.weights
    const own = this.asset.parts[part].joint?.strength ?? Infinity
    return {
      pin: pin[part],
      muscle: muscle[part],
      mapping: mapping[part],
      strength: strength[part],
      damping: damping[part],
      maxTorque: Number.isNaN(maxTorque[part]) ? own : maxTorque[part],
      maxLead: maxLead[part],
    }
  }

  /** Sets how parts are driven: `setWeights({ muscle: 0 }, { below: 'leftUpperArm' })` lets an arm hang. Throws, and changes nothing, on a bad value. */
  setWeights(weights: RagdollWeights, bones?: PartChoice): void {
    const where = `${this.label}: setWeights`
    this.world.bodies.callbacks.refuse(where)
    this.known()
    const values = checkWeights(where, weights, `${where}: weights`)
    const chosen = chosenParts(where, this.asset, bones)
    writeWeights(this.motion, chosen, values)
    if (values.pin !== undefined) this.repin(chosen)
    this.drive()
  }

  /** Sets weights by the name of a profile, one of `RAGDOLL_PROFILES` or of the option `profiles`: `profile('limp')`. `bones` has it set those alone, whatever the profile says of parts. */
  profile(name: RagdollProfile | (string & {}), bones?: PartChoice): void {
    for (const { bones: own, ...weights } of profileOf(`${this.label}: profile`, this.settings.profiles, name)) {
      this.setWeights(weights, bones === undefined ? own : bones)
    }
  }

  /**
   * Drives joints to a pose, and pinned parts to their places in it, at the end of the next step. Called before each step with a clip's poses, it also follows
   * their velocities. Throws `TypeError`/`RangeError`, and changes nothing, on a bad value.
   */
  driveTo(pose: BonePose, options: DriveToOptions = {}): void {
    const where = `${this.label}: driveTo`
    this.world.bodies.callbacks.refuse(where)
    this.known()
    const { bones, dt, gravityCompensation, ...gains }: DriveToOptions = knownFields(
      `${where}: options`,
      options,
      DRIVE_FIELDS,
    )
    checkPose(`${where}: pose`, this.asset.skeleton, pose)
    const values = checkWeights(where, gains)
    const chosen = chosenParts(where, this.asset, bones)
    const since = dt === undefined ? this.elapsed() : nonNegative(`${where}: dt`, dt)
    if (gravityCompensation !== undefined) nonNegative(`${where}: gravityCompensation`, gravityCompensation)
    writeWeights(this.motion, chosen, values)
    this.motion.driven = true
    this.motion.bears = gravityCompensation ?? this.motion.weights.pin[0]
    this.aim(pose, since)
    this.drive()
    leadPins(this.asset, this.state, this.motion, true)
  }

  /** Joints are driven no more; pins stay. */
  release(): void {
    this.world.bodies.callbacks.refuse(`${this.label}: release`)
    this.known()
    this.motion.driven = false
    this.drive()
  }

  /**
   * Puts all parts where a pose has them, at once; with `previous`, at the velocities of the motion between the two. Limits that the pose violates open,
   * and close within a third of a second.
   */
  setPose(pose: BonePose, options: SetPoseOptions = {}): void {
    const where = `${this.label}: setPose`
    this.world.bodies.callbacks.refuse(where)
    const { bodies } = this.known()
    const { previous, dt }: SetPoseOptions = knownFields(`${where}: options`, options, ['previous', 'dt'])
    checkPose(`${where}: pose`, this.asset.skeleton, pose)
    if (previous !== undefined) checkPose(`${where}: previous`, this.asset.skeleton, previous)
    const time = positive(`${where}: dt`, dt ?? this.world.settings.dt)
    const { places, before } = this.room
    this.placesOf(previous ?? pose, before)
    this.placesOf(pose, places)
    copyPose(pose, this.motion.target)
    const moving = previous && velocitiesBetween(this.asset, before, places, time)
    bodies.forEach((body, part) => {
      if (body.alive) moveBody(this.asset, body, part, places, moving)
    })
    const all = bodies.map((_, part) => part)
    openLimits(this.asset, this.state, this.motion, places, all, previous && { places: before, dt: time })
    this.takeTarget(places)
    this.wake()
  }

  /**
   * The pose that it is in, at `alpha` from the start of the last step (0) to its end (1), roots in its space: written to `out`, and returned. Bones that are no parts stand as in the pose that leads it, else as at rest;
   * those between two parts bend with them. Parts whose `mapping` is below 1 are blended with it.
   */
  pose(out: BonePose = restPose(this.asset.skeleton), alpha = 1): BonePose {
    this.known()
    const { room, motion, asset, space } = this
    checkPose(`${this.label}: pose: out`, asset.skeleton, out)
    share(`${this.label}: pose: alpha`, alpha)
    readPlaces(asset, this.state, motion, alpha, room.places)
    const isLoose = (part: number): boolean => this.isLoose(part)
    readPose(asset, room.places, motion.target, space, isLoose, room.bones, out)
    const { mapping } = motion.weights
    asset.parts.forEach(({ bone }, part) => {
      if (mapping[part] < 1) blendBone(motion.target, out, bone, mapping[part], out)
    })
    if (room.between !== undefined) bendBetween(room.between, asset, motion.target, isLoose, out)
    return out
  }

  /** Limits of joints that are violated: by its pose at present, or by one given. */
  validate(pose?: BonePose): LimitViolation[] {
    this.known()
    const { places } = this.room
    if (pose === undefined) readPlaces(this.asset, this.state, this.motion, 1, places)
    else this.placesOf(checkPose(`${this.label}: validate: pose`, this.asset.skeleton, pose), places)
    const violations = violationsOf(this.asset, places)
    // The angles of a joint that is gone are none.
    return pose === undefined ? violations.filter(({ bone }) => this.joint(bone) !== undefined) : violations
  }

  /** Strikes the part of a bone by an impulse [N s]; muscles around it weaken, and come back. */
  hit(bone: string, impulse: ReadonlyVec3, options: HitOptions = {}): void {
    const where = `${this.label}: hit`
    this.world.bodies.callbacks.refuse(where)
    const { bodies } = this.known()
    const given: HitOptions = knownFields(`${where}: options`, options, ['point', 'weaken', 'recovery'])
    const { point, weaken = 0.9, recovery = 0.8 } = given
    const part = partAt(where, this.asset, bone)
    finiteVector(`${where}: impulse`, impulse, 3)
    if (nonNegative(`${where}: weaken`, weaken) > 1)
      throw new RangeError(`${where}: weaken must be <= 1, got ${weaken}`)
    const time = positive(`${where}: recovery`, recovery)
    if (point !== undefined) finiteVector(`${where}: point`, point, 3)
    if (!bodies[part].alive) throw new RangeError(`${where}: bone must have its body, got a removed one`)
    bodies[part].applyImpulse(impulse, point)
    weakenAround(this.asset, this.motion, part, weaken, time)
    this.wake()
  }

  /** Cuts the part of a bone, with all that hangs on it, off the rest. It falls without a muscle and without a pin, whatever drives the others. */
  cut(bone: string): void {
    const where = `${this.label}: cut`
    this.world.bodies.callbacks.refuse(where)
    const { joints } = this.known()
    const part = partAt(where, this.asset, bone)
    const joint = joints[part]
    if (joint === undefined) throw new RangeError(`${where}: bone must have a joint to its parent, got ${bone} without`)
    if (joint.alive) joint.remove()
    this.state = gathered({ ...this.state, joints: joints.map((other, k) => (k === part ? undefined : other)) })
    this.repin(partsBelow(this.asset, part))
    this.setDrives()
    this.wake()
  }

  /** Fixes a body to the part of a bone, as a thing in a hand, where both are now; the two pass through each other. Remove what it returns to let go. */
  hold(bone: string, body: Body): Constraint {
    const where = `${this.label}: hold`
    this.world.bodies.callbacks.refuse(where)
    const state = this.known()
    const part = partAt(where, this.asset, bone)
    this.world.bodies.assertAlive(`${where}: body`, instance(`${where}: body`, body, Body, 'a body'))
    const made: unknown = this.world.add(fixed, { a: state.bodies[part], b: body })
    const joint = made as Constraint
    const collisions = collisionsOf(this.world)
    // What holds it is near it as well.
    for (const near of [part, this.asset.parts[part].parent]) {
      if (near >= 0 && collisions !== undefined) setPairCollision(collisions, state.bodies[near], body, false)
    }
    this.state = gathered({
      ...state,
      held: [...state.held.filter((other) => other.joint.alive), { part, body, joint }],
    })
    return joint
  }

  override beforeStep(dt: number): void {
    const { motion, asset, state } = this
    this.substep = -1
    closeLimits(asset, state, motion, dt)
    const stopped = this.stopTarget()
    if (recover(motion, dt) || stopped) this.setDrives()
    if (stopped) leadPins(asset, state, motion, false)
  }

  override beforeSubstep(h: number): void {
    const { substeps } = this.world.settings
    if (!this.motion.driven || substeps === 1) return
    this.substep = (this.substep + 1) % substeps
    leadJoints(this.asset, this.state, this.motion, h * (substeps - 1 - this.substep))
  }

  override bodyRemoved(row: number): void {
    const { bodies, pins, joints, held } = this.state
    const part = bodies.findIndex((body) => body.index === row)
    const lost = held.filter(({ body }) => body.index === row)
    if (part < 0 && lost.length === 0) return
    const { parts } = this.asset
    this.state = gathered({
      ...this.state,
      joints: joints.map((joint, k) => (part >= 0 && (k === part || parts[k].parent === part) ? undefined : joint)),
      pins: pins.map((pin, k) => (k === part ? undefined : pin)),
      held: held.filter((thing) => !lost.includes(thing) && thing.part !== part),
    })
  }

  override save(): unknown {
    return { state: this.state, motion: copyMotion(this.motion) }
  }

  override restore(saved: unknown): void {
    const { state, motion } = saved as { state: RagdollState; motion: Motion }
    this.state = state
    this.motion = copyMotion(motion)
  }

  write(scene: SceneWriter): object {
    return writeRagdoll(scene, this.asset, this.settings, this.state, this.motion)
  }

  /** Whether a part's place is its own: the root, what slides, what was cut off. */
  private isLoose(part: number): boolean {
    const { joint } = this.asset.parts[part]
    return joint === undefined || joint.kind === 'slider' || this.state.joints[part] === undefined
  }

  /** Time since the last target [s]; 0 where there was none for two steps. */
  private elapsed(): number {
    const { time } = this.motion
    const since = this.world.clock.time - time
    return time < 0 || since > MOST_STEPS * this.world.settings.dt ? 0 : since
  }

  /** A target that was not given anew for this step stands still; whether it moved until now. */
  private stopTarget(): boolean {
    const { time, velocities, spins } = this.motion
    if (time < 0 || this.world.clock.time <= time) return false
    if (velocities.every((value) => value === 0) && spins.every((value) => value === 0)) return false
    velocities.fill(0)
    spins.fill(0)
    return true
  }

  /** Makes a pose the target, `dt` after the last one; 0 as if it stood still. */
  private aim(pose: BonePose, dt: number): void {
    const { motion, room } = this
    this.placesOf(pose, room.places)
    const { positions, rotations, velocities, spins } = motion
    const n = this.asset.parts.length
    for (let part = 0; part < n; part++) {
      rotationBetween(room.places.rotations, 4 * part, rotations, 4 * part, spins, 3 * part)
      for (let k = 3 * part; k < 3 * part + 3; k++) {
        velocities[k] = dt > 0 ? (room.places.positions[k] - positions[k]) / dt : 0
        spins[k] = dt > 0 ? spins[k] / dt : 0
      }
    }
    copyPose(pose, motion.target)
    positions.set(room.places.positions)
    rotations.set(room.places.rotations)
    motion.time = this.world.clock.time
    this.wakeDriven()
  }

  /** What was set at once is the target as well, so that driving on from it starts there. */
  private takeTarget({ positions, rotations }: PartPlaces): void {
    this.motion.positions.set(positions)
    this.motion.rotations.set(rotations)
    this.motion.velocities.fill(0)
    this.motion.spins.fill(0)
    this.motion.time = this.world.clock.time
  }

  private drive(): void {
    const { asset, motion, state } = this
    this.setDrives()
    leadPins(asset, state, motion, false)
    this.wakeDriven()
  }

  /** Wakes all but what has come off. */
  private wakeDriven(): void {
    this.state.bodies.forEach((body, part) => {
      if (body.alive && !isOff(this.asset, this.state, part)) body.wake()
    })
  }

  private setDrives(): void {
    const { asset, state, motion, settings, world } = this
    driveJoints(asset, state, motion, { gravity: world.settings.gravity, passive: settings.jointDamping })
  }

  /** Makes bodies kinematic or dynamic as the pins say; limits of what is let go open for the pose that it is in. */
  private repin(chosen: readonly number[]): void {
    const { asset, motion, state, world, room } = this
    readPlaces(asset, this.state, motion, 1, room.places)
    if (motion.time < 0) this.takeTarget(room.places)
    const freed = chosen.filter(
      (part) =>
        state.bodies[part].alive &&
        state.bodies[part].type === 'kinematic' &&
        (motion.weights.pin[part] < 1 || isOff(asset, state, part)),
    )
    this.state = gathered({ ...state, pins: pinParts(world, asset, state, motion) })
    openLimits(asset, this.state, motion, room.places, freed)
  }

  /** Where a pose puts parts in the world. */
  private placesOf(pose: BonePose, out: PartPlaces): void {
    placeBones(this.asset.skeleton, pose, this.space, this.room.bones)
    placeParts(this.asset, this.room.bones, out)
  }
}

/** Steps after which a target's velocity is forgotten. */
const MOST_STEPS = 2.5
const DRIVE_FIELDS = ['strength', 'damping', 'maxTorque', 'bones', 'dt', 'gravityCompensation']

/** Where its space is in the world. */
export function spaceOf({ position, orientation }: RagdollSettings): Space {
  return {
    position: Float64Array.from(position),
    orientation: Float64Array.from(unitQuaternion('ragdoll: orientation', orientation)),
  }
}

function copyPose(from: BonePose, to: BonePose): void {
  to.positions.set(from.positions)
  to.rotations.set(from.rotations)
}
