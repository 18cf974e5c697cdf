import { describe, expect, it } from 'vitest'
import { clothAsset, type ClothMeshDef } from '@tautline/assemblies'
import { geodesicDistances, straightDistances, tetherLength, threadDistances } from '../src/cloth/tethers.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { sheet, splitBox, uvSphere } from './support/meshes.js'

/** Round-off of sums over a few thousand triangles. */
const ROUND_OFF = 1e-12
/** Fast marching is of first order: its error falls with the side of a triangle. */
const FIRST_ORDER = 0.03

describe('clothAsset', () => {
  it('joins the seam and the poles of a sphere', () => {
    const { report, positions, vertexOf } = clothAsset(uvSphere(24, 12))
    expect(report).toMatchObject({ given: 25 * 13, vertices: 24 * 11 + 2, dropped: 0, hem: 0, crowded: 0, parts: 1 })
    expect(vertexOf[13]).toBe(vertexOf[12])
    expect(positions.length).toBe(3 * report.vertices)
  })

  it('joins the faces of a box', () => {
    const { report, areas } = clothAsset(splitBox(4, 2))
    expect(report).toMatchObject({ vertices: 98, hem: 0, parts: 1, woven: 1 })
    expect(areas.reduce((sum, area) => sum + area, 0)).toBeCloseTo(24, 9)
  })

  it('finds warp and weft of a sheet', () => {
    const { threads, edges, areas } = clothAsset(sheet(7, 5, 1.2))
    const count = [0, 0, 0, 0]
    for (const kind of threads?.kind ?? []) count[kind]++
    expect(count[0]).toBe(0)
    expect(count.slice(1, 3).sort((a, b) => a - b)).toEqual([6 * 5, 7 * 4].sort((a, b) => a - b))
    expect(count[3]).toBe(24)
    expect(edges.count).toBe(30 + 28 + 24)
    expect(Math.abs(areas.reduce((sum, area) => sum + area, 0) - 1.2 * 0.8)).toBeLessThan(ROUND_OFF)
  })

  it('drops triangles without an area and doubled ones, and says so', () => {
    const { positions, indices } = sheet(3, 3)
    const asset = clothAsset({ positions, indices: [...indices, 0, 1, 2, 0, 0, 1, indices[1], indices[2], indices[0]] })
    expect(asset.report.dropped).toBe(3)
    expect(asset.triangles.length).toBe(indices.length)
    expect(asset.corners.length).toBe(indices.length)
  })

  it('leaves vertices out that no triangle has', () => {
    const { positions, indices } = sheet(3, 2)
    const { vertexOf, report } = clothAsset({ positions: [9, 9, 9, ...positions], indices: indices.map((v) => v + 1) })
    expect(report).toMatchObject({ given: 7, vertices: 6 })
    expect(vertexOf[0]).toBe(0xffffffff)
    expect(vertexOf[1]).toBe(0)
  })

  it.each([
    [{}, TypeError, /clothAsset: positions must be an array/],
    [{ positions: [] }, RangeError, /clothAsset: positions must be x, y, z of at least one vertex, got 0/],
    [{ positions: [0, 0, NaN, 1, 0, 0, 0, 1, 0] }, RangeError, /positions\[2\] must be finite, got NaN/],
    [
      { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 3] },
      RangeError,
      /indices\[2\] must be the number of one of 3 vertices, got 3/,
    ],
    [
      { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [[0, 1, 2]] },
      TypeError,
      /^clothAsset: indices must be numbers in one list, as .flat\(\) makes of lists, got an array at \[0\]$/,
    ],
    [
      {
        positions: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
      },
      TypeError,
      /^clothAsset: positions must be numbers in one list, as .flat\(\) makes of lists, got an array at \[0\]$/,
    ],
    [{ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1] }, RangeError, /indices must be 3 numbers each, got 2/],
    [{ positions: [0, 0, 0, 1, 0, 0, 2, 0, 0] }, RangeError, /indices must have a triangle with an area/],
    [{ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [] }, RangeError, /must have a triangle with an area, got 0/],
    [{ position: [0] }, TypeError, /position/],
    [{ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], weldTolerance: -1 }, RangeError, /weldTolerance must be >= 0/],
  ] as const)('refuses %j', (def, kind, message) => {
    expect(() => clothAsset(def as unknown as ClothMeshDef)).toThrow(kind)
    expect(() => clothAsset(def as unknown as ClothMeshDef)).toThrow(message)
  })
})

