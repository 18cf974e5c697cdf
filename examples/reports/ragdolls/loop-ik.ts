/** Row 8: goals on bodies of a world, solved on its own loop: closed loops, and the free cases beside `packages/ik`. */

import { ragdoll, type Ragdoll, ragdollAsset, restPose } from '@tautline/assemblies'
import { ballSocket, fixed, slider, universal } from '@tautline/constraints'
import { type Body, World } from '@tautline/core'
import { type BoneDef, IkSolver, Pose, PositionGoal, Rig, WorldPose } from '@tautline/ik'
import { toRagdoll, type WorldGoals, worldGoals } from '@tautline/ik/ragdoll'
import { figure, type Measured, median, type ReportRow } from '../report.js'
import { adultFigure, random } from './figures.js'

type Triple = [number, number, number]
type Quadruple = [number, number, number, number]

const POSES = 2000
const CLOSED = 1e-6
const ORIGIN: Triple = [0, 0, 0]
const STILL: Quadruple = [0, 0, 0, 1]
/** How the figure sits before it reaches [rad]. */
const BENT: readonly (readonly [string, 0 | 1 | 2, number])[] = [
  ['leftUpperLeg', 0, -1],
  ['rightUpperLeg', 0, -1],
  ['leftLowerLeg', 0, 1.2],
  ['rightLowerLeg', 0, 1.2],
  ['leftLowerArm', 1, -0.5],
  ['rightLowerArm', 1, 0.5],
]

/** A world with loops, and what puts its goals at the next random pose. */
interface Loop {
  readonly name: string
  readonly world: World
  readonly goals: WorldGoals
  next(share: () => number): void
}

function about(axis: 0 | 1 | 2, angle: number): Quadruple {
  const q: Quadruple = [0, 0, 0, Math.cos(0.5 * angle)]
  q[axis] = Math.sin(0.5 * angle)
  return q
}

function figureIn(world: World): Ragdoll | string {
  const adult = adultFigure()
  if ('missing' in adult) return adult.missing
  const asset = ragdollAsset(adult.source)
  const pose = restPose(asset.skeleton)
  // Limbs that are straight along their way feel no pull: they start bent.
  for (const [bone, axis, angle] of BENT) pose.rotations.set(about(axis, angle), 4 * asset.skeleton.names.indexOf(bone))
  return ragdoll(world, asset, { pose })
}

/** Brings bodies to points of others, and joins them there. */
function grip(world: World, what: string, pairs: readonly (readonly [Body, Body, Triple])[]): void {
  const goals = worldGoals(world, { maxStep: 0.05, maxProjections: 400 })
  for (const [holder, held, point] of pairs) goals.position(held, ORIGIN, holder.toWorld(point) as Triple)
  const { converged, share } = goals.solve()
  if (!converged) throw new Error(`${what}: grips must be in reach, came ${figure(share)} of the way`)
  goals.release()
  for (const [a, b, anchorA] of pairs) world.add(ballSocket, { a, b, anchorA, anchorB: ORIGIN })
}

/** What others hold on to, at its place until goals move it. */
function handle(world: World, position: Triple): Body {
  return world.addBody({ position, mass: 2, inertia: [0.05, 0.05, 0.05] })
}

function wheel(): Loop | string {
  const world = new World({ gravity: ORIGIN })
  const doll = figureIn(world)
  if (typeof doll === 'string') return doll
  world.add(fixed, { a: null, b: doll.body('hips') })
  const centre: Triple = [0, 1.15, 0.38]
  const rim = handle(world, centre)
  const goals = worldGoals(world)
  const goal = goals.pose(rim, ORIGIN, centre, STILL)
  grip(world, 'wheel', [
    [rim, doll.body('leftHand'), [0.19, 0, 0]],
    [rim, doll.body('rightHand'), [-0.19, 0, 0]],
  ])
  return {
    name: 'wheel',
    world,
    goals,
    next(share) {
      for (let k = 0; k < 3; k++) goal.target[k] = centre[k] + 0.1 * (share() - 0.5)
      goal.orientation?.set(about(2, 1.6 * (share() - 0.5)))
    },
  }
}

