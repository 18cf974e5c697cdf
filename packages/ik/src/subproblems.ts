/**
 * Goals that share no joint do not know of each other, as those of the fingers of a hand whose wrist stands still. Each such
 * part of a rig is solved as if it were alone, in one block with the others: it has its own error, damping and patience, keeps
 * its own best pose, and stands still once it is done.
 */

import type { Goal } from './goals/goal.js'
import { FREEDOMS } from './joints.js'
import type { Kinematics } from './kinematics.js'

/** Which goals and bones belong together, and how far each subproblem is. */
export class Subproblems {
  readonly count: number
  /** By goal and by bone; bones that no goal moves belong to the first. */
  readonly ofGoal: Int32Array
  readonly ofBone: Int32Array
  /** Bones by subproblems, and goals: those of subproblem p from `firstBone[p]` and `firstGoal[p]` to before the next. */
  readonly bones: Int32Array
  readonly firstBone: Int32Array
  readonly goals: Int32Array
  readonly firstGoal: Int32Array
  /** By subproblem: where its rows start, the same in all solves, and where those at hand end. */
  readonly firstRow: Int32Array
  readonly endRow: Int32Array
  /** Largest error at the present pose, the least so far, and the least since it last started, as shares of the reach or [rad]. */
  readonly error: Float64Array
  readonly best: Float64Array
  readonly least: Float64Array
  /** Square of the largest turn [rad] or way, as a share of the reach, of the last step. */
  readonly moved: Float64Array
  /** Times the damping asked for. */
  readonly boost: Float64Array
  /** Iteration that made it better, and how often joints were moved off their bounds. */
  readonly better: Int32Array
  readonly freed: Int32Array
  /** 1 for subproblems that are met or have given up, that have a goal without a tolerance, and whose pose at hand is the best. */
  readonly isDone: Uint8Array
  readonly isSoft: Uint8Array
  readonly isAtBest: Uint8Array
  /** 1 for subproblems that the solve began at a dead point. */
  readonly isDead: Uint8Array

  /** `isWhole`: all is one subproblem, whatever the goals. */
  constructor(kinematics: Kinematics, goals: readonly Goal[], isWhole: boolean) {
    this.ofGoal = new Int32Array(goals.length)
    this.ofBone = new Int32Array(kinematics.rig.count)
    this.count = isWhole ? 1 : this.divide(kinematics, goals)
    this.bones = bySubproblem(this.ofBone)
    this.firstBone = starts(this.ofBone, this.count, () => 1)
    this.goals = bySubproblem(this.ofGoal)
    this.firstGoal = starts(this.ofGoal, this.count, () => 1)
    this.firstRow = starts(this.ofGoal, this.count, (g) => goals[g].most)
    this.endRow = this.firstRow.slice(1)
    this.error = new Float64Array(this.count)
    this.best = new Float64Array(this.count)
    this.least = new Float64Array(this.count)
    this.moved = new Float64Array(this.count)
    this.boost = new Float64Array(this.count)
    this.better = new Int32Array(this.count)
    this.freed = new Int32Array(this.count)
    this.isDone = new Uint8Array(this.count)
    this.isSoft = new Uint8Array(this.count)
    this.isAtBest = new Uint8Array(this.count)
    this.isDead = new Uint8Array(this.count)
  }

  /** Numbers the subproblems; returns how many there are. */
  private divide({ kinds, rig }: Kinematics, goals: readonly Goal[]): number {
    const { ofGoal, ofBone } = this
    const label = goals.map((_, g) => g)
    const owner = new Int32Array(rig.count).fill(-1)
    goals.forEach((goal, g) => {
      for (let i = 0; i < rig.count; i++) {
        if (FREEDOMS[kinds[i]] === 0 || !moves(goal, rig.parent, i)) continue
        if (owner[i] >= 0) {
          const [one, other] = [label[owner[i]], label[g]]
          label.forEach((l, k) => (label[k] = l === other ? one : l))
        }
        owner[i] = g
      }
    })
    const numbers = [...new Set(label)]
    label.forEach((l, g) => (ofGoal[g] = numbers.indexOf(l)))
    owner.forEach((g, i) => (ofBone[i] = g < 0 ? 0 : ofGoal[g]))
    return Math.max(numbers.length, 1)
  }

  /** Nothing has been found yet. */
  begin(goals: readonly Goal[]): void {
    this.best.fill(Infinity)
    this.isDone.fill(0)
    this.isSoft.fill(0)
    for (let g = 0; g < goals.length; g++) {
      if (goals[g].weight > 0 && (goals[g].compliance > 0 || goals[g].priority > 0)) this.isSoft[this.ofGoal[g]] = 1
    }
  }

  /** Subproblems that are not done begin to descend. */
  start(): void {
    this.least.fill(Infinity)
    this.moved.fill(Infinity)
    this.boost.fill(1)
    this.better.fill(0)
    this.freed.fill(0)
  }

  /** Whether all have been found as good as asked; the others are done no longer. */
  reopen({ tolerance }: { readonly tolerance: number }): boolean {
    let isMet = true
    for (let p = 0; p < this.count; p++) {
      this.isDone[p] = this.best[p] <= tolerance ? 1 : 0
      if (this.isDone[p] === 0) isMet = false
    }
    return isMet
  }
}

/** Indices, part by subproblem. */
function bySubproblem(of: Int32Array): Int32Array {
  return Int32Array.from(of.keys()).sort((a, b) => of[a] - of[b] || a - b)
}

/** Where each subproblem starts among things of some size, and where the last ends. */
function starts(of: Int32Array, count: number, size: (index: number) => number): Int32Array {
  const first = new Int32Array(count + 1)
  of.forEach((p, index) => (first[p + 1] += size(index)))
  for (let p = 0; p < count; p++) first[p + 1] += first[p]
  return first
}

/** Whether a bone's joint moves what a goal is about. */
function moves({ chain, end }: Goal, parent: Int32Array, bone: number): boolean {
  if (end < 0) return true
  for (let i = end; i >= 0; i = i === chain ? -1 : parent[i]) if (i === bone) return true
  return false
}
