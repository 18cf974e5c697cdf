/** Rows 8.5 and 8.6: goals on bodies of a world with things in the way: an arm among boxes and pillars, feet on uneven ground. */

import { ragdoll, type Ragdoll, type RagdollAsset, ragdollAsset, restPose } from '@tautline/assemblies'
import { box, capsule, closest, Collisions, type Shape, sphere } from '@tautline/collision'
import { fixed } from '@tautline/constraints'
import { World } from '@tautline/core'
import { rotate, rotateVector } from '@tautline/core/kernel'
import type { Pose } from '@tautline/ik'
import { worldGoals } from '@tautline/ik/ragdoll'
import { figure, type Measured, median, type ReportRow } from '../report.js'
import { adultFigure, overLimits, random } from './figures.js'
import { ArmPlanner, type Obstacle, Shapes } from './planner.js'

type Triple = [number, number, number]
type Quadruple = [number, number, number, number]

const SCENES = 200
const ORIGIN: Triple = [0, 0, 0]
/** Deepest overlap that is asked for [m]. */
const DEEP = 0.002
const HAND = 'rightHand'
/** Trunk and arm, from the inside out. */
const ARM = ['chest', 'rightUpperArm', 'rightLowerArm', HAND]
/** How it stands before it reaches [rad]: arms hang, one is bent. */
const STANDING: readonly (readonly [string, 0 | 1 | 2, number])[] = [
  ['rightUpperArm', 2, 1.1],
  ['rightLowerArm', 1, 0.9],
  ['leftUpperArm', 2, -1.3],
  ['leftLowerArm', 1, -0.3],
]
/** Radius of what goes straight from the hand to its goal and is to hit something [m]. */
const WAY = 0.05

/** An obstacle and where its middle is [m]. */
interface Placed extends Obstacle {
  readonly position: Triple
  readonly orientation?: Quadruple
}

interface Scene {
  readonly world: World
  readonly collisions: Collisions
  readonly doll: Ragdoll
  readonly planner: ArmPlanner
  readonly start: Pose
}

function adultAsset(): RagdollAsset | string {
  const adult = adultFigure()
  return 'missing' in adult ? adult.missing : ragdollAsset(adult.source)
}

function sceneOf(asset: RagdollAsset, next: () => number): Scene {
  const world = new World({ gravity: ORIGIN })
  const collisions = new Collisions(world)
  const start = restPose(asset.skeleton) as Pose
  for (const [bone, axis, angle] of STANDING) bend(asset, start, bone, axis, angle)
  const doll = ragdoll(world, asset, { pose: start })
  world.add(fixed, { a: null, b: doll.body('hips') })
  return { world, collisions, doll, planner: new ArmPlanner(doll, ARM, next), start }
}

function bend({ skeleton }: RagdollAsset, pose: Pose, bone: string, axis: 0 | 1 | 2, angle: number): void {
  const at = 4 * skeleton.names.indexOf(bone)
  pose.rotations[at + axis] = Math.sin(0.5 * angle)
  pose.rotations[at + 3] = Math.cos(0.5 * angle)
}

/** Pillars and boxes ahead of the figure and at its right. */
function randomObstacles(next: () => number): Placed[] {
  const between = (least: number, most: number): number => least + (most - least) * next()
  return Array.from({ length: 1 + Math.floor(5 * next()) }, () => {
    const position: Triple = [between(-0.65, 0.25), between(0.8, 1.5), between(0.2, 0.6)]
    const isPillar = next() < 0.5
    const side = (): number => between(0.04, 0.16)
    return placed(isPillar ? capsule(between(0.03, 0.09), 2) : box([side(), side(), side()]), position)
  })
}

function placed(shape: Shape, position: Triple): Placed {
  return { shape, position, transform: Float64Array.from([...position, 1, 0, 0, 0, 1, 0, 0, 0, 1]) }
}

/** Whether a ball that goes straight from one point to another hits something. */
function isBlocked(from: Triple, to: Triple, obstacles: readonly Obstacle[]): boolean {
  const out = new Float64Array(10)
  const ball = sphere(WAY)
  for (let k = 0; k <= 20; k++) {
    const at = from.map((x, e) => x + ((to[e] - x) * k) / 20) as Triple
    const { transform } = placed(ball, at)
    if (obstacles.some((other) => closest(ball, transform, 0, other.shape, other.transform, 0, out) < 0)) return true
  }
  return false
}

/** Obstacles about the figure, and a pose that is free among them, its hand behind one. */
function puzzle({ planner, start }: Scene, next: () => number): { obstacles: Placed[]; goal: Pose } {
  const from = planner.pointOf(start, HAND)
  for (;;) {
    const obstacles = randomObstacles(next)
    planner.obstacles = obstacles
    if (!planner.isFree(start)) continue
    for (let k = 0; k < 40; k++) {
      const goal = planner.sample(start)
      if (planner.isFree(goal) && isBlocked(from, planner.pointOf(goal, HAND), obstacles)) return { obstacles, goal }
    }
  }
}

