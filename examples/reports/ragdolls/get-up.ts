/** Rows 5.2 to 5.4: figures that fell get up again. */

import { updateGetUp, widenLimits } from '@tautline/assemblies'
import { Pose, Rig, WorldPose } from '@tautline/ik'
import type { GltfClip } from '@tautline/ik/gltf'
import { figure, type Measured, type ReportRow } from '../report.js'
import { type Fallen, type Mannequin, mannequin, tumble, TUMBLES } from './tumbles.js'

const CLIPS = ['getUpFront', 'getUpBack', 'getUpLeft', 'getUpRight'] as const
const FALLS = 200
const SUBSTEPS = 2
/** From the push to standing, at most [s]. */
const MOST_SECONDS = 25
/** What must stand upright over its feet [m]: of 0.94 m at ease. */
const UPRIGHT = 0.85
const FEET = ['leftFoot', 'rightFoot'] as const

interface Risen {
  readonly stands: boolean
  /** Number of the clip by which it got up in the end; −1 where it never began to. */
  readonly clip: number
  /** How often it let go and fell again. */
  readonly falls: number
  /** Most that a foot moved along the ground while its clip has it stand [m]. */
  readonly slide: number
  /** Fastest part while it gets up, and while it is handed over [m/s]. */
  readonly fastest: number
  readonly atHandOver: number
}

/** One that fell, until the animation has it again. */
export function rise({ world, doll, getUp }: Fallen, clips: readonly GltfClip[]): Risen {
  const { progress, settings } = getUp
  const planted = new Map<string, readonly number[]>()
  let [falls, slide, fastest, atHandOver, clip] = [-1, 0, 0, 0, -1]
  let state: string = 'animated'
  for (let k = 0; k < 60 * MOST_SECONDS; k++) {
    const now = updateGetUp(getUp)
    if (now !== state && now === 'limp') falls++
    state = now
    world.step()
    if (now === 'animated') break
    if (now !== 'gettingUp' && now !== 'standing') {
      planted.clear()
      continue
    }
    const speed = Math.max(...doll.bodies.map(({ velocity }) => Math.hypot(velocity[0], velocity[1], velocity[2])))
    if (now === 'gettingUp') fastest = Math.max(fastest, speed)
    else atHandOver = Math.max(atHandOver, speed)
    const plan = progress.plan!
    clip = plan.clip
    const time = progress.time - settings.blendTime * Math.min(1, plan.distance / 0.3)
    const contacts = clips[plan.clip].extras.contacts as Record<string, readonly (readonly [number, number])[]>
    for (const foot of FEET) {
      const stands = now === 'standing' || contacts[foot].some(([from, to]) => time >= from && time <= to)
      const x = doll.body(foot).position
      if (!stands) planted.delete(foot)
      else if (!planted.has(foot)) planted.set(foot, Array.from(x))
      const [a, , b] = planted.get(foot) ?? Array.from(x)
      slide = Math.max(slide, Math.hypot(x[0] - a, x[2] - b))
    }
  }
  const feet = FEET.map((foot) => doll.body(foot).position[1])
  const stands = progress.state === 'animated' && doll.body('hips').position[1] - Math.max(...feet) > UPRIGHT - 0.1
  return { stands, clip, falls: Math.max(falls, 0), slide, fastest, atHandOver }
}

interface All {
  readonly risen: readonly (Risen & { readonly kind: string })[]
  /** Fastest joint of the clips themselves [m/s]. */
  readonly clips: number
}

let measured: Promise<All> | undefined

/** All falls, once for all rows. */
function all(): Promise<All> {
  measured ??= measureAll()
  return measured
}

