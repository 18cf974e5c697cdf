/**
 * The solver of joint trees, a block solver. A world with the part `jointTrees` has one from its first joint on.
 */

import type { Batch } from '../state/batch.js'
import { type BlockSolver, type ReportView, TREES, type WorldView } from '../define/contract.js'
import type { BodyColumns } from '../state/body-columns.js'
import type { Responses } from '../state/responses.js'
import {
  accelerateTree,
  applyLoads,
  bringPose,
  bringVelocity,
  displaceTree,
  endImpulses,
  endPushes,
  responseOf,
} from './articulated-response.js'
import { mayArticulate } from './articulated-pass.js'
import type { Articulated } from './articulated-columns.js'
import type { Trees } from './trees.js'
import type { WorldParts } from '../define/step-part.js'
import type { Constraint } from '../edit/constraint.js'
import { Gathering } from './gather.js'
import { spreadMultipliers } from './halving.js'
import { gatherHeld } from './held.js'
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
  /** Joints that hold something which others hold already: what is redundant bears next to no load. */
  singular: Constraint[]
}

/** Most turns with the sweep where a tree is held. */
const TURNS_HELD = 8

/**
 * Whether contacts push trees by their response (articulated-response.ts). Not yet: figures thrown at a wall, stairs and each other gained up to 134 times m g · 1 m in 3 of 60 random scenes,
 * and nothing where contacts push single bodies (docs/experiments.md).
 */
const PUSHES_TREES: boolean = false

class JointTrees implements BlockSolver, Responses {
  readonly name = TREES
  readonly gathering = new Gathering()
  group: Int32Array = new Int32Array(0)
  acts = false
  isNeeded = false
  private isPushing = false
  private bodies!: BodyColumns
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
    if (this.group.length < bodies.count) this.group = new Int32Array(2 * bodies.count)
    this.group.fill(0)
    this.isNeeded = false
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) {
      if (trees[t].articulated === undefined) continue
      this.isNeeded = true
      for (let n = 0; n < trees[t].nodeCount; n++) this.group[trees[t].forest.body[n]] = t + 1
    }
    bodies.columns.responses = this
    this.bodies = bodies.columns
  }

  respond(i: number, out: Float64Array): boolean {
    if (!this.answers(i)) return false
    return responseOf(this.treesOf(i), this.map.node[i], out)
  }

  version(i: number): number {
    return this.answers(i) ? (this.treesOf(i).articulated?.version ?? 0) : 0
  }

  takesLoads(i: number): boolean {
    return this.isLoading && this.group[i] > 0
  }

  load(i: number, push: Float64Array, o: number): void {
    const t = this.treesOf(i).articulated as Articulated
    const to = 6 * this.map.node[i]
    t.isLoaded = true
    for (let k = 0; k < 6; k++) t.load[to + k] += push[o + k]
  }

  answers(i: number): boolean {
    if (!PUSHES_TREES || !this.acts || this.group[i] === 0) return false
    const t = this.treesOf(i).articulated
    return t?.isReady === true && !t.isGrounded
  }

  displace(i: number, push: Float64Array, o: number): void {
    displaceTree(this.bodies, this.treesOf(i), this.map.node[i], push, o)
    this.isPushing = true
  }

  bringPose(i: number): void {
    if (this.isPushing && this.answers(i)) bringPose(this.bodies, this.treesOf(i), this.map.node[i])
  }

  endPushes(): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length && this.isPushing; t++) {
      if ((trees[t].articulated?.pushes ?? 0) > 0) endPushes(this.bodies, trees[t])
    }
    this.isPushing = false
  }

  accelerate(i: number, impulse: Float64Array, o: number): void {
    accelerateTree(this.bodies, this.treesOf(i), this.map.node[i], impulse, o)
    this.isPushing = true
  }

  bringVelocity(i: number): void {
    if (this.isPushing && this.answers(i)) bringVelocity(this.bodies, this.treesOf(i), this.map.node[i])
  }

  endImpulses(): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length && this.isPushing; t++) {
      if ((trees[t].articulated?.pushes ?? 0) > 0) endImpulses(this.bodies, trees[t])
    }
    this.isPushing = false
  }

  private treesOf(i: number): Trees {
    return this.gathering.trees[this.group[i] - 1]
  }

  beginStep(): void {
    const { trees } = this.gathering
    for (let t = 0; t < trees.length; t++) {
      beginCount(trees[t])
      const { articulated } = trees[t]
      if (articulated !== undefined) articulated.version = 0
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
    this.acts = true
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
