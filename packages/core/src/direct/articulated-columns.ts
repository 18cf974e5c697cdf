/** The system of a tree whose joints share points, as columns (articulated.ts has the equations). */

import { JointRows, MOST_ANGLES, MOST_COUPLES } from '../define/joint-rows.js'
import type { Forest } from './forest.js'

/** Numbers of a node's factors: E (9), F (9), θ₀ (3), M_UU (6), M_Uθ (9), g_U (3), c (3), r (3), r_p (3). */
export const FACTORS = 48
export const E = 0
export const F = 9
export const T0 = 18
export const MUU = 21
export const MUT = 27
export const GU = 36
export const GAP = 39
export const LEVER = 42
export const UP = 45

/** Numbers of an angle: n (3) on the child, κ, λ at θ = θ_p, e/(s + d), its softness. */
export const ANGLE = 7
/** Of a couple: λ at θ = θ_p (3), κ, ẑ (3) of one on the rim of its ball, e/(s + d) (3), radius, its softness. */
export const COUPLE = 12

/** The system of a tree whose joints all share points. */
export class Articulated {
  /** Of a node: A (6, symmetric), B (9), J (6), f and t. */
  readonly A: Float64Array
  readonly B: Float64Array
  readonly J: Float64Array
  readonly g: Float64Array
  /** X ⊖ X̂ as it was assembled. */
  readonly offset: Float64Array
  readonly factors: Float64Array
  readonly rows: JointRows = new JointRows()
  readonly angleCount: Uint8Array
  readonly angles: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly state: Uint8Array
  readonly angleMultiplier: Int32Array
  readonly coupleCount: Uint8Array
  readonly couples: Float64Array
  readonly coupleMultiplier: Int32Array
  /** λ that bodies are balanced with at X̂: none, or as a later pass finds them. */
  readonly base: Float64Array
  /** K (6) and τ (3) of a node's joint. */
  readonly K: Float64Array
  /** Geometric stiffness of a node's turn, lower triangle of 3 × 3. */
  readonly stiffness: Float64Array
  /** Leaves out of the geometric stiffness of each body what its inertia does not outweigh, where the system with all of it is not definite. */
  isSafe = false
  /** Square of the longest lever of a joint [m²]. */
  readonly reach: Float64Array = new Float64Array(1)
  /** Loads of contacts that the first solution of the substep bears, of a node [kg m, kg m²]. */
  readonly load: Float64Array
  isLoaded = false
  /** What of them counts in a part of the substep, whose multipliers are force times the square of its length. */
  readonly loadShare: Float64Array = Float64Array.of(1)
  /** Whether the last pass was solved here. */
  isReady = false
  /** Whether X̂ is the prediction of the substep. */
  isFirst = true
  /** Whether all bounded rows were on their side after the last substitution. */
  isSettled = true

  constructor(nodes: number, multipliers: number) {
    this.A = new Float64Array(6 * nodes)
    this.B = new Float64Array(9 * nodes)
    this.J = new Float64Array(6 * nodes)
    this.g = new Float64Array(6 * nodes)
    this.stiffness = new Float64Array(9 * nodes)
    this.offset = new Float64Array(6 * nodes)
    this.factors = new Float64Array(FACTORS * nodes)
    this.K = new Float64Array(9 * nodes)
    this.angleCount = new Uint8Array(nodes)
    this.angles = new Float64Array(ANGLE * MOST_ANGLES * nodes)
    this.lower = new Float64Array(MOST_ANGLES * nodes)
    this.upper = new Float64Array(MOST_ANGLES * nodes)
    this.state = new Uint8Array(MOST_ANGLES * nodes)
    this.angleMultiplier = new Int32Array(MOST_ANGLES * nodes)
    this.coupleCount = new Uint8Array(nodes)
    this.couples = new Float64Array(COUPLE * MOST_COUPLES * nodes)
    this.coupleMultiplier = new Int32Array(MOST_COUPLES * nodes)
    this.load = new Float64Array(6 * nodes)
    this.base = new Float64Array(multipliers)
  }
}

/** Whether the joints of a tree are of types that may be solved here. What their rows are is asked in each pass. */
export function isArticulated(forest: Forest): boolean {
  const { nodeCount, edgeCount, firstMember, batch, alone, parent } = forest
  if (edgeCount > nodeCount) return false
  for (let n = 0; n < nodeCount; n++) {
    const first = firstMember[n]
    const count = firstMember[n + 1] - first
    if (count === 0) continue
    if (count > 1 || (alone[first] !== 0 && parent[n] >= 0)) return false
    if (batch[first].arity !== 2 || batch[first].type.joint?.articulate === undefined) return false
  }
  return true
}
