import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  normalizeQuaternion,
  quaternionFromRotationVector,
  rotateSymmetric,
  rotateVector,
  rotateVectorInverse,
  rotationBetween,
  rotationVectorFromQuaternion,
  rotate,
  rotateBy,
} from '../src/math/rotation.js'
import { fixed } from './support/exact.js'
import { runs } from './support/runs.js'
import { SEED } from './support/seed.js'

/** Four products of numbers up to 1 and their sum, in units of 2⁻⁵³, here and in the definition it is compared with. */
const ROUND_OFF = 8 * 2 ** -53
/** Of the square root of 1 − s² u, or of sine and cosine of a large angle, and of the product with q. */
const NORM_DRIFT = 6 * 2 ** -53
/** Relative error of the length of a rotation vector, or of s and a product. */
const RELATIVE = 4 * 2 ** -53
/** What a pair of quaternions rounded to doubles knows of the angle [rad] between them, and as much again. */
const ANGLE = 16 * 2 ** -53
/** Relative error of a tiny angle between two given quaternions: three products, two sums, a quotient. */
const TINY_ANGLE = 1e-15

const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void => {
  const property = fc.property(arbitrary, (value) => {
    holds(value)
  })
  fc.assert(property, { seed: SEED, numRuns: runs(1000) })
}

type Vec = [number, number, number]
type Quat = [number, number, number, number]

const component = fc.double({ min: -1, max: 1, noNaN: true })
const even = fc.integer({ min: -1e9, max: 1e9 }).map((k) => k / 1e9)
const direction = fc
  .tuple(even, even, even)
  .filter((v) => Math.hypot(...v) > 0.1)
  .map((v) => v.map((c) => c / Math.hypot(...v)) as Vec)
const unit = fc
  .tuple(even, even, even, even)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((c) => c / Math.hypot(...q)) as Quat)
