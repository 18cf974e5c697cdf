/**
 * Fall, lie, get up: a ragdoll that an animation leads falls, is seen to lie, and rises by the clip whose start is nearest to how it lies.
 *
 *   animated → (fallDown) limp → (rests) lying → gettingUp → standing → animated
 *
 * Getting up, the target goes from the pose that it lies in to the clip's first, then through the clip; where there are steps or walls, the clip's place goes
 * to where there is ground and room before the feet stand. Its joints are driven and its hips held by springs, so that ground, walls and hits push it;
 * at the end it is taken over by the animation from the pose that it has then, so that nothing jumps.
 */

import { finiteVector, instance, object, unitQuaternion } from '@tautline/core/kernel'
import { clipDuration, sampleClip, slerpPose } from '@tautline/ik/poses'
import { size, type Vec3 } from '../algebra.js'
import { type BonePose, checkPose, restPose } from '../pose.js'
import { Ragdoll } from '../ragdoll.js'
import type { PartPlaces } from '../validate.js'
import type { RagdollWeights } from '../weights.js'
import { isLegCaught, LEGS, takeCare } from './caution.js'
import { type GetUpOptions, type GetUpSettings, resolveGetUp } from './definition.js'
import { partsNow, placeRoots, poseFrom, posePlaces, type Standing } from './place.js'
import { type GetUpPlan, planGetUp, type Starts, startsOf } from './plan.js'

/** What a figure does at present. */
export type GetUpState = 'animated' | 'limp' | 'lying' | 'gettingUp' | 'standing'

/** All that changes, as plain data: keep a `structuredClone` of it beside a snapshot of the world, and put it back with that. */
export interface GetUpProgress {
  state: GetUpState
  /** Since the state began [s]. */
  time: number
  /** For how long it has been at rest while limp, and its clip has waited for a leg while it gets up [s]. */
  calm: number
  /** Where the character stands [m], and how it is turned: yours to write while it is animated. */
  position: [number, number, number]
  orientation: [number, number, number, number]
  /** How it gets up, or got up last. */
  plan: GetUpPlan | undefined
  /** Whether the clip has it, or the blend to its start. */
  isHeld: boolean
  /** The pose that it is blended from, in the space of its poses. */
  from: BonePose | undefined
}

/** A ragdoll that gets up: made by {@link createGetUp}, moved on by {@link updateGetUp}. */
export interface GetUp {
  readonly doll: Ragdoll
  readonly settings: GetUpSettings
  readonly starts: Starts
  progress: GetUpProgress
}

/**
 * Lets a ragdoll that lies get up. It is animated at first: `updateGetUp` before each step, and `fallDown` to let it fall. Throws `TypeError`/`RangeError`
 * for clips that are none of its skeleton, and for options out of range.
 */
export function createGetUp(doll: Ragdoll, options: GetUpOptions): GetUp {
  instance('createGetUp: doll', doll, Ragdoll, 'a Ragdoll')
  const settings = resolveGetUp('createGetUp', doll, options)
  const [x, y, z] = Array.from(finiteVector('createGetUp: position', options.position ?? [0, 0, 0], 3))
  const [a, b, c, w] = Array.from(unitQuaternion('createGetUp: orientation', options.orientation ?? [0, 0, 0, 1]))
  const progress: GetUpProgress = {
    state: 'animated',
    time: 0,
    calm: 0,
    position: [x, y, z],
    orientation: [a, b, c, w],
    plan: undefined,
    isHeld: false,
    from: undefined,
  }
  return { doll, settings, starts: startsOf(doll, settings.clips), progress }
}

/** The same, if it is one. */
function known(where: string, getUp: unknown): GetUp {
  const { doll } = object(`${where}: getUp`, getUp)
  instance(`${where}: getUp: doll`, doll, Ragdoll, 'a Ragdoll')
  return getUp as GetUp
}

/** Lets it fall, with the velocities that it has, from whatever it does. */
export function fallDown(getUp: GetUp): void {
  const { doll, settings, progress } = known('fallDown', getUp)
  doll.setWeights({ ...settings.falling, maxLead: Infinity })
  if (settings.falling.muscle === 0) doll.release()
  enter(progress, 'limp')
}

