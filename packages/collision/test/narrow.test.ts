import { describe, expect, test } from 'vitest'
import {
  box,
  capsule,
  collide,
  compound,
  convexHull,
  cylinder,
  heightfield,
  ManifoldList,
  plane,
  type Shape,
  sphere,
  triangleMesh,
} from '../src/index.js'

const MARGIN = 0.02
/** Coordinates of contact points [m]: a few roundings of metres. */
const EXACT = 12

function at(x: number, y: number, z: number): Float64Array {
  return Float64Array.of(x, y, z, 1, 0, 0, 0, 1, 0, 0, 0, 1)
}

function contacts(a: Shape, A: Float64Array, b: Shape, B: Float64Array, margin = MARGIN): ManifoldList {
  const list = new ManifoldList()
  collide(a, A, 0, b, B, 0, margin, list)
  return list
}

/** A flat floor of n × n squares of 1 m, cut in two, its top at y = 0. */
function tiles(n: number): { vertices: number[]; triangles: number[] } {
  const vertices: number[] = []
  const triangles: number[] = []
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) vertices.push(i - 0.5 * n, 0, j - 0.5 * n)
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const k = j * (n + 1) + i
      triangles.push(k, k + n + 1, k + 1, k + 1, k + n + 1, k + n + 2)
    }
  }
  return { vertices, triangles }
}

const flat = tiles(6)
const FLOORS: Record<string, Shape> = {
  plane: plane([0, 1, 0], 0),
  triangleMesh: triangleMesh(flat.vertices, flat.triangles),
  heightfield: heightfield({ heights: new Array<number>(49).fill(0), columns: 7, rows: 7, cellX: 1, cellZ: 1 }),
}

describe('a box on a box', () => {
  const cube = box([0.5, 0.5, 0.5])

  test('face on face: four corners, one normal, the gap', () => {
    const { count, items } = contacts(cube, at(0.3, 1.01, 0.1), cube, at(0, 0, 0))
    expect(count).toBe(1)
    const [manifold] = items
    expect(manifold.count).toBe(4)
    expect([...manifold.normal].map((x) => x + 0)).toEqual([0, 1, 0])
    for (let k = 0; k < 4; k++) expect(manifold.separation[k]).toBeCloseTo(0.01, EXACT)
    expect(new Set(manifold.feature.subarray(0, 4)).size).toBe(4)
  })

  test('features keep their names while it slides and turns a little', () => {
    const names = (x: number): number[] => [...contacts(cube, at(x, 1, 0.1), cube, at(0, 0, 0)).items[0].feature].sort()
    expect(names(0.3001)).toEqual(names(0.3))
  })

  test('swapped, the same contact the other way round', () => {
    const forth = contacts(cube, at(0.3, 0.97, 0.1), cube, at(0, 0, 0)).items[0]
    const back = contacts(cube, at(0, 0, 0), cube, at(0.3, 0.97, 0.1)).items[0]
    for (let k = 0; k < 3; k++) expect(back.normal[k]).toBeCloseTo(-forth.normal[k], EXACT)
    const sorted = (m: typeof forth): number[] => [...m.separation.subarray(0, m.count)].sort()
    expect(sorted(back)).toEqual(sorted(forth))
  })

  test('apart by more than the margin: nothing', () => {
    expect(contacts(cube, at(0, 1.03, 0), cube, at(0, 0, 0)).count).toBe(0)
  })
})

describe.each(Object.entries(FLOORS))('on a %s', (_name, floor) => {
  test.each([
    ['a box', box([0.5, 0.5, 0.5]), 4],
    ['a cylinder on its cap', cylinder(0.5, 0.5), 4],
    [
      'a hull',
      convexHull([-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => [x, y, z])))),
      4,
    ],
    ['a ball', sphere(0.5), 1],
    ['a capsule on end', capsule(0.25, 0.25), 1],
  ] as const)('%s: one patch, straight up, wherever the seams are', (_what, shape, points) => {
    for (const [x, z] of [
      [0, 0],
      [0.5, 0.5],
      [0.13, -0.27],
      [1, 0.99],
    ]) {
      const { count, items } = contacts(shape as Shape, at(x, 0.5, z), floor, at(0, 0, 0))
      expect(count).toBe(1)
      expect(items[0].count).toBe(points)
      expect(items[0].normal[1]).toBeCloseTo(1, EXACT)
      for (let k = 0; k < points; k++) expect(Math.abs(items[0].separation[k])).toBeLessThan(1e-9)
    }
  })
})

test('a mesh of one side is passed from behind', () => {
  const { vertices, triangles } = flat
  const ball = sphere(0.5)
  const below = at(0.2, -0.45, 0.1)
  expect(contacts(ball, below, triangleMesh(vertices, triangles, { oneSided: true }), at(0, 0, 0)).count).toBe(0)
  expect(contacts(ball, below, triangleMesh(vertices, triangles), at(0, 0, 0)).count).toBe(1)
})

test('a compound touches with each of its parts', () => {
  const dumbbell = compound([
    { shape: sphere(0.5), position: [-1, 0, 0] },
    { shape: sphere(0.5), position: [1, 0, 0] },
  ])
  const { count, items } = contacts(dumbbell, at(0, 0.5, 0), FLOORS.plane, at(0, 0, 0))
  expect(count).toBe(2)
  expect(items[0].key).not.toBe(items[1].key)
})
