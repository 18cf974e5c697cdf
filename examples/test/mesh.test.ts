import { closedMesh } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { bunnyMesh } from '../lib/bunny.js'
import { embed, follow } from '../lib/embed.js'
import { latticeFill, sixVolumes } from '../lib/lattice.js'
import { bendPairs, edges, fit, type Mesh, requireClosed, UNUSED, weld } from '../lib/mesh.js'

/** Corner number = x + 2 y + 4 z. */
const BOX = {
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1],
  triangles: [
    ...[0, 2, 1, 1, 2, 3],
    ...[4, 5, 6, 5, 7, 6],
    ...[0, 1, 4, 1, 5, 4],
    ...[2, 6, 3, 3, 6, 7],
    ...[0, 4, 2, 2, 4, 6],
    ...[1, 3, 5, 3, 7, 5],
  ],
}

/** Coordinates add up a few hundred cell sizes: round-off. */
const ROUND_OFF = 1e-12

/** Cubes at the surface are in or out as a whole; on the bunny that evens out to this share. */
const FILL = 0.04

/** As a file with texture seams has it: three vertices of its own for every triangle. */
function torn({ positions, triangles }: Mesh, shift: number): Mesh {
  const own = Array.from(triangles).flatMap((v, i) =>
    [0, 1, 2].map((k) => positions[3 * v + k] + shift * (((i + k) % 3) - 1)),
  )
  return { positions: own, triangles: Array.from(triangles, (_, i) => i) }
}

describe('weld', () => {
  test.each([0, 1e-4])('joins vertices up to %d apart, and says where each went', (shift) => {
    const mesh = torn(BOX, shift)
    const welded = weld(mesh.positions, mesh.triangles, 4 * shift)
    expect(welded.positions.length).toBe(3 * 8)
    expect(welded.triangles.length).toBe(BOX.triangles.length)
    expect(welded.collapsed).toBe(0)
    requireClosed('test', welded)
    welded.map.forEach((v, i) => {
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(welded.positions[3 * v + k] - mesh.positions[3 * i + k])).toBeLessThanOrEqual(4 * shift)
      }
    })
  })

  test('leaves out what collapses and what nobody uses', () => {
    const welded = weld([0, 0, 0, 1, 0, 0, 0, 1, 0, 1e-6, 0, 0, 5, 5, 5], [0, 1, 2, 0, 3, 1], 1e-3)
    expect(Array.from(welded.triangles)).toEqual([0, 1, 2])
    expect(welded.collapsed).toBe(1)
    expect(Array.from(welded.map)).toEqual([0, 1, 2, 0, UNUSED])
  })

  test.each<[string, number[], number[], RegExp]>([
    ['nothing', [], [], /positions must be .* got 0 numbers/],
    ['no triangles', [0, 0, 0], [], /triangles must be .* got 0/],
    ['half a triangle', [0, 0, 0], [0, 0], /triangles must be .* got 2/],
    ['NaN', [0, NaN, 0], [0, 0, 0], /positions\[1\] must be finite, got NaN/],
    ['an index that points nowhere', [0, 0, 0], [0, 0, 1], /triangles\[2\] must be .* 1 vertices, got 1/],
  ])('refuses %s', (_, positions, triangles, message) => {
    expect(() => weld(positions, triangles, 0)).toThrow(message)
  })
})

describe('edges and bend pairs', () => {
  test('of a closed surface there are as many as Euler says', () => {
    expect(edges(BOX.triangles).length / 2).toBe(8 + 12 - 2)
    expect(bendPairs(BOX.triangles).length / 4).toBe(8 + 12 - 2)
    const bunny = bunnyMesh()
    expect(edges(bunny.triangles).length / 2).toBe(bunny.positions.length / 3 + bunny.triangles.length / 3 - 2)
  })

  test('an open edge does not bend', () => {
    expect(edges([0, 1, 2, 2, 1, 3]).length / 2).toBe(5)
    expect(Array.from(bendPairs([0, 1, 2, 2, 1, 3]))).toEqual([1, 2, 0, 3])
  })
})

