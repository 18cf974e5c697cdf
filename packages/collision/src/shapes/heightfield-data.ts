/** What a heightfield is stored as: heights over a grid in x and z. */
export interface HeightfieldData {
  /** Height y [m] of column i (x) and row j (z) at `heights[j * columns + i]`; NaN is a hole. */
  readonly heights: Float64Array
  readonly columns: number
  readonly rows: number
  /** Spacing of the grid in x and z [m]; the grid is centred on the local origin. */
  readonly cellX: number
  readonly cellZ: number
  /** Bits as in `MeshData.innerEdges`, a triangle each, also of those that are not there. */
  readonly innerEdges: Uint8Array
}
