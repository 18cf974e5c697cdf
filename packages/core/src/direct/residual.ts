/** How much a tree lacks to be solved, as its last assembly found it. */

/** Rows that are this near [m, rad] are solved. */
export const MET = 1e-9

/** What an assembly leaves to be solved: indices into `RESIDUAL`. */
export const GAP = 0
export const UNBALANCE = 1
export const PUSH = 2
/** Worst |r| [m, rad]; worst |M⁻¹ g| [m, rad], and how far single rows push, at most, to compare it with. */
export const RESIDUAL: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** Takes in the residual of a row [m, rad] and how far its multiplier pushes its bodies. A NaN stays. */
export function noteResidual(gap: number, push: number): void {
  if (!(gap <= RESIDUAL[GAP])) RESIDUAL[GAP] = gap
  if (push > RESIDUAL[PUSH]) RESIDUAL[PUSH] = push
}