describe('requireClosed', () => {
  test('takes the bunny', () => requireClosed('test', bunnyMesh()))

  test.each<[string, number[], RegExp]>([
    ['a hole', BOX.triangles.slice(3), /3 open edges, 0 edges of more/],
    ['a flipped triangle', [2, 0, 1, ...BOX.triangles.slice(3)], /0 open edges.*3 edges between/],
    ['a fin', [...BOX.triangles, 0, 2, 7], /2 open edges, 1 edges of more/],
  ])('refuses %s', (_, triangles, message) => {
    expect(() => requireClosed('test', { positions: BOX.positions, triangles })).toThrow(message)
  })
})

describe('lattice', () => {
  test('fills a box to the brim, every tetrahedron turned the right way', () => {
    const { positions, tetrahedra, cubes, discarded, surface } = latticeFill(BOX, 3)
    expect([cubes, discarded, tetrahedra.length / 4]).toEqual([27, 0, 5 * 27])
    let sum = 0
    for (let t = 0; t < tetrahedra.length; t += 4) {
      const [a, b, c, d] = tetrahedra.subarray(t, t + 4)
      const six = sixVolumes(positions, a, b, c, d)
      expect(six).toBeGreaterThan(0)
      sum += six / 6
    }
    expect(Math.abs(sum - 1)).toBeLessThan(ROUND_OFF)
    // Faces of neighbours coincide: what is left is the box's own surface, closed, of the same volume.
    requireClosed('test', { positions, triangles: surface })
    expect(Math.abs(closedMesh(positions, surface, { density: 1 }).volume - 1)).toBeLessThan(ROUND_OFF)
  })

  test('fills the bunny', () => {
    const mesh = bunnyMesh()
    const { positions, surface, cubes, cell } = latticeFill(mesh, 20)
    const { volume } = closedMesh(mesh.positions, mesh.triangles, { density: 1 })
    expect(Math.abs((cubes * cell * cell * cell) / volume - 1)).toBeLessThan(FILL)
    expect(closedMesh(positions, surface, { density: 1 }).volume / (cubes * cell * cell * cell)).toBeCloseTo(1, 9)
  })

  test('rays through edges and corners count once', () => {
    // Rays go through cube centres: at an odd count the middle one meets the diagonals and the tip of an octahedron.
    const positions = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]
    const triangles = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5]
    const odd = latticeFill({ positions, triangles }, 21)
    const { volume } = closedMesh(positions, triangles, { density: 1 })
    expect(Math.abs((odd.cubes * odd.cell * odd.cell * odd.cell) / volume - 1)).toBeLessThan(FILL)
    expect(odd.discarded).toBe(0)
  })

  test.each<[string, Mesh, number, RegExp]>([
    ['an open mesh', { positions: BOX.positions, triangles: BOX.triangles.slice(3) }, 4, /must be closed/],
    ['an empty mesh', { positions: [], triangles: [] }, 4, /got 0 numbers/],
    ['no cells', BOX, 0, /cells must be an integer >= 1, got 0/],
  ])('refuses %s', (_, mesh, cells, message) => {
    expect(() => latticeFill(mesh, cells)).toThrow(message)
  })
})

test('an embedded surface turns and stretches with its nodes', () => {
  const { positions, tetrahedra } = latticeFill(BOX, 2)
  const vertices = fit(torn(BOX, 0.01).positions, 1.1, -0.05).map((x, i) => (i % 3 === 1 ? x : x + 0.5))
  const tied = embed(vertices, positions, tetrahedra)
  const affine = (x: ArrayLike<number>): Float64Array =>
    Float64Array.from(x, (_, i) => {
      const [a, b, c] = [x[i - (i % 3)], x[i - (i % 3) + 1], x[i - (i % 3) + 2]]
      return [2 * a - b + 3, 0.5 * b + c, a - c - 1][i % 3]
    })
  const followed = new Float64Array(vertices.length)
  follow(tied, affine(positions), followed)
  affine(vertices).forEach((x, i) => expect(Math.abs(followed[i] - x)).toBeLessThan(ROUND_OFF))
})
