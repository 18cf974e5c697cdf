import fc from 'fast-check'
import { mat3, quat, vec3, vec4, type ReadonlyMat3, type ReadonlyVec3 } from 'gl-matrix'
import { describe, expect, it } from 'vitest'
import {
  boxVolume,
  capsuleVolume,
  closedMesh,
  combine,
  cylinderVolume,
  hollowSphere,
  parallelAxis,
  principalAxes,
  rotateInertia,
  solidBox,
  solidCapsule,
  solidCylinder,
  solidSphere,
  sphereVolume,
  tetraMesh,
} from '../src/mass/index.js'
import type { InertiaTensor, Moments } from '../src/mass/index.js'
import { runs } from './support/runs.js'
import { SEED } from './support/seed.js'

/** Relative to the largest entry: sums of some hundred products of doubles. */
const ROUND_OFF = 1e-12
/** A polygon of n sides misses its circle by O(h²), h = 2π/n: half of h, a quarter of the error, up to O(h²) = 2e-3. */
const NEXT_ORDER = 1e-3
/** Extrapolated from 64 and 128 sides, errors O(h⁴) are left: at most half of (2π/128)⁴ = 6e-6. */
const EXTRAPOLATED = 3e-6
/** gl-matrix stores float32. */
const FLOAT32 = 1e-6

const UNIT: readonly [number, number, number, number] = [0, 0, 0, 1]

const diagonal = ([x, y, z]: Moments): InertiaTensor => [x, 0, 0, 0, y, 0, 0, 0, z]
const ascending = (values: ArrayLike<number>): number[] => Array.from(values).sort((a, b) => a - b)
const largest = (values: ArrayLike<number>): number => Math.max(...Array.from(values, Math.abs))

function expectClose(got: ArrayLike<number>, want: ArrayLike<number>, tolerance: number): void {
  expect(got.length).toBe(want.length)
  const scale = largest(want)
  for (let i = 0; i < want.length; i++) {
    const error = Math.abs(got[i] - want[i])
    expect(error, `entry ${i} of ${Array.from(got)} against ${Array.from(want)}`).toBeLessThanOrEqual(tolerance * scale)
  }
}

/** A property test: `check` throws for none of the values. */
function always<T extends [unknown, ...unknown[]]>(
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
): void {
  fc.assert(fc.property(...values, check), { seed: SEED, numRuns: runs(200) })
}

interface Surface {
  vertices: number[]
  triangles: number[]
}

/** A surface of revolution about y: a polygon of n sides at each [radius, height], from pole (radius 0) to pole. */
function revolved(profile: readonly (readonly [number, number])[], n: number): Surface {
  const vertices: number[] = []
  const triangles: number[] = []
  for (const [radius, height] of profile) {
    for (let k = 0; k < n; k++) {
      const angle = (2 * Math.PI * k) / n
      vertices.push(radius * Math.cos(angle), height, -radius * Math.sin(angle))
    }
  }
  for (let ring = 0; ring + 1 < profile.length; ring++) {
    for (let k = 0; k < n; k++) {
      const [a, b] = [ring * n + k, ring * n + ((k + 1) % n)]
      if (profile[ring][0] > 0) triangles.push(a, b, b + n)
      if (profile[ring + 1][0] > 0) triangles.push(a, b + n, a + n)
    }
  }
  return { vertices, triangles }
}

/** A capsule's profile: two quarter circles of n/2 pieces; length 0 is a ball, with a ring of flat triangles. */
function capsuleProfile(radius: number, length: number, n: number): [number, number][] {
  const angles = Array.from({ length: n / 2 + 1 }, (_, k) => (k * Math.PI) / n)
  const quarter = (angle: number): [number, number] => [radius * Math.sin(angle), length / 2 + radius * Math.cos(angle)]
  const upper = angles.map(quarter)
  return [...upper.map(([r, y]): [number, number] => [r, -y]), ...upper.reverse()]
}

const cylinderProfile = (radius: number, length: number): [number, number][] => [
  [0, -length / 2],
  [radius, -length / 2],
  [radius, length / 2],
  [0, length / 2],
]

