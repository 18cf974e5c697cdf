/** The Newton system of trees, as arrays. */

/** Scratch of the system of all trees; rows of a node stand from its `firstRow`, and S from `firstPair`. */
export interface System {
  /** Ĥ, then L with 1/D on its diagonal; C, then E. */
  H: Float64Array
  C: Float64Array
  /** ĝ, then z; dX. */
  g: Float64Array
  dX: Float64Array
  /** J_i, then y; J_p, then Z; six numbers a row. */
  Ji: Float64Array
  Jp: Float64Array
  /** r, then v; a; dλ. */
  r: Float64Array
  a: Float64Array
  dl: Float64Array
  /** Λ with 1/Δ on its diagonal; what stands above is scratch. */
  S: Float64Array
  /** Rows in use, and whether the node is coupled to its parent by C. */
  rows: Int32Array
  coupled: Uint8Array
  /** 1 where, when last factored, rows of a node's joints held the same thing twice. */
  singular: Uint8Array
  /** Share of a diagonal that takes the place of a pivot that is not positive; 0 when that is a failure. */
  floor: number
}