const AXES: Vec[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
/** Rotation vectors [rad] of up to `most`. */
const rotation = (most: number): fc.Arbitrary<Vec> =>
  fc.tuple(direction, even).map(([v, a]) => v.map((c) => c * a * most) as Vec)
/** All lengths, tiny ones and the change of method at 1/2 included. */
const anyRotation = fc.oneof(
  rotation(0.5),
  rotation(7),
  rotation(100),
  fc.tuple(component, component, component),
  fc.tuple(direction, fc.integer({ min: -4, max: 4 })).map(([v, k]) => v.map((c) => c * (0.5 + k * 2 ** -53)) as Vec),
)

const multiply = ([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat => [
  aw * bx + bw * ax + ay * bz - az * by,
  aw * by + bw * ay + az * bx - ax * bz,
  aw * bz + bw * az + ax * by - ay * bx,
  aw * bw - ax * bx - ay * by - az * bz,
]
const conjugate = ([x, y, z, w]: Quat): Quat => [-x, -y, -z, w]
const exp = (v: Vec): Quat => {
  const angle = Math.hypot(...v)
  const s = angle === 0 ? 0.5 : Math.sin(angle / 2) / angle
  return [v[0] * s, v[1] * s, v[2] * s, Math.cos(angle / 2)]
}
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (value, i) => value - b[i]))
const turned = (q: Quat, v: Vec): Quat => {
  const out = Float64Array.from(q)
  rotate(out, 0, ...v)
  return Array.from(out) as Quat
}
const between = (q: Quat, p: Quat): Vec => {
  const out = new Float64Array(3)
  rotationBetween(Float64Array.from(q), 0, Float64Array.from(p), 0, out, 0)
  return Array.from(out) as Vec
}

/** Runs `write` on a quaternion and an output placed in the middle of larger arrays, and looks at what surrounds them. */
function placed(
  q: Quat,
  size: number,
  write: (q: Float64Array, o: number, out: Float64Array, k: number) => void,
): number[] {
  const quaternions = Float64Array.of(7, 7, 7, 7, ...q, 7)
  const out = new Float64Array(size + 3).fill(9)
  write(quaternions, 4, out, 2)
  expect(Array.from(quaternions)).toEqual([7, 7, 7, 7, ...q, 7])
  expect([out[0], out[1], out[size + 2]]).toEqual([9, 9, 9])
  return Array.from(out.subarray(2, size + 2))
}

describe(`turn (seed ${SEED})`, () => {
  test('from memory is the same to the last bit', () => {
    check(fc.tuple(direction, fc.double({ min: 0, max: 3, noNaN: true })), ([axis, angle]) => {
      const v = Float64Array.from(axis, (x) => angle * x)
      const [own, other] = [Float64Array.of(0.1, 0.2, 0.3, 0.9), Float64Array.of(0.1, 0.2, 0.3, 0.9)]
      rotate(own, 0, v[0], v[1], v[2])
      rotateBy(other, 0, v)
      expect(other).toEqual(own)
    })
  })

  test('multiplies by the exponential from the left', () => {
    check(fc.tuple(unit, anyRotation), ([q, v]) => {
      const tolerance = ROUND_OFF + RELATIVE * Math.hypot(...v)
      expect(distance(turned(q, v), multiply(exp(v), q))).toBeLessThan(tolerance)
    })
  })
  test('keeps the length', () => {
    check(fc.tuple(unit, anyRotation), ([q, v]) => {
      expect(Math.abs(Math.hypot(...turned(q, v)) - Math.hypot(...q))).toBeLessThan(NORM_DRIFT)
    })
  })
  test('is right relative to the angle, however small', () => {
    check(fc.tuple(rotation(1), fc.integer({ min: -1000, max: 0 })), ([v, k]) => {
      const small = v.map((c) => c * 2 ** k) as Vec
      const q = turned([0, 0, 0, 1], small)
      const expected = exp(small)
      for (let i = 0; i < 3; i++) {
        const error = Math.abs(q[i] - expected[i])
        expect(error).toBeLessThanOrEqual(RELATIVE * Math.abs(expected[i]) + Number.MIN_VALUE)
      }
    })
  })
  test('by nothing changes no bit', () => check(unit, (q) => expect(turned(q, [0, 0, 0])).toEqual(q)))
  test('a thousand times by a thousandth is a turn by the whole', () => {
    check(fc.tuple(unit, rotation(100)), ([q, v]) => {
      const many = Float64Array.from(q)
      for (let i = 0; i < 1000; i++) rotate(many, 0, v[0] / 1000, v[1] / 1000, v[2] / 1000)
      expect(distance(many, turned(q, v))).toBeLessThan(1000 * ROUND_OFF)
    })
  })
  test('touches its own four numbers only', () => {
    const q = Float64Array.of(7, 0, 0, 0, 1, 7)
    rotate(q, 1, 0, Math.PI / 2, 0)
    expect([q[0], q[5]]).toEqual([7, 7])
    expect(distance(q.subarray(1, 5), [0, Math.SQRT1_2, 0, Math.SQRT1_2])).toBeLessThan(ROUND_OFF)
  })
})

describe(`normalizeQuaternion (seed ${SEED})`, () => {
  test('scales to unit length and keeps the direction', () => {
    check(fc.tuple(unit, fc.double({ min: 1e-100, max: 1e100, noNaN: true })), ([q, scale]) => {
      const data = Float64Array.of(7, ...q.map((c) => c * scale), 7)
      normalizeQuaternion(data, 1)
      expect(distance(data, [7, ...q, 7])).toBeLessThan(ROUND_OFF)
    })
  })
})

describe(`rotationBetween (seed ${SEED})`, () => {
  test('undoes turn', () => {
    check(fc.tuple(unit, rotation(3.1)), ([p, v]) => {
      expect(distance(between(turned(p, v), p), v)).toBeLessThan(ANGLE)
    })
  })
  test('takes the short way round, whatever the sign of either', () => {
    check(fc.tuple(unit, unit), ([q, p]) => {
      const minus = q.map((c) => -c) as Quat
      const v = between(q, p)
      expect(Math.hypot(...v)).toBeLessThanOrEqual(Math.PI + ANGLE)
      expect(between(minus, p)).toEqual(v)
      const back = turned(p, v)
      expect(Math.min(distance(back, q), distance(back, minus))).toBeLessThan(ANGLE)
    })
  })
  test('is right beside half a turn', () => {
    check(fc.tuple(unit, direction, fc.integer({ min: 4, max: 45 })), ([p, axis, k]) => {
      const v = axis.map((c) => c * (Math.PI - 2 ** -k)) as Vec
      expect(distance(between(turned(p, v), p), v)).toBeLessThan(ANGLE)
    })
  })
  test('is right relative to the angle, however small', () => {
    const bits = 200
    const whole = (q: Quat): bigint[] => q.map((c) => fixed(c, bits))
    check(fc.tuple(unit, rotation(1), fc.integer({ min: 10, max: 45 })), ([p, v, k]) => {
      const q = turned(p, v.map((c) => c * 2 ** -k) as Vec)
      const [qx, qy, qz, qw] = whole(q)
      const [px, py, pz, pw] = whole(p)
      const dot = qx * px + qy * py + qz * pz + qw * pw
      const exact = [
        qx * pw - qw * px - qy * pz + qz * py,
        qy * pw - qw * py - qz * px + qx * pz,
        qz * pw - qw * pz - qx * py + qy * px,
      ].map((c) => Number((c << 400n) / dot) * 2 ** -400)
      const tangent = Math.hypot(...exact)
      const scale = tangent === 0 ? 2 : (2 * Math.atan(tangent)) / tangent
      const expected = exact.map((c) => c * scale)
      expect(distance(between(q, p), expected)).toBeLessThanOrEqual(TINY_ANGLE * Math.hypot(...expected))
    })
  })
  test('of a rotation and itself is nothing', () =>
    check(unit, (q) => expect(between(q, q).map(Math.abs)).toEqual([0, 0, 0])))
  test('reads and writes at its offsets', () => {
    check(fc.tuple(unit, rotation(3)), ([p, v]) => {
      const from = Float64Array.of(5, ...p)
      const out = placed(turned(p, v), 3, (q, o, to, k) => rotationBetween(q, o, from, 1, to, k))
      expect(distance(out, v)).toBeLessThan(ANGLE)
    })
  })
})

describe(`exp and log (seed ${SEED})`, () => {
  test('undo each other', () => {
    check(rotation(3.1), (v) => {
      const q = new Float64Array(6).fill(9)
      quaternionFromRotationVector(q, 1, ...v)
      expect(distance(q, [9, ...exp(v), 9])).toBeLessThan(ROUND_OFF)
      const out = new Float64Array(5).fill(9)
      rotationVectorFromQuaternion(q, 1, out, 1)
      expect(distance(out, [9, ...v, 9])).toBeLessThan(ANGLE)
    })
  })
  test('keep tiny angles', () => {
    const q = new Float64Array(4)
    const out = new Float64Array(3)
    quaternionFromRotationVector(q, 0, 1e-200, 0, -3e-300)
    expect(Array.from(q)).toEqual([5e-201, 0, -1.5e-300, 1])
    rotationVectorFromQuaternion(q, 0, out, 0)
    expect(Array.from(out)).toEqual([1e-200, 0, -3e-300])
  })
})

describe(`vectors (seed ${SEED})`, () => {
  const sandwich = (q: Quat, [x, y, z]: Vec): number[] => multiply(multiply(q, [x, y, z, 0]), conjugate(q)).slice(0, 3)
  const vector = fc.tuple(component, component, component)

  test('turn as q a q̄', () => {
    check(fc.tuple(unit, vector), ([q, a]) => {
      const out = placed(q, 3, (data, o, to, k) => rotateVector(data, o, ...a, to, k))
      expect(distance(out, sandwich(q, a))).toBeLessThan(2 * ROUND_OFF)
    })
  })
  test('turn back as q̄ a q', () => {
    check(fc.tuple(unit, vector), ([q, a]) => {
      const out = placed(q, 3, (data, o, to, k) => rotateVectorInverse(data, o, ...a, to, k))
      expect(distance(out, sandwich(conjugate(q), a))).toBeLessThan(2 * ROUND_OFF)
    })
  })
  test('turn the x axis to the y axis by a quarter turn about z', () => {
    const q = Float64Array.of(0, 0, Math.SQRT1_2, Math.SQRT1_2)
    const out = Float64Array.of(1, 0, 0)
    rotateVector(q, 0, out[0], out[1], out[2], out, 0)
    expect(distance(out, [0, 1, 0])).toBeLessThan(ROUND_OFF)
    rotateVectorInverse(q, 0, out[0], out[1], out[2], out, 0)
    expect(distance(out, [1, 0, 0])).toBeLessThan(ROUND_OFF)
  })
})

describe(`rotateSymmetric (seed ${SEED})`, () => {
  const values = fc.tuple(even, even, even)

  test('is the sum of d r rᵀ over the turned axes', () => {
    check(fc.tuple(unit, values), ([q, d]) => {
      const expected = new Array<number>(9).fill(0)
      for (const [n, axis] of AXES.entries()) {
        const r = placed(q, 3, (data, o, to, k) => rotateVector(data, o, ...axis, to, k))
        for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) expected[3 * i + j] += d[n] * r[i] * r[j]
      }
      const out = placed(q, 9, (data, o, to, k) => rotateSymmetric(data, o, Float64Array.from(d), 0, to, k))
      expect(distance(out, expected)).toBeLessThan(4 * ROUND_OFF)
    })
  })
  test('is symmetric to the last bit', () => {
    check(fc.tuple(unit, values), ([q, d]) => {
      const m = placed(q, 9, (data, o, to, k) => rotateSymmetric(data, o, Float64Array.from(d), 0, to, k))
      expect([m[1], m[2], m[5]]).toEqual([m[3], m[6], m[7]])
    })
  })
  test('without rotation is the diagonal itself', () => {
    const m = placed([0, 0, 0, 1], 9, (data, o, to, k) =>
      rotateSymmetric(data, o, Float64Array.of(1e6, 0.1, 3e-9), 0, to, k),
    )
    expect(m).toEqual([1e6, 0, 0, 0, 0.1, 0, 0, 0, 3e-9])
  })
})
