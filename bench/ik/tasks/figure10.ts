/**
 * B5, Waterson's figure 10: a planar chain, bent alike everywhere, whose end is moved a little, and then far.
 *
 * Small: 1 % of its length, across the line from root to end, and along it towards the root. Far: a path of frames, across
 * and back. What is compared is the turn of every joint, and the displacement of mass.
 */

import { cos, sin } from '@tautline/core/kernel'
import { equalLinks, LENGTH, planar } from './chain.js'
import { chainPositions } from './kinematics.js'

export interface FigureTask {
  readonly name: string
  readonly text: string
  readonly links: readonly number[]
  readonly start: Float64Array
  /** Positions of the start, three numbers a joint and the end. */
  readonly positions: Float64Array
  /** Of one step each [m]. */
  readonly steps: readonly { readonly name: string; readonly target: Float64Array }[]
  /** Three numbers a frame [m]. */
  readonly path: Float64Array
  readonly iterations: number
  readonly tolerance: number
}

export const FIGURE_LINKS = [3, 8, 20] as const
/** Sum of the angles between neighbours [rad]: a quarter turn. */
const BEND = 0.5 * Math.PI
const STEP = 0.01
const FRAMES = 60

export function figureTask(n: number): FigureTask {
  const links = equalLinks(n)
  // The chord points along x when the first link points half the bend below it.
  const between = BEND / (n - 1)
  const start = planar(links.map((_, k) => (k === 0 ? -0.5 * BEND : between)))
  const positions = new Float64Array(3 * n + 3)
  chainPositions(links, start, positions)
  const [x, y] = positions.subarray(3 * n)
  const path = new Float64Array(3 * FRAMES)
  for (let frame = 0; frame < FRAMES; frame++) {
    // From the end of the start along a circle about the root, a third of a turn.
    const angle = ((frame + 1) / FRAMES) * ((2 * Math.PI) / 3)
    path.set([x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle), 0], 3 * frame)
  }
  return {
    name: `figure10-${n}`,
    text: `figure 10: planar chain of ${n} links bent by 90°, end moved by ${100 * STEP} %, then along 120° about the root`,
    links,
    start,
    positions,
    steps: [
      { name: 'across', target: Float64Array.of(x, y + STEP * LENGTH, 0) },
      { name: 'inwards', target: Float64Array.of(x - STEP * LENGTH, y, 0) },
    ],
    path,
    iterations: 200,
    tolerance: 1e-9 * LENGTH,
  }
}

/** Angles between neighbours in the xy plane, the first against x [rad]. */
export function jointAngles(positions: Float64Array): Float64Array {
  const n = positions.length / 3 - 1
  const angles = new Float64Array(n)
  let [ux, uy] = [1, 0]
  for (let k = 0; k < n; k++) {
    const [vx, vy] = [positions[3 * k + 3] - positions[3 * k], positions[3 * k + 4] - positions[3 * k + 1]]
    angles[k] = Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)
    ;[ux, uy] = [vx, vy]
  }
  return angles
}
