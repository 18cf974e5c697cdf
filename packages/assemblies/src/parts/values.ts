/** Values that may differ from vertex to vertex. */

import { finite, knownFields, nonNegative, object, shown } from '@tautline/core/kernel'
import { listed } from './mesh.js'

/** One value for all, one a vertex of the mesh that was given, or a map of shares 0 … 1 between two values. */
export type VertexValues = number | ArrayLike<number> | { low: number; high: number; map: ArrayLike<number> }

/** Which vertex of the welded mesh the given ones are. */
export interface VertexMap {
  readonly vertexOf: Uint32Array
  readonly count: number
}

/** Whether it is an object that is no list. */
export function isPlain(values: unknown): values is object & { map: ArrayLike<number> } {
  return typeof values === 'object' && values !== null && !ArrayBuffer.isView(values) && !Array.isArray(values)
}

/** Values by vertex of the welded mesh: where several of the given ones became one, that of the first. Infinity is allowed where `endless`. */
export function valuesOf(where: string, values: VertexValues, map: VertexMap, endless = false): Float64Array {
  const check = (at: string, value: unknown): number =>
    endless && value === Infinity ? Infinity : nonNegative(at, value)
  const out = new Float64Array(map.count)
  if (typeof values === 'number') return out.fill(check(where, values))
  const isMap = isPlain(values)
  const list = listed(isMap ? `${where}: map` : where, isMap ? values.map : values)
  if (list.length !== map.vertexOf.length) {
    throw new RangeError(`${where} must be one a vertex (${map.vertexOf.length}), got ${list.length}`)
  }
  let low = 0
  let range = 1
  if (isMap) {
    knownFields(where, object(where, values), ['low', 'high', 'map'])
    low = finite(`${where}: low`, values.low)
    range = finite(`${where}: high`, values.high) - low
  }
  for (let v = list.length - 1; v >= 0; v--) {
    const share = list[v]
    if (isMap && !(share >= 0 && share <= 1)) {
      throw new RangeError(`${where}: map[${v}] must be within [0, 1], got ${shown(share)}`)
    }
    const value = check(`${where}[${v}]`, isMap ? low + range * share : share)
    if (map.vertexOf[v] < map.count) out[map.vertexOf[v]] = value
  }
  return out
}
