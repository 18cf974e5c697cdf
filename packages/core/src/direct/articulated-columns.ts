/** The system of a tree whose joints share points, as columns (articulated.ts has the equations). */

import { JointRows, MOST_ANGLES, MOST_COUPLES } from '../define/joint-rows.js'
import type { Forest } from './forest.js'

/** Numbers of a node's factors: E (9), F (9), θ₀ (3), M_UU (6), M_Uθ (9), g_U (3), c (3), r (3), r_p (3), D⁻¹ (6). Of a root A⁻¹ stands from M_UU. */
export const FACTORS = 54
export const E = 0
export const F = 9
export const T0 = 18
export const MUU = 21
export const MUT = 27
export const GU = 36
export const GAP = 39
export const LEVER = 42
export const UP = 45
export const INV = 48

/** Numbers of an angle: n (3) on the child, κ, λ at θ = θ_p, e/(s + d), its softness, a bound's left side after the last substitution. */
export const ANGLE = 8
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
  /** The same without geometric stiffness, by which bodies answer pushes: where joints press, it would make them lighter than nothing. */
  readonly response: Float64Array
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
  /**
   * Whether a joint holds the tree to what does not move. Then its bodies answer pushes alone: pushed along a stretched leg under hips that are led, a foot
   * does not give way at all, and a push that moves it turns the knee over.
   */
  readonly isGrounded: boolean
  /** Square of the longest lever of a joint [m²]. */
  readonly reach: Float64Array = new Float64Array(1)
  /** While bodies are pushed: θ₀ that pushes have added up to on their ways to the roots, and the push on a root. */
  readonly struck: Float64Array
  /** Poses or velocities when the first push came; number of pushes, and how many of them a node has taken in. */
  readonly before: Float64Array
  pushes = 0
  readonly taken: Int32Array
  /** Responses of bodies, and the version that each is of. */
  readonly phi: Float64Array
  readonly phiVersion: Float64Array
  /** Of a node since the last solution: how far pushes have moved it, and the sum of the pushes on it. */
  readonly pushed: Float64Array
  readonly wrench: Float64Array
  /** Pushes that the first solution of the substep bears, of a node [kg m, kg m²]. */
  readonly load: Float64Array
  isLoaded = false
  /** What of them counts in a part of the substep, whose multipliers are force times the square of its length. */
  readonly loadShare: Float64Array = Float64Array.of(1)
  isPushed = false
  /** Number of the response, and bounds and orientations that it is of. */
  version = 0
  readonly versionState: Uint8Array
  readonly versionOrientation: Float64Array
  /** Whether the last pass was solved here, and whether `response` is of its system. */
  isReady = false
  hasResponse = false
  /** Whether X̂ is the prediction of the substep. */
  isFirst = true
  /** Whether all bounded rows were on their side after the last substitution. */
  isSettled = true

  constructor(nodes: number, multipliers: number, isGrounded: boolean) {
    this.isGrounded = isGrounded
    this.A = new Float64Array(6 * nodes)
    this.B = new Float64Array(9 * nodes)
    this.J = new Float64Array(6 * nodes)
    this.g = new Float64Array(6 * nodes)
    this.stiffness = new Float64Array(9 * nodes)
    this.offset = new Float64Array(6 * nodes)
    this.factors = new Float64Array(FACTORS * nodes)
    this.response = new Float64Array(FACTORS * nodes)
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
    this.struck = new Float64Array(6 * nodes)
    this.before = new Float64Array(7 * nodes)
    this.taken = new Int32Array(nodes)
    this.phi = new Float64Array(36 * nodes)
    this.phiVersion = new Float64Array(nodes)
    this.pushed = new Float64Array(6 * nodes)
    this.wrench = new Float64Array(6 * nodes)
    this.load = new Float64Array(6 * nodes)
    this.versionState = new Uint8Array(MOST_ANGLES * nodes)
    this.versionOrientation = new Float64Array(4 * nodes)
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

/** Whether a joint holds a root to what does not move. */
export function isGrounded({ nodeCount, firstMember, parent }: Forest): boolean {
  for (let n = 0; n < nodeCount; n++) if (parent[n] < 0 && firstMember[n + 1] > firstMember[n]) return true
  return false
}