/** The eight corners of a box about `center`, bit 0 of the index along x; five tetrahedra; twelve triangles. */
function box(size: readonly number[], center: readonly number[] = [0, 0, 0]): Surface & { tetrahedra: number[] } {
  const vertices: number[] = []
  for (let k = 0; k < 8; k++) {
    for (let i = 0; i < 3; i++) vertices.push(center[i] + ((k >> i) & 1 ? 0.5 : -0.5) * size[i])
  }
  const tetrahedra = [0, 1, 2, 4, 3, 2, 1, 7, 5, 4, 7, 1, 6, 7, 4, 2, 1, 2, 4, 7]
  const quads = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]
  const triangles: number[] = []
  for (let q = 0; q < 24; q += 4) {
    const [a, b, c, d] = quads.slice(q, q + 4)
    triangles.push(a, b, c, a, c, d)
  }
  return { vertices, triangles, tetrahedra }
}

const minus = (a: ReadonlyVec3, b: ReadonlyVec3): vec3 => vec3.subtract([0, 0, 0], a, b)
const corners = (vertices: readonly number[]): vec3[] =>
  [0, 3, 6, 9].map((k) => [vertices[k], vertices[k + 1], vertices[k + 2]])
const sixVolumes = ([a, b, c, d]: vec3[]): number =>
  vec3.dot(vec3.cross([0, 0, 0], minus(b, a), minus(c, a)), minus(d, a))

/** Inertia of a tetrahedron about `o` by a quadrature that is exact for second degree: four points, each a quarter. */
function quadrature(vertices: readonly number[], density: number, o: ReadonlyVec3): mat3 {
  const sum: mat3 = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  const p = corners(vertices)
  const quarter = (density * sixVolumes(p)) / 24
  const [near, far] = [(5 + 3 * Math.sqrt(5)) / 20, (5 - Math.sqrt(5)) / 20]
  for (let k = 0; k < 4; k++) {
    const r = [0, 1, 2].map((i) => p.reduce((x, v, j) => x + (j === k ? near : far) * v[i], -o[i]))
    const square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    for (let ij = 0; ij < 9; ij++) {
      const [i, j] = [Math.floor(ij / 3), ij % 3]
      sum[ij] += quarter * ((i === j ? square : 0) - r[i] * r[j])
    }
  }
  return sum
}

const coordinate = fc.double({ min: -10, max: 10, noNaN: true })
const length = fc.double({ min: 0.01, max: 10, noNaN: true })
const point: fc.Arbitrary<[number, number, number]> = fc.tuple(coordinate, coordinate, coordinate)
const size: fc.Arbitrary<[number, number, number]> = fc.tuple(length, length, length)
const rotation: fc.Arbitrary<[number, number, number, number]> = fc
  .tuple(coordinate, coordinate, coordinate, coordinate)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)) as [number, number, number, number])
/** Moments of a real body: I_x = ∫ y² + z², and so on, here with squares taken at random. */
const moments: fc.Arbitrary<[number, number, number]> = size.map(([x, y, z]) => [y + z, z + x, x + y])
/** A tetrahedron with positive volume, and not a sliver. */
const tetrahedron: fc.Arbitrary<number[]> = fc
  .tuple(point, point, point, point)
  .filter((p) => Math.abs(sixVolumes(p)) > 1)
  .map((p) => (sixVolumes(p) < 0 ? [p[1], p[0], p[2], p[3]] : p).flat())

