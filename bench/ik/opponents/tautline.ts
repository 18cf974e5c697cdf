/** `@tautline/ik`. */

import { type IkOptions, IkSolver, OrientationGoal, Pose, PositionGoal, Rig, WorldPose } from '@tautline/ik'
import type { Body, BodyRun, BodySolver, ChainRun, ChainSolver, Effector } from '../solver.js'
import type { Joint, Opponents, Solved, Tree, TreeRun, TreeSolver } from '../solver.js'
import { TARGET } from '../tasks/body.js'
import { FIGURE, FigureRun } from './figure.js'

/** Share of the reach onto which targets are eased, by the one that does. */
const SOFT_REACH = 0.98
const RESTARTS = 3

/** A rig being solved for the ends of some bones. */
class Run implements ChainRun, TreeRun {
  private readonly rig: Rig
  private readonly solver: IkSolver
  private readonly goals: PositionGoal[]
  private readonly pose: Pose
  private readonly world: WorldPose
  private readonly ends: readonly number[]
  private iterations = 0
  private tolerance = 0

  constructor(rig: Rig, ends: readonly number[], softReach: number, restarts = 0) {
    this.rig = rig
    this.solver = new IkSolver(rig, { restarts })
    this.goals = ends.map((end) => this.solver.add(new PositionGoal(rig, end, [0, 0, 0], { softReach })))
    this.pose = new Pose(rig)
    this.world = new WorldPose(rig)
    this.ends = ends
  }

  reset(rotations: Float64Array): void {
    this.pose.rotations.set(rotations)
  }

  solve(targets: ArrayLike<number>, iterations: number, tolerance: number): Solved {
    if (iterations !== this.iterations || tolerance !== this.tolerance) {
      this.iterations = iterations
      this.tolerance = tolerance
      this.solver.configure({ iterations, tolerance: tolerance / this.rig.size })
    }
    for (let e = 0; e < this.goals.length; e++) {
      for (let k = 0; k < 3; k++) this.goals[e].target[k] = targets[3 * e + k]
    }
    const { status, iterations: taken, error } = this.solver.solve(this.pose)
    return { iterations: taken, error: error * this.rig.size, status }
  }

  positions(out: Float64Array): void {
    this.world.update(this.rig, this.pose)
    out.set(this.world.positions)
    // A chain has one point more than links: its end.
    if (out.length > this.world.positions.length) this.endOf(this.ends[0], out, 3 * this.rig.count)
  }

  rotations(out: Float64Array): void {
    out.set(this.pose.rotations)
  }

  private endOf(bone: number, out: Float64Array, o: number): void {
    const [x, y, z, w] = this.world.rotations.slice(4 * bone, 4 * bone + 4)
    const [a, b, c] = this.rig.tip.slice(3 * bone, 3 * bone + 3)
    const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
    const turned = [
      a + w * t[0] + (y * t[2] - z * t[1]),
      b + w * t[1] + (z * t[0] - x * t[2]),
      c + w * t[2] + (x * t[1] - y * t[0]),
    ]
    for (let k = 0; k < 3; k++) out[o + k] = this.world.positions[3 * bone + k] + turned[k]
  }
}

function chainOf(links: readonly number[], joints: readonly Joint[] | undefined, softReach: number): ChainRun {
  const rig = Rig.from(
    links.map((length, k) => ({
      name: `link ${k}`,
      parent: k === 0 ? null : k - 1,
      position: [k === 0 ? 0 : links[k - 1], 0, 0] as const,
      tip: [length, 0, 0] as const,
      ...(joints && { joint: joints[k] }),
    })),
  )
  return new Run(rig, [links.length - 1], softReach)
}

const chain: ChainSolver = {
  name: 'tautline',
  note: 'defaults',
  limits: true,
  make: (links, joints) => chainOf(links, joints, 1),
}

const soft: ChainSolver = {
  name: 'tautlineSoft',
  note: `targets eased onto ${SOFT_REACH} of the reach`,
  limits: true,
  make: (links, joints) => chainOf(links, joints, SOFT_REACH),
}

const tree: TreeSolver = {
  name: 'tautline',
  note: `all ends in one block, ${RESTARTS} restarts of fingers that are not there`,
  make({ bones, ends }: Tree) {
    const rig = Rig.from(
      bones.map(({ name, parent, position, rotation, joint }) => ({
        name,
        parent: parent < 0 ? null : parent,
        position,
        rotation,
        // Ends are the bones' own origins here.
        tip: [0, 0, 0] as const,
        joint,
      })),
    )
    return new Run(rig, ends, 1, RESTARTS)
  },
}

