/** Row 13: limits hold in every pose, and poles do not flip. */

import { quaternionFromRotationVector } from '@tautline/core/kernel'
import {
  IkSolver,
  type BoneDef,
  type JointDef,
  OrientationGoal,
  PoleGoal,
  Pose,
  PositionGoal,
  Rig,
  TwoBone,
  WorldPose,
} from '@tautline/ik'
import { figure, type ReportRow } from '../report.js'

/** A linear congruential generator (Numerical Recipes), in [−1, 1). */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0
    return state / 2147483648 - 1
  }
}

type Triple = [number, number, number]

function unit(random: () => number): Triple {
  for (;;) {
    const [x, y, z] = [random(), random(), random()]
    const size = Math.sqrt(x * x + y * y + z * z)
    if (size > 0.2 && size < 1) return [x / size, y / size, z / size]
  }
}

function turned(random: () => number, most: number): [number, number, number, number] {
  const q = new Float64Array(4)
  quaternionFromRotationVector(q, 0, most * random(), most * random(), most * random())
  return [q[0], q[1], q[2], q[3]]
}

function joint(random: () => number): JointDef {
  const range = (): { min: number; max: number } => ({ min: -0.65 + 0.55 * random(), max: 0.65 + 0.55 * random() })
  const axis = unit(random)
  const kind = Math.floor(2.5 * (1 + random()))
  if (kind === 0) return { kind: 'hinge', axis, limits: range() }
  if (kind === 1) return { kind: 'slider', axis, limits: range() }
  if (kind === 2) {
    const other = unit(random)
    const along = axis[0] * other[0] + axis[1] * other[1] + axis[2] * other[2]
    const across = other.map((x, k) => x - along * axis[k])
    const size = Math.sqrt(across[0] ** 2 + across[1] ** 2 + across[2] ** 2)
    if (size < 0.1) return { kind: 'hinge', axis, limits: range() }
    const axisB: Triple = [across[0] / size, across[1] / size, across[2] / size]
    return { kind: 'universal', axisA: axis, axisB, limitsA: range(), limitsB: range() }
  }
  const swingShape = kind === 3 ? 'cone' : 'pyramid'
  return { kind: 'ball', axis, swing: { y: range(), z: range() }, swingShape, twist: range() }
}

const RIGS = 10_000
const SOLVES = 10
const SEED = 13

function randomRig(random: () => number): Rig {
  const count = 3 + Math.floor(3 * (1 + random()))
  const bones = Array.from({ length: count }, (_, i): BoneDef => {
    const [x, y, z] = unit(random)
    const length = i === 0 ? 0 : 0.3 + 0.2 * random()
    return {
      name: `${i}`,
      parent: i === 0 ? null : random() < 0.4 ? i - 1 : Math.floor(0.5 * (1 + random()) * i),
      position: [length * x, length * y, length * z],
      rotation: turned(random, 2),
      tip: [0.3 * y, 0.3 * z, 0.3 * x],
      joint: joint(random),
    }
  })
  return Rig.from(bones)
}

const limits: ReportRow = {
  id: '13.1',
  claim: 'Limits are never violated',
  asked: 'never violated in >= 100 000 random solves',
  scene: `${RIGS} random rigs of 3 to 8 bones with joints of all kinds, ${SOLVES} solves each, from poses outside and inside, seed ${SEED}`,
  measure() {
    const random = generator(SEED)
    let [solves, worst, bad] = [0, 0, 0]
    for (let r = 0; r < RIGS; r++) {
      const rig = randomRig(random)
      const solver = new IkSolver(rig, {
        iterations: 12,
        restarts: r % 3 === 0 ? 1 : 0,
        posture: r % 2 === 0 ? 0.1 : 0,
        smoothing: r % 7 === 0 ? 0.5 : 0,
      })
      const goal = solver.add(new PositionGoal(rig, rig.count - 1, [0, 0, 0]))
      if (r % 5 === 0) solver.add(new OrientationGoal(rig, rig.count - 1, turned(random, 2), { weight: 0.3 }))
      const pose = new Pose(rig)
      for (let i = 0; i < rig.count; i++) pose.rotations.set(turned(random, 3), 4 * i)
      for (let k = 0; k < SOLVES; k++) {
        for (let c = 0; c < 3; c++) goal.target[c] = 2 * random()
        solver.solve(pose)
        solves++
        worst = Math.max(worst, solver.violation(pose))
        if (!pose.rotations.every(Number.isFinite)) bad++
      }
    }
    return {
      figures: `${solves} solves, worst violation ${figure(worst)}, ${bad} poses not finite`,
      holds: solves >= 100_000 && worst === 0 && bad === 0,
    }
  },
}