function bicycle(): Loop | string {
  const world = new World({ gravity: ORIGIN })
  const doll = figureIn(world)
  if (typeof doll === 'string') return doll
  const hips = doll.body('hips')
  world.add(fixed, { a: null, b: hips })
  const saddle = hips.position
  const [axle, stem]: Triple[] = [
    [0, saddle[1] - 0.66, 0.3],
    [0, saddle[1] + 0.25, 0.38],
  ]
  const [crank, bar] = [handle(world, axle), handle(world, stem)]
  const goals = worldGoals(world)
  const pedals = goals.pose(crank, ORIGIN, axle, STILL)
  const steering = goals.pose(bar, ORIGIN, stem, STILL)
  grip(world, 'bicycle', [
    [bar, doll.body('leftHand'), [0.25, 0, 0]],
    [bar, doll.body('rightHand'), [-0.25, 0, 0]],
    [crank, doll.body('leftFoot'), [0.1, 0.12, 0]],
    [crank, doll.body('rightFoot'), [-0.1, -0.12, 0]],
  ])
  return {
    name: 'bicycle',
    world,
    goals,
    next(share) {
      pedals.orientation?.set(about(0, 2 * Math.PI * share()))
      steering.orientation?.set(about(1, 0.6 * (share() - 0.5)))
    },
  }
}

function hexapod(): Loop {
  const world = new World({ gravity: ORIGIN })
  const plate = world.addBody({ position: [0, 1, 0], mass: 5, inertia: [0.3, 0.5, 0.3] })
  for (let k = 0; k < 6; k++) addLeg(world, plate, k)
  const goals = worldGoals(world)
  const goal = goals.pose(plate, ORIGIN, [0, 1, 0], STILL)
  return {
    name: 'hexapod',
    world,
    goals,
    next(share) {
      goal.target.set([0.3 * (share() - 0.5), 1 + 0.3 * (share() - 0.5), 0.3 * (share() - 0.5)])
      goal.orientation?.set(about(Math.floor(3 * share()) as 0 | 1 | 2, 0.5 * (share() - 0.5)))
    },
  }
}

/** A cylinder and its rod, from the ground to the plate. */
function addLeg(world: World, plate: Body, k: number): void {
  const third = (2 * Math.PI) / 3
  const side = k % 2 === 0 ? 0.2 : -0.2
  const ring = (radius: number, height: number, angle: number): Triple => [
    radius * Math.cos(angle),
    height,
    radius * Math.sin(angle),
  ]
  const foot = ring(0.6, 0, Math.floor((k + 1) / 2) * third + side)
  const head = ring(0.4, 1, Math.floor(k / 2) * third + 0.5 * third - side)
  const at = (s: number): Triple => [0, 1, 2].map((e) => foot[e] + s * (head[e] - foot[e])) as Triple
  const length = Math.hypot(head[0] - foot[0], head[1] - foot[1], head[2] - foot[2])
  const axis = [0, 1, 2].map((e) => (head[e] - foot[e]) / length) as Triple
  const flat = Math.hypot(axis[0], axis[2])
  const axisA: Triple = [-axis[2] / flat, 0, axis[0] / flat]
  const axisB: Triple = [
    axis[1] * axisA[2] - axis[2] * axisA[1],
    axis[2] * axisA[0] - axis[0] * axisA[2],
    axis[0] * axisA[1] - axis[1] * axisA[0],
  ]
  const matter = { mass: 1, inertia: [0.02, 0.02, 0.02] as Triple }
  const [lower, upper] = [
    world.addBody({ position: at(0.25), ...matter }),
    world.addBody({ position: at(0.75), ...matter }),
  ]
  world.add(universal, { a: null, b: lower, point: foot, axisA, axisB })
  world.add(slider, { a: lower, b: upper, axis, limits: { min: -0.3, max: 0.3 } })
  world.add(ballSocket, { a: upper, b: plate, point: head })
}

function loops(make: () => Loop | string): Measured {
  const loop = make()
  if (typeof loop === 'string') return { figures: loop, holds: false }
  const { name, world, goals, next } = loop
  const share = random(8)
  const times: number[] = []
  let [met, worst, projections] = [0, 0, 0]
  for (let k = 0; k < POSES; k++) {
    next(share)
    const before = process.cpuUsage()
    const result = goals.solve()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    projections += result.projections
    if (result.converged) met++
    if (k % 20 === 0) worst = Math.max(worst, world.project({ iterations: 1, tolerance: CLOSED }).violation)
    else if (result.converged) worst = Math.max(worst, result.violation)
  }
  const p95 = times.sort((r, s) => r - s)[Math.floor(0.95 * POSES)]
  const time = median(times)
  return {
    figures: `${name}: ${met} of ${POSES} reached, worst gap ${figure(worst)}, CPU median ${figure(time)} ms, p95 ${figure(p95)} ms, ${figure(projections / POSES)} projections each`,
    holds: met === POSES && worst <= CLOSED && p95 <= 1,
  }
}

