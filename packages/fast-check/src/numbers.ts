/** Arbitraries of numbers, vectors and rotations, on a grid of thousandths: they shrink to what is simple, and print short. */

import fc, { type Arbitrary } from 'fast-check'

/** A vector: x, y, z. */
export type Vec3 = [number, number, number]
/** A quaternion: x, y, z, w. */
export type Quat = [number, number, number, number]

/** Numbers a unit. */
const GRID = 1000
/** Vectors shorter than this have no direction worth naming. */
const SHORT = 0.1

/** A number in [min, max] that shrinks to `simple`. @defaultValue simple = 0, or what is nearest to it */
export function real(min: number, max: number, simple: number = 0): Arbitrary<number> {
  const centre = Math.round(GRID * Math.min(max, Math.max(min, simple)))
  return fc
    .integer({ min: Math.ceil(GRID * min) - centre, max: Math.floor(GRID * max) - centre })
    .map((k) => (centre + k) / GRID)
}

/** A positive number from `min` to `max` over decades (1, 2 and 5 times powers of ten), both of which are whole decades. */
export function decades(min: number, max: number): Arbitrary<number> {
  const values: number[] = []
  for (let decade = min; decade < 1.5 * max; decade *= 10) values.push(decade, 2 * decade, 5 * decade)
  return fc.constantFrom(...values.slice(0, -2).map((value) => Number(value.toPrecision(1))))
}

/** A vector whose components lie in ±size; shrinks to zero. */
export function vector(size: number = 1): Arbitrary<Vec3> {
  return fc.tuple(real(-size, size), real(-size, size), real(-size, size))
}

/** A unit vector; shrinks to [0, 1, 0]. */
export function direction(): Arbitrary<Vec3> {
  return fc.tuple(real(-1, 1), real(-1, 1, 1), real(-1, 1)).map(([x, y, z]): Vec3 => {
    const length = Math.sqrt(x * x + y * y + z * z)
    return length < SHORT ? [0, 1, 0] : [x / length, y / length, z / length]
  })
}

/** A unit quaternion [x, y, z, w]; shrinks to the identity. */
export function rotation(): Arbitrary<Quat> {
  return fc.tuple(real(-1, 1), real(-1, 1), real(-1, 1), real(0, 1, 1)).map(([x, y, z, w]): Quat => {
    const length = Math.sqrt(x * x + y * y + z * z + w * w)
    return length < SHORT ? [0, 0, 0, 1] : [x / length, y / length, z / length, w / length]
  })
}

/** A plain object with all of these fields. */
export function record<T extends object>(fields: { [K in keyof T]: Arbitrary<T[K]> }): Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as Arbitrary<T>
}

/** Fields of which each is there or not; shrinks to none. */
export function some<T extends object>(fields: { [K in keyof T]: Arbitrary<T[K]> }): Arbitrary<Partial<T>> {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as Arbitrary<Partial<T>>
}

/** Objects joined into one, the later over the earlier. */
export function merged(...parts: readonly Arbitrary<object>[]): Arbitrary<Record<string, unknown>> {
  return fc.tuple(...parts).map((list) => Object.assign({}, ...list) as Record<string, unknown>)
}
