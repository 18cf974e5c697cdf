/**
 * Balance: a doll that stands by itself, by its joints and what its feet touch alone.
 *
 * Before each step: the capture point against the support polygon (`moment.ts`); ankles push the centre of pressure beyond it, hips keep the trunk upright,
 * knees its height (`stance.ts`); a capture point outside the polygon is stepped on (`stepping.ts`); what no step reaches is a fall (`bracing.ts`).
 */

import { LeanWorld } from '@tautline/core'
import type { LeanCollisions } from '@tautline/collision'
import { finiteVector, flag, instance, knownFields, object, oneOf, positive } from '@tautline/core/kernel'
import type { ReadonlyVec3, vec3 } from 'gl-matrix'
import { collisionsOf } from '../../parts/collisions.js'
import { across, difference, direction, dot, scaled, size, sum, times, type Vec3 } from '../algebra.js'
import { BonePlaces, type BonePose, checkPose, readPose, restPose, type Space } from '../pose.js'
import { Ragdoll, spaceOf } from '../ragdoll.js'
import type { PartPlaces } from '../validate.js'
import { type Aim, type AimOptions, noAim, reachOut, rotateHead } from './aims.js'
import { type BodyPlan, bodyPlan } from './body-plan.js'
import { brace } from './bracing.js'
import { Foot } from './foot.js'
import { type Moment, momentOf } from './moment.js'
import { blendPostures, hangingArms, type Posture, postureNow, postureOf } from './posture.js'
import { centreOfMass, partRotation } from './readings.js'
import { type AnkleGains, leanAlong, pressurePoint, rootHeight, rootOf, standOn, uprightRotation } from './stance.js'
import { betterFoot, stepGoal } from './stepping.js'
import { nextTilt, tiltRotation } from './tilt.js'
import { TargetPose } from './target-pose.js'

/** How a doll balances. */
export interface BalanceOptions {
  /** Pose of which trunk, head and arms are held. @defaultValue that of rest, arms hanging */
  pose?: BonePose
  /** Whether it steps where ankles and hips do not hold it. @defaultValue true */
  steps?: boolean
  /** How long a step takes [s]. @defaultValue 0.3 */
  stepTime?: number
  /** Whether hands go to the ground in a fall. @defaultValue true */
  brace?: boolean
}

/** What it does: stands, has a foot in the air, falls, or lies, its muscles loose. */
export type BalanceState = 'standing' | 'stepping' | 'falling' | 'fallen'

/** Speed of a gaze [rad/s] and of a hand [m/s]. */
const GAZE_SPEED = 4
const HAND_SPEED = 2
/** Time in which it goes from the posture that it has to the one that it holds [s]. */
const BLEND = 0.5
/** Stiffness of an ankle, as a share of what the weight of the whole body topples by, m g z; its damping, by the root of stiffness times inertia. */
const ANKLE = 1
const ANKLE_DAMPING = 0.05
/** Strength of legs that stand, their damping (of the joint alone: a leg that bears all the rest swings back otherwise), strength of legs that step, of arms and trunk [Hz]; loose ones in a fall, and fallen. */
const STANDS = 20
const STAND_DAMPING = 6
const SWINGS = 15
const BRACES = 8
const LOOSE = 3
const FALLEN = 1
/** Height of a foot's arc, as a share of the leg. */
const ARC = 0.09
/** Share of a step's time from which on its goal stays; and after which it may stand on what it meets. */
const COMMITTED = 0.7
const LANDS = 0.5
/** A planted foot that was off the ground for so long [s] is set anew; and how far the capture point may leave the soles, as a share of the leg. */
const ALOFT = 0.12
const MARGIN = 0.015
/** A foot that meets nothing for so long after its time is let down where it is, in steps' times. */
const OVERDUE = 1
/** It falls when the centre of mass is this low, of its height standing, or the capture point this far out, of the same. */
const TOO_LOW = 0.72
const TOO_FAR = 0.95
/** It has fallen when its centre of mass is this low, or after so long [s]. */
const DOWN = 0.3
const LONGEST_FALL = 2
const OPTIONS: readonly (keyof BalanceOptions)[] = ['pose', 'steps', 'stepTime', 'brace']

