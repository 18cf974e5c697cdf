/** Blocks of cubes, each of six tetrahedra around a diagonal: what tests of soft material are made of. */

import type { Body, World } from '@tautline/core'
import { neoHookean, type NeoHookeanDef } from '../../src/index.js'

/** Corners in steps of the lattice, and four of them a tetrahedron. */
export interface Block {
  points: [number, number, number][]
  tetrahedra: [number, number, number, number][]
}

/** The ways from a corner of a cube to the opposite one, the even ones first: those leave tetrahedra of positive volume. */
const WAYS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [1, 0, 2],
  [2, 1, 0],
]
const EVEN = 3

/** A block of `nx` × `ny` × `nz` cubes. */
export function block(nx: number, ny: number, nz: number): Block {
  const points: Block['points'] = []
  for (let k = 0; k <= nz; k++) for (let j = 0; j <= ny; j++) for (let i = 0; i <= nx; i++) points.push([i, j, k])
  const place = ([i, j, k]: readonly number[]): number => i + (nx + 1) * (j + (ny + 1) * k)
  const tetrahedra: Block['tetrahedra'] = []
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        WAYS.forEach((way, n) => {
          const at = [i, j, k]
          const [a, b, c, d] = [place(at), ...way.map((axis) => (at[axis]++, place(at)))]
          tetrahedra.push(n < EVEN ? [a, b, c, d] : [a, c, b, d])
        })
      }
    }
  }
  return { points, tetrahedra }
}

/** Volume of a tetrahedron in steps cubed. */
export const TET_VOLUME: number = 1 / 6

/** Particles of a block with edges of `size` [m] and `density` [kg/m³], and its material. Points that `isHeld` are static. */
export function addBlock(
  world: World,
  { points, tetrahedra }: Block,
  size: number,
  density: number,
  material: Omit<NeoHookeanDef, 'bodies'>,
  isHeld: (point: readonly number[]) => boolean = () => false,
): Body[] {
  const mass = new Float64Array(points.length)
  for (const tetrahedron of tetrahedra) for (const v of tetrahedron) mass[v] += (density * TET_VOLUME * size ** 3) / 4
  const bodies = points.map(([x, y, z], v) =>
    world.addParticle({ position: [x * size, y * size, z * size], mass: isHeld(points[v]) ? Infinity : mass[v] }),
  )
  for (const tetrahedron of tetrahedra)
    world.add(neoHookean, { bodies: tetrahedron.map((v) => bodies[v]), ...material })
  return bodies
}
