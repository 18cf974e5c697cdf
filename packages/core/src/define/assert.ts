/**
 * Checks on what a user hands in, made once at the boundary (add*, set*, create*), never inside a step.
 *
 * Each takes `where` (function and argument, 'solidBox: size'), returns the checked value, and throws
 * `${where} must be …, got ${value}`: TypeError for the wrong kind of thing, RangeError for a number out of range.
 */

/** How far from 1 the length of a direction or rotation may be and still be normalised: float32 input and hand-typed
 *  decimals such as 0.707 pass, a vector that was never meant to be a unit vector does not. */
const UNIT_SLACK = 0.01

/** A shorter vector is taken for a difference that came out as nothing rather than for a direction. */
const NO_DIRECTION = 1e-9

/** A length this near to 1 counts as 1: what was normalised before comes back with the same bits. */
const NORMALISED = 1e-14

/** A finite number. */
export function finite(where: string, value: unknown): number {
  if (!Number.isFinite(number(where, 'a finite number', value))) fail(where, 'finite', value)
  return value as number
}

/** A finite number greater than zero. */
export function positive(where: string, value: unknown): number {
  const x = number(where, 'a number > 0', value)
  if (!(x > 0 && Number.isFinite(x))) fail(where, '> 0 and finite', value)
  return x
}

/** A finite number, zero or greater. */
export function nonNegative(where: string, value: unknown): number {
  const x = number(where, 'a number >= 0', value)
  if (!(x >= 0 && Number.isFinite(x))) fail(where, '>= 0 and finite', value)
  return x
}

/** An array or typed array of exactly `length` finite numbers; an entry at fault is named by its index. */
export function finiteVector(where: string, value: unknown, length: number): ArrayLike<number> {
  const vector = value as ArrayLike<unknown> | null
  if (typeof vector !== 'object' || vector === null || typeof vector.length !== 'number') {
    throw new TypeError(`${where} must be an array of ${length} numbers, got ${shown(value)}`)
  }
  if (vector.length !== length) fail(where, `an array of ${length} numbers`, `${vector.length} entries`)
  for (let i = 0; i < length; i++) if (!Number.isFinite(vector[i])) finite(`${where}[${i}]`, vector[i])
  return vector as ArrayLike<number>
}

/** A direction [x, y, z] of any length that still has one, returned normalised: [0, 2, 0] is as good as [0, 1, 0]. */
export function unitVector(where: string, value: unknown): [number, number, number] {
  const v = finiteVector(where, value, 3)
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  if (!(length >= NO_DIRECTION && length < Infinity)) {
    fail(where, 'a direction', `[${Array.from(v).join(', ')}] of length ${length}`)
  }
  if (Math.abs(length - 1) <= NORMALISED) return [v[0], v[1], v[2]]
  return [v[0] / length, v[1] / length, v[2] / length]
}

/** A rotation [x, y, z, w], returned normalised; its length must be within 1 % of 1. */
export function unitQuaternion(where: string, value: unknown): [number, number, number, number] {
  const q = finiteVector(where, value, 4)
  const length = unitLength(where, 'a unit quaternion [x, y, z, w]', q)
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length]
}

/** One of the given words. */
export function oneOf<Word extends string>(where: string, value: unknown, words: readonly Word[]): Word {
  if (words.includes(value as Word)) return value as Word
  const message = `${where} must be ${words.map((word) => `'${word}'`).join(' or ')}, got ${shown(value)}`
  throw typeof value === 'string' ? new RangeError(message) : new TypeError(message)
}

/** An array or typed array that a vector of `length` numbers is written to. */
export function outVector(where: string, value: unknown, length: number): void {
  const isArray = Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value)
  if (!isArray) throw new TypeError(`${where} must be an array to write to, got ${shown(value)}`)
  if ((value as ArrayLike<number>).length < length) {
    fail(where, `an array of ${length} numbers`, `${(value as ArrayLike<number>).length} entries`)
  }
}