const FRAMES = 2000
/** Of the reach: how near to straight, and how near to the root. */
const [FAR, NEAR] = [0.9999, 0.3]
/** A flip is a turn of π; what the path itself turns a frame is below this [rad]. */
const MOST = 0.2

/** A smooth closed path of the end in front of a limb that hangs, twice near-straight in a round; the pole stays in front. */
function path(frame: number, target: Float64Array): void {
  const phase = (2 * Math.PI * frame) / FRAMES
  const distance = 0.5 * (FAR + NEAR) + 0.5 * (FAR - NEAR) * Math.cos(2 * phase)
  const [a, b] = [0.6 * Math.sin(phase), 0.5 * Math.sin(3 * phase)]
  const size = Math.sqrt(1 + a * a + b * b)
  target[0] = (distance * a) / size
  target[1] = -distance / size
  target[2] = (distance * b) / size
}

function limb(): Rig {
  return Rig.from([
    { name: 'upper', parent: null, position: [0, 0, 0] },
    { name: 'lower', parent: 'upper', position: [0, -0.5, 0.001] },
    { name: 'end', parent: 'lower', position: [0, -0.5, -0.001], tip: [0, -0.05, 0] },
  ])
}

/** Largest change of the direction of the bend from one frame to the next, and the least cosine to the pole's side. */
function follow(solve: (rig: Rig, pose: Pose, target: Float64Array) => void): { turn: number; side: number } {
  const rig = limb()
  const pose = new Pose(rig)
  const world = new WorldPose(rig)
  const target = new Float64Array(3)
  const before = new Float64Array(3)
  const bend = new Float64Array(3)
  let [turn, side] = [0, 1]
  for (let frame = 0; frame <= 2 * FRAMES; frame++) {
    path(frame, target)
    solve(rig, pose, target)
    const { positions: x } = world.update(rig, pose)
    bendOf(x, bend)
    // The first round brings it onto the path.
    if (frame > FRAMES) {
      const cosine = before[0] * bend[0] + before[1] * bend[1] + before[2] * bend[2]
      turn = Math.max(turn, Math.acos(Math.min(1, Math.max(-1, cosine))))
      side = Math.min(side, bend[2])
    }
    before.set(bend)
  }
  return { turn, side }
}

/** Unit vector from the line of the limb to its middle. */
function bendOf(x: Float64Array, out: Float64Array): void {
  let [along, squared] = [0, 0]
  for (let k = 0; k < 3; k++) {
    along += x[3 + k] * x[6 + k]
    squared += x[6 + k] * x[6 + k]
  }
  let size = 0
  for (let k = 0; k < 3; k++) {
    out[k] = x[3 + k] - (along / squared) * x[6 + k]
    size += out[k] * out[k]
  }
  for (let k = 0; k < 3; k++) out[k] /= Math.sqrt(size)
}

const POLE: Triple = [0, -0.5, 3]

const poles: ReportRow = {
  id: '13.2',
  claim: 'Poles do not flip',
  asked: 'poles never flip along a continuous path',
  scene: `limb of two bones, ${FRAMES} frames of a smooth closed path from ${NEAR} to ${FAR} of the reach, pole ahead; largest turn of the bend a frame below ${MOST} rad`,
  measure() {
    let solver: IkSolver | undefined
    let goal: PositionGoal | undefined
    const block = follow((rig, pose, target) => {
      if (solver === undefined || goal === undefined) {
        solver = new IkSolver(rig, { iterations: 10 })
        goal = solver.add(new PositionGoal(rig, 'end', [0, -1, 0], { point: [0, 0, 0] }))
        solver.add(new PoleGoal(rig, { start: 'upper', middle: 'lower', end: 'end' }, POLE, { priority: 1 }))
      }
      goal.target.set(target)
      solver.solve(pose)
    })
    let closed: TwoBone | undefined
    const form = follow((rig, pose, target) => {
      if (closed === undefined) {
        closed = new TwoBone(rig, { start: 'upper', middle: 'lower', end: 'end', point: [0, 0, 0] })
        closed.pole.set(POLE)
        closed.hasPole = true
      }
      closed.target.set(target)
      closed.solve(pose)
    })
    const text = ({ side, turn }: { side: number; turn: number }): string =>
      `largest turn ${figure(turn)} rad a frame, least cosine to the pole ${figure(side)}`
    return {
      figures: `block: ${text(block)}; closed form: ${text(form)}`,
      holds: [block, form].every(({ side, turn }) => turn < MOST && side > 0),
    }
  },
}

export const limitRows: readonly ReportRow[] = [limits, poles]
