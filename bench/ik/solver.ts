/** What a solver has to offer to be measured: on chains, on a tree of fingers, and on whole bodies. */

import type { Pose, Rig } from '@tautline/ik'

/** Bounds [rad]. */
export interface Range {
  readonly min: number
  readonly max: number
}

export type Triple = readonly [number, number, number]

/**
 * A joint at the root of a link, in the link's frame: x along the link of a chain. The fields are those of `@tautline/ik`.
 * The swing is the shortest rotation of the parent's x axis to the link's, the twist 2 atan2(x, w) of the rotation.
 */
export type Joint =
  | { readonly kind: 'ball' }
  | {
      readonly kind: 'ball'
      readonly swingShape: 'cone'
      /** Both components −s … s: a round cone of half angle s. */
      readonly swing: { readonly y: Range; readonly z: Range }
      readonly twist: Range
    }
  | { readonly kind: 'hinge'; readonly axis: Triple; readonly limits: Range }
  | {
      /** Turns about A in the parent's frame, then about B in its own: R_A(α) R_B(β). */
      readonly kind: 'universal'
      readonly axisA: Triple
      readonly axisB: Triple
      readonly limitsA: Range
      readonly limitsB: Range
    }
  | { readonly kind: 'locked' }

/** How a solve ended. */
export interface Solved {
  /** Iterations taken, by the solver's own measure of one. */
  iterations: number
  /** Distance of the end from the target, or the largest of several [m]. */
  error: number
  /** What the solver itself says of it, where it does. */
  status?: string
}

/** A chain being solved, one target after another. */
export interface ChainRun {
  /** Puts the chain at rotations of the links against their parents, four numbers a link. */
  reset(rotations: Float64Array): void
  /** From the pose that it is in: at most `iterations`, and none once the end is within `tolerance` [m] of the target. */
  solve(target: ArrayLike<number>, iterations: number, tolerance: number): Solved
  /** World positions of the joints and the end, three numbers each, one more than links. */
  positions(out: Float64Array): void
  /** Rotations of the links against their parents, where the solver has such. */
  rotations?(out: Float64Array): void
}

export interface ChainSolver {
  readonly name: string
  /** Settings, and how it makes do with limits that it lacks. */
  readonly note: string
  /** Whether it takes joints with limits. */
  readonly limits: boolean
  /**
   * Makes a chain from the origin along x. Left out, all joints are free balls.
   *
   * @param links - Lengths [m].
   */
  make(links: readonly number[], joints?: readonly Joint[]): ChainRun
}

/** A bone of a tree. */
export interface Bone {
  readonly name: string
  /** Row of the parent, before this one; −1 for the root, which stands still. */
  readonly parent: number
  /** Of its joint in the parent's frame [m], and its rotation against it at rest: none where the joint moves. */
  readonly position: Triple
  readonly rotation: readonly [number, number, number, number]
  readonly joint: Joint
}

/** Bones and the ends to place, by row. The root stands at its position and rotation. */
export interface Tree {
  readonly bones: readonly Bone[]
  readonly ends: readonly number[]
}

/** A tree being solved. */
export interface TreeRun {
  /** Puts the tree at rotations of the bones against their parents, rest rotation included, four numbers a bone. */
  reset(rotations: Float64Array): void
  /** Three numbers an end. */
  solve(targets: ArrayLike<number>, iterations: number, tolerance: number): Solved
  /** World positions of all bones. */
  positions(out: Float64Array): void
  rotations(out: Float64Array): void
}

export interface TreeSolver {
  readonly name: string
  readonly note: string
  make(tree: Tree): TreeRun
}

/** A point of a bone that is placed, by row, and whether the bone's orientation counts as well. */
export interface Effector {
  readonly bone: number
  /** In the bone's space [m]. */
  readonly point: Triple
  readonly turns: boolean
}

/** Shoulder, elbow and hand, or hip, knee and foot, by rows. */
export interface Limb {
  readonly start: number
  readonly middle: number
  readonly end: number
}

/** A robot, a humanoid or a figure of motion capture, and what of it is placed. */
export interface Body {
  /** Of a figure the first effectors are the ends of its limbs, the last is its head. Its limbs are arms, then legs, left first. */
  readonly kind: 'robot' | 'humanoid' | 'figure'
  /** A fresh one a call: solvers may change its joints. */
  rig(): Rig
  readonly effectors: readonly Effector[]
  readonly limbs: readonly Limb[]
}

/** A body being solved. */
export interface BodyRun {
  reset(pose: Pose): void
  /** From the pose that it is in; seven numbers an effector, position and orientation. `tolerance` in [m] and in [rad]. */
  solve(targets: Float64Array, iterations: number, tolerance: number): Solved
  pose(out: Pose): void
}

export interface BodySolver {
  readonly name: string
  readonly note: string
  make(body: Body): BodyRun
}

/** What a file of `opponents/` exports. */
export interface Opponents {
  readonly chains: readonly ChainSolver[]
  readonly trees?: readonly TreeSolver[]
  readonly bodies?: readonly BodySolver[]
}
