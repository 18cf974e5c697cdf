import { describe, expect, it } from 'vitest'
import { IntList } from '../src/detect/broad/int-list.js'
import { buildBvh, queryBvh } from '../src/shapes/bvh.js'
import { heightfield } from '../src/shapes/heightfield.js'
import { heightfieldTriangles, writeHeightfieldTriangle } from '../src/shapes/heightfield-data.js'
import type { HeightfieldDef } from '../src/shapes/heightfield.js'
import { writeMeshTriangle } from '../src/shapes/mesh-data.js'
import { triangleMesh } from '../src/shapes/triangle-mesh.js'
import type { Points } from '../src/shapes/points.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'

/** Bits of an edge, and of the same edge from behind. */
const FRONT = [1, 2, 4]
const BACK = [8, 16, 32]

function innerEdges(vertices: Points, triangles: number[]): number[] {
  return Array.from(triangleMesh(vertices, triangles).mesh!.innerEdges)
}

/** Two triangles with the edge from (0, 0, 0) to (0, 0, 1) in common, the second `rise` high at x = −1. */
function hinge(rise: number, x = -1): number[] {
  return [0, 0, 0, 0, 0, 1, 1, 0, 0, x, rise, 0]
}

/** Wound counter-clockwise seen from above, where both lie flat; their common edges are 0→1 and 1→2. */
const HINGE = [0, 1, 2, 3, 1, 0]

describe('triangleMesh', () => {
  const square = [0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0]

  it('has outward normals, and its corners where they were put', () => {
    const { mesh } = triangleMesh(square, [0, 1, 2, 0, 2, 3])
    expect(Array.from(mesh!.normals)).toEqual([0, 1, 0, 0, 1, 0])
    const out = new Float64Array(10)
    writeMeshTriangle(mesh!, 1, out, 1)
    expect(Array.from(out)).toEqual([0, 0, 0, 0, 1, 0, 1, 1, 0, 0])
    expect(mesh!.oneSided).toBe(false)
    expect(triangleMesh(square, [0, 1, 2], { oneSided: true }).mesh!.oneSided).toBe(true)
  })

  it('leaves out triangles without an area, and remembers the numbers of the others', () => {
    const line = [...square, 2, 0, 0, 3, 0, 1e-13]
    const { mesh } = triangleMesh(line, [0, 0, 1, 0, 1, 2, 0, 3, 4, 0, 3, 5, 0, 2, 3])
    expect(mesh!.dropped).toBe(3)
    expect(Array.from(mesh!.source)).toEqual([1, 4])
    expect(Array.from(mesh!.triangles)).toEqual([0, 1, 2, 0, 2, 3])
  })

  it('is as large as its triangles, not as its vertices', () => {
    expect(Array.from(triangleMesh([...square, 100, 100, 100], [0, 1, 2]).bounds)).toEqual([0, 0, 0, 1, 0, 1])
  })

  it('takes any kind of array', () => {
    const one = triangleMesh(square, [0, 1, 2]).mesh
    expect(triangleMesh(Float32Array.from(square), Uint16Array.of(0, 1, 2)).mesh).toEqual(one)
    const points = [0, 1, 2, 3].map((k) => square.slice(3 * k, 3 * k + 3))
    expect(triangleMesh(points, Uint32Array.of(0, 1, 2)).mesh).toEqual(one)
  })
})

describe('inner edges of a mesh', () => {
  it('of a fold: a plane on both sides, a valley from the side it opens to', () => {
    expect(innerEdges(hinge(0), HINGE)).toEqual([FRONT[0] | BACK[0], FRONT[1] | BACK[1]])
    expect(innerEdges(hinge(0.5), HINGE)).toEqual([FRONT[0], FRONT[1]])
    expect(innerEdges(hinge(-0.5), HINGE)).toEqual([BACK[0], BACK[1]])
    // Folded up and over, and all but flat.
    expect(innerEdges(hinge(1, 0.5), HINGE)).toEqual([FRONT[0], FRONT[1]])
    expect(innerEdges(hinge(-1e-4), HINGE)).toEqual([FRONT[0] | BACK[0], FRONT[1] | BACK[1]])
    expect(innerEdges(hinge(-2e-3), HINGE)).toEqual([BACK[0], BACK[1]])
  })

  it('do not depend on which vertices are shared', () => {
    const split = HINGE.flatMap((v) => hinge(0.5).slice(3 * v, 3 * v + 3))
    expect(innerEdges(split, [0, 1, 2, 3, 4, 5])).toEqual(innerEdges(hinge(0.5), HINGE))
    // −0 is 0.
    expect(innerEdges([...hinge(0.5), -0, -0, -0], [4, 1, 2, 3, 1, 0])).toEqual([FRONT[0], FRONT[1]])
  })

  it('do not depend on how the neighbour is wound', () => {
    expect(innerEdges(hinge(0.5), [0, 1, 2, 3, 0, 1])[0]).toBe(FRONT[0])
    expect(innerEdges(hinge(-0.5), [0, 1, 2, 3, 0, 1])[0]).toBe(BACK[0])
  })

  it('are none at a border, nor between the two sides of a leaf', () => {
    expect(innerEdges(hinge(0), [0, 1, 2])).toEqual([0])
    expect(innerEdges(hinge(0), [0, 1, 2, 2, 1, 0])).toEqual([0, 0])
  })

  it('are those of any neighbour, where there are several', () => {
    // One neighbour falls away, another rises.
    const vertices = [...hinge(-0.5), -1, 0.5, 0]
    expect(innerEdges(vertices, [...HINGE, 4, 1, 0])[0]).toBe(FRONT[0] | BACK[0])
  })

  it('of a cube from outside: the diagonals of its faces alone', () => {
    const corners = Array.from({ length: 8 }, (_, k) => [k & 1, (k >> 1) & 1, k >> 2])
    const quads = [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ]
    const cube = innerEdges(
      corners,
      quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
    )
    // The diagonal is edge 2 of the first triangle and edge 0 of the second; all edges are inner from inside.
    const inside = BACK[0] | BACK[1] | BACK[2]
    expect(cube).toEqual(quads.flatMap(() => [FRONT[2] | inside, FRONT[0] | inside]))
  })
})

