/**
 * Waterson's figure 10: a planar chain, bent alike everywhere, whose end is dragged, beside the damped pseudo-inverse.
 *
 *   pseudo-inverse (143)–(148): J Jᵀ λ = −δx,  δθ_k = s_k × λ,  s_k from joint k to the end
 *
 * Ours weighs every turn by what it has to move (149)–(154): the root turns less, the tip more, and less mass travels.
 */

import { cos, sin } from '@tautline/core/kernel'
import { IkSolver, Pose, PositionGoal, Rig, WorldPose, writeJoint } from '@tautline/ik'
import { lengthOf } from '../../lib/length.js'

/** Length of a chain [m], and the sum of its angles at the start [rad]. */
export const CHAIN = { length: 1, bend: 0.5 * Math.PI } as const

/** Ours: links on hinges about z, the root at the origin. */
export function figureChain(links: number): {
  rig: Rig
  solver: IkSolver
  pose: Pose
  goal: PositionGoal
  bone: number
} {
  const length = CHAIN.length / links
  const rig = Rig.from(
    Array.from({ length: links }, (_, k) => ({
      name: `link ${k + 1}`,
      parent: k === 0 ? null : k - 1,
      position: [k === 0 ? 0 : length, 0, 0] as const,
      tip: [length, 0, 0] as const,
      joint: { kind: 'hinge', axis: [0, 0, 1] } as const,
    })),
  )
  const pose = new Pose(rig)
  startAngles(links).forEach((angle, k) => writeJoint(rig, pose, k, [angle]))
  const end = new WorldPose(rig).update(rig, pose).point(links - 1, [length, 0, 0])
  const solver = new IkSolver(rig)
  const goal = solver.add(new PositionGoal(rig, links - 1, end))
  return { rig, solver, pose, goal, bone: links - 1 }
}

/** Angles between neighbours at the start, the first against x [rad]: the chord points along x. */
export function startAngles(links: number): number[] {
  return Array.from({ length: links }, (_, k) => (k === 0 ? -0.5 * CHAIN.bend : CHAIN.bend / (links - 1)))
}

/** Least damping, as a share of the mean diagonal of J Jᵀ; largest error and turn of an iteration [of the length; rad]. */
const LIMITS = { damping: 1e-3, error: 0.2, turn: 0.5 } as const

/** The pseudo-inverse on the same chain. */
export class PseudoInverseChain {
  /** Between neighbours [rad]. */
  readonly angles: number[]
  /** x, y, z of the joints and the end [m]. */
  readonly points: Float64Array
  private readonly length: number

  constructor(links: number) {
    this.angles = startAngles(links)
    this.length = CHAIN.length / links
    this.points = new Float64Array(3 * links + 3)
    this.place()
  }

  /** Moves the end to a target, in as many iterations as it takes, at most 50. Returns what is left [m]. */
  solve(target: ArrayLike<number>): number {
    for (let k = 0; k < 50; k++) {
      const left = this.error(target)
      if (left < 1e-6) break
      this.iterate(target, left)
    }
    return this.error(target)
  }

  private error(target: ArrayLike<number>): number {
    const e = this.points.length - 3
    return lengthOf(target[0] - this.points[e], target[1] - this.points[e + 1])
  }

  private iterate(target: ArrayLike<number>, left: number): void {
    const { points: p, angles } = this
    const e = p.length - 3
    let [xx, xy, yy] = [0, 0, 0]
    angles.forEach((_, k) => {
      const [sx, sy] = [p[e] - p[3 * k], p[e + 1] - p[3 * k + 1]]
      xx += sy * sy
      xy -= sx * sy
      yy += sx * sx
    })
    const damping = 0.5 * LIMITS.damping * (xx + yy)
    xx += damping
    yy += damping
    const share = Math.min(1, (LIMITS.error * CHAIN.length) / left)
    const [dx, dy] = [share * (target[0] - p[e]), share * (target[1] - p[e + 1])]
    const determinant = xx * yy - xy * xy
    const [lx, ly] = [(yy * dx - xy * dy) / determinant, (xx * dy - xy * dx) / determinant]
    const turns = angles.map((_, k) => {
      const [sx, sy] = [p[e] - p[3 * k], p[e + 1] - p[3 * k + 1]]
      return sx * ly - sy * lx
    })
    const most = turns.reduce((largest, turn) => Math.max(largest, Math.abs(turn)), 0)
    const less = most > LIMITS.turn ? LIMITS.turn / most : 1
    turns.forEach((turn, k) => (angles[k] += less * turn))
    this.place()
  }

  private place(): void {
    let angle = 0
    this.angles.forEach((turn, k) => {
      angle += turn
      this.points[3 * k + 3] = this.points[3 * k] + this.length * cos(angle)
      this.points[3 * k + 4] = this.points[3 * k + 1] + this.length * sin(angle)
    })
  }
}
