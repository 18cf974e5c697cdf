/**
 * Fills a closed surface with tetrahedra: a regular grid of cubes, those with their centre inside, five tetrahedra each.
 *
 * Inside: columns of rays along z, one through each row of cube centres. What a ray crosses is told by the signs of
 *
 *   orient(a, b, p) = (b − a) × (p − a)   in the x, y plane
 *
 * for the three sides of a triangle. Two triangles that share a side compute it from the same numbers in the same order,
 * so a ray passes one or the other, and never slips between them. Where the ray meets a side or a corner exactly (value 0),
 * the point is taken to lie a little further along x, and if that is not enough along y (simulation of simplicity;
 * Edelsbrunner and Mücke 1990). Winding numbers then add up crossing by crossing, and a cube is inside where its own is
 * not 0: parts of the surface may overlap.
 *
 * Five tetrahedra: four corners are cut off, one is left in the middle. The cut corners alternate from cube to cube, as on
 * a chess board, so that the diagonals of neighbours coincide.
 */

import { bounds, type Mesh, requireClosed } from './mesh.js'

/** A body of tetrahedra. */
export interface TetraLattice {
  /** x, y, z of each node [m] */
  readonly positions: Float64Array
  /** Four nodes a tetrahedron, a, b, c, d with (b − a) × (c − a) towards d. */
  readonly tetrahedra: Uint32Array
  /** Two nodes an edge. */
  readonly edges: Uint32Array
  /** Three nodes a triangle of the outer surface, counter-clockwise as seen from outside. */
  readonly surface: Uint32Array
  /** Side of a cube [m]. */
  readonly cell: number
  /** Cubes in the lattice. */
  readonly cubes: number
  /** Cubes inside, but not joined by a face to the part that was kept: tips of ears. */
  readonly discarded: number
}

/** Cuts off corners 0, 3, 5, 6 of a cube; corner number = x + 2 y + 4 z. Odd cubes are mirrored in x. */
const FIVE = [
  [0, 1, 2, 4],
  [3, 2, 1, 7],
  [5, 4, 7, 1],
  [6, 7, 4, 2],
  [1, 2, 4, 7],
] as const

/** Fills a closed, welded mesh; `cells` cubes go along its longest side. */
export function latticeFill(mesh: Mesh, cells: number): TetraLattice {
  requireClosed('latticeFill', mesh)
  if (!Number.isInteger(cells) || cells < 1)
    throw new RangeError(`latticeFill: cells must be an integer >= 1, got ${cells}`)
  const { min, max } = bounds(mesh.positions)
  const extent = [0, 1, 2].map((k) => max[k] - min[k])
  const cell = Math.max(...extent) / cells
  const [nx, ny, nz] = extent.map((length) => Math.max(1, Math.ceil(length / cell - 1e-9)))
  // The grid is centred on the mesh.
  const [ox, oy, oz] = [nx, ny, nz].map((n, k) => 0.5 * (min[k] + max[k] - n * cell))

  const inside = new Uint8Array(nx * ny * nz)
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const crossings = cross(mesh, ox + (i + 0.5) * cell, oy + (j + 0.5) * cell)
      for (let k = 0; k < nz; k++) {
        const z = oz + (k + 0.5) * cell
        let winding = 0
        for (const crossing of crossings) if (crossing.z > z) winding += crossing.sign
        inside[i + nx * (j + ny * k)] = winding !== 0 ? 1 : 0
      }
    }
  }
  const kept = largestPart(inside, nx, ny, nz)
  const cubes = kept.length
  if (cubes === 0)
    throw new RangeError(`latticeFill: no cube of ${cell} m lies inside the mesh; raise cells, got ${cells}`)

  const nodes = new Map<number, number>()
  const positions: number[] = []
  const tetrahedra: number[] = []
  for (const cube of kept) {
    const i = cube % nx
    const j = Math.floor(cube / nx) % ny
    const k = Math.floor(cube / (nx * ny))
    const odd = (i + j + k) % 2
    const corner = (c: number): number => {
      const [x, y, z] = [i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)]
      const key = x + (nx + 1) * (y + (ny + 1) * z)
      let node = nodes.get(key)
      if (node === undefined) {
        nodes.set(key, (node = positions.length / 3))
        positions.push(ox + x * cell, oy + y * cell, oz + z * cell)
      }
      return node
    }
    for (const [a, b, c, d] of FIVE) {
      // The mirror turns a tetrahedron inside out: exchange two corners.
      if (odd === 0) tetrahedra.push(corner(a), corner(b), corner(c), corner(d))
      else tetrahedra.push(corner(a ^ 1), corner(c ^ 1), corner(b ^ 1), corner(d ^ 1))
    }
  }
  return {
    positions: Float64Array.from(positions),
    tetrahedra: Uint32Array.from(tetrahedra),
    edges: tetraEdges(tetrahedra),
    surface: outerFaces(tetrahedra),
    cell,
    cubes,
    discarded: inside.reduce((sum, is) => sum + is, 0) - cubes,
  }
}

