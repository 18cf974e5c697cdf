import type { MassProperties } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { massOf } from '../src/shapes/mass.js'
import { box } from '../src/shapes/box.js'
import { capsule } from '../src/shapes/capsule.js'
import { compound } from '../src/shapes/compound.js'
import { convexHull } from '../src/shapes/convex-hull.js'
import { cylinder } from '../src/shapes/cylinder.js'
import { sphere } from '../src/shapes/sphere.js'
import { taperedCapsule } from '../src/shapes/tapered-capsule.js'
import type { Shape } from '../src/shapes/shape.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { ALL } from './support/shapes.js'

/** Sums of some hundred products of doubles, relative to the largest entry. */
const ROUND_OFF = 1e-12

function expectMass(got: MassProperties, want: MassProperties, tolerance = ROUND_OFF): void {
  const close = (a: ArrayLike<number>, b: ArrayLike<number>, scale: number): void => {
    for (let k = 0; k < b.length; k++) {
      expect(Math.abs(a[k] - b[k]), `${Array.from(a)} against ${Array.from(b)}`).toBeLessThanOrEqual(tolerance * scale)
    }
  }
  const size = Math.sqrt(Math.max(...want.inertia) / want.mass)
  close([got.mass], [want.mass], want.mass)
  close(got.centerOfMass, want.centerOfMass, size + Math.max(...want.centerOfMass.map(Math.abs)))
  close(got.inertia, want.inertia, Math.max(...want.inertia))
}

function centred(mass: number, x: number, y: number, z: number): MassProperties {
  return { mass, centerOfMass: [0, 0, 0], inertia: [x, 0, 0, 0, y, 0, 0, 0, z] }
}

/** By slices across y, Simpson's rule over each of `count` parts between the given heights. */
function bySlices(radius: (y: number) => number, heights: readonly number[], count = 2000): MassProperties {
  const integrate = (f: (y: number, r: number) => number): number => {
    let sum = 0
    for (let k = 0; k + 1 < heights.length; k++) {
      const step = (heights[k + 1] - heights[k]) / count
      for (let i = 0; i < count; i++) {
        const y = heights[k] + i * step
        const at = (u: number): number => f(u, radius(u))
        sum += (step / 6) * (at(y) + 4 * at(y + step / 2) + at(y + step))
      }
    }
    return sum
  }
  const mass = integrate((_, r) => Math.PI * r * r)
  const c = integrate((y, r) => Math.PI * r * r * y) / mass
  const along = integrate((_, r) => (Math.PI / 2) * r ** 4)
  const across = along / 2 + integrate((y, r) => Math.PI * r * r * (y - c) ** 2)
  return { mass, centerOfMass: [0, c, 0], inertia: [across, 0, 0, 0, along, 0, 0, 0, across] }
}

