/**
 * Direct solution of a world's joints, as the step asks for it. A world has one from its first joint on: types of joints bring
 * it along by their `joint`, so that what has no joints does not carry it.
 */

import type { Batch } from '../batch.js'
import type { Bodies } from '../bodies.js'
import type { Constraint } from '../constraint.js'
import type { DirectReport } from '../readout.js'
import type { Settings } from '../settings.js'
import type { World } from '../world.js'
import { Gathering } from './gather.js'
import { noteVelocities } from './halving.js'
import { solveTrees, wasMoved, wasStruck } from './pass.js'
import { disturb, projectTree, repairTree } from './projection.js'
import { beginCount, prepareTrees } from './trees.js'

/** What the step asks of the direct solution. */
export interface Direct {
  /** After an edit: marks the rows that it takes from the sweep, in their `direct` column; `all` that it can, or what the settings say. */
  gather(bodies: Bodies, batches: readonly Batch[], settings: Settings, all: boolean): void
  /** After rows were put in order. */
  locate(bodies: Bodies): void
  /** Before the substeps of a step. */
  beginStep(): void
  /** Once a substep of `h` [s], before the prediction: repairs what was disturbed, without speed. */
  repair(world: World, h: number): void
  /** After it: marks again what is not repaired yet. */
  keepDisturbed(world: World): void
  /** Moves each tree onto its rows, without time. */
  project(world: World): void
  /** Once a substep, before the prediction. */
  beginSubstep(world: World): void
  /** Once a substep of `h` [s], at the predicted state. */
  prepare(world: World, h: number): void
  /** Before each sweep; `first` in the first one of a substep. */
  solve(world: World, first: boolean): void
  /** After the last sweep of a substep: solves again what that has struck. Whether anything was. */
  resolveImpacts(world: World): boolean
  /** After all sweeps of a substep: solves again what they have moved. */
  finish(world: World): void
  /** What it did in the last step. */
  report(handle: (batch: Batch, slot: number) => Constraint): DirectReport
}

class JointTrees implements Direct {
  readonly gathering = new Gathering()

  gather(bodies: Bodies, batches: readonly Batch[], settings: Settings, all: boolean): void {
    this.gathering.run(bodies, batches, settings, all)
  }

  locate(bodies: Bodies): void {
    this.gathering.locate(bodies)
  }

  beginStep(): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) beginCount(trees[t])
  }

  repair(world: World, h: number): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) repairTree(world, trees[t], h, h * world.settings.repairSpeed)
  }

  keepDisturbed(world: World): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) if (trees[t].hasOffset) disturb(world.bodies.columns, trees[t])
  }

  project(world: World): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) projectTree(world, trees[t], world.settings.dt, Infinity)
  }

  beginSubstep(world: World): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) noteVelocities(world.bodies.columns, trees[t], trees[t].startVelocity)
  }

  prepare(world: World, h: number): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) prepareTrees(world, trees[t], h)
  }

  solve(world: World, first: boolean): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) solveTrees(world, trees[t], first)
  }

  resolveImpacts(world: World): boolean {
    const { trees } = this.gathering
    let anyStruck = false
    for (let t = 0; t < trees.length; t++) {
      if (!wasStruck(world, trees[t])) continue
      solveTrees(world, trees[t], false)
      anyStruck = true
    }
    return anyStruck
  }

  finish(world: World): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) if (wasMoved(world, trees[t])) solveTrees(world, trees[t], false)
  }

  report(handle: (batch: Batch, slot: number) => Constraint): DirectReport {
    const { trees, cuts } = this.gathering
    const total = { trees: 0, joints: 0, visits: 0, solves: 0, halved: 0, unsolved: 0 }
    const loops: Constraint[] = []
    const redundant: Constraint[] = []
    for (const { forest, singular, passes, solves, halved, unsolved } of trees) {
      total.trees += forest.treeCount
      total.joints += forest.batch.length
      total.visits += passes
      total.solves += solves
      total.halved += halved
      total.unsolved += unsolved
      for (let n = 0; n < forest.edgeCount; n++) {
        for (let e = forest.firstMember[n]; e < forest.firstMember[n + 1]; e++) {
          const joint = handle(forest.batch[e], forest.slot[e])
          if (n >= forest.nodeCount) loops.push(joint)
          if (singular[n] !== 0) redundant.push(joint)
        }
      }
    }
    return { ...total, loops, cuts: cuts.map(({ batch, slot }) => handle(batch, slot)), singular: redundant }
  }
}

/** The `joint` of a type: makes the direct solution of trees and loops for a world. */
export function direct(): Direct {
  return new JointTrees()
}