/** Ways of central differences [m]. */
const WAY = 1e-4
const TREES = 50

/** Chains of balls and hinges by turns; odd seeds have a free root. */
function chain(seed: number): Rig {
  const next = random(seed)
  const vector = (): Triple => [next() - 0.5, next() - 0.5, next() - 0.5]
  const bones: BoneDef[] = [{ name: 'root', parent: null, position: ORIGIN, tip: vector() }]
  for (let k = 0; k < 6; k++) {
    const joint = k % 2 === 0 ? { joint: { kind: 'hinge', axis: vector() } as const } : {}
    bones.push({ name: `bone ${k}`, parent: k, position: vector(), tip: vector(), ...joint })
  }
  return Rig.from(bones).root(seed % 2 === 0 ? 'pinned' : 'free')
}

/** Places of joints after that of the last bone has gone by a way. */
function moved(rig: Rig, way: number, onLoop: boolean): number[] {
  const pose = new Pose(rig)
  const last = rig.count - 1
  const centre = (i: number): Triple => [-rig.centre[3 * i], -rig.centre[3 * i + 1], -rig.centre[3 * i + 2]]
  const at = new WorldPose(rig).update(rig, pose).point(rig.names[last], ORIGIN)
  const target: Triple = [at[0] + 0.6 * way, at[1] - 0.48 * way, at[2] + 0.64 * way]
  if (!onLoop) {
    const solver = new IkSolver(rig, { metric: 'fullMass', blend: 0, damping: 0, tolerance: 1e-13 })
    solver.add(new PositionGoal(rig, last, target, { point: ORIGIN }))
    solver.solve(pose)
    return Array.from(new WorldPose(rig).update(rig, pose).positions)
  }
  const world = new World({ gravity: ORIGIN })
  const { bodies } = toRagdoll(rig, pose, world)
  const goals = worldGoals(world, { tolerance: 1e-9 })
  goals.position(bodies[last], centre(last), target)
  goals.solve()
  return bodies.flatMap((body, i) => Array.from(body.toWorld(centre(i))))
}

function freeCases(): Measured {
  let worst = 0
  for (let seed = 0; seed < TREES; seed++) {
    const rig = chain(seed)
    const [loop, full] = [true, false].map((onLoop) => {
      const [ahead, behind] = [moved(rig, WAY, onLoop), moved(rig, -WAY, onLoop)]
      return ahead.map((x, k) => (x - behind[k]) / (2 * WAY))
    })
    loop.forEach((slope, k) => (worst = Math.max(worst, Math.abs(slope - full[k]))))
  }
  return { figures: `${TREES} chains, worst difference ${figure(worst)} m a metre of the goal`, holds: worst <= 1e-6 }
}

const ASKED = 'gaps ≤ 1e-6; all poses reached; p95 ≤ 1 ms'
const SCENE = `${POSES} random poses, each from the one before; CPU time of the process, which a busy machine makes longer`

export const loopIkRows: readonly ReportRow[] = [
  {
    id: '8.1',
    claim: 'Goals on the world’s own loop: two hands on a wheel that turns and moves',
    asked: ASKED,
    scene: `adult of 15 parts, wheel ±46°, ±5 cm; ${SCENE}`,
    measure: () => loops(wheel),
  },
  {
    id: '8.2',
    claim: 'The same: a figure on a bicycle, its hands on the bar, its feet on the pedals',
    asked: ASKED,
    scene: `adult of 15 parts, crank at any angle, bar ±17°; ${SCENE}`,
    measure: () => loops(bicycle),
  },
  {
    id: '8.3',
    claim: 'The same: the platform of a hexapod',
    asked: ASKED,
    scene: `6 legs of 2 bodies, plate ±15 cm, ±14°; ${SCENE}`,
    measure: () => loops(hexapod),
  },
  {
    id: '8.4',
    claim: 'Free chains move as `fullMass` of `packages/ik` has it',
    asked: 'to 1e-6, of the way of the goal: by central differences, as both metrics agree to first order',
    scene: `${TREES} chains of 7 bones, balls and hinges, roots pinned or free; ways of ±${WAY} m; no blend, no damping`,
    measure: freeCases,
  },
]
