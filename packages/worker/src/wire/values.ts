/**
 * Values over a port: plain data goes as it is, copied when it is posted, so that its owner may use it again at once; handles and shapes go as
 * numbers. Functions do not go: what is code is in the worker's own module.
 */

import { shown } from '@tautline/core/kernel'

/** The field of what stands for a handle, and for a shape. */
export const HANDLE = '@tautline/handle'
export const SHAPE = '@tautline/shape'

/** Deepest nesting of what goes over: beyond it there is a circle. */
const DEEPEST = 64

/** What a handle is of. */
export type HandleKind = 'body' | 'constraint' | 'collider' | 'particles' | 'snapshot'

/** Stands for a handle, on its way to the page. What is told beside its number makes one there, where there is none yet; the way back has the number alone. */
export interface HandleData {
  [HANDLE]: number
  kind: HandleKind
  name?: string | undefined
  particle?: boolean
}

/** What turns objects that are not plain into what stands for them; `undefined` where it knows them not. */
export type Encoder = (value: object) => object | undefined

/** A copy that goes over a port. Throws a `TypeError` that names the place for functions, symbols, and objects of classes. */
export function encode(where: string, value: unknown, special: Encoder, depth = 0): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError(`${where} must be data that goes to a worker, got ${shown(value)}`)
  }
  if (typeof value !== 'object' || value === null) return value
  const stand = special(value)
  if (stand !== undefined) return stand
  if (ArrayBuffer.isView(value)) return copyView(value)
  if (depth === DEEPEST) throw new TypeError(`${where} must not hold itself, got ${shown(value)}`)
  if (Array.isArray(value)) {
    return value.map((entry, k) =>
      typeof entry === 'number' ? entry : encode(`${where}[${k}]`, entry, special, depth + 1),
    )
  }
  const prototype = Object.getPrototypeOf(value) as object | null
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    if (isCloned(value)) return value
    throw new TypeError(`${where} must be data that goes to a worker, got ${classOf(value)}`)
  }
  const copy: Record<string, unknown> = {}
  for (const [field, entry] of Object.entries(value)) {
    if (field === HANDLE || field === SHAPE) {
      throw new TypeError(`${where} must not have the field ${field}, which stands for handles, got ${shown(entry)}`)
    }
    copy[field] = encode(`${where}: ${field}`, entry, special, depth + 1)
  }
  return copy
}

/** The numbers alone: a view may be a part of a large buffer. */
function copyView(view: ArrayBufferView): ArrayBufferView {
  return 'slice' in view
    ? (view as Float64Array).slice()
    : new DataView(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) as ArrayBuffer)
}

/** What structured clone takes as it is, and holds nothing of ours. */
function isCloned(value: object): boolean {
  return value instanceof ArrayBuffer || /^\[object (Date|RegExp|Boolean|Number|String|BigInt)\]$/.test(tagOf(value))
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value)
}

function classOf(value: object): string {
  const { name } = value.constructor
  return name === '' ? 'an object of a class' : `an object of class ${name}`
}

/** What comes out of a port, with handles and shapes in place of what stands for them. Changes `value` itself. */
export function decode(
  value: unknown,
  handle: (data: HandleData) => unknown,
  shape: (id: number) => unknown = () => undefined,
): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) {
    for (let k = 0; k < value.length; k++) {
      if (typeof value[k] === 'object') value[k] = decode(value[k], handle, shape)
    }
    return value
  }
  if (HANDLE in value) return handle(value as HandleData)
  if (SHAPE in value) return shape(value[SHAPE] as number)
  const fields = value as Record<string, unknown>
  for (const field of Object.keys(fields)) {
    if (typeof fields[field] === 'object') fields[field] = decode(fields[field], handle, shape)
  }
  return value
}