function reachRound(): Measured {
  const asset = adultAsset()
  if (typeof asset === 'string') return { figures: asset, holds: false }
  const { position, matter } = asset.parts.find(({ name }) => name === HAND) as RagdollAsset['parts'][number]
  const point = position.map((x, k) => x - matter.centre[k]) as Triple
  let [known, reached, straight, deep, over] = [0, 0, 0, 0, 0]
  const times: number[] = []
  for (let seed = 0; seed < SCENES; seed++) {
    const next = random(1000 + seed)
    const scene = sceneOf(asset, next)
    const { world, collisions, doll, planner, start } = scene
    const { obstacles, goal } = puzzle(scene, next)
    if (!planner.connects(start, goal)) continue
    known++
    for (const { shape, position } of obstacles) collisions.addCollider(null, { shape, position })
    const goals = worldGoals(world)
    goals.position(doll.body(HAND), point, planner.pointOf(goal, HAND))
    const before = process.cpuUsage()
    const { converged, detours } = goals.solve()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    const depth = planner.depth(new Shapes(asset).follow(doll))
    deep = Math.max(deep, depth)
    over = Math.max(over, overLimits(doll))
    if (converged && depth <= DEEP) reached++
    if (converged && detours === 0) straight++
  }
  times.sort((r, s) => r - s)
  return {
    figures: `${reached} of ${known} that the planner reaches (of ${SCENES}), ${straight} of them without a detour; deepest overlap ${figure(1000 * deep)} mm, limits ${figure(over)} rad; CPU median ${figure(median(times))} ms, p95 ${figure(times[Math.floor(0.95 * times.length)])} ms`,
    holds: reached >= 0.95 * known && deep <= DEEP && over <= 1e-6,
  }
}

const STANDS = 200
/** How far below the ground feet are sent [m]. */
const BELOW = 0.05
/** A foot stands where it is this near to its ground [m]. */
const MEETS = 0.002
/** How legs are bent before [rad]. */
const BENT: readonly (readonly [string, number])[] = [
  ['UpperLeg', -0.9],
  ['LowerLeg', 1.7],
  ['Foot', -0.8],
]

/** A step under a foot: its height [m] and slopes [rad]. */
function stepUnder([x, , z]: readonly number[], next: () => number): Placed {
  const q = new Float64Array([0, 0, 0, 1])
  rotate(q, 0, 0.3 * (next() - 0.5), 0, 0.3 * (next() - 0.5))
  const half: Triple = [0.09, 0.3, 0.4]
  const up = new Float64Array(3)
  rotateVector(q, 0, 0, half[1], 0, up, 0)
  const height = 0.02 + 0.13 * next()
  const position: Triple = [x - up[0], height - up[1], z - up[2]]
  const transform = new Float64Array([...position, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  for (let c = 0; c < 3; c++) {
    rotateVector(q, 0, c === 0 ? 1 : 0, c === 1 ? 1 : 0, c === 2 ? 1 : 0, up, 0)
    for (let k = 0; k < 3; k++) transform[3 + 3 * k + c] = up[k]
  }
  return { shape: box(half), position, transform, orientation: [q[0], q[1], q[2], q[3]] }
}

function feetOnGround(): Measured {
  const asset = adultAsset()
  if (typeof asset === 'string') return { figures: asset, holds: false }
  let [stand, deep, over] = [0, 0, 0]
  const times: number[] = []
  for (let seed = 0; seed < STANDS; seed++) {
    const next = random(2000 + seed)
    const { world, collisions, doll, planner, start } = sceneOf(asset, next)
    for (const side of ['left', 'right'])
      for (const [bone, angle] of BENT) bend(asset, start, `${side}${bone}`, 0, angle)
    doll.setPose(start)
    const feet = ['leftFoot', 'rightFoot'].map((name) => {
      const foot = doll.body(name)
      const step = stepUnder(Array.from(foot.position), next)
      const { shape, position, orientation } = step
      collisions.addCollider(null, { shape, position, orientation: orientation as Quadruple })
      return { name, foot, step }
    })
    planner.obstacles = feet.map(({ step }) => step)
    const before = process.cpuUsage()
    for (const { foot, step } of feet) {
      const [x, , z] = foot.position
      const goals = worldGoals(world, { detours: 0 })
      goals.position(foot, ORIGIN, [x, step.position[1] + 0.3 - BELOW, z])
      goals.solve()
    }
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    const shapes = new Shapes(asset).follow(doll)
    deep = Math.max(deep, planner.depth(shapes))
    over = Math.max(over, overLimits(doll))
    const out = new Float64Array(10)
    const gaps = feet.map(({ name, step }) => {
      const part = asset.parts.findIndex((other) => other.name === name)
      return closest(asset.parts[part].shape, shapes.transforms, 12 * part, step.shape, step.transform, 0, out)
    })
    if (Math.max(...gaps) <= MEETS && planner.depth(shapes) <= DEEP) stand++
  }
  times.sort((r, s) => r - s)
  return {
    figures: `${stand} of ${STANDS} stand, deepest overlap ${figure(1000 * deep)} mm, limits ${figure(over)} rad; CPU median ${figure(median(times))} ms, p95 ${figure(times[Math.floor(0.95 * times.length)])} ms`,
    holds: stand === STANDS && deep <= DEEP && over <= 1e-6,
  }
}

const REACH = `adult of 15 parts, hips held; 1 to 5 boxes and pillars, the straight way of a ball of ${WAY} m from hand to goal blocked; RRT-Connect over trunk, shoulder, elbow and wrist, to a pose that has the goal`

export const obstacleRows: readonly ReportRow[] = [
  {
    id: '8.5',
    claim: 'An arm reaches round boxes and pillars',
    asked: '≥ 95 % of what a sampling planner reaches, no overlap > 2 mm',
    scene: REACH,
    measure: reachRound,
  },
  {
    id: '8.6',
    claim: 'Feet meet the ground that they have',
    asked: 'gap ≤ 2 mm of both feet, no overlap > 2 mm',
    scene: `the same adult, legs bent; a step under each foot, 2 to 15 cm high, tilted by up to ±9° about both axes; feet sent to ${BELOW} m below them`,
    measure: feetOnGround,
  },
]
