import {
  createGetUp,
  fallDown,
  type GetUp,
  type Ragdoll,
  ragdoll,
  ragdollAsset,
  restPose,
  updateGetUp,
  widenLimits,
} from '@tautline/assemblies'
import { Collisions, plane, sphere } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { atan2, cos, sin } from '@tautline/core/kernel'
import { type PoseClip, sampleClip } from '@tautline/ik/poses'
import { type Clip, mannequinClips } from '../../../mannequin/clips.js'
import { mannequinBones, mannequinRig } from '../../../mannequin/skeleton.js'
import { randomNumbers } from '../../../lib/random.js'
import type { Exhibit } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import type { Tone } from '../parts.js'
import { choiceOf, numberOf } from '../settings.js'
import { liveWorld, SEED, standard, worldOptions } from '../standard.js'

/** Radius of the round that it walks [m]. */
const ROUND = 1.1
/** Balls: how many, their radius [m] and mass [kg]; where the first waits, and how far the next from it [m]. */
const BALLS = { count: 5, radius: 0.14, mass: 6, wait: [-1.61, 0.14, -1.29], next: [0.35, 0, -0.19] } as const
/** Farther out than this a ball that rolls off is put back [m]. */
const OUT = 2
/** Slower than this a ball knocks nobody over [m/s]. */
const KNOCKS = 2.5
/** From its surface to the middle of a part, nearer than this it strikes [m]. */
const NEAR = 0.22

/** A mannequin that walks, is hit, falls and gets up. */
export const character: Exhibit = {
  id: 'character',
  title: 'Character',
  blurb: 'A mannequin walks its round, is hit by balls, falls as a ragdoll, and gets up as it lies.',
  tries: ['Pull it by a limb.', 'Have it run.', 'Throw balls more often.'],
  text: [
    'An animation leads it until a ball strikes hard enough, or a hand takes hold of it: it falls, limp, until it rests. Of the ways to get up the one that begins most as it lies is taken, drawn to on the floor, and followed by the muscles of its joints.',
  ],
  group: 'Ragdolls',
  settings: [
    {
      kind: 'choice',
      name: 'gait',
      label: 'Gait',
      options: [
        ['walk', 'Walk'],
        ['run', 'Run'],
      ],
      value: 'walk',
    },
    {
      kind: 'number',
      name: 'every',
      label: 'A ball every',
      unit: 's',
      min: 1,
      max: 20,
      step: 0.5,
      value: 8,
      live: true,
    },
    {
      kind: 'number',
      name: 'speed',
      label: 'Speed of balls',
      unit: 'm/s',
      min: 3,
      max: 15,
      step: 0.5,
      value: 9,
      live: true,
    },
    SEED,
    ...standard({ substeps: 2, solver: null, compliance: null }),
  ],
  view: { centre: [0, 0.75, 0], radius: 2.3, turn: 0.5, tilt: 0.24, floor: 0 },
  pose: 104,
  build(values) {
    const world = new World(worldOptions(values))
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0), friction: 0.8 })
    const { doll, gait, speed, getUp } = addMannequin(world, choiceOf(values, 'gait') ?? 'walk')
    const balls = addBalls(collisions)
    const random = randomNumbers(numberOf(values, 'seed'))
    let [every, throws, angle, time] = [8, 9, 0, 0]
    const pose = restPose(doll.asset.skeleton)
    return liveWorld({
      world,
      values,
      parts: collidersOf(world, (body) => toneOf(doll, balls, body)),
      beforeStep(step) {
        const { progress } = getUp
        const { dt } = world.settings
        fetchBalls(balls)
        if (step % Math.max(1, Math.round(every / dt)) === Math.round(1.5 / dt)) {
          throwAt(balls[Math.floor(step / Math.max(1, Math.round(every / dt))) % BALLS.count], doll, throws, random)
        }
        if (progress.state === 'animated') {
          time += dt
          angle = walkOn(progress, angle, speed * dt)
          if (balls.some((ball) => strikes(ball, doll))) fallDown(getUp)
        } else angle = headingOf(progress.orientation)
        updateGetUp(getUp, sampleClip(pose, gait, time))
      },
      grabbed(body) {
        if (doll.bodies.includes(body) && getUp.progress.state === 'animated') fallDown(getUp)
      },
      configure(now) {
        every = numberOf(now, 'every')
        throws = numberOf(now, 'speed')
      },
      figures: () => ({ 'Time in this state': { value: getUp.progress.time, unit: 's' } }),
    })
  },
}