/** Keeps a humanoid ragdoll on its feet: made by {@link balance}. */
export class Balance {
  readonly doll: Ragdoll
  readonly options: Readonly<Required<Omit<BalanceOptions, 'pose'>>>
  /** Steps that it has taken. */
  steps = 0
  private now: BalanceState = 'standing'
  private readonly plan: BodyPlan
  private readonly target: TargetPose
  private readonly feet: readonly [Foot, Foot]
  private readonly posture: Posture
  private readonly first: Posture
  private readonly ankles: AnkleGains
  /** Of the centre of mass over the soles when it stands [m]. */
  private readonly tall: number
  private readonly up: Vec3
  private readonly gravity: number
  private readonly gaze: Aim = noAim(GAZE_SPEED)
  private readonly hands: readonly [Aim, Aim] = [noAim(HAND_SPEED), noAim(HAND_SPEED)]
  private readonly space: Space
  private readonly bones: BonePlaces
  private readonly places: PartPlaces
  private readonly pose: BonePose
  private readonly lead: BonePose
  private moment: Moment
  /** Foot in the air; −1 none. Since when it is [s], where it was, and where it goes. */
  private swing = -1
  private since = 0
  private from: Vec3 = [0, 0, 0]
  private to: Vec3 = [0, 0, 0]
  private blend = 0
  private height: number
  private falling = 0
  /** How far the trunk is tilted to the way that it falls: the tangent of half the angle. */
  private tilt: Vec3 = [0, 0, 0]
  /** How long a foot that should stand has been off the ground [s]. */
  private aloft = 0
  /** How far the capture point may be outside of the soles before it steps [m]. */
  private readonly margin: number

  constructor(doll: Ragdoll, options: BalanceOptions) {
    const where = `${doll.label}: balance`
    const { pose, steps = true, stepTime = 0.3, brace = true } = options
    this.doll = doll
    this.options = {
      steps: flag(`${where}: steps`, steps),
      stepTime: positive(`${where}: stepTime`, stepTime),
      brace: flag(`${where}: brace`, brace),
    }
    const { asset, world } = doll
    const [x, y, z] = world.settings.gravity
    this.gravity = size([x, y, z])
    const up = direction([-x, -y, -z])
    if (up === undefined)
      throw new RangeError(`${where}: the world must have gravity, got ${String(world.settings.gravity)}`)
    this.up = up
    this.plan = bodyPlan(where, asset)
    this.collisions(where)
    this.target = new TargetPose(this.plan)
    this.posture =
      pose === undefined
        ? hangingArms(this.plan)
        : postureOf(this.plan, checkPose(`${where}: pose`, asset.skeleton, pose))
    this.first = postureNow(doll, this.plan)
    this.space = spaceOf(doll.settings)
    const n = asset.parts.length
    this.places = { positions: new Float64Array(3 * n), rotations: new Float64Array(4 * n) }
    this.bones = new BonePlaces(asset.skeleton.names.length)
    this.pose = restPose(asset.skeleton)
    this.lead = pose ?? restPose(asset.skeleton)
    const [left, right] = this.plan.legs
    this.feet = [new Foot(doll, this.plan, left, up), new Foot(doll, this.plan, right, up)]
    this.look()
    for (const foot of this.feet) foot.plant()
    this.moment = this.read()
    const legs = left.upperLength + left.lowerLength + left.sole.depth
    this.tall = Math.max(this.moment.height, legs)
    this.margin = MARGIN * legs
    this.height = dot(rootOf(doll), up)
    const topple = asset.mass * this.gravity * this.tall
    this.ankles = { stiffness: ANKLE * topple, damping: ANKLE_DAMPING * Math.sqrt(topple * asset.mass) * this.tall }
    this.drive()
  }

  /** What it does. */
  get state(): BalanceState {
    return this.now
  }

  /** Its centre of mass [m]. */
  get centre(): vec3 {
    return [...this.moment.centre]
  }

  /** Where it would come to rest over, at the height of its soles: ξ = x + ẋ/ω₀ [m]. */
  get capturePoint(): vec3 {
    return [...this.moment.capture]
  }

  /** Corners of the soles that it stands on [m]: the support polygon is their hull. */
  get support(): vec3[] {
    return this.standing().flatMap((foot) => foot.corners())
  }

  /** Has it look at a point, as far as its neck turns; `null` to the front again. */
  lookAt(point: ReadonlyVec3 | null, options: AimOptions = {}): void {
    setAim(`${this.doll.label}: balance: lookAt`, this.gaze, point, options, GAZE_SPEED)
  }

  /** Has a hand reach for a point, as far as its arm is long; `null` lets the arm go back. */
  reach(hand: 'left' | 'right', point: ReadonlyVec3 | null, options: AimOptions = {}): void {
    const where = `${this.doll.label}: balance: reach`
    oneOf(`${where}: hand`, hand, ['left', 'right'])
    setAim(where, this.hands[hand === 'left' ? 0 : 1], point, options, HAND_SPEED)
  }

