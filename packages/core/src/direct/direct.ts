/**
 * The solver of joint trees, a block solver. A world with the part `jointTrees` has one from its first joint on.
 */

import type { Batch } from '../state/batch.js'
import { type BlockSolver, type ReportView, TREES, type WorldView } from '../define/contract.js'
import type { Loads } from '../state/loads.js'
import { mayArticulate } from './articulated-pass.js'
import type { Articulated } from './articulated-columns.js'
import type { WorldParts } from '../define/step-part.js'
import type { Constraint } from '../edit/constraint.js'
import { Gathering } from './gather.js'
import { spreadMultipliers } from './halving.js'
import { gatherHeld } from './held.js'
import { applyLoads } from './first-pass.js'
import { noteVelocities } from './poses.js'
import { hasChanged, solveTrees, wasMoved, wasStruck } from './pass.js'
import { projectTree } from './projection.js'
import { disturb, repairTree } from './repair.js'
import { gatherTouches, mapNodes, type NodeMap } from './touch-gather.js'
import { beginCount, prepareTrees } from './trees.js'

/** What the direct solution of trees did in the last step. */
export interface DirectReport {
  /** Trees, and joints in them. */
  trees: number
  joints: number
  /** Passes over what hangs together: one a sweep. */
  passes: number
  /** Newton's solves in all passes. */
  solves: number
  /** Passes that did not converge at once, and whose trees repeated their substep as two halves, or in shorter parts. */
  halved: number
  /**
   * Passes that left residuals: part of a substep was flown without joints, or poses were left as others had pushed them. The joints
   * are brought together before the next prediction, without speed; where that is not over in a substep, it counts as well.
   */
  unsolved: number
  /** Joints that close loops, and are solved with the trees that they join. */
  loops: Constraint[]
  /** Joints that close loops beyond those that are worth it: the sweep has them. */
  cuts: Constraint[]
  /** Joints that hold something which others hold already. Between the same two bodies they share the load, also for `breakForce`; where they close a loop it is left to the others. */
  singular: Constraint[]
}

/** Most turns with the sweep where a tree is held. */
const TURNS_HELD = 8

class JointTrees implements BlockSolver, Loads {
  readonly name = TREES
  readonly gathering = new Gathering()
  private isLoading = false
  private readonly map: NodeMap = { tree: new Int32Array(0), node: new Int32Array(0) }

  /** Of what is struck hard: each may press another part of it on what is in the way. */
  get turns(): number {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) if (trees[t].held.any) return TURNS_HELD
    return 0
  }

  gather({ bodies, batches, settings }: WorldView, all: boolean): void {
    this.gathering.run(bodies, batches, settings, all)
  }

  locate({ bodies }: WorldView): void {
    this.gathering.locate(bodies)
    mapNodes(this.map, this.gathering.trees, bodies.count)
    const { trees } = this.gathering
    bodies.columns.loads = trees.some(({ articulated }) => articulated !== undefined) ? this : undefined
  }

  takes(i: number): boolean {
    return this.isLoading && this.articulatedOf(i) !== undefined
  }

  add(i: number, push: Float64Array): void {
    const t = this.articulatedOf(i) as Articulated
    const to = 6 * this.map.node[i]
    t.isLoaded = true
    for (let k = 0; k < 6; k++) t.load[to + k] += push[k]
  }

  /** The fast system of body i's tree. */
  private articulatedOf(i: number): Articulated | undefined {
    const t = this.map.tree[i]
    return t < 0 ? undefined : this.gathering.trees[t].articulated
  }

  beginStep(): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) {
      beginCount(trees[t])
      trees[t].touches.beginStep()
    }
  }

  repair(world: WorldView, h: number): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) repairTree(world, trees[t], h, h * world.settings.repairSpeed)
  }

  keepDisturbed(world: WorldView): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) if (trees[t].hasOffset) disturb(world.bodies.columns, trees[t])
  }

  project(world: WorldView): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) {
      // What the last substep left to be repaired later is due now.
      trees[t].hasOffset = false
      projectTree(world, trees[t], world.settings.dt)
    }
  }

  beginSubstep(world: WorldView): void {
    this.isLoading = true
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) {
      const { articulated } = trees[t]
      if (articulated === undefined) continue
      articulated.isLoaded = false
      articulated.load.fill(0)
    }
    for (let t = 0; t < trees.length; t++) noteVelocities(world.bodies.columns, trees[t], trees[t].startVelocity)
  }

  prepare(world: WorldView, h: number): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) prepareTrees(world, trees[t], h)
    gatherTouches(world, this.map, trees)
  }

  solve(world: WorldView, _h: number, first: boolean): void {
    const { trees } = this.gathering
    if (this.isLoading) {
      for (let t = 0; t < trees.length; t++) if (!mayArticulate(trees[t])) applyLoads(world.bodies.columns, trees[t])
      this.isLoading = false
    }
    for (let t = 0; t < trees.length; t++) if (first || hasChanged(world, trees[t])) solveTrees(world, trees[t], first)
  }

  resolveImpacts(world: WorldView): boolean {
    const { trees } = this.gathering
    let anyStruck = false
    for (let t = 0; t < trees.length; t++) {
      if (!wasStruck(world, trees[t])) continue
      gatherHeld(world, this.map, t, trees[t])
      solveTrees(world, trees[t], false)
      anyStruck = true
    }
    return anyStruck
  }

  finish(world: WorldView): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) if (wasMoved(world, trees[t])) solveTrees(world, trees[t], false)
  }

  endSubstep(): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) if (trees[t].inParts) spreadMultipliers(trees[t])
  }

  report(world: ReportView): DirectReport {
    const handle = (batch: Batch, slot: number): Constraint => world.handle(batch, slot) as Constraint
    const { trees, cuts } = this.gathering
    const total = { trees: 0, joints: 0, passes: 0, solves: 0, halved: 0, unsolved: 0 }
    const loops: Constraint[] = []
    const redundant: Constraint[] = []
    for (const { forest, singular, passes, solves, halved, unsolved } of trees) {
      total.trees += forest.treeCount
      total.joints += forest.batch.length
      total.passes += passes
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

/** Part of a world: solves trees and loops of joints together, so that joints do not stretch. */
export function jointTrees(world: WorldParts): void {
  world.jointSolver = makeJointTrees
}

/** The same function for every world: a world brings a solver along once. */
function makeJointTrees(): BlockSolver {
  return new JointTrees()
}