/** Head, hands and feet stand out. */
function toneOf(doll: Ragdoll, balls: readonly Body[], body: Body): Tone {
  if (balls.includes(body)) return 'heavy'
  const part = doll.bodies.indexOf(body)
  return part >= 0 && /head|Hand|Foot/.test(doll.asset.parts[part].name) ? 'second' : 'body'
}

const RATE = 30

function poseClip({ poses, loops }: Clip): PoseClip {
  return { poses, rate: RATE, loops }
}

function addMannequin(world: World, name: string): { doll: Ragdoll; gait: PoseClip; speed: number; getUp: GetUp } {
  const rig = mannequinRig(mannequinBones())
  const all = mannequinClips(rig)
  const clip = (wanted: string): Clip => all.find((each) => each.name === wanted) as Clip
  const ups = ['getUpFront', 'getUpBack', 'getUpLeft', 'getUpRight'].map(clip)
  const asset = widenLimits(
    ragdollAsset(rig),
    ups.flatMap(({ poses }) => poses),
  )
  const doll = ragdoll(world, asset, { pose: clip(name).poses[0] })
  doll.teleport({ translation: [ROUND, 0, 0] })
  const getUp = createGetUp(doll, { clips: ups.map(poseClip), position: [ROUND, 0, 0] })
  const { speed, duration, poses } = clip(name)
  return { doll, getUp, speed, gait: { poses, rate: (poses.length - 1) / duration, loops: true } }
}

function addBalls(collisions: Collisions): Body[] {
  const { count, radius, mass } = BALLS
  return Array.from({ length: count }, (_, k) => {
    return collisions.addBody({
      position: waitingPlace(k),
      shape: sphere(radius),
      mass,
      friction: 0.6,
      angularDamping: 1,
    })
  })
}

/** Where a ball waits [m]. */
function waitingPlace(k: number): [number, number, number] {
  const { wait, next } = BALLS
  return [wait[0] + k * next[0], wait[1], wait[2] + k * next[2]]
}

/** Puts balls back that roll off out of the picture. */
function fetchBalls(balls: readonly Body[]): void {
  for (const [k, ball] of balls.entries()) {
    const { position, velocity } = ball
    const [x, z] = [position[0], position[2]]
    if (x * x + z * z < OUT * OUT || x * velocity[0] + z * velocity[2] <= 0) continue
    ball.setPosition(waitingPlace(k))
    ball.setVelocity([0, 0, 0])
    ball.setAngularVelocity([0, 0, 0])
  }
}

/** Throws a ball at the chest from outside of the round. */
function throwAt(ball: Body, doll: Ragdoll, speed: number, random: () => number): void {
  const [x, y, z] = doll.body('chest').position
  const angle = Math.PI * random()
  const [c, s] = [cos(angle), sin(angle)]
  const away = 2.6
  ball.setPosition([x + away * c, y + 0.1, z + away * s])
  // It falls on its way by what it is thrown higher.
  const drop = (0.5 * 9.81 * away) / speed
  ball.setVelocity([-speed * c, drop - 0.1, -speed * s])
  ball.wake()
}

/** Whether a ball that is fast is at the figure. */
function strikes(ball: Body, doll: Ragdoll): boolean {
  const { velocity, position } = ball
  const [vx, vy, vz] = [velocity[0], velocity[1], velocity[2]]
  if (vx * vx + vy * vy + vz * vz < KNOCKS * KNOCKS) return false
  return doll.bodies.some(({ position: at }) => {
    const [x, y, z] = [0, 1, 2].map((k) => position[k] - at[k])
    const near = BALLS.radius + NEAR
    return x * x + y * y + z * z < near * near
  })
}

/** Turns the character as it walks by a length, and moves it on: round and round, back to the round where it has left it. */
function walkOn(
  progress: { position: [number, number, number]; orientation: [number, number, number, number] },
  angle: number,
  length: number,
): number {
  const [x, , z] = progress.position
  const far = Math.sqrt(x * x + z * z)
  // Along the round, and towards it by what it is off.
  const off = Math.max(-1, Math.min(1, (far - ROUND) / 0.8))
  const [ox, oz] = far > 1e-6 ? [x / far, z / far] : [1, 0]
  const [wx, wz] = [oz - off * ox, -ox - off * oz]
  const wanted = atan2(wx, wz)
  const turn = Math.max(-0.05, Math.min(0.05, atan2(sin(wanted - angle), cos(wanted - angle))))
  const now = angle + turn
  progress.position[0] += length * sin(now)
  progress.position[2] += length * cos(now)
  progress.orientation = [0, sin(now / 2), 0, cos(now / 2)]
  return now
}

/** Angle about the vertical of an orientation [rad]. */
function headingOf([, y, , w]: readonly number[]): number {
  return 2 * atan2(y, w)
}