/** Has it get up now, however it lies: `updateGetUp` does so by itself after `lieTime`. */
export function startGetUp(getUp: GetUp): GetUpPlan {
  const { doll, settings, starts, progress } = known('startGetUp', getUp)
  const plan = planGetUp(doll, starts)
  const clip = settings.clips[plan.clip]
  const first = sampleClip(restPose(doll.asset.skeleton), clip, 0)
  placeRoots(doll, first, standingOf(plan, plan.from))
  progress.plan = plan
  progress.from = poseFrom(doll, first)
  progress.isHeld = false
  // Held where it is before it is held at all.
  doll.driveTo(progress.from, { dt: 0 })
  doll.setWeights(musclesOf(settings))
  for (const { name, role, joint } of doll.asset.parts) {
    if (joint === undefined) continue
    const omega = 2 * Math.PI * (settings.rising.strength as number)
    // A leg that is caught would be wound up by kilojoules. All that its muscle has it is to have, to stand on.
    const maxLead = LEGS.test(role ?? '') ? Math.max(AHEAD, joint.strength / (joint.inertia * omega * omega)) : Infinity
    doll.setWeights({ maxTorque: joint.strength, maxLead }, name)
  }
  doll.setWeights({ maxLead: AHEAD }, doll.asset.parts[0].name)
  holdHips(doll, Math.min(settings.rising.pin ?? 0, YIELDING))
  enter(progress, 'gettingUp')
  return plan
}

/**
 * Moves it on by a step of the world, and drives it: call it before each step. `animation` is the pose of the animation now, in its own space, which `progress.position` and
 * `progress.orientation` put in the world; without one it stands as its clip ends. Returns the state. Throws as `Ragdoll.driveTo` does.
 */
export function updateGetUp(getUp: GetUp, animation?: BonePose): GetUpState {
  const { doll, progress } = known('updateGetUp', getUp)
  if (animation !== undefined) checkPose('updateGetUp: animation', doll.asset.skeleton, animation)
  progress.time += doll.world.settings.dt
  switch (progress.state) {
    case 'animated':
      lead(getUp, animated(getUp, animation))
      break
    case 'limp':
      if (hasSettled(getUp)) enter(progress, 'lying')
      break
    case 'lying':
      if (progress.time >= getUp.settings.lieTime) startGetUp(getUp)
      break
    case 'gettingUp':
      rise(getUp)
      break
    case 'standing':
      handOver(getUp, animated(getUp, animation))
  }
  return progress.state
}

function enter(progress: GetUpProgress, state: GetUpState): void {
  progress.state = state
  progress.time = 0
  progress.calm = 0
}

/** Drives to a pose in the space of the ragdoll's. */
function lead({ doll }: GetUp, pose: BonePose): void {
  if (doll.bodies.some(({ alive, type }) => alive && type !== 'kinematic')) doll.setWeights(ANIMATED)
  doll.driveTo(pose)
}

const ANIMATED: RagdollWeights = { pin: 1, muscle: 1, mapping: 1, maxLead: Infinity }

/** The animation where the character stands. */
function animated({ doll, settings, progress }: GetUp, animation: BonePose | undefined): BonePose {
  const pose = restPose(doll.asset.skeleton)
  if (animation === undefined) {
    const clip = settings.clips[progress.plan?.clip ?? 0]
    sampleClip(pose, clip, clipDuration(clip))
  } else slerpPose(pose, animation, animation, 0)
  placeRoots(doll, pose, progress)
  return pose
}

/** Turns of a part that rests, by its speed [1/m]. */
const TURNS = 8
/** Of the middle of what lies though something moves it [m/s]. */
const DRIFT = 0.5

/** Whether it lies at rest, and has for long enough. */
function hasSettled({ doll, settings, progress }: GetUp): boolean {
  const { restSpeed, restTime, patience } = settings
  const total: Vec3 = [0, 0, 0]
  let [fastest, mass] = [0, 0]
  for (const body of doll.bodies) {
    if (!body.alive || body.type !== 'dynamic') continue
    const { velocity, angularVelocity } = body
    fastest = Math.max(fastest, size(velocity as Vec3), size(angularVelocity as Vec3) / TURNS)
    for (let k = 0; k < 3; k++) total[k] += body.mass * velocity[k]
    mass += body.mass
  }
  progress.calm = fastest < restSpeed ? progress.calm + doll.world.settings.dt : 0
  if (progress.calm >= restTime || doll.asleep) return true
  return progress.time >= patience && size(total) < DRIFT * mass
}

/** One step of getting up. */
function rise(getUp: GetUp): void {
  const { doll, settings, progress } = getUp
  const plan = progress.plan as GetUpPlan
  const clip = settings.clips[plan.clip]
  const blend = settings.blendTime * Math.min(1, plan.distance / FAR)
  const time = Math.max(0, progress.time - blend)
  const pose = sampleClip(restPose(doll.asset.skeleton), clip, time)
  placeRoots(doll, pose, standingOf(plan, warped(plan, time / (WARP * clipDuration(clip)))))
  if (time > 0 && !progress.isHeld) takeHold(getUp, pose)
  const share = time > 0 ? smooth(time / HOLD) : smooth(progress.time / blend)
  if (share < 1) slerpPose(pose, progress.from as BonePose, pose, share)
  const [wanted, now] = [posePlaces(doll, pose), partsNow(doll)]
  const isCaught = takeCare(doll, now, wanted, settings.rising.strength as number, share < 1 ? 0 : CAUGHT)
  doll.driveTo(pose)
  if (share === 1 && progress.calm < LATE && isLegCaught(doll, now, wanted, CAUGHT)) {
    // The clip would have it stand on a foot that is not there.
    progress.calm += doll.world.settings.dt
    progress.time -= doll.world.settings.dt
  }
  const late = time - clipDuration(clip)
  if (late >= (isCaught ? LATE : 0)) beginHandOver(getUp, plan)
  else if (time > 0 && strayed(doll, now, wanted) > (settings.letGo ?? LET_GO * getUp.starts.height)) fallDown(getUp)
}