/** Where a line along z crosses the surface: +1 where the surface faces +z. */
function cross({ positions, triangles }: Mesh, px: number, py: number): { z: number; sign: number }[] {
  const crossings: { z: number; sign: number }[] = []
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]]
    const ab = side(positions, a, b, px, py)
    const bc = side(positions, b, c, px, py)
    const ca = side(positions, c, a, px, py)
    if (ab.sign !== bc.sign || bc.sign !== ca.sign) continue
    const area = ab.value + bc.value + ca.value
    const [za, zb, zc] = [positions[3 * a + 2], positions[3 * b + 2], positions[3 * c + 2]]
    // A triangle seen edge-on has no area: any of its heights will do.
    const z = area === 0 ? za : (bc.value * za + ca.value * zb + ab.value * zc) / area
    crossings.push({ z, sign: ab.sign })
  }
  return crossings
}

/** On which side of the line from a to b the point is, and by how much; never undecided. */
function side(x: ArrayLike<number>, a: number, b: number, px: number, py: number): { value: number; sign: number } {
  const turned = a > b
  const [from, to] = turned ? [b, a] : [a, b]
  const dx = x[3 * to] - x[3 * from]
  const dy = x[3 * to + 1] - x[3 * from + 1]
  const value = dx * (py - x[3 * from + 1]) - dy * (px - x[3 * from])
  // Derivatives of the value along x, −dy, and along y, dx.
  const sign = Math.sign(value) || Math.sign(-dy) || Math.sign(dx) || 1
  return turned ? { value: -value, sign: -sign } : { value, sign }
}

/** Cubes of the largest part that holds together by faces, in ascending order. */
function largestPart(inside: Uint8Array, nx: number, ny: number, nz: number): number[] {
  const seen = new Uint8Array(inside.length)
  let best: number[] = []
  for (let start = 0; start < inside.length; start++) {
    if (inside[start] === 0 || seen[start] === 1) continue
    const part = [start]
    seen[start] = 1
    for (let n = 0; n < part.length; n++) {
      const cube = part[n]
      const [i, j, k] = [cube % nx, Math.floor(cube / nx) % ny, Math.floor(cube / (nx * ny))]
      const visit = (there: boolean, next: number): void => {
        if (!there || inside[next] === 0 || seen[next] === 1) return
        seen[next] = 1
        part.push(next)
      }
      visit(i > 0, cube - 1)
      visit(i < nx - 1, cube + 1)
      visit(j > 0, cube - nx)
      visit(j < ny - 1, cube + nx)
      visit(k > 0, cube - nx * ny)
      visit(k < nz - 1, cube + nx * ny)
    }
    if (part.length > best.length) best = part
  }
  return best.sort((r, s) => r - s)
}

function tetraEdges(tetrahedra: ArrayLike<number>): Uint32Array {
  const seen = new Set<string>()
  const list: number[] = []
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const [a, b] = [tetrahedra[t + i], tetrahedra[t + j]].sort((r, s) => r - s)
        const key = `${a},${b}`
        if (seen.has(key)) continue
        seen.add(key)
        list.push(a, b)
      }
    }
  }
  return Uint32Array.from(list)
}

/** Faces of one tetrahedron only. Face k lies opposite to corner k, turned outward. */
function outerFaces(tetrahedra: ArrayLike<number>): Uint32Array {
  const faces = new Map<string, number[]>()
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = [tetrahedra[t], tetrahedra[t + 1], tetrahedra[t + 2], tetrahedra[t + 3]]
    for (const face of [
      [a, c, b],
      [a, b, d],
      [b, c, d],
      [c, a, d],
    ]) {
      const key = [...face].sort((r, s) => r - s).join()
      if (!faces.delete(key)) faces.set(key, face)
    }
  }
  return Uint32Array.from([...faces.values()].flat())
}

/** Six times the volume of a tetrahedron [m³], positive when turned as in {@link TetraLattice}. */
export function sixVolumes(x: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  const [o, p, q, r] = [3 * a, 3 * b, 3 * c, 3 * d]
  const ux = x[p] - x[o]
  const uy = x[p + 1] - x[o + 1]
  const uz = x[p + 2] - x[o + 2]
  const vx = x[q] - x[o]
  const vy = x[q + 1] - x[o + 1]
  const vz = x[q + 2] - x[o + 2]
  const wx = x[r] - x[o]
  const wy = x[r + 1] - x[o + 1]
  const wz = x[r + 2] - x[o + 2]
  return wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx)
}
