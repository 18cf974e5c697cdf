/** `@tautline/ik`. */

import { IkSolver, Pose, PositionGoal, Rig, WorldPose } from '@tautline/ik'
import type { ChainRun, ChainSolver, Joint, Opponents, Solved, Tree, TreeRun, TreeSolver } from '../solver.js'

/** Share of the reach onto which targets are eased, by the one that does. */
const SOFT_REACH = 0.98
const RESTARTS = 10

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

export const opponents: Opponents = { chains: [chain, soft], trees: [tree] }
