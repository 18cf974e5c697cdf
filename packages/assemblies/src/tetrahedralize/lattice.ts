/** A body-centred lattice in a box: corners of cells, centres of cells and of those around the box, and the tetrahedra between them. */

/** Nodes that are numbered: first corners, then centres. */
export interface Lattice {
  /** Cells along x, y and z. */
  readonly cells: readonly [number, number, number]
  /** Lengths of a cell [m]. */
  readonly spacing: readonly [number, number, number]
  readonly low: readonly [number, number, number]
  readonly high: readonly [number, number, number]
  readonly corners: number
  /** x, y, z of each node [m]. */
  readonly positions: Float64Array
  /** Four nodes each: two centres side by side, and an edge of the face between them. */
  readonly tetrahedra: Uint32Array
}

/** Nodes at most: a gigabyte. */
const MOST_NODES = 2e6

/** A lattice whose outer corners lie on the box, with cells of about `size` [m]. Flat faces of the box are nodes then. */
export function latticeIn(where: string, low: Vector, high: Vector, size: number): Lattice {
  const cells = axes((k) => Math.max(1, Math.round((high[k] - low[k]) / size)))
  const spacing = axes((k) => (high[k] - low[k]) / cells[k])
  const [nx, ny, nz] = cells
  const corners = (nx + 1) * (ny + 1) * (nz + 1)
  const count = corners + (nx + 2) * (ny + 2) * (nz + 2)
  if (!(count <= MOST_NODES)) {
    throw new RangeError(
      `${where}: size must leave at most ${MOST_NODES} nodes in the box, got ${size} m, ${count} nodes`,
    )
  }
  const positions = new Float64Array(3 * count)
  let o = 0
  const put = (n: Triple, shift: number): void => {
    for (let k = 0; k < n[2]; k++) {
      for (let j = 0; j < n[1]; j++) {
        for (let i = 0; i < n[0]; i++) {
          for (const [axis, step] of [i, j, k].entries()) {
            const share = (step + shift) / cells[axis]
            positions[o++] = share === 1 ? high[axis] : low[axis] + share * (high[axis] - low[axis])
          }
        }
      }
    }
  }
  put([nx + 1, ny + 1, nz + 1], 0)
  put([nx + 2, ny + 2, nz + 2], -0.5)
  return {
    cells,
    spacing,
    low: axes((k) => low[k]),
    high: axes((k) => high[k]),
    corners,
    positions,
    tetrahedra: elements(cells, corners),
  }
}

type Vector = ArrayLike<number>
type Triple = [number, number, number]

function axes(of: (axis: number) => number): Triple {
  return [of(0), of(1), of(2)]
}

/** Corners around a face, in order, by steps along the two axes after its own. */
const AROUND = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]

function elements(cells: Triple, corners: number): Uint32Array {
  const [nx, ny] = cells
  const corner = (at: Triple): number => at[0] + (nx + 1) * (at[1] + (ny + 1) * at[2])
  const centre = (at: Triple): number => corners + at[0] + 1 + (nx + 2) * (at[1] + 1 + (ny + 2) * (at[2] + 1))
  const found: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    const [v, w] = [(axis + 1) % 3, (axis + 2) % 3]
    const most = axes((k) => (k === axis ? cells[k] + 1 : cells[k]))
    for (let k = 0; k < most[2]; k++) {
      for (let j = 0; j < most[1]; j++) {
        for (let i = 0; i < most[0]; i++) {
          const face: Triple = [i, j, k]
          const behind = axes((a) => (a === axis ? face[a] - 1 : face[a]))
          const ring = AROUND.map(([p, q]) => corner(axes((a) => face[a] + (a === v ? p : a === w ? q : 0))))
          for (let s = 0; s < 4; s++) found.push(centre(behind), ring[s], ring[(s + 1) % 4], centre(face))
        }
      }
    }
  }
  return Uint32Array.from(found)
}