describe('closed forms', () => {
  it('sphere: 4/3 π r³, 2/5 m r²', () => {
    const m = (4 / 3) * Math.PI * 8
    expectMass(massOf(sphere(2), { density: 3 }), centred(3 * m, 4.8 * m, 4.8 * m, 4.8 * m))
  })

  it('box: m/3 (b² + c²) of half extents', () => {
    expectMass(massOf(box([1, 2, 3]), { mass: 6 }), centred(6, 26, 20, 10))
    expect(massOf(box([1, 2, 3]), { density: 2 }).mass).toBe(96)
  })

  it('cylinder: m r²/2 about y, m (3 r² + 4 h²)/12 across', () => {
    expectMass(massOf(cylinder(2, 3), { mass: 6 }), centred(6, 24, 12, 24))
    expect(massOf(cylinder(2, 3), { density: 1 }).mass).toBeCloseTo(24 * Math.PI, 12)
  })

  it('capsule: a cylinder and a ball cut in two', () => {
    // Radius 1, half height 1: 2π and 4/3 π. Across: 2π (3 + 4)/12 + 4/3 π (2/5 + 1 + 3/4).
    const along = 2 * Math.PI * 0.5 + (4 / 3) * Math.PI * 0.4
    const across = 2 * Math.PI * (7 / 12) + (4 / 3) * Math.PI * (0.4 + 1 + 0.75)
    expectMass(massOf(capsule(1, 1), { density: 1 }), centred((10 / 3) * Math.PI, across, along, across))
  })

  it('tapered capsule of equal ends: a capsule', () => {
    expectMass(massOf(taperedCapsule(0.3, 0.3, 0.7), { density: 5 }), massOf(capsule(0.3, 0.7), { density: 5 }))
  })

  it('tapered capsule all but swallowed by its larger ball: that ball', () => {
    const got = massOf(taperedCapsule(0.5, 1.5, 0.5 + 1e-9), { density: 2 })
    const ball = massOf(sphere(1.5), { density: 2 })
    // The other ball sticks out by 2e-9.
    expectMass(got, { ...ball, centerOfMass: [0, -0.5, 0] }, 1e-7)
  })

  it('tapered capsule: the sum of thin slices', () => {
    for (const [top, bottom, h] of [
      [0.2, 1, 1],
      [1, 0.2, 1],
      [0.5, 0.6, 2],
      [0.01, 2, 1],
    ]) {
      // Radii where the hull's outline lies between the two circles of contact, and on the balls beyond.
      const s = (bottom - top) / (2 * h)
      const [low, high] = [-h + s * bottom, h + s * top]
      const [a, b] = [Math.sqrt(1 - s * s) * bottom, Math.sqrt(1 - s * s) * top]
      const radius = (y: number): number => {
        if (y > low && y < high) return a + ((b - a) * (y - low)) / (high - low)
        const [c, r] = y <= low ? [-h, bottom] : [h, top]
        return Math.sqrt(Math.max(0, r * r - (y - c) * (y - c)))
      }
      expectMass(
        massOf(taperedCapsule(top, bottom, h), { density: 1 }),
        bySlices(radius, [-h - bottom, low, high, h + top]),
        1e-11,
      )
    }
  })

  it('hull of a box: the box, wherever it stands', () => {
    const points: number[] = []
    for (let k = 0; k < 8; k++) points.push(10 + (k & 1 ? 1 : -1), (k & 2 ? 2 : -2) - 5, k & 4 ? 3 : -3)
    const want = massOf(box([1, 2, 3]), { density: 7 })
    expectMass(massOf(convexHull(points), { density: 7 }), { ...want, centerOfMass: [10, -5, 0] })
  })

  it('hull of a tetrahedron: 1/6, and its centre in the mean of the corners', () => {
    const got = massOf(convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]), { density: 6 })
    // ∫ x² = 1/60, ∫ x y = 1/120, about the origin; at density 6 and about (1/4, 1/4, 1/4): 3/80 and −1/80.
    const [d, o] = [2 * (6 / 60 - 1 / 16), 0 - (6 / 120 - 1 / 16)]
    expectMass(got, { mass: 1, centerOfMass: [0.25, 0.25, 0.25], inertia: [d, o, o, o, d, o, o, o, d] })
  })

  it('compound of two half boxes: the box', () => {
    const c = Math.SQRT1_2
    const halves = compound([
      { shape: box([1, 2, 3]), position: [2, 0, 0] },
      // The same half, lying on its side.
      { shape: box([2, 1, 3]), position: [4, 0, 0], orientation: [0, 0, c, c] },
    ])
    const whole = massOf(box([2, 2, 3]), { density: 4 })
    expectMass(massOf(halves, { density: 4 }), { ...whole, centerOfMass: [3, 0, 0] })
    expectMass(massOf(halves, { mass: whole.mass }), { ...whole, centerOfMass: [3, 0, 0] })
  })
})

describe(`massOf, seed ${SEED}`, () => {
  it('of mass and of density agree, scale, and are those of a real body', () => {
    const random = new Random(SEED)
    for (const make of Object.values(ALL)) {
      for (let run = 0; run < 20; run++) {
        const shape = make(random)
        if (!shape.movable) continue
        const one = massOf(shape, { density: 1 })
        expectMass(massOf(shape, { mass: 3 * one.mass }), massOf(shape, { density: 3 }))
        const [xx, , , , yy, , , , zz] = one.inertia
        expect(Math.min(xx, yy, zz)).toBeGreaterThan(0)
        expect(Math.max(xx, yy, zz)).toBeLessThanOrEqual((xx + yy + zz) / 2)
        expect(massOf(shape, { mass: 0.1 }).mass).toBe(0.1)
      }
    }
  })

  it('of a hull of many points of a shape comes near to the shape’s', () => {
    const random = new Random(SEED)
    const points = Array.from({ length: 3000 }, () => random.direction())
    // A hull of n points on a ball lacks some 4/n of the radius in height.
    expectMass(massOf(convexHull(points as number[][]), { density: 1 }), massOf(sphere(1), { density: 1 }), 0.02)
  })
})

describe('bad input', () => {
  const ball = sphere(1)
  const bad: [string, Shape, unknown, typeof RangeError | typeof TypeError, string][] = [
    ['neither', ball, {}, TypeError, 'massOf: amount must be { density } or { mass }, got neither'],
    ['nothing', ball, undefined, TypeError, 'massOf: amount must be an object, got undefined'],
    ['both', ball, { mass: 1, density: 1 }, TypeError, 'massOf: amount must be { density } or { mass }, got both'],
    ['no density', ball, { density: 0 }, RangeError, 'massOf: density must be > 0 and finite, got 0'],
    ['negative mass', ball, { mass: -1 }, RangeError, 'massOf: mass must be > 0 and finite, got -1'],
    ['mass of NaN', ball, { mass: NaN }, RangeError, 'massOf: mass must be > 0 and finite, got NaN'],
    ...(['plane', 'heightfield', 'triangleMesh'] as const).map((name): (typeof bad)[number] => [
      name,
      ALL[name]!(new Random(SEED)),
      { density: 1 },
      RangeError,
      `massOf: shape must be one that can move, got a ${name}: it has no volume`,
    ]),
  ]
  it.each(bad)('%s', (_, shape, amount, error, message) => {
    const weigh = (): unknown => massOf(shape, amount as { mass: number })
    expect(weigh).toThrow(error)
    expect(weigh).toThrow(message)
  })
})
