import { tetrahedralize } from '@tautline/assemblies'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { splitBox, uvSphere } from './support/meshes.js'

const ROUND_OFF = 1e-9
/** Labelle and Shewchuk's least angle for a surface without corners, which diagonals by number keep here [rad]. */
const LEAST_ANGLE = (10.7 * Math.PI) / 180
/** A sphere cut by chords of an eighth of its width lacks less of its volume. */
const CHORDS = 0.03

/** How often each face occurs, by its nodes: twice within, once outside. */
function faces(tetrahedra: Uint32Array): Map<string, number> {
  const count = new Map<string, number>()
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (let skip = 0; skip < 4; skip++) {
      const key = [0, 1, 2, 3].filter((k) => k !== skip).map((k) => tetrahedra[t + k])
      const name = key.sort((a, b) => a - b).join()
      count.set(name, (count.get(name) ?? 0) + 1)
    }
  }
  return count
}

/** Edges of the outside that are not of two of its triangles: gaps, and diagonals within that do not agree. */
function openEdges(tetrahedra: Uint32Array): number {
  const edges = new Map<string, number>()
  for (const [key, times] of faces(tetrahedra)) {
    if (times > 1) continue
    const [a, b, c] = key.split(',')
    for (const edge of [`${a},${b}`, `${a},${c}`, `${b},${c}`]) edges.set(edge, (edges.get(edge) ?? 0) + 1)
  }
  return Array.from(edges.values()).filter((times) => times !== 2).length
}