  /** Drives the doll for the next step: call it before each. */
  update(): void {
    const where = `${this.doll.label}: balance`
    this.doll.world.bodies.callbacks.refuse(where)
    if (this.now === 'fallen' || !this.isWhole()) return
    const { dt } = this.doll.world.settings
    this.look()
    for (const foot of this.standing()) foot.follow()
    this.moment = this.read()
    if (this.now !== 'falling' && this.isLost()) this.fall()
    if (this.now === 'falling') this.passFall(dt)
    else this.passStep(dt)
    this.drivePose(dt)
  }

  /** Stands up to balance again, from where it is: after it was put on its feet. */
  reset(): void {
    this.now = 'standing'
    this.swing = -1
    this.falling = 0
    this.tilt = [0, 0, 0]
    this.blend = 0
    postureNow(this.doll, this.plan).forEach((turn, part) => (this.first[part] = turn))
    this.look()
    for (const foot of this.feet) foot.plant()
    this.height = dot(rootOf(this.doll), this.up)
    this.drive()
  }

  private collisions(where: string): LeanCollisions {
    const found = collisionsOf(this.doll.world)
    if (found === undefined) throw new TypeError(`${where}: the world must have collisions, got none`)
    return found
  }

  /** A doll that lost a leg does not stand. */
  private isWhole(): boolean {
    const { bodies } = this.doll
    const whole = this.plan.legs.every(({ upper, lower, end }) =>
      [upper, lower, end].every(
        (part) => bodies[part].alive && this.doll.joint(this.plan.asset.parts[part].name)?.alive === true,
      ),
    )
    if (!whole || !bodies.every(({ alive }) => alive)) this.collapse()
    return this.now !== 'fallen'
  }

  private look(): void {
    const own = new Set(this.doll.bodies)
    const collisions = this.collisions(`${this.doll.label}: balance`)
    for (const foot of this.feet) {
      foot.probe(collisions, own, this.up)
      foot.carry()
    }
  }

  private read(): Moment {
    const { x, v } = centreOfMass(this.doll)
    return momentOf(this.up, this.gravity, x, v, this.standing(), this.aloft > ALOFT)
  }

  private standing(): Foot[] {
    return this.feet.filter((_, k) => k !== this.swing)
  }

  private isLost(): boolean {
    const { height, excess } = this.moment
    return height < TOO_LOW * this.tall || excess > TOO_FAR * this.tall
  }

  private passStep(dt: number): void {
    const { stepTime, steps } = this.options
    if (this.now === 'stepping') {
      this.since += dt
      const foot = this.feet[this.swing]
      const left = stepTime - this.since
      // Where it is due, or, in the air beyond its time, where the figure falls to by now: farther off no leg may reach the ground.
      if (left > (1 - COMMITTED) * stepTime || left < 0) this.to = this.goal(Math.max(left, 0))
      if ((this.since > LANDS * stepTime && foot.touches) || left < -OVERDUE * stepTime) this.land(foot)
    }
    if (this.now !== 'standing' || !steps) return
    const { excess } = this.moment
    const lifted = this.feet.findIndex((foot) => foot.lifted)
    this.aloft = lifted >= 0 ? this.aloft + dt : 0
    if (this.feet.every((foot) => foot.lifted)) return
    if (lifted >= 0 && (this.aloft > ALOFT || excess > this.margin)) this.begin(lifted)
    else if (lifted < 0 && excess > this.margin) this.begin(betterFoot(this.feet, this.moment, stepTime))
  }

  private goal(left: number): Vec3 {
    return stepGoal(this.feet[this.swing], this.feet[1 - this.swing], this.moment, left).ankle
  }

  private begin(foot: number): void {
    this.swing = foot
    this.now = 'stepping'
    this.since = 0
    this.steps++
    this.from = this.feet[foot].joint
    this.to = this.goal(this.options.stepTime)
    this.drive()
  }

  private land(foot: Foot): void {
    foot.plant()
    this.swing = -1
    this.now = 'standing'
    this.drive()
  }

  private fall(): void {
    this.now = 'falling'
    this.falling = 0
    this.swing = -1
    this.drive()
  }

  private passFall(dt: number): void {
    this.falling += dt
    if (this.moment.height < DOWN * this.tall || this.falling > LONGEST_FALL || !this.options.brace) this.collapse()
  }

  private collapse(): void {
    this.now = 'fallen'
    this.drive()
  }