describe(`shapes, seed ${SEED}`, () => {
  const density = 3

  it.each<[string, (n: number) => [number, number][], number, (mass: number) => Moments]>([
    ['solidSphere', (n) => capsuleProfile(0.7, 0, n), sphereVolume(0.7), (m) => solidSphere(m, 0.7)],
    ['solidCapsule', (n) => capsuleProfile(0.4, 1.3, n), capsuleVolume(0.4, 1.3), (m) => solidCapsule(m, 0.4, 1.3)],
    ['solidCylinder', () => cylinderProfile(0.4, 1.3), cylinderVolume(0.4, 1.3), (m) => solidCylinder(m, 0.4, 1.3)],
  ])('%s is the limit of finer and finer meshes', (_, profile, volume, solid) => {
    const [coarse, fine] = [64, 128].map((n) => {
      const { vertices, triangles } = revolved(profile(n), n)
      const { volume, inertia } = closedMesh(vertices, triangles, { density })
      return [volume, inertia[0], inertia[4], inertia[8]]
    })
    for (const [i, exact] of [volume, ...solid(density * volume)].entries()) {
      expect(Math.abs((fine[i] - exact) / (coarse[i] - exact) - 0.25)).toBeLessThan(NEXT_ORDER)
      expect(Math.abs((4 * fine[i] - coarse[i]) / 3 / exact - 1)).toBeLessThan(EXTRAPOLATED)
    }
  })

  it('solidBox is its mesh', () => {
    always([size], (s) => {
      const { vertices, tetrahedra } = box(s)
      const got = tetraMesh(vertices, tetrahedra, { density })
      expectClose([got.volume], [boxVolume(s)], ROUND_OFF)
      expectClose(got.inertia, diagonal(solidBox(density * boxVolume(s), s)), ROUND_OFF)
    })
  })

  it('hollowSphere is what a thin layer adds to a ball', () => {
    const h = 1e-4 // the difference quotient is off by O(h²)
    const [inner, outer] = [1 - h, 1 + h].map((r) => ({ mass: sphereVolume(r), I: solidSphere(sphereVolume(r), r)[0] }))
    const layer = outer.mass - inner.mass
    expect((outer.I - inner.I) / layer / hollowSphere(1, 1)[0]).toBeCloseTo(1, 7)
    expect(hollowSphere(6, 2)).toEqual([16, 16, 16])
  })

  it('a capsule without a cylinder is a ball, and a cylinder counts where it is long', () => {
    expectClose(solidCapsule(5, 0.2, 0), solidSphere(5, 0.2), ROUND_OFF)
    expectClose([capsuleVolume(0.2, 0)], [sphereVolume(0.2)], ROUND_OFF)
    expectClose(solidCapsule(5, 1e-6, 2), solidCylinder(5, 1e-6, 2), 1e-5)
  })

  it('takes the axis of symmetry', () => {
    const [across, along] = solidCapsule(2, 0.3, 1)
    expect(solidCapsule(2, 0.3, 1, 'x')).toEqual([along, across, across])
    expect(solidCapsule(2, 0.3, 1, 'y')).toEqual([across, along, across])
    expect(solidCapsule(2, 0.3, 1, 'z')).toEqual([across, across, along])
    expect(solidCylinder(2, 3, 4, 'x')).toEqual([9, (2 / 12) * 43, (2 / 12) * 43])
    expect(solidCylinder(2, 3, 4)[1]).toBe(9)
  })

  it('fits the vectors and matrices of gl-matrix', () => {
    const I: ReadonlyVec3 = solidBox(2, vec3.fromValues(1, 2, 4))
    const tensor: ReadonlyMat3 = rotateInertia(I, quat.create())
    expectClose(tensor, parallelAxis(mat3.fromValues(...diagonal([I[0], I[1], I[2]])), 1, [0, 0, 0]), FLOAT32)
  })
})

