/**
 * What a pose is asked for. A goal writes rows into the block: its error at the present pose, and the gradient. Each kind is a file
 * beside this one.
 *
 * Angles are multiplied by a length, the rig's reach / 3, so that rows of one block compare.
 */

import { integer, nonNegative, instance } from '@tautline/core/kernel'
import { Rig } from '../rig.js'
import type { GoalRows } from '../rows.js'

/** Fields of every goal. A wrong one is a `TypeError` or a `RangeError` of the goal's constructor. */
export interface GoalOptions {
  /** How strongly it pulls where goals disagree, >= 0; 0 switches it off. @defaultValue 1 */
  weight?: number
  /** 0, 1, 2 …: each has 1e-4 of the weight of the one before. What is not 0 does not count for `status`. @defaultValue 0 */
  priority?: number
  /**
   * Softness: the share of its error, 0 to below 1, that a lone goal on a free chain keeps. It is the C of (154), Waterson section 11.
   * What is not 0 does not count for `status`. @defaultValue 0
   */
  compliance?: number
  /** The first bone that may move for it, by name or row: the goal's own or one above it. @defaultValue the root */
  chain?: string | number
}

/** Names of the {@link GoalOptions}. */
export const FIELDS: readonly string[] = ['weight', 'priority', 'compliance', 'chain']

/** How much weaker a priority is than the one before it. */
const PRIORITY = 1e-4
/** The last priority whose weight is more than 0. */
const MOST_PRIORITY = 80

/** A goal of a rig. Its target, `weight` and `compliance` may be changed between solves. */
export abstract class Goal {
  /** Its solver's too. */
  readonly rig: Rig
  /** How errors begin. */
  private readonly where: string
  /** See {@link GoalOptions}. */
  weight: number
  /** See {@link GoalOptions}. */
  compliance: number
  /** See {@link GoalOptions}. */
  readonly priority: number
  /** The first bone that may move for it, by row; −1 for the root. */
  readonly chain: number
  /** The last bone that it moves, by row; −1 for all of them. */
  abstract readonly end: number
  /** Rows that it may write, at most. */
  abstract readonly most: number
  /** Whether its error is a length [m] and not an angle [rad]. */
  readonly isLength: boolean = false
  /** What is left of it after a solve: [m] where `isLength`, else [rad]. */
  error = 0

  /** `where` is how errors begin. */
  constructor(rig: Rig, where: string, options: GoalOptions) {
    this.rig = instance(`${where}: rig`, rig, Rig, 'a Rig')
    this.where = where
    this.weight = nonNegative(`${where}: weight`, options.weight ?? 1)
    this.priority = integer(`${where}: priority`, options.priority ?? 0, 0, MOST_PRIORITY)
    this.compliance = nonNegative(`${where}: compliance`, options.compliance ?? 0)
    if (this.compliance >= 1) throw new RangeError(`${where}: compliance must be < 1, got ${this.compliance}`)
    this.chain = options.chain === undefined ? -1 : rig.indexOf(options.chain, `${where}: chain`)
  }

  /** Notes what of the present pose it refers to. This and what follows is called by the solver. */
  begin(_rows: GoalRows): void {}
  /** Writes its rows and `error`. */
  abstract write(rows: GoalRows): void
  /** Whether what it asks is beyond what the rig can ever reach. */
  isBeyondReach(_rows: GoalRows): boolean {
    return false
  }
  /** What is wrong with its target, or nothing. */
  abstract fault(): string
  /** What is wrong with what can be written to it, or nothing. */
  check(): string {
    const { where, weight, compliance } = this
    if (!(weight >= 0 && weight < Infinity)) return `${where}: weight must be >= 0 and finite, got ${weight}`
    if (!(compliance >= 0 && compliance < 1)) return `${where}: compliance must be in [0, 1), got ${compliance}`
    return this.fault()
  }

  /** Weight and softness of row k. */
  protected dress(rows: GoalRows, k: number): void {
    rows.weight[k] = this.weight
    for (let p = 0; p < this.priority; p++) rows.weight[k] *= PRIORITY
    rows.compliance[k] = this.compliance / (1 - this.compliance)
  }
}

/** Length that angles are multiplied by [m]. */
export function angleLength(rig: Rig): number {
  return rig.size / 3
}
