/**
 * What a row of contact manifolds stores.
 *
 * What the loops read lies in one record a row, `record`: a pass touches a few neighbouring cache lines instead of one line in
 * each of thirty columns. The offsets are below.
 */

import { type Batch, type BodyColumns, WORLD_BODY } from '@tautline/core/kernel'
import { NORMAL_ON_A, NORMAL_ON_B } from '../detect/narrow/manifold.js'
import { ROWS } from './manifold-record.js'

export * from './manifold-record.js'

/** Columns and their strides. */
export const MANIFOLD_COLUMNS = {
  /** Collider of a, collider of b, key of the manifold: what names the row over steps. */
  pair: 3,
  /** Points in use, and which body carries the normal (`NORMAL_ON_A`, `NORMAL_ON_B`, `NORMAL_FIXED`). */
  points: 1,
  carrier: 1,
  /** t̂₁ in the carrier's frame. */
  tangent: 3,
  /** Core points in the frames of a and b [m], and the two radii that round them [m]. */
  anchorA: 12,
  anchorB: 12,
  round: 2,
  /** Names of the points. */
  feature: 4,
  /** Static and dynamic ν, torsional and rolling coefficient [m], e, push-out [m/s]. */
  friction: 2,
  torsional: 1,
  rolling: 1,
  restitution: 1,
  maxPushOut: 1,
  /** Half the relative acceleration along n̂ by gravity and forces [m/s²]: negative where they press. */
  fall: 1,
  /** The larger acceleration of the two bodies by gravity and forces [m/s²]: what a weight is counted by. */
  heft: 1,
  /** Of what stands on it, how slender it is; steps in which it has borne too much; 1 where it makes a tower, −1 where joints hold what stands in one (`towers.ts`). */
  slender: 1,
  bearing: 1,
  tower: 1,
  /** 1 while it slides. */
  sliding: 1,
  /** Normal impulse of the step so far [N s]; 1 when it has pushed in the step, and when it did in the one before. */
  impulse: 1,
  touching: 1,
  touched: 1,
  /** The step that last found it. */
  stamp: 1,
  /** Substep that last found it, of a pair that is looked at in each; 0 for other pairs. */
  fastSubstep: 1,
  /** First point of a and orientation of a, in the frame of b, when it was found: while that hardly changes it is kept. */
  found: 7,
  /** Position, 1/m and orientation of a and b in the step that prepared G last. */
  seen: 16,
  /** 1 in a step in which both bodies are where they were then: lever arms and G are as they were. */
  still: 1,
  /** 1 when the geometry is new and G is due. */
  fresh: 1,
  /** Number of the island that is solved exactly, from 1; 0 for what is swept (`islands.ts`). */
  island: 1,
  /** What the loops read: a record of `RECORD` numbers. */
  record: 114,
} as const

/** Name of a column of a manifold. */
export type ManifoldColumn = keyof typeof MANIFOLD_COLUMNS

/** A batch of manifolds. */
export type Manifolds = Batch<ManifoldColumn>

/** Exact solution of small islands of contacts, as `exactIslands` adds it. */
export interface IslandPart {
  /** Numbers the islands to be solved exactly in the column `island`; returns how many there are. */
  find(bodies: BodyColumns, batch: Manifolds, from: number, to: number): number
  warmStart(bodies: BodyColumns, batch: Manifolds, from: number, to: number, islands: number): void
  pushApart(bodies: BodyColumns, batch: Manifolds, from: number, to: number, islands: number): void
  relax(bodies: BodyColumns, batch: Manifolds, from: number, to: number, islands: number, h: number): void
}

/** Parts of the contact solver that a page may leave out. */
export interface ManifoldSolverParts {
  islands?: IslandPart
  /** Passes impacts on through bodies that touch, before the velocity passes. */
  resolveChains?(bodies: BodyColumns, batch: Manifolds, from: number, to: number, h: number): void
}

const NO_PARTS: ManifoldSolverParts = {}
const partsOf = /* @__PURE__ */ new WeakMap<Manifolds, ManifoldSolverParts>()

/** Sets the parts that solve a batch of manifolds besides the sweep. */
export function setSolverParts(batch: Manifolds, parts: ManifoldSolverParts): void {
  partsOf.set(batch, parts)
}

/** The parts that solve a batch of manifolds besides the sweep. */
export function solverPartsOf(batch: Manifolds): ManifoldSolverParts {
  return partsOf.get(batch) ?? NO_PARTS
}

/** Whether all that is kept of a manifold from step to step is a number. */
export function isFiniteRow(batch: Manifolds, row: number): boolean {
  const { columns } = batch
  for (const name in MANIFOLD_COLUMNS) {
    const stride = MANIFOLD_COLUMNS[name as ManifoldColumn]
    const column = columns[name as ManifoldColumn]
    for (let k = stride * row; k < stride * (row + 1); k++) if (!(Math.abs(column[k]) < Infinity)) return false
  }
  return true
}

/** c_i, or the speeds of all rows, in the order of the multipliers, of the manifold in hand. */
export const residual: Float64Array = /* @__PURE__ */ new Float64Array(ROWS)
/** What a pass adds to λ. */
export const change: Float64Array = /* @__PURE__ */ new Float64Array(ROWS)

/** Row of the body that turns a manifold's normal; the world's where nobody does. */
export function carrierOf({ ids, columns }: Manifolds, row: number): number {
  const carrier = columns.carrier[row]
  return carrier === NORMAL_ON_A ? ids[2 * row] : carrier === NORMAL_ON_B ? ids[2 * row + 1] : WORLD_BODY
}

/** Load Σ λ_i of the normals [kg m]. */
export function loadOf({ columns: { points, lambda } }: Manifolds, row: number): number {
  let load = 0
  for (let i = 0; i < points[row]; i++) load += lambda[ROWS * row + i]
  return load
}