describe('distances of tethers', () => {
  it('run along the cloth', () => {
    // Half a pipe: straight across, the pin is near; along it, far.
    const n = 41
    const { positions, indices } = sheet(n, 11, Math.PI)
    for (let v = 0; v < positions.length; v += 3) {
      const angle = positions[v]
      positions[v] = Math.cos(angle)
      positions[v + 1] = Math.sin(angle)
    }
    const asset = clothAsset({ positions, indices })
    const along = geodesicDistances(asset, [0])
    const across = straightDistances(asset, [0])
    for (let v = 0; v < asset.areas.length; v++) {
      const exact = Math.hypot(((v % n) * Math.PI) / (n - 1), asset.positions[3 * v + 2])
      expect(Math.abs(along.distance[v] - exact)).toBeLessThan(FIRST_ORDER * Math.max(exact, 0.2))
      expect(across.distance[v]).toBeLessThanOrEqual(exact + ROUND_OFF)
    }
    expect(across.distance[n - 1]).toBeCloseTo(2, 9)
  })

  it('run along threads, which shear does not lengthen', () => {
    const n = 9
    const asset = clothAsset(sheet(n, n))
    const { distance, pin } = threadDistances(asset, [0])
    for (let v = 0; v < n * n; v++) {
      expect(pin[v]).toBe(0)
      expect(Math.abs(distance[v] - ((v % n) + Math.floor(v / n)) / (n - 1))).toBeLessThan(ROUND_OFF)
    }
  })

  it('take the nearest pin', () => {
    const asset = clothAsset(sheet(9, 3))
    const { pin } = geodesicDistances(asset, [0, 8])
    expect(pin[3]).toBe(0)
    expect(pin[6]).toBe(8)
  })

  it('leave a cloth alone that lies as it was made, whatever lies between its pins', () => {
    // A collar: its upper edge is held, and it gets wider downwards.
    const [n, m] = [12, 6]
    const { positions, indices } = sheet(n, m, 2.4)
    for (let v = 0; v < positions.length; v += 3) {
      const [angle, down] = [positions[v], Math.abs(positions[v + 2])]
      positions.splice(v, 3, (0.3 + 0.2 * down) * Math.sin(angle), -down, (0.3 + 0.2 * down) * Math.cos(angle))
    }
    const asset = clothAsset({ positions, indices })
    const pins = Array.from({ length: n }, (_, k) => k)
    for (const kind of [threadDistances, geodesicDistances, straightDistances]) {
      const distances = kind(asset, pins)
      for (let v = n; v < asset.areas.length; v++) {
        const p = distances.pin[v]
        const apart = Math.hypot(...[0, 1, 2].map((k) => asset.positions[3 * v + k] - asset.positions[3 * p + k]))
        expect(tetherLength(asset, distances, v)).toBeGreaterThanOrEqual(apart - ROUND_OFF)
        // The vertices next to a pin hang on that one.
        if (v < 2 * n) expect(p).toBe(v - n)
      }
    }
  })
})

it.each([1e-6, 1e-5, 3e-5])('welds a triangle soup whose corners are up to %f m apart', (apart) => {
  const random = new Random(SEED)
  const { positions, indices } = sheet(12, 12, 0.6)
  const soup = Array.from(indices).flatMap((v) =>
    [0, 1, 2].map((axis) => positions[3 * v + axis] + apart * (random.next() - 0.5)),
  )
  expect(clothAsset({ positions: soup }).report).toMatchObject({ vertices: 144, parts: 1 })
})