describe(`tetrahedralize (seed ${SEED})`, () => {
  it('fills a box to the last corner, whatever its seams', () => {
    const { report, tetrahedra } = tetrahedralize(splitBox(3))
    expect(report.volume).toBeCloseTo(1, 9)
    expect(report.meshVolume).toBeCloseTo(1, 9)
    expect(report.parts).toBe(1)
    expect(report.leastAngle).toBeCloseTo(Math.PI / 4, 9)
    expect(openEdges(tetrahedra)).toBe(0)
  })

  it('leaves no gap in a sphere, no face of three tetrahedra, and good angles', () => {
    const { report, tetrahedra, positions } = tetrahedralize(uvSphere(24, 16))
    expect(Math.max(...faces(tetrahedra).values())).toBe(2)
    expect(openEdges(tetrahedra)).toBe(0)
    expect(report.volume / report.meshVolume).toBeGreaterThan(1 - CHORDS)
    expect(report.volume / report.meshVolume).toBeLessThan(1 + ROUND_OFF)
    expect(report.leastAngle).toBeGreaterThan(LEAST_ANGLE)
    for (let o = 0; o < positions.length; o += 3) {
      expect(Math.hypot(...positions.subarray(o, o + 3))).toBeLessThan(1 + ROUND_OFF)
    }
  })

  it('fills what is turned at random, and shifted far away, without a gap', () => {
    const random = new Random(SEED)
    for (let trial = 0; trial < 10; trial++) {
      const mesh = trial % 2 === 0 ? splitBox(2) : uvSphere(9, 7)
      const [x, y, z, w] = random.rotation()
      const far = random.vector(100)
      const turn = (p: readonly number[]): number[] => {
        const t = [0, 1, 2].map(
          (k) => 2 * ([x, y, z][(k + 1) % 3] * p[(k + 2) % 3] - [x, y, z][(k + 2) % 3] * p[(k + 1) % 3]),
        )
        const u = [0, 1, 2].map(
          (k) => [x, y, z][(k + 1) % 3] * t[(k + 2) % 3] - [x, y, z][(k + 2) % 3] * t[(k + 1) % 3],
        )
        return p.map((value, k) => value + w * t[k] + u[k] + far[k])
      }
      const positions: number[] = []
      for (let o = 0; o < mesh.positions.length; o += 3) positions.push(...turn(mesh.positions.slice(o, o + 3)))
      const { report, tetrahedra } = tetrahedralize(
        { positions, indices: mesh.indices },
        { size: random.between(0.1, 0.4) },
      )
      expect(openEdges(tetrahedra)).toBe(0)
      expect(report.parts).toBe(1)
      expect(report.volume / report.meshVolume).toBeGreaterThan(0.75)
    }
  })

  it('is the same for the same mesh, to the bit', () => {
    const [one, two] = [1, 2].map(() => tetrahedralize(uvSphere(12, 9)))
    expect(Array.from(one.positions)).toEqual(Array.from(two.positions))
    expect(Array.from(one.tetrahedra)).toEqual(Array.from(two.tetrahedra))
  })

  it('turns triangles round, closes holes, leaves doubled ones out, and tells', () => {
    const box = splitBox(2)
    const triangles = Array.from({ length: box.indices.length / 3 }, (_, t) => box.indices.slice(3 * t, 3 * t + 3))
    const turned = triangles.map((triangle, t) => (t % 5 === 0 ? [...triangle].reverse() : triangle))
    const mended = tetrahedralize({ ...box, indices: turned.flat() }).report
    expect(mended.flipped).toBe(Math.ceil(triangles.length / 5))
    expect(mended.volume).toBeCloseTo(1, 9)
    const inward = tetrahedralize({
      ...box,
      indices: triangles.map((triangle) => [...triangle].reverse()).flat(),
    }).report
    expect(inward).toMatchObject({ flipped: triangles.length, capped: 0 })
    const open = tetrahedralize({ ...box, indices: triangles.slice(8).flat() }).report
    expect(open.capped).toBe(1)
    expect(open.volume).toBeCloseTo(1, 9)
    const doubled = tetrahedralize({ ...box, indices: [...box.indices, ...triangles[3], 0, 0, 1] }).report
    expect(doubled).toMatchObject({ dropped: 2, flipped: 0, capped: 0 })
  })

  it('leaves a cavity empty, and joins shells that overlap', () => {
    const [outer, inner] = [splitBox(2), splitBox(2, 0.5)]
    const shift = outer.positions.length / 3
    const within = inner.indices.map((v) => v + shift)
    for (let t = 0; t < within.length; t += 3) [within[t], within[t + 1]] = [within[t + 1], within[t]]
    const hollow = tetrahedralize(
      { positions: [...outer.positions, ...inner.positions], indices: [...outer.indices, ...within] },
      { size: 0.125 },
    )
    expect(hollow.report.volume).toBeCloseTo(1 - 0.125, 6)
    const moved = outer.positions.map((value, k) => value + (k % 3 === 0 ? 0.5 : 0))
    const both = tetrahedralize(
      {
        positions: [...outer.positions, ...moved],
        indices: [...outer.indices, ...outer.indices.map((v) => v + shift)],
      },
      { size: 0.25 },
    )
    expect(both.report.volume).toBeCloseTo(1.5, 6)
    expect(openEdges(both.tetrahedra)).toBe(0)
  })

  it.each([
    [{ positions: [] }, /tetrahedralize: positions must be x, y, z of at least one vertex, got 0 numbers/],
    [{ positions: [0, 0, NaN] }, /tetrahedralize: positions/],
    [{ positions: [0, 0, 0], indices: [0, 0, 0] }, /must have a triangle of three vertices, got 1 without/],
    [{ positions: [0, 0, 0], indices: [0, 1, 2] }, /indices\[1\] must be the number of one of 1 vertices, got 1/],
    [{ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }, /positions must enclose a volume, got 0 m³/],
    [{ positions: 'mesh' }, /tetrahedralize: positions must be an array of numbers/],
    [{ ...splitBox(1), size: 1 }, /size/],
  ])('refuses %j', (mesh, message) => {
    expect(() => tetrahedralize(mesh as never)).toThrow(message)
  })

  it.each([
    [{ size: 0 }, /size must be/],
    [{ size: 1e-4 }, /size must leave at most 2000000 nodes in the box/],
    [{ sice: 1 }, /sice/],
    [{ weldTolerance: -1 }, /weldTolerance/],
  ])('refuses the options %j', (options, message) => {
    expect(() => tetrahedralize(splitBox(1), options as never)).toThrow(message)
  })
})