/** How far ahead of legs and hips what draws them is at most [rad, m]. */
const AHEAD = 0.15
/** From this distance of the pose to the clip's start on, the blend takes its full time [m]. */
const FAR = 0.3
/** How far its parts may be from the clip before it falls again, by its height. */
const LET_GO = 0.2
/** Most that hips are pinned while the figure is drawn to the clip's start: what is in the way pushes them. */
const YIELDING = 0.6
/** A joint that is this far from where the clip has it is caught: it comes back slowly, others are held with all their strength [rad]. */
const CAUGHT = 0.7
/** Speed up to which the animation takes over what is still on its way [m/s], and that of `smooth` at its most, by its mean. */
const HANDED = 2
const PEAK = 1.5
/** How long the clip waits for legs, and its end for all that is caught [s]: led by the animation at once it would be torn loose. */
const LATE = 2
/** Time in which the clip takes over from the pose that the blend got to [s]. */
const HOLD = 0.4

/** From the blend to the clip, from where it has come to be. */
function takeHold({ doll, settings, progress }: GetUp, pose: BonePose): void {
  progress.from = poseFrom(doll, pose)
  progress.isHeld = true
  doll.setWeights(musclesOf(settings))
  holdHips(doll, settings.rising.pin ?? 0)
  // The target is where it is now, and has not gone there in a step.
  doll.driveTo(progress.from, { dt: 0 })
}

function holdHips(doll: Ragdoll, pin: number): void {
  doll.setWeights({ pin }, doll.asset.parts[0].name)
}

/** Where the clip's origin is at a share of the way. */
function warped({ from, to }: GetUpPlan, share: number): Vec3 {
  const s = smooth(share)
  return [0, 1, 2].map((k) => from[k] + s * (to[k] - from[k])) as Vec3
}

/** How far parts are from where they are to be [m]: a root of a mean of squares by mass. */
function strayed({ asset: { parts, mass } }: Ragdoll, now: PartPlaces, wanted: PartPlaces): number {
  let sum = 0
  parts.forEach(({ matter }, part) => {
    for (let k = 3 * part; k < 3 * part + 3; k++) {
      sum += (matter.mass / mass) * (wanted.positions[k] - now.positions[k]) * (wanted.positions[k] - now.positions[k])
    }
  })
  return Math.sqrt(sum)
}

/** The longest way of a part between two poses [m]. */
function farthest(a: PartPlaces, b: PartPlaces): number {
  let most = 0
  for (let k = 0; k < a.positions.length; k += 3) {
    const way = [0, 1, 2].map((axis) => b.positions[k + axis] - a.positions[k + axis]) as Vec3
    most = Math.max(most, size(way))
  }
  return most
}

/** What drives joints while it rises. */
function musclesOf({ rising: { pin: _, ...muscles } }: GetUpSettings): RagdollWeights {
  return muscles
}

/** Share of a clip in which its place goes to where the feet will stand. */
const WARP = 0.3

function smooth(t: number): number {
  const u = Math.min(Math.max(t, 0), 1)
  return u * u * (3 - 2 * u)
}

function standingOf({ orientation }: GetUpPlan, position: Vec3): Standing {
  const [x, y, z, w] = orientation
  return { position, orientation: [x, y, z, w] }
}

function beginHandOver(getUp: GetUp, plan: GetUpPlan): void {
  const { doll, progress } = getUp
  const [x, y, z, w] = plan.orientation
  progress.position = [...plan.to]
  progress.orientation = [x, y, z, w]
  progress.from = poseFrom(doll, animated(getUp, undefined))
  enter(progress, 'standing')
}

/** One step from how it stands to the animation. */
function handOver(getUp: GetUp, animation: BonePose): void {
  const { doll, settings, progress } = getUp
  const ways = [progress.from as BonePose, animated(getUp, undefined)].map((pose) => posePlaces(doll, pose))
  // What is still caught has farther to go.
  const least = (PEAK * farthest(ways[0], ways[1])) / HANDED
  const share = settings.handOverTime > 0 ? smooth(progress.time / Math.max(settings.handOverTime, least)) : 1
  lead(getUp, slerpPose(animation, progress.from as BonePose, animation, share))
  if (share === 1) enter(progress, 'animated')
}