/** True or false. */
export function flag(where: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${where} must be a boolean, got ${shown(value)}`)
  return value
}

/** Refuses a list of lists where numbers in one list are asked for: `[[0, 1, 2]]` in place of `[0, 1, 2]`. */
export function refuseNested(where: string, list: ArrayLike<unknown>): void {
  for (let k = 0; k < list.length; k++) {
    if (typeof list[k] !== 'object' || list[k] === null) continue
    throw new TypeError(
      `${where} must be numbers in one list, as .flat() makes of lists, got ${shown(list[k])} at [${k}]`,
    )
  }
}

/** Most of what a user may ask for by number: with more substeps, sweeps or restarts, one call does not come back. */
const MOST_COUNT = 1e6

/** A number of substeps, iterations and the like, `least` or more. */
export function count(where: string, value: unknown, least: number = 1): number {
  return integer(where, value, least, MOST_COUNT)
}

/** An integer from `least` to `most`. */
export function integer(where: string, value: unknown, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
  const x = number(where, 'an integer', value)
  if (!(Number.isInteger(x) && x >= least)) fail(where, `an integer >= ${least}`, x)
  if (x > most) fail(where, `<= ${most}`, x)
  return x
}

/** An object that is no array. */
export function object(where: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${where} must be an object, got ${shown(value)}`)
  }
  return value as Record<string, unknown>
}

/** An array. */
export function array(where: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${where} must be an array, got ${shown(value)}`)
  return value
}

/** True or false for each of three axes. */
export function axisFlags(where: string, value: unknown): readonly [boolean, boolean, boolean] {
  if (Array.isArray(value) && value.length === 3) {
    const [x, y, z] = value.map((entry, k) => flag(`${where}[${k}]`, entry))
    return [x, y, z]
  }
  const got = Array.isArray(value) ? `${value.length} entries` : shown(value)
  throw new TypeError(`${where} must be an array of three booleans, got ${got}`)
}

/** An object of a class. */
export function instance<Made>(where: string, value: unknown, type: { prototype: Made }, noun: string): Made {
  if (value instanceof (type as unknown as new () => object)) return value as Made
  throw new TypeError(`${where} must be ${noun}, got ${shown(value)}`)
}

/** A function. */
export function callable(where: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${where} must be a function, got ${shown(value)}`)
}

/**
 * An object of fields among `names` only: a misspelt one would be taken for one that was left out, and so would `null`, which
 * only those of `nullable` may be.
 */
export function knownFields(
  where: string,
  given: unknown,
  names: readonly string[],
  nullable: readonly string[] = [],
): Record<string, unknown> {
  const fields = object(where, given)
  for (const name of Object.keys(fields)) {
    if (!names.includes(name)) {
      const known = names.filter((field, k) => names.indexOf(field) === k).join(', ')
      throw new TypeError(`${where} must have known fields only (${known}), got ${name}: ${shown(fields[name])}`)
    }
    if (fields[name] === null && !nullable.includes(name))
      throw new TypeError(`${where}: ${name} must not be null, got null`)
  }
  return fields
}

/** Has the `TypeError` or `RangeError` of what is called begin with where that came from, as a part of a scene. */
export function inContext<Made>(where: string, make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new TypeError(`${where}: ${error.message}`, { cause: error })
    if (error instanceof RangeError) throw new RangeError(`${where}: ${error.message}`, { cause: error })
    throw error
  }
}

function number(where: string, what: string, value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`${where} must be ${what}, got ${shown(value)}`)
  return value
}

function unitLength(where: string, what: string, v: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < v.length; i++) sum += v[i] * v[i]
  const length = Math.sqrt(sum)
  if (!(Math.abs(length - 1) <= UNIT_SLACK)) fail(where, what, `[${Array.from(v).join(', ')}] of length ${length}`)
  return Math.abs(length - 1) <= NORMALISED ? 1 : length
}

function fail(where: string, what: string, value: unknown): never {
  throw new RangeError(`${where} must be ${what}, got ${value}`)
}

/** A value of the wrong kind, as text; String() alone hides quotes and throws on objects without a prototype. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `${value}n`
  return String(value)
}