describe(`bvh, seed ${SEED}`, () => {
  const list = new IntList()

  function randomBoxes(random: Random, count: number, spread: number, size: number): Float64Array {
    const boxes = new Float64Array(6 * count)
    for (let k = 0; k < count; k++) {
      const [low, side] = [random.vector(spread), random.vector(size)]
      for (let i = 0; i < 3; i++) {
        boxes[6 * k + i] = low[i]
        boxes[6 * k + 3 + i] = low[i] + Math.abs(side[i])
      }
    }
    return boxes
  }

  function meet(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
    return [0, 1, 2].every((k) => a[i + k] <= b[j + 3 + k] && a[i + 3 + k] >= b[j + k])
  }

  it('finds every item that a box meets, ascending, and little else', () => {
    const random = new Random(SEED)
    let found = 0
    let met = 0
    let asked = 0
    for (const count of [1, 2, 4, 5, 30, 1000]) {
      const boxes = randomBoxes(random, count, 5, 0.5)
      const bvh = buildBvh(boxes)
      for (let run = 0; run < 50; run++) {
        const box = randomBoxes(random, 2, 5, 2)
        queryBvh(bvh, box, 6, list)
        const got = Array.from(list.items.subarray(0, list.count))
        expect(got).toEqual([...new Set(got)].sort((a, b) => a - b))
        const want = Array.from({ length: count }, (_, k) => k).filter((k) => meet(boxes, 6 * k, box, 6))
        expect(got).toEqual(expect.arrayContaining(want))
        found += got.length
        met += want.length
        asked += count
      }
    }
    // Leaves hold up to four, and one that is met may have three that are not.
    expect(found - met).toBeLessThan(0.03 * asked)
  })

  it('has each item in one leaf, each box around its children, and the depth it says', () => {
    const random = new Random(SEED)
    const boxes = randomBoxes(random, 500, 5, 0.5)
    const { nodes, items, depth, boxes: nodeBoxes } = buildBvh(boxes)
    const seen: number[] = []
    let deepest = 0
    const visit = (node: number, level: number): void => {
      deepest = Math.max(deepest, level)
      const [first, second] = nodes.subarray(2 * node, 2 * node + 2)
      const holds = (box: Float64Array, o: number): boolean =>
        [0, 1, 2].every((k) => nodeBoxes[6 * node + k] <= box[o + k] && nodeBoxes[6 * node + 3 + k] >= box[o + 3 + k])
      if (first >= 0) {
        expect(holds(nodeBoxes, 6 * first) && holds(nodeBoxes, 6 * second)).toBe(true)
        visit(first, level + 1)
        visit(second, level + 1)
      } else {
        for (const item of items.subarray(-1 - first, -1 - first + second)) {
          expect(holds(boxes, 6 * item)).toBe(true)
          seen.push(item)
        }
      }
    }
    visit(0, 1)
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, k) => k))
    expect(deepest).toBe(depth)
  })

  it('is the same for the same boxes', () => {
    const boxes = randomBoxes(new Random(SEED), 500, 5, 0.5)
    expect(buildBvh(boxes.slice())).toEqual(buildBvh(boxes))
  })

  it('holds boxes on top of each other, in a line that thins out, and without a size', () => {
    const same = buildBvh(new Float64Array(600).map((_, k) => (k % 6 < 3 ? -1 : 1)))
    queryBvh(same, Float64Array.of(0, 0, 0, 0, 0, 0), 0, list)
    expect(list.count).toBe(100)
    // Every cut along such a line takes off a few: the tree is deep, and still walked.
    const thinning = new Float64Array(6 * 900)
    for (let k = 0; k < 900; k++) thinning[6 * k] = thinning[6 * k + 3] = 0.5 ** k
    const deep = buildBvh(thinning)
    expect(deep.depth).toBeGreaterThan(100)
    queryBvh(deep, Float64Array.of(-1, -1, -1, 1, 1, 1), 0, list)
    expect(list.count).toBe(900)
  })
})

