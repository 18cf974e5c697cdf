/** Worlds of 20 000 rows of one constraint type: grids, lattices and ropes of particles, chains of boxes. */

import { type Body, type BodyDef, solidBox, World } from '@tautline/core'

/** Rows of every measurement. */
export const ROWS = 20_000

export type Triple = [number, number, number]

/** Numbers in [−1, 1), the same for the same seed: a linear congruential generator (Numerical Recipes, 2nd ed., 7.1). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 0x80000000 - 1
  }
}

/** A sheet of `width` × `height` particles, 10 mm apart; its upper corners do not move. */
export function grid(width: number, height: number): { world: World; nodes: Body[] } {
  const world = new World({ solver: 'sweep' })
  const nodes: Body[] = []
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const isCorner = j === 0 && (i === 0 || i === width - 1)
      const def: BodyDef = { position: [0.01 * i, -0.01 * j, 0], mass: 1e-3 }
      nodes.push(world.addParticle(isCorner ? { ...def, type: 'static' } : def))
    }
  }
  return { world, nodes }
}

/** Pairs of neighbours in a sheet, a node after the other: what an edge of a cloth joins. */
export function gridEdges(nodes: readonly Body[], width: number): [Body, Body][] {
  const edges: [Body, Body][] = []
  for (let k = 0; k < nodes.length; k++) {
    if ((k + 1) % width !== 0) edges.push([nodes[k], nodes[k + 1]])
    if (k + width < nodes.length) edges.push([nodes[k], nodes[k + width]])
  }
  return edges.slice(0, ROWS)
}

/** Two triangles at each inner edge of a sheet, as edge and wings. */
export function gridBends(nodes: readonly Body[], width: number): Body[][] {
  const bends: Body[][] = []
  const height = nodes.length / width
  const at = (i: number, j: number): Body => nodes[width * j + i]
  for (let j = 0; j + 1 < height; j++) {
    for (let i = 0; i + 1 < width; i++) {
      bends.push([at(i, j + 1), at(i + 1, j), at(i, j), at(i + 1, j + 1)])
      if (i + 2 < width) bends.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1), at(i + 2, j)])
      if (j + 2 < height) bends.push([at(i, j + 1), at(i + 1, j + 1), at(i, j + 2), at(i + 1, j)])
    }
  }
  return bends.slice(0, ROWS)
}

/** A block of 20 × 20 × 10 cubes, five tetrahedra each. */
export function tetrahedra(): { world: World; cells: Body[][] } {
  const world = new World({ solver: 'sweep' })
  const [nx, ny, nz] = [20, 20, 10]
  const nodes: Body[] = []
  for (let k = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) {
        const def: BodyDef = { position: [0.1 * i, 0.1 * j, 0.1 * k], mass: 0.1 }
        nodes.push(world.addParticle(j === 0 ? { ...def, type: 'static' } : def))
      }
    }
  }
  const cells: Body[][] = []
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        // Mirrored from cube to cube, so that faces meet.
        const corner = (c: number): Body => {
          const [u, v, w] = [c & 1, (c >> 1) & 1, (c >> 2) & 1].map((bit, axis) => bit ^ ([i, j, k][axis] & 1))
          return nodes[i + u + (nx + 1) * (j + v + (ny + 1) * (k + w))]
        }
        for (const cell of [
          [0, 1, 2, 4],
          [3, 1, 2, 7],
          [5, 1, 4, 7],
          [6, 2, 4, 7],
          [1, 2, 4, 7],
        ]) {
          cells.push(cell.map(corner))
        }
      }
    }
  }
  return { world, cells }
}

/** 1 000 hanging ropes of 39 particles, and 20 windows of 20 neighbours on each. */
export function ropes(): { world: World; windows: Body[][] } {
  const world = new World({ solver: 'sweep' })
  const windows: Body[][] = []
  const random = randomNumbers(5)
  for (let r = 0; r < ROWS / 20; r++) {
    const nodes: Body[] = []
    for (let k = 0; k < 39; k++) {
      const position: Triple = [0.1 * r + 0.005 * random(), -0.02 * k, 0.005 * random()]
      nodes.push(world.addParticle(k === 0 ? { position, type: 'static' } : { position, mass: 0.01 }))
    }
    for (let k = 0; k < 20; k++) windows.push(nodes.slice(k, k + 20))
  }
  return { world, windows }
}

/** A joint of a chain: two neighbours and the point between them. */
export interface Link {
  a: Body | null
  b: Body
  point: Triple
}

/** 200 hanging chains of 100 boxes with three different moments each; the first of each hangs from the world. */
export function chains(): { world: World; links: Link[]; random: () => number } {
  const random = randomNumbers(7)
  const world = new World({ solver: 'sweep' })
  const links: Link[] = []
  for (let c = 0; c < 200; c++) {
    let a: Body | null = null
    for (let k = 0; k < ROWS / 200; k++) {
      const mass = 1.5 + random()
      const q = [0.3 * random(), 0.3 * random(), 0.3 * random(), 1]
      const length = Math.hypot(...q)
      const b: Body = world.addBody({
        position: [k + 0.5, 0, c],
        orientation: [q[0] / length, q[1] / length, q[2] / length, q[3] / length],
        mass,
        inertia: solidBox(mass, [0.9, 0.3, 0.5]),
      })
      links.push({ a, b, point: [k, 0, c] })
      a = b
    }
  }
  return { world, links, random }
}

/** Moves bodies that can move off their place: about `distance` [m] and `angle` [rad] in each direction. */
export function shake(world: World, distance: number, angle: number): void {
  const random = randomNumbers(11)
  const { position, orientation } = world.bodies.columns
  for (let i = 0; i < world.bodies.count; i++) {
    if (position[4 * i + 3] === 0) continue
    for (let k = 4 * i; k < 4 * i + 3; k++) position[k] += distance * random()
    const q = orientation.subarray(4 * i, 4 * i + 4)
    for (let k = 0; k < 3; k++) q[k] += 0.5 * angle * random()
    const length = Math.hypot(...q)
    for (let k = 0; k < 4; k++) q[k] /= length
  }
}

/** Boxes of 1 m: 5 mm and 0.02 rad off. */
export function shakeBoxes(world: World): void {
  shake(world, 5e-3, 0.02)
}

/** Pushes the links of all chains into each other by 8 mm. */
export function squeeze(world: World): void {
  const { position } = world.bodies.columns
  for (let i = 1; i < world.bodies.count; i++) position[4 * i] -= 8e-3 * Math.floor(position[4 * i] + 0.5)
}

/** Adds a row a link of the chains. */
export function linked(add: (world: World, link: Link, random: () => number) => void): () => World {
  return () => {
    const { world, links, random } = chains()
    for (const link of links) add(world, link, random)
    return world
  }
}