/** The goals of one effector. */
class Placed {
  readonly position: PositionGoal
  readonly orientation: OrientationGoal | undefined

  constructor(solver: IkSolver, { bone, point, turns }: Effector) {
    this.position = solver.add(new PositionGoal(solver.rig, bone, [0, 0, 0], { point }))
    this.orientation = turns ? solver.add(new OrientationGoal(solver.rig, bone, [0, 0, 0, 1])) : undefined
  }

  aim(targets: Float64Array, o: number): void {
    for (let k = 0; k < 3; k++) this.position.target[k] = targets[o + k]
    if (this.orientation === undefined) return
    for (let k = 0; k < 4; k++) this.orientation.target[k] = targets[o + 3 + k]
  }
}

/** Of single poses, which may start anew. */
const SETTINGS: IkOptions = { metric: 'identity', maxAngle: 1.5, errorClamp: 1, iterations: 14, restarts: 50 }
const said = (options: IkOptions): string =>
  Object.entries(options)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ')

class Whole implements BodyRun {
  private readonly solver: IkSolver
  private readonly placed: Placed[]
  private readonly own: Pose

  constructor(body: Body) {
    const rig = body.rig()
    this.solver = new IkSolver(rig, SETTINGS)
    this.placed = body.effectors.map((effector) => new Placed(this.solver, effector))
    this.own = new Pose(rig)
  }

  reset(pose: Pose): void {
    this.own.copy(pose)
  }

  solve(targets: Float64Array, _iterations: number, tolerance: number): Solved {
    const { solver } = this
    const asked = tolerance / Math.max(solver.rig.size, 1)
    if (solver.settings.tolerance !== asked) solver.configure({ tolerance: asked })
    for (let e = 0; e < this.placed.length; e++) this.placed[e].aim(targets, TARGET * e)
    const { iterations, error, status } = solver.solve(this.own)
    return { iterations, error, status }
  }

  pose(out: Pose): void {
    out.copy(this.own)
  }
}

/** One effector after another, a step each in turn: what sharing the block is worth. */
class ByEffector implements BodyRun {
  private readonly solvers: IkSolver[]
  private readonly placed: Placed[]
  private readonly own: Pose

  constructor(body: Body) {
    const rig = body.rig()
    this.solvers = body.effectors.map(() => new IkSolver(rig, { iterations: 1 }))
    this.placed = body.effectors.map((effector, e) => new Placed(this.solvers[e], effector))
    this.own = new Pose(rig)
  }

  reset(pose: Pose): void {
    this.own.copy(pose)
  }

  solve(targets: Float64Array, iterations: number, tolerance: number): Solved {
    const { solvers, placed, own } = this
    const asked = tolerance / Math.max(solvers[0].rig.size, 1)
    for (let e = 0; e < placed.length; e++) {
      solvers[e].configure({ tolerance: asked })
      placed[e].aim(targets, TARGET * e)
    }
    let error = Infinity
    for (let sweep = 0; sweep < iterations; sweep++) {
      // A sweep in which nobody had to move: all were met where the others left them.
      let moved = false
      error = 0
      for (const solver of solvers) {
        const result = solver.solve(own)
        moved ||= result.iterations > 0
        error = Math.max(error, result.error)
      }
      if (!moved) return { iterations: sweep, error }
    }
    return { iterations, error }
  }

  pose(out: Pose): void {
    out.copy(this.own)
  }
}

const whole: BodySolver = {
  name: 'tautline',
  note: `all effectors in one block, ${said(SETTINGS)}`,
  make: (body) => new Whole(body),
}

const figure: BodySolver = {
  name: 'tautlineFigure',
  note: `one block; hips upright and turns of head and hands as wishes; ${said(FIGURE)}`,
  make: (body) => new FigureRun(body),
}

const byEffector: BodySolver = {
  name: 'byEffector',
  note: 'the same solver with one effector at a time, a step each in turn',
  make: (body) => new ByEffector(body),
}

export const opponents: Opponents = { chains: [chain, soft], trees: [tree], bodies: [whole, figure, byEffector] }