async function measureAll(): Promise<All> {
  const read = await mannequin()
  const clips = CLIPS.map((name) => read.clip(name))
  const man = {
    ...read,
    asset: widenLimits(
      read.asset,
      clips.flatMap(({ poses }) => poses),
    ),
  }
  const risen = Array.from({ length: FALLS }, (_, k) => {
    const kind = TUMBLES[k % TUMBLES.length]
    return { kind, ...rise(tumble(man, clips, kind, k + 1, SUBSTEPS), clips) }
  })
  return { risen, clips: Math.max(...clips.map((clip) => fastestOf(man, clip))) }
}

/** Fastest joint of a clip [m/s]. */
function fastestOf(man: Mannequin, clip: GltfClip): number {
  const rig = Rig.from(man.bones).root('free')
  const [now, before] = [new WorldPose(rig), new WorldPose(rig)]
  const pose = new Pose(rig)
  let fastest = 0
  clip.poses.forEach(({ positions, rotations }, k) => {
    before.positions.set(now.positions)
    pose.positions.set(positions)
    pose.rotations.set(rotations)
    now.update(rig, pose)
    if (k === 0) return
    for (let o = 0; o < now.positions.length; o += 3) {
      const way = [0, 1, 2].map((c) => now.positions[o + c] - before.positions[o + c])
      fastest = Math.max(fastest, Math.hypot(...way) * clip.rate)
    }
  })
  return fastest
}

async function getsUp(): Promise<Measured> {
  const { risen } = await all()
  const up = risen.filter(({ stands }) => stands).length
  const kinds = TUMBLES.map((kind) => {
    const of = risen.filter((one) => one.kind === kind)
    return `${kind} ${of.filter(({ stands }) => stands).length} of ${of.length}`
  })
  const again = risen.filter(({ falls }) => falls > 0).length
  const ways = CLIPS.map((name, k) => `${name} ${risen.filter(({ clip }) => clip === k).length}`)
  return {
    figures: `${up} of ${risen.length} stand (${kinds.join(', ')}), by ${ways.join(', ')}; ${again} let go and tried again`,
    holds: up >= 0.95 * risen.length,
  }
}

async function slides(): Promise<Measured> {
  const sorted = (await all()).risen.map(({ slide }) => slide).sort((r, s) => r - s)
  const at = (share: number): string => figure(100 * sorted[Math.floor(share * (sorted.length - 1))])
  return {
    figures: `median ${at(0.5)} cm, p95 ${at(0.95)} cm, worst ${at(1)} cm; ${sorted.filter((x) => x > 0.03).length} of ${sorted.length} beyond 3 cm`,
    holds: sorted[sorted.length - 1] <= 0.03,
  }
}

async function speeds(): Promise<Measured> {
  const { risen, clips } = await all()
  const sorted = risen.map(({ fastest }) => fastest).sort((r, s) => r - s)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]
  const over = Math.max(...risen.map(({ atHandOver }) => atHandOver))
  return {
    figures: `getting up: median ${figure(at(0.5))}, p95 ${figure(at(0.95))}, worst ${figure(at(1))} m/s; the clips' own ${figure(clips)} m/s; at the hand-over ${figure(over)} m/s`,
    holds: at(1) <= 1.5 * clips && over <= clips,
  }
}

const SCENE = `mannequin, 15 parts, limits widened to the clips, ${SUBSTEPS} substeps; seeds 1 to ${FALLS}: down stairs, blown away, thrown at a wall at 4 to 9 m/s`

export const getUpRows: readonly ReportRow[] = [
  {
    id: '5.2',
    claim: 'It gets up from where it lies',
    asked: '≥ 95 % stand',
    scene: SCENE,
    slow: true,
    measure: getsUp,
  },
  {
    id: '5.3',
    claim: 'No foot slides while it stands',
    asked: '≤ 3 cm, from when the clip has it stand until the animation leads',
    scene: SCENE,
    slow: true,
    measure: slides,
  },
  {
    id: '5.4',
    claim: 'Nothing is flung while it gets up, nor at the hand-over',
    asked: 'no part faster than 1.5 × the clips’ fastest joint, at the hand-over not faster than that',
    scene: SCENE,
    slow: true,
    measure: speeds,
  },
]