  /** How strongly joints are driven in the state that it is in. */
  private drive(): void {
    const { doll, plan, ankles } = this
    const { parts } = plan.asset
    const lies = this.now === 'fallen'
    const falls = this.now === 'falling'
    doll.setWeights({ strength: lies ? FALLEN : falls ? BRACES : SWINGS, damping: 1 })
    plan.legs.forEach((leg, k) => {
      const names = [leg.upper, leg.lower].map((part) => parts[part].name)
      const foot = parts[leg.end].name
      if (lies || falls) doll.setWeights({ strength: lies ? FALLEN : LOOSE }, [...names, foot])
      else if (k !== this.swing) {
        doll.setWeights({ strength: STANDS, damping: STAND_DAMPING }, names)
        const inertia = parts[leg.end].joint?.inertia ?? 1
        const omega = Math.sqrt(ankles.stiffness / inertia)
        doll.setWeights({ strength: omega / (2 * Math.PI), damping: ankles.damping / (2 * inertia * omega) }, foot)
      }
    })
  }

  private drivePose(dt: number): void {
    if (this.now === 'fallen') return
    const { doll, target, plan, up } = this
    this.blend = Math.min(1, this.blend + dt / BLEND)
    const posture = blendPostures(this.first, this.posture, this.blend)
    if (this.now === 'falling') this.poseFall(posture)
    else this.poseStance(posture, dt)
    if (this.now !== 'falling') {
      rotateHead(target, this.gaze, dt)
      plan.arms?.forEach((arm, k) => reachOut(target, arm, this.hands[k], up, dt))
    }
    target.write(this.places)
    readPose(plan.asset, this.places, this.lead, this.space, (part) => part === 0, this.bones, this.pose)
    doll.driveTo(this.pose, { dt: 0, gravityCompensation: 0 })
  }

  private poseStance(posture: Posture, dt: number): void {
    const { doll, target, up, moment } = this
    const feet = this.standing()
    this.tilt = nextTilt(this.tilt, moment, this.tall, dt)
    const turn = times(tiltRotation(this.tilt, up), uprightRotation(this.plan, feet, up))
    const root = rootOf(doll)
    this.height = rootHeight(root, turn, feet, up, this.height, dt)
    target.place(posture, turn, sum(sum(across(root, up), scaled(up, this.height)), leanAlong(feet, moment)))
    standOn(doll, target, feet, moment, pressurePoint(feet, moment), this.ankles)
    if (this.swing >= 0) this.poseSwing()
  }

  /** The foot in the air, seen from the trunk as it is now. */
  private poseSwing(): void {
    const { doll, plan, target, up } = this
    const { leg } = this.feet[this.swing]
    const stance = this.feet[1 - this.swing]
    const share = Math.min(this.since / this.options.stepTime, 1)
    const eased = share * share * (3 - 2 * share)
    const arc = 4 * ARC * (leg.upperLength + leg.lowerLength) * share * (1 - share)
    const at = sum(sum(this.from, scaled(difference(this.to, this.from), eased)), scaled(up, arc))
    target.asSeen(leg, partRotation(doll, plan, leg.base), rootOf(doll), () =>
      target.stand(leg, at, stance.turn, 0.997),
    )
  }

  /** Trunk and legs as they were driven, arms to the ground, and the chin to the chest where it goes backwards. */
  private poseFall(posture: Posture): void {
    const { doll, plan, target, up, moment } = this
    const turn = partRotation(doll, plan, 0)
    target.place(posture, turn, rootOf(doll))
    const way =
      direction(across(moment.velocity, up), 0.05) ??
      direction(across(difference(moment.centre, moment.base), up), 1e-3)
    if (way !== undefined) brace(doll, plan, target, way, up)
  }
}

function setAim(where: string, aim: Aim, point: ReadonlyVec3 | null, options: AimOptions, speed: number): void {
  const { speed: own = speed } = knownFields(where, object(`${where}: options`, options), ['speed']) as AimOptions
  if (point !== null) finiteVector(`${where}: point`, point, 3)
  aim.speed = positive(`${where}: speed`, own)
  aim.goal = point === null ? undefined : [point[0], point[1], point[2]]
}

/**
 * Has a humanoid ragdoll stand by itself: `const standing = balance(doll)`, and `standing.update()` before each step. All forces are those of its joints and
 * contacts. Its world must have collisions and gravity; it must have feet as parts. Throws `TypeError`/`RangeError` otherwise, and on a bad option.
 */
export function balance(doll: Ragdoll, options: BalanceOptions = {}): Balance {
  instance('balance: doll', doll, Ragdoll, 'a Ragdoll')
  instance('balance: doll.world', doll.world, LeanWorld, 'a World')
  const where = `${doll.label}: balance`
  knownFields(where, object(`${where}: options`, options), OPTIONS)
  return new Balance(doll, options)
}