describe(`meshes, seed ${SEED}`, () => {
  it('tetraMesh has the numbers of the example in Tonon 2005', () => {
    const vertices = [8.3322, -11.86875, 0.93355, 0.75523, 5, 16.37072, 52.61236, 5, -5.3858, 2, 5, 3]
    const { centerOfMass, inertia } = tetraMesh(vertices, [0, 1, 2, 3], { density: 1 })
    // Two slips in print: the last digits of the centre's x (15.92492), and (2) has b' and c' in each other's place.
    expectClose(centerOfMass, [15.92495, 0.78281, 3.72962], 1e-6) // five decimals of 16
    const [xx, xy, xz, , yy, yz, , , zz] = inertia
    const printed = 1e-7 // the vertices have five decimals of 50
    expectClose([xx, yy, zz], [43520.33257, 194711.28938, 191168.76173], printed)
    expectClose([-yz, -xz, -xy], [4417.6615, -46343.16662, 11996.20119], printed)
  })

  it('tetraMesh and parallelAxis agree with a quadrature about any point', () => {
    always([tetrahedron, point], (vertices, o) => {
      const { mass, centerOfMass, inertia } = tetraMesh(vertices, [0, 1, 2, 3], { density: 2 })
      const offset = minus(o, centerOfMass)
      expectClose(parallelAxis(inertia, mass, offset), quadrature(vertices, 2, o), ROUND_OFF)
    })
  })

  it('closedMesh has the numbers of the tetrahedra inside', () => {
    always([tetrahedron], (vertices) => {
      const solid = tetraMesh(vertices, [0, 1, 2, 3], { mass: 4 })
      const skin = closedMesh(vertices, [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3], { mass: 4 })
      expectClose([skin.volume], [solid.volume], ROUND_OFF)
      expect(largest(minus(skin.centerOfMass, solid.centerOfMass))).toBeLessThan(10 * ROUND_OFF)
      expectClose(skin.inertia, solid.inertia, 10 * ROUND_OFF)
    })
  })

  it('far from the origin nothing is lost', () => {
    const far = [2 ** 20, -(2 ** 20), 2 ** 21] // powers of two, so that the vertices themselves are exact
    const near = box([0.5, 1, 2])
    const { vertices, tetrahedra, triangles } = box([0.5, 1, 2], far)
    const amount = { density: 1 }
    const want = tetraMesh(near.vertices, tetrahedra, amount)
    const [solid, skin] = [tetraMesh(vertices, tetrahedra, amount), closedMesh(vertices, triangles, amount)]
    for (const got of [solid, skin]) {
      expectClose(got.centerOfMass, far, ROUND_OFF)
      expectClose(got.inertia, want.inertia, ROUND_OFF)
    }
  })

  it('turning the mesh turns the tensor', () => {
    always([tetrahedron, rotation], (vertices, q) => {
      const turned = corners(vertices).flatMap((v) => Array.from(vec3.transformQuat([0, 0, 0], v, q)))
      const want = rotateInertia(tetraMesh(vertices, [0, 1, 2, 3], { density: 1 }).inertia, q)
      expectClose(tetraMesh(turned, [0, 1, 2, 3], { density: 1 }).inertia, want, 10 * ROUND_OFF)
    })
  })

  it('takes a density or a mass, and typed arrays', () => {
    const { vertices, tetrahedra } = box([1, 2, 3])
    const byDensity = tetraMesh(new Float32Array(vertices), new Uint32Array(tetrahedra), { density: 2 })
    expectClose([byDensity.mass, byDensity.volume], [12, 6], ROUND_OFF)
    expect(tetraMesh(vertices, tetrahedra, { mass: 12 }).mass).toBe(12)
    expectClose(tetraMesh(vertices, tetrahedra, { mass: 12 }).inertia, byDensity.inertia, ROUND_OFF)
  })

  it('closedMesh takes doubled vertices, and float32 ones that differ in the last bit', () => {
    const { vertices, triangles } = box([1, 2, 3], [0.1, 0.2, 0.3])
    const doubled = new Float32Array(triangles.flatMap((k) => vertices.slice(3 * k, 3 * k + 3)))
    doubled[0] *= 1 + 2 ** -23
    const got = closedMesh(doubled, Uint32Array.from(triangles.keys()), { mass: 1 })
    expectClose(got.inertia, diagonal(solidBox(1, [1, 2, 3])), FLOAT32)
  })

  it('closedMesh says what is wrong with a surface', () => {
    const { vertices, triangles } = box([1, 1, 1])
    const density = { density: 1 }
    const closed = /^closedMesh: triangles must form a closed surface, all wound alike, got holes or flips of .* m²$/
    expect(() => closedMesh(vertices, triangles.slice(3), density), 'one missing').toThrow(closed)
    expect(() => closedMesh(vertices, [...triangles, ...triangles.slice(0, 3)], density), 'one doubled').toThrow(closed)
    const flipped = [triangles[1], triangles[0], ...triangles.slice(2)]
    expect(() => closedMesh(vertices, flipped, density), 'one flipped').toThrow(closed)
    const tube = revolved(cylinderProfile(1, 2).slice(1, 3), 16)
    expect(() => closedMesh(tube.vertices, tube.triangles, density), 'opposite holes').toThrow(closed)
    // a hole whose middle is that of all vertices: ∫ x n dA over it is 0
    const pair = [...box([1, 1, 1], [0.5, 0, 0]).vertices, ...box([0.5, 1, 1], [-0.75, 0, 0]).vertices]
    const withoutLeft = [...triangles.slice(0, 24), ...triangles.slice(30), ...triangles.map((k) => k + 8)]
    expect(() => closedMesh(pair, withoutLeft, density), 'hole in the middle').toThrow(closed)
    const inward = [...triangles].reverse()
    expect(() => closedMesh(vertices, inward, density)).toThrow(/volume must be > 0 and not flat, got -1 \(/)
    expect(() => closedMesh(vertices, [0, 1, 3, 3, 1, 0], density)).toThrow(/volume must be > 0 and not flat, got 0/)
  })

  it('tetraMesh says what is wrong with a mesh', () => {
    const { vertices, tetrahedra } = box([1, 1, 1])
    const inside = [...tetrahedra.slice(0, 4), 2, 3, 1, 7]
    const density = { density: 1 }
    expect(() => tetraMesh(vertices, inside, density)).toThrow(
      /^tetraMesh: volume of tetrahedra\[4 … 7\] must be > 0, got -0\.16\d* \(if negative, swap two/,
    )
    expect(() => tetraMesh(vertices, [0, 1, 2, 3], density)).toThrow(/tetrahedra\[0 … 3\] must be > 0, got 0/)
    const flat = [0.1, 0.2, 0.3, 0.7, 0.1, 0.9, 0.3, 0.5, 0.2, 0.4, 0.3, 0.5]
    for (let k = 0; k < 3; k++) flat[9 + k] = (flat[k] + flat[3 + k] + flat[6 + k]) / 3
    expect(() => tetraMesh(flat, [0, 1, 2, 3], density)).toThrow(/volume .*must be > 0/)
    expect(() => tetraMesh(flat, [1, 0, 2, 3], density)).toThrow(/volume .*must be > 0/)
  })
})

describe(`tensors, seed ${SEED}`, () => {
  it('parallelAxis adds m d² across the offset and nothing along it', () => {
    expect(parallelAxis(diagonal([1, 2, 3]), 2, [0, 3, 0])).toEqual([19, 0, 0, 0, 2, 0, 0, 0, 21])
    expect(parallelAxis(diagonal([1, 2, 3]), 2, [1, 1, 0])).toEqual([3, -2, 0, -2, 4, 0, 0, 0, 7])
  })

  it('combine puts a cut box together again', () => {
    always([size, point, fc.double({ min: 0.01, max: 0.99, noNaN: true })], ([x, y, z], c, cut) => {
      const part = (share: number, shift: number) => ({
        mass: 6 * share,
        centerOfMass: [c[0] + shift * x, c[1], c[2]] as const,
        inertia: solidBox(6 * share, [x * share, y, z]),
      })
      const whole = combine([part(cut, (cut - 1) / 2), part(1 - cut, cut / 2)])
      expectClose([whole.mass], [6], ROUND_OFF)
      expect(largest(minus(whole.centerOfMass, c))).toBeLessThan(100 * ROUND_OFF)
      expectClose(whole.inertia, diagonal(solidBox(6, [x, y, z])), 1000 * ROUND_OFF) // c is up to 1000 sizes away
    })
  })

  it('combine of tetrahedra is tetraMesh of all', () => {
    const { vertices, tetrahedra } = box([1, 2, 3], [4, 5, 6])
    const parts = [0, 4, 8, 12, 16].map((e) => tetraMesh(vertices, tetrahedra.slice(e, e + 4), { density: 7 }))
    const whole = tetraMesh(vertices, tetrahedra, { density: 7 })
    const got = combine(parts)
    expectClose([got.mass, ...got.centerOfMass], [whole.mass, ...whole.centerOfMass], ROUND_OFF)
    expectClose(got.inertia, whole.inertia, 10 * ROUND_OFF)
  })

  it('rotateInertia is R I Rᵀ, of moments and of tensors', () => {
    expect(rotateInertia([1, 2, 3], UNIT)).toEqual(diagonal([1, 2, 3]))
    const quarter = Math.SQRT1_2
    expectClose(rotateInertia([1, 2, 3], [0, 0, quarter, quarter]), diagonal([2, 1, 3]), ROUND_OFF)
    always([moments, rotation, rotation], (m, q, p) => {
      const twice = rotateInertia(rotateInertia(m, q), p)
      expectClose(twice, rotateInertia(m, quat.multiply([0, 0, 0, 1], p, q)), ROUND_OFF)
      for (const [ij, ji] of [[1, 3], [2, 6], [5, 7]]) expect(twice[ij]).toBe(twice[ji]) // prettier-ignore
    })
  })
})

describe(`principalAxes, seed ${SEED}`, () => {
  const cosHalf = (q: readonly number[]): number => Math.abs(q[3])

  it('gives the tensor back, by a proper unit rotation, and the moments it was made of', () => {
    always([moments, rotation], (m, q) => {
      const I = rotateInertia(m, q)
      const { moments: got, orientation } = principalAxes(I)
      expect(Math.hypot(...orientation)).toBeCloseTo(1, 14)
      expectClose(rotateInertia(got, orientation), I, 4 * ROUND_OFF)
      expectClose(ascending(got), ascending(m), 4 * ROUND_OFF)
    })
  })

  it('leaves a diagonal tensor as it is, in its order', () => {
    always([moments], (m) => {
      expect(principalAxes(diagonal(m))).toEqual({ moments: m, orientation: [0, 0, 0, 1] })
    })
    expect(principalAxes(diagonal([0, 0, 0])).orientation).toEqual(UNIT)
    expect(principalAxes(diagonal([2, 2, 0]))).toEqual({ moments: [2, 2, 0], orientation: UNIT }) // a rod
    expect(principalAxes(diagonal([3, 2, 1]))).toEqual({ moments: [3, 2, 1], orientation: UNIT }) // a plate
  })

  it('finds a rotation of less than 45° again, since no other choice of axes is nearer', () => {
    const apart = moments.filter(([x, y, z]) => Math.min(Math.abs(x - y), Math.abs(y - z), Math.abs(z - x)) > 1)
    const small = rotation.filter((q) => cosHalf(q) > Math.cos(Math.PI / 8))
    always([apart, small], (m, q) => {
      const got = principalAxes(rotateInertia(m, q))
      expectClose(got.moments, m, 4 * ROUND_OFF)
      const same = vec4.scale([0, 0, 0, 0], q, Math.sign(q[3])) // q and -q are the same rotation
      expectClose(got.orientation, same, 100 * ROUND_OFF) // gaps are 1 in at most 20
    })
  })

  it('takes no larger rotation than any other choice of axes', () => {
    const half = Math.SQRT1_2
    const turns: quat[] = [[half, 0, 0, half], [0, half, 0, half], [0, 0, half, half]] // prettier-ignore
    always([moments, rotation, fc.array(fc.nat(2), { maxLength: 6 })], (m, q, path) => {
      const { orientation } = principalAxes(rotateInertia(m, q))
      const other = path.reduce<quat>((p, k) => quat.multiply([0, 0, 0, 1], p, turns[k]), [...orientation])
      expect(cosHalf(orientation)).toBeGreaterThanOrEqual(cosHalf(Array.from(other)) - ROUND_OFF)
      expect(orientation[3]).toBeGreaterThan(0.85) // the largest nearest turn is 62.8°, with a half cosine of 0.853
    })
  })

  it('does not turn a ball, and turns a rod no further than its axis asks for', () => {
    always([rotation], (q) => {
      expect(principalAxes(rotateInertia([3, 3, 3], q)).orientation).toEqual(UNIT)
      const axis = vec3.transformQuat([0, 0, 0], [0, 1, 0], q)
      const { orientation } = principalAxes(rotateInertia([4, 1, 4], q))
      // shortest way from the nearest of x, y, z to the line of the axis: cos of its angle is the largest component
      expect(2 * cosHalf(orientation) ** 2 - 1).toBeCloseTo(largest(axis), 10)
    })
  })

  it('does not turn a ball or a cube meshed of many pieces', () => {
    const ball = revolved(capsuleProfile(1, 0, 24), 24)
    const cube = box([1, 1, 1], [0.1, 0.2, 0.3])
    for (const { vertices, triangles } of [ball, cube]) {
      const { orientation } = principalAxes(closedMesh(vertices, triangles, { mass: 1 }).inertia)
      expectClose(orientation, UNIT, ROUND_OFF)
    }
  })

  it('works on any scale, and on float32', () => {
    const q = [0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)] as const
    for (const scale of [1e-12, 1e12]) {
      const got = principalAxes(rotateInertia([4 * scale, 5 * scale, 6 * scale], q))
      expectClose(got.moments, [4 * scale, 5 * scale, 6 * scale], ROUND_OFF)
      expectClose(got.orientation, q, 10 * ROUND_OFF)
    }
    expectClose(principalAxes(new Float32Array(rotateInertia([1, 2, 3], q))).orientation, q, FLOAT32)
  })

  it('refuses what no body can have', () => {
    const name = 'principalAxes: inertia must'
    expect(() => principalAxes([1, 0.1, 0, 0.2, 1, 0, 0, 0, 1])).toThrow(
      new RangeError(`${name} be symmetric, got 0.1 at [1] and 0.2 at [3]`),
    )
    expect(() => principalAxes(diagonal([-1, 2, 2]))).toThrow(
      new RangeError(`${name} have principal moments >= 0, as a real body does, got moments [-1, 2, 2]`),
    )
    expect(() => principalAxes(diagonal([1, 1, 3]), 'addBody: inertia')).toThrow(
      new RangeError(
        'addBody: inertia must have no principal moment above the sum of the other two, as a real body does, ' +
          'got moments [1, 1, 3]',
      ),
    )
    expect(principalAxes(diagonal([2, 2, -1e-15])).moments).toEqual([2, 2, 0])
  })
})

describe('bad input', () => {
  const { vertices, tetrahedra, triangles } = box([1, 1, 1])
  const one = { mass: 1 }
  const tetra = (elements: number[], amount = one) => tetraMesh(vertices, elements, amount)
  const skin = (elements: number[], amount = one) => closedMesh(vertices, elements, amount)
  const I = diagonal([1, 1, 1])
  const part = { mass: 1, centerOfMass: [0, 0, 0] as const, inertia: [1, 1, 1] }
  const any = (value: unknown): never => value as never
  const both = any({ mass: 1, density: 1 })

  it.each<[string, () => unknown]>([
    ['solidBox: size[1] must be > 0 and finite, got -1', () => solidBox(1, [1, -1, 1])],
    ['solidBox: size must be an array of 3 numbers, got 2 entries', () => solidBox(1, any([1, 1]))],
    ['boxVolume: size[0] must be > 0 and finite, got 0', () => boxVolume([0, 1, 1])],
    ['solidSphere: mass must be > 0 and finite, got Infinity', () => solidSphere(Infinity, 1)],
    ['hollowSphere: radius must be > 0 and finite, got NaN', () => hollowSphere(1, NaN)],
    ['sphereVolume: radius must be > 0 and finite, got 0', () => sphereVolume(0)],
    ['solidCapsule: length must be >= 0 and finite, got -1', () => solidCapsule(1, 1, -1)],
    ["solidCapsule: axis must be 'x' or 'y' or 'z', got \"Y\"", () => solidCapsule(1, 1, 1, any('Y'))],
    ['solidCylinder: length must be > 0 and finite, got 0', () => solidCylinder(1, 1, 0)],
    ['cylinderVolume: length must be > 0 and finite, got 0', () => cylinderVolume(1, 0)],
    ['capsuleVolume: length must be >= 0 and finite, got -2', () => capsuleVolume(1, -2)],
    ['tetraMesh: tetrahedra[3] must be a vertex index from 0 to 7, got 8', () => tetra([0, 1, 2, 8])],
    ['closedMesh: triangles[1] must be a vertex index from 0 to 7, got 1.5', () => skin([0, 1.5, 2])],
    ['tetraMesh: tetrahedra must be 4 numbers each, at least once, got 3 numbers', () => tetra([0, 1, 2])],
    ['closedMesh: vertices must be 3 numbers each, at least once, got 0 numbers', () => closedMesh([], [0], one)],
    ['tetraMesh: vertices[2] must be finite, got NaN', () => tetraMesh([0, 0, NaN], [0, 0, 0, 0], one)],
    ['tetraMesh: density must be > 0 and finite, got 0', () => tetra(tetrahedra, any({ density: 0 }))],
    ['closedMesh: mass must be > 0 and finite, got -1', () => skin(triangles, { mass: -1 })],
    ['parallelAxis: inertia must be an array of 9 numbers, got 3 entries', () => parallelAxis([1, 1, 1], 1, [0, 0, 0])],
    ['parallelAxis: offset[0] must be finite, got NaN', () => parallelAxis(I, 1, [NaN, 0, 0])],
    ['parallelAxis: mass must be > 0 and finite, got 0', () => parallelAxis(I, 0, [0, 0, 0])],
    ['combine: parts must have at least one entry, got 0', () => combine([])],
    ['combine: parts[1].mass must be > 0 and finite, got 0', () => combine([part, { ...part, mass: 0 }])],
    ['combine: parts[0].inertia[2] must be >= 0 and finite, got -1', () => combine([{ ...part, inertia: [1, 1, -1] }])],
    [
      'rotateInertia: rotation must be a unit quaternion [x, y, z, w], got [0, 0, 0, 2] of length 2',
      () => rotateInertia(I, [0, 0, 0, 2]),
    ],
    ['principalAxes: inertia[8] must be finite, got Infinity', () => principalAxes(diagonal([1, 1, Infinity]))],
  ])('RangeError: %s', (message, call) => {
    expect(call).toThrow(new RangeError(message))
  })

  it.each<[string, () => unknown]>([
    ['solidBox: size must be an array of 3 numbers, got 5', () => solidBox(1, any(5))],
    ['solidBox: size[2] must be a finite number, got "1"', () => solidBox(1, any([1, 1, '1']))],
    ['solidSphere: radius must be a number > 0, got undefined', () => solidSphere(1, any(undefined))],
    ["solidCylinder: axis must be 'x' or 'y' or 'z', got 1", () => solidCylinder(1, 1, 1, any(1))],
    ['closedMesh: triangles must be an array of numbers, got null', () => skin(any(null))],
    [
      'closedMesh: triangles must be numbers in one list, as .flat() makes of lists, got an array at [0]',
      () => skin([[0, 1, 2]] as never),
    ],
    ['tetraMesh: amount must be an object, got 1000', () => tetra(tetrahedra, any(1000))],
    ['tetraMesh: amount must be { density } or { mass }, got both', () => tetra(tetrahedra, both)],
    ['combine: parts must be an array, got an object', () => combine(any(part))],
    ['rotateInertia: inertia must be an array of 9 numbers, got null', () => rotateInertia(any(null), UNIT)],
  ])('TypeError: %s', (message, call) => {
    expect(call).toThrow(new TypeError(message))
  })
})