describe(`heightfield, seed ${SEED}`, () => {
  const list = new IntList()

  function randomField(random: Random, holes: number): HeightfieldDef {
    const [columns, rows] = [2 + random.below(8), 2 + random.below(8)]
    const heights = Array.from({ length: columns * rows }, () => (random.chance(holes) ? null : random.between(-1, 1)))
    // One triangle is always there.
    heights[0] = heights[1] = heights[columns] = 0
    return { heights, columns, rows, cellX: random.between(0.1, 2), cellZ: random.between(0.1, 2) }
  }

  const cornersOf = (def: HeightfieldDef, triangle: number): number[] => {
    const out = new Float64Array(9)
    writeHeightfieldTriangle(heightfield(def).heightfield!, triangle, out, 0)
    return Array.from(out)
  }

  it('is centred, its cells cut from (i + 1, j) to (i, j + 1), and faces up', () => {
    const def = { heights: [1, 2, 3, 4, 5, 6], columns: 3, rows: 2, cellX: 2, cellZ: 10 }
    expect(Array.from(heightfield(def).bounds)).toEqual([-2, 1, -5, 2, 6, 5])
    expect(cornersOf(def, 0)).toEqual([-2, 1, -5, -2, 4, 5, 0, 2, -5])
    expect(cornersOf(def, 1)).toEqual([0, 2, -5, -2, 4, 5, 0, 5, 5])
    expect(cornersOf(def, 2)).toEqual([0, 2, -5, 0, 5, 5, 2, 3, -5])
    expect(cornersOf(def, 3)).toEqual([2, 3, -5, 0, 5, 5, 2, 6, 5])
    const random = new Random(SEED)
    for (let run = 0; run < 50; run++) {
      const field = randomField(random, 0)
      for (let t = 0; t < 2 * (field.columns - 1) * (field.rows - 1); t++) {
        const [ax, , az, bx, , bz, cx, , cz] = cornersOf(field, t)
        expect((bz - az) * (cx - ax) - (bx - ax) * (cz - az)).toBeGreaterThan(0)
      }
    }
  })

  it('finds the triangles whose box a box meets, those with holes never, ascending', () => {
    const random = new Random(SEED)
    let found = 0
    for (let run = 0; run < 300; run++) {
      const def = randomField(random, 0.2)
      const { heightfield: field, bounds } = heightfield(def)
      const box = new Float64Array(7)
      for (let k = 0; k < 3; k++) {
        const at = random.between(1.2 * bounds[k], 1.2 * bounds[3 + k])
        box[1 + k] = at
        box[4 + k] = at + random.next()
      }
      heightfieldTriangles(field!, box, 1, list)
      const got = Array.from(list.items.subarray(0, list.count))
      const want: number[] = []
      for (let t = 0; t < field!.innerEdges.length; t++) {
        const corners = cornersOf(def, t)
        const meets = [0, 1, 2].every((k) => {
          const c = [corners[k], corners[3 + k], corners[6 + k]]
          return Math.min(...c) <= box[4 + k] && Math.max(...c) >= box[1 + k]
        })
        if (meets) want.push(t)
      }
      expect(got).toEqual(want)
      found += got.length
    }
    // Some seeds find few: what matters is that there were any to get wrong.
    expect(found).toBeGreaterThan(100)
  })

  it('finds all there is in a box without end, and nothing beside it', () => {
    const { heightfield: field } = heightfield({ heights: Array(12).fill(0), columns: 4, rows: 3, cellX: 1, cellZ: 1 })
    const all = Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity)
    heightfieldTriangles(field!, all, 0, list)
    expect(list.count).toBe(12)
    heightfieldTriangles(field!, Float64Array.of(1.6, -1, -1, 2, 1, 1), 0, list)
    expect(list.count).toBe(0)
    heightfieldTriangles(field!, Float64Array.of(-1, 0.1, -1, 1, 1, 1), 0, list)
    expect(list.count).toBe(0)
  })

  it('has the inner edges of the mesh of its triangles', () => {
    const random = new Random(SEED)
    for (let run = 0; run < 100; run++) {
      const def = randomField(random, run % 2 === 0 ? 0 : 0.2)
      // Steps far from what counts as flat, so that it does not matter how flat that is; and much that is flat.
      def.heights = Array.from(def.heights, (h) => (h === null ? null : Math.round(2 * h)))
      const { heightfield: field } = heightfield(def)
      const there: number[] = []
      const vertices: number[] = []
      for (let t = 0; t < field!.innerEdges.length; t++) {
        const corners = cornersOf(def, t)
        if (corners.some(Number.isNaN)) continue
        there.push(t)
        vertices.push(...corners)
      }
      const mesh = innerEdges(
        vertices,
        Array.from({ length: 3 * there.length }, (_, k) => k),
      )
      expect(there.map((t) => field!.innerEdges[t])).toEqual(mesh)
    }
  })

  it('keeps its holes in JSON', () => {
    const def = { heights: [0, 1, null, 2, 3, 4], columns: 3, rows: 2, cellX: 1, cellZ: 1 }
    expect(heightfield(def).toJSON()).toEqual({ type: 'heightfield', ...def })
  })
})

