/** The columns of a contact patch, its constants, and the scratch that its loops share. */

import type { Batch } from '@tautline/core'

/** Multipliers of a patch: four normals, two of friction, twist, two of rolling. */
export const ROWS = 9
export const FRICTION = 4
export const TWIST = 6
export const ROLLING = 7

/** Columns and their strides. */
export const PATCH_COLUMNS = {
  /** Collider of a, collider of b, key of the patch: what names the row over steps. */
  pair: 3,
  /** Points in use, and which body carries the normal (`NORMAL_ON_A`, `NORMAL_ON_B`). */
  points: 1,
  carrier: 1,
  /** n̂ and t̂₁ in the carrier's frame. */
  normal: 3,
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
  /** 1 while it slides. */
  sliding: 1,
  /** Normal impulse of the step so far [N s]; 1 when it pushed in the last substep, and when it did at the last step's end. */
  impulse: 1,
  touching: 1,
  touched: 1,
  /** The step that last found it. */
  stamp: 1,
  /** Substep that last found it, of a pair that is looked at in each; 0 for other pairs. */
  swift: 1,
  /** 1 when the geometry is new and G is due. */
  fresh: 1,
  /** Of this substep: n̂, t̂₁, t̂₂; a's centre when it was prepared; the patch centre in the frames of a and b. */
  frame: 9,
  origin: 3,
  centre: 6,
  /** Arms from `origin` to the points × n̂, and to the centre × t̂₁ and × t̂₂ [m]. */
  armN: 12,
  armT: 6,
  /** Distance of each point from the centre [m]. */
  spread: 4,
  /** 1 while an overlap is pushed out at the greatest speed. */
  deep: 1,
  /** What c is driven to [m], and the speed after a blow [m/s]. */
  goal: 4,
  bounce: 4,
  /** G = J M⁻¹ Jᵀ, row by row. */
  matrix: 81,
  /** LDLᵀ of its normal rows, for the soft pass and for the rigid one: 1/D, then L below the diagonal. */
  factor: 20,
} as const

/** Name of a column of a patch. */
export type PatchColumn = keyof typeof PATCH_COLUMNS

/** A batch of patches. */
export type Patches = Batch<PatchColumn>

/** c, u, θ or their speeds, in the order of the multipliers, of the patch in hand. */
export const residual: Float64Array = /* @__PURE__ */ new Float64Array(ROWS)
/** What a visit adds to λ. */
export const change: Float64Array = /* @__PURE__ */ new Float64Array(ROWS)
