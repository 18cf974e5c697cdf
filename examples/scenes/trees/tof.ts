/**
 * Jolt's text format for objects (`TOS 1.00`): declarations of types with their fields, then objects by address. Only what the
 * files of the data folder use.
 */

export type TofValue = number | boolean | string | readonly number[] | readonly TofValue[] | TofObject
export interface TofObject {
  readonly [field: string]: TofValue
}

/** Types that fields refer to by address; all others stand in place. */
const POINTERS = new Set(['Skeleton', 'ShapeSettings', 'GroupFilter', 'TwoBodyConstraintSettings', 'PhysicsMaterial'])
/** How many numbers a type has. */
const NUMBERS: Readonly<Record<string, number>> = { vec3: 3, quat: 4, mat44: 16, float: 1, uint32: 1, uint8: 1, int: 1 }

interface Field {
  name: string
  type: string
  isArray: boolean
}

/** Objects of a file by address; a field that refers to another holds its address. The type's name is in `type`. */
export function parseTof(text: string): Map<string, TofObject> {
  const words = text.match(/"[^"]*"|\S+/g) ?? []
  const types = new Map<string, Field[]>()
  const objects = new Map<string, TofObject>()
  let at = 2
  const next = (): string => words[at++]

  const declare = (): void => {
    const name = next()
    const fields: Field[] = []
    for (let count = Number(next()); count > 0; count--) {
      const field = next()
      let type = next()
      const isArray = type === 'array'
      if (isArray) type = next()
      fields.push({ name: field, type: type === 'instance' ? next() : type, isArray })
    }
    types.set(name, fields)
  }
  const value = (type: string): TofValue => {
    if (type === 'string') return next().slice(1, -1)
    if (type === 'bool') return next() === 'true'
    if (type in NUMBERS) {
      const numbers = Array.from({ length: NUMBERS[type] }, () => Number(next()))
      return numbers.length === 1 ? numbers[0] : numbers
    }
    return POINTERS.has(type) ? next() : fieldsOf(type)
  }
  const fieldsOf = (type: string): TofObject => {
    const fields = types.get(type)
    if (fields === undefined) throw new TypeError(`parseTof: types must be declared before their objects, got ${type}`)
    const read = ({ type: of, isArray }: Field): TofValue =>
      isArray ? Array.from({ length: Number(next()) }, () => value(of)) : value(of)
    return Object.fromEntries([['type', type], ...fields.map((field) => [field.name, read(field)] as const)])
  }

  while (at < words.length) {
    const word = next()
    if (word === 'declare') declare()
    else if (word === 'object') {
      const type = next()
      const address = next()
      objects.set(address, fieldsOf(type))
    } else throw new TypeError(`parseTof: expected declare or object, got ${word}`)
  }
  return objects
}
