/** Rows 5 and 7: falls, and figures of which a part falls. */

import { type Ragdoll, ragdoll, type RagdollAsset, ragdollAsset, restPose } from '@tautline/assemblies'
import { box, Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'
import {
  adultFigure,
  type Figure,
  gapOf,
  mannequinFigure,
  mocapFigure,
  overLimits,
  random,
  randomTurn,
} from './figures.js'

const DEGREE = Math.PI / 180
const SEEDS = 24
const MANY = 200
/** Nothing of it moves faster: it rests [m/s]. */
const RESTS = 0.05
const MOST_SECONDS = 15
/** Ways to fall, by turns. */
const WAYS = ['drop', 'stairs', 'explosion', 'wall'] as const
/** Stairs: how many, height, depth, half their width [m]. */
const STEPS = { count: 7, rise: 0.18, run: 0.3, half: 2 } as const

interface Fall {
  readonly over: readonly number[]
  readonly gap: number
  readonly gain: number
  /** From when it rests until it sleeps [s]; NaN where it does not. */
  readonly sleeps: number
}

/** What it falls onto, and how it is thrown. */
function throwDown(way: (typeof WAYS)[number], collisions: Collisions, doll: Ragdoll, next: () => number): void {
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  if (way === 'stairs') {
    const { count, rise, run, half } = STEPS
    for (let k = 0; k < count; k++) {
      const tall = 0.5 * rise * (count - k)
      collisions.addCollider(null, { shape: box([half, tall, 0.5 * run]), position: [0, tall, run * (k + 0.5)] })
    }
  }
  if (way === 'wall') collisions.addCollider(null, { shape: box([4, 2, 0.1]), position: [0, 2, 2] })
  const [x, y] = [next() - 0.5, 2 * next()]
  const speed = way === 'stairs' ? 1 + 1.5 * next() : way === 'wall' ? 4 + 5 * next() : 4 * next() - 2
  const at = [2 * next() - 1, 0.5, 2 * next() - 1]
  for (const body of doll.bodies) {
    const away = [0, 1, 2].map((k) => body.position[k] - at[k])
    const r = Math.max(0.5, Math.hypot(away[0], away[1], away[2]))
    // The nearer, the faster.
    const blast = way === 'explosion' ? 8 / (r * r) : 0
    const thrown = way === 'drop' ? [4 * next() - 2, 2 * next(), 4 * next() - 2] : [x, y, speed]
    body.setVelocity([0, 1, 2].map((k) => thrown[k] + (blast * away[k]) / r) as [number, number, number])
  }
}

function fall(assets: readonly RagdollAsset[], seed: number): Fall {
  const next = random(seed)
  const way = WAYS[seed % WAYS.length]
  const world = new World({ substeps: 4 })
  const collisions = new Collisions(world)
  const asset = assets[Math.floor(seed / WAYS.length) % assets.length]
  const height = way === 'drop' ? 2.6 : way === 'stairs' ? STEPS.count * STEPS.rise + 1.2 : 1.3
  const doll = ragdoll(world, asset, { position: [0, height, 0], orientation: randomTurn(next) })
  throwDown(way, collisions, doll, next)
  const start = world.energy().total
  const over: number[] = []
  let [gap, gain, rested] = [0, -Infinity, NaN]
  for (let k = 1; k <= 60 * MOST_SECONDS; k++) {
    world.step()
    over.push(overLimits(doll))
    gap = Math.max(gap, gapOf(doll))
    gain = Math.max(gain, world.energy().total - start)
    if (doll.asleep) return { over, gap, gain, sleeps: (k - (Number.isNaN(rested) ? k : rested)) / 60 }
    const speed = Math.max(...doll.bodies.map(({ velocity }) => Math.hypot(velocity[0], velocity[1], velocity[2])))
    if (speed > RESTS) rested = NaN
    else if (Number.isNaN(rested)) rested = k
  }
  return { over, gap, gain, sleeps: NaN }
}

async function falls(count: number): Promise<Measured> {
  const mocapOf = mocapFigure()
  if ('missing' in mocapOf) return skipped(mocapOf.missing)
  const man = await mannequinFigure()
  const adult = adultFigure() as Extract<Figure, { source: unknown }>
  const assets = [ragdollAsset(man.source, man.options), ragdollAsset(adult.source), ragdollAsset(mocapOf.source)]
  const made = Array.from({ length: count }, (_, seed) => fall(assets, seed))
  const over = made.flatMap((one) => one.over).sort((r, s) => r - s)
  const p99 = over[Math.floor(0.99 * over.length)]
  const awake = made.filter(({ sleeps }) => Number.isNaN(sleeps)).length
  const longest = Math.max(...made.map(({ sleeps }) => (Number.isNaN(sleeps) ? 0 : sleeps)))
  const [gap, gain] = [Math.max(...made.map((one) => one.gap)), Math.max(...made.map((one) => one.gain))]
  return {
    figures: `limits p99 ${figure(p99 / DEGREE)}°, worst ${figure(over[over.length - 1] / DEGREE)}°; asleep at most ${figure(longest)} s after rest, ${awake} awake after ${MOST_SECONDS} s; gaps ${figure(gap)} m, gain ${figure(gain)} J`,
    holds: p99 < DEGREE && longest <= 4 && awake === 0 && gap <= 1e-6 && gain <= 0,
  }
}

/** An arm that hangs from a figure that walks to and fro. */
function partial(): Measured {
  const adult = adultFigure()
  if ('missing' in adult) return skipped(adult.missing)
  const world = new World({ substeps: 2 })
  const doll = ragdoll(world, adult.source)
  doll.setWeights({ pin: 1 })
  doll.setWeights({ pin: 0, muscle: 0 }, { below: 'leftUpperArm' })
  const pose = restPose(doll.asset.skeleton)
  const out = restPose(doll.asset.skeleton)
  const hips = 3 * doll.asset.skeleton.names.indexOf('hips')
  let [off, gap, hand] = [0, 0, Infinity]
  for (let k = 0; k < 300; k++) {
    pose.positions[hips + 2] = 0.5 * Math.sin(k / 20)
    doll.driveTo(pose)
    world.step()
    doll.pose(out)
    off = Math.max(off, Math.abs(out.positions[hips + 2] - pose.positions[hips + 2]))
    for (const { bone, name } of doll.asset.parts) {
      if (/^left.*(Arm|Hand)$/.test(name)) continue
      for (let n = 4 * bone; n < 4 * bone + 4; n++) off = Math.max(off, Math.abs(out.rotations[n] - pose.rotations[n]))
    }
    gap = Math.max(gap, gapOf(doll))
    hand = Math.min(hand, doll.body('leftHand').position[1] - doll.body('rightHand').position[1])
  }
  return {
    figures: `animated parts off by ${figure(off)}, gaps ${figure(gap)} m, the free hand ${figure(-hand)} m below the other`,
    holds: off <= 1e-6 && gap <= 1e-6 && hand < -0.3,
  }
}

const fallRow = (id: string, count: number): ReportRow => ({
  id,
  claim: 'Falls: limits hold, it comes to rest and sleeps',
  asked: 'limits < 1° over at p99; asleep within 4 s of rest (all below 0.05 m/s); no energy beyond the start’s',
  scene: `${count} falls of mannequin, adult and CMU 01_01, any way round: from 2.6 m, down ${STEPS.count} stairs, thrown by explosions, thrown at a wall at 4 to 9 m/s; 4 substeps, defaults`,
  measure: () => falls(count),
})

export const fallRows: readonly ReportRow[] = [
  fallRow('5.1', SEEDS),
  { ...fallRow('5.1.full', MANY), slow: true },
  {
    id: '7',
    claim: 'An arm falls while the rest is led by an animation that moves',
    asked: 'animated parts exactly where the animation has them (1e-6), gaps ≤ 1e-6 m',
    scene: 'adult, root 0.5 m to and fro, 2 substeps, 5 s',
    measure: partial,
  },
]
