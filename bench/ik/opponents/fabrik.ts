/**
 * FABRIK: Aristidou and Lasenby, "FABRIK: a fast, iterative solver for the inverse kinematics problem", Graphical Models
 * 73(5), 2011, algorithm 1, with an unconstrained chain and a root that stands still.
 *
 * It works on positions. One iteration is a pass from the end to the root, which puts the end at the target, and one back.
 * The paper stretches the chain at once towards a target beyond the reach; `fabrikIterated` goes on iterating instead, which is
 * smoother.
 */

import { chainPositions } from '../tasks/kinematics.js'
import type { ChainRun, ChainSolver, Opponents, Solved } from '../solver.js'

class Fabrik implements ChainRun {
  private readonly links: readonly number[]
  /** Farther targets have the chain stretched at once [m]. */
  private readonly reach: number
  private readonly p: Float64Array

  constructor(links: readonly number[], stretches: boolean) {
    this.links = links
    this.reach = stretches ? links.reduce((sum, length) => sum + length, 0) : Infinity
    this.p = new Float64Array(3 * links.length + 3)
  }

  reset(rotations: Float64Array): void {
    chainPositions(this.links, rotations, this.p)
  }

  solve(target: ArrayLike<number>, iterations: number, tolerance: number): Solved {
    const { links, p } = this
    const n = links.length
    const [tx, ty, tz] = [target[0], target[1], target[2]]
    const away = Math.sqrt(tx * tx + ty * ty + tz * tz)
    if (away > this.reach) {
      let along = 0
      for (let k = 0; k < n; k++) {
        along += links[k]
        p[3 * k + 3] = (along / away) * tx
        p[3 * k + 4] = (along / away) * ty
        p[3 * k + 5] = (along / away) * tz
      }
      return { iterations: 1, error: this.error(tx, ty, tz) }
    }
    let error = this.error(tx, ty, tz)
    let count = 0
    while (count < iterations && !(error <= tolerance)) {
      p[3 * n] = tx
      p[3 * n + 1] = ty
      p[3 * n + 2] = tz
      for (let k = n - 1; k >= 0; k--) pull(p, 3 * k, 3 * k + 3, links[k])
      p[0] = p[1] = p[2] = 0
      for (let k = 0; k < n; k++) pull(p, 3 * k + 3, 3 * k, links[k])
      error = this.error(tx, ty, tz)
      count++
    }
    return { iterations: count, error }
  }

  positions(out: Float64Array): void {
    out.set(this.p)
  }

  private error(x: number, y: number, z: number): number {
    const { p } = this
    const e = p.length - 3
    const [dx, dy, dz] = [p[e] - x, p[e + 1] - y, p[e + 2] - z]
    return Math.sqrt(dx * dx + dy * dy + dz * dz)
  }
}

/** Moves point `i` along the line to point `j` to a distance `length` of it. */
function pull(p: Float64Array, i: number, j: number, length: number): void {
  const dx = p[i] - p[j]
  const dy = p[i + 1] - p[j + 1]
  const dz = p[i + 2] - p[j + 2]
  const share = length / Math.sqrt(dx * dx + dy * dy + dz * dz)
  p[i] = p[j] + share * dx
  p[i + 1] = p[j + 1] + share * dy
  p[i + 2] = p[j + 2] + share * dz
}

const fabrik: ChainSolver = {
  name: 'fabrik',
  note: 'Aristidou & Lasenby 2011, positions only, own code',
  limits: false,
  make: (links) => new Fabrik(links, true),
}

const fabrikIterated: ChainSolver = {
  name: 'fabrikIterated',
  note: 'Aristidou & Lasenby 2011 without the stretch towards targets beyond the reach, positions only, own code',
  limits: false,
  make: (links) => new Fabrik(links, false),
}

export const opponents: Opponents = { chains: [fabrik, fabrikIterated] }