describe('bad input', () => {
  const square = [0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0]
  const field = { heights: [0, 0, 0, 0], columns: 2, rows: 2, cellX: 1, cellZ: 1 }
  const grid = (change: object) => () => heightfield({ ...field, ...change })
  const mesh = (vertices: unknown, triangles: unknown, options?: object) => () =>
    triangleMesh(vertices as number[], triangles as number[], options)
  it.each([
    ['index too large', mesh(square, [0, 1, 4]), RangeError, 'triangles[2] must be a vertex index from 0 to 3, got 4'],
    ['index below 0', mesh(square, [0, -1, 2]), RangeError, 'triangles[1] must be a vertex index from 0 to 3, got -1'],
    [
      'index between',
      mesh(square, [0, 1.5, 2]),
      RangeError,
      'triangles[1] must be a vertex index from 0 to 3, got 1.5',
    ],
    ['index of NaN', mesh(square, [NaN, 1, 2]), RangeError, 'triangles[0] must be a vertex index from 0 to 3, got NaN'],
    ['two indices', mesh(square, [0, 1]), RangeError, 'triangles must be 3 vertex indices each, at least once, got 2'],
    ['no triangle', mesh(square, []), RangeError, 'triangles must be 3 vertex indices each, at least once, got 0'],
    ['no triangles', mesh(square, undefined), TypeError, 'triangles must be an array of vertex indices, got undefined'],
    ['null', mesh(square, null), TypeError, 'triangles must be an array of vertex indices, got null'],
    [
      'a vertex of NaN',
      mesh([...square.slice(0, 11), NaN], [0, 1, 2]),
      RangeError,
      'vertices[11] must be finite, got NaN',
    ],
    ['half a vertex', mesh(square.slice(1), [0, 1, 2]), RangeError, 'vertices must be 3 numbers each, got 11 numbers'],
    ['no vertices', mesh(undefined, [0, 1, 2]), TypeError, 'triangleMesh: vertices must be an array of points'],
    ['no area', mesh(square, [0, 0, 1, 2, 2, 2]), RangeError, 'triangles must have an area, got 2 without'],
    ['sides', mesh(square, [0, 1, 2], { oneSided: 1 }), TypeError, 'oneSided must be true or false, got 1'],
    [
      'one column',
      grid({ columns: 1, rows: 4 }),
      RangeError,
      'heightfield: columns must be a whole number >= 2, got 1',
    ],
    ['half a row', grid({ rows: 2.5 }), RangeError, 'heightfield: rows must be a whole number >= 2, got 2.5'],
    ['rows in words', grid({ rows: 'two' }), TypeError, 'heightfield: rows must be a whole number >= 2, got "two"'],
    ['no cell', grid({ cellX: 0 }), RangeError, 'heightfield: cellX must be > 0 and finite, got 0'],
    ['a cell of NaN', grid({ cellZ: NaN }), RangeError, 'heightfield: cellZ must be > 0 and finite, got NaN'],
    ['too few heights', grid({ heights: [0, 0, 0] }), RangeError, 'must be columns × rows = 4 numbers, got 3'],
    ['no heights', grid({ heights: undefined }), TypeError, 'heights must be an array of numbers, got undefined'],
    ['a height of NaN', grid({ heights: [0, NaN, 0, 0] }), RangeError, 'heights[1] must be finite, got NaN'],
    [
      'a missing height',
      grid({ heights: [0, undefined, 0, 0] }),
      TypeError,
      'heights[1] must be a finite number, got undefined',
    ],
    [
      'holes alone',
      grid({ heights: [null, 0, 0, null] }),
      RangeError,
      'heights must leave a triangle, got holes in each',
    ],
  ] as const)('%s', (_, make, error, message) => {
    expect(make).toThrow(error)
    expect(make).toThrow(message)
  })
})
