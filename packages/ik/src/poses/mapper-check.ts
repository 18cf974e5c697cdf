/** Checks a mapper of poses once: it may come from a file or a worker. */

import { finite, knownFields, object, shown } from '@tautline/core/kernel'
import type { MapperSide, PoseMapper } from './mapper-side.js'
import { checkPoseData, checkTree } from './pose-data.js'

const known = /* @__PURE__ */ new WeakSet<PoseMapper>()

const SIDE: readonly (keyof MapperSide)[] = [
  'names',
  'parent',
  'order',
  'unit',
  'mirror',
  'rest',
  'partner',
  'offset',
  'scale',
  'locked',
  'task',
  'chainStart',
  'chainBones',
  'twist',
  'bend',
  'world',
]

/** Notes that a mapper is as it should be. */
export function trustMapper(mapper: PoseMapper): PoseMapper {
  known.add(mapper)
  return mapper
}

/** Refuses what is no mapper. */
export function checkMapper(where: string, mapper: PoseMapper): void {
  if (known.has(mapper)) return
  const { low, high } = knownFields(`${where}: mapper`, object(`${where}: mapper`, mapper), [
    'low',
    'high',
  ]) as unknown as PoseMapper
  checkSide(`${where}: mapper: low`, low)
  checkSide(`${where}: mapper: high`, high)
  checkLinks(`${where}: mapper: low`, low, high)
  checkLinks(`${where}: mapper: high`, high, low)
  trustMapper(mapper)
}

function checkSide(where: string, side: MapperSide): void {
  knownFields(where, object(where, side), SIDE)
  const count = checkTree(where, side).names.length
  list(where, 'parent', side.parent, Int32Array, count)
  list(where, 'order', side.order, Int32Array, count)
  list(where, 'unit', side.unit, Float64Array, 3 * count)
  list(where, 'mirror', side.mirror, Float64Array, 3 * count)
  list(where, 'partner', side.partner, Int32Array, count)
  list(where, 'locked', side.locked, Uint8Array, count)
  list(where, 'task', side.task, Int32Array, count)
  list(where, 'chainStart', side.chainStart, Int32Array)
  list(where, 'chainBones', side.chainBones, Int32Array)
  list(where, 'twist', side.twist, Float64Array, side.chainBones.length)
  list(where, 'bend', side.bend, Float64Array, side.chainBones.length)
  finite(`${where}: scale`, side.scale)
  for (const name of ['rest', 'offset', 'world'] as const) checkPoseData(`${where}: ${name}`, side[name], count)
}

/** Rows that a side points at must be there. */
function checkLinks(where: string, side: MapperSide, other: MapperSide): void {
  const count = side.names.length
  within(`${where}: parent`, side.parent, -1, count)
  within(`${where}: order`, side.order, 0, count)
  within(`${where}: partner`, side.partner, -1, other.names.length)
  within(`${where}: chainBones`, side.chainBones, 0, count)
  within(`${where}: chainStart`, side.chainStart, 0, side.chainBones.length + 1)
  within(`${where}: task`, side.task, -3, side.chainStart.length - 1)
}

function within(where: string, rows: Int32Array, least: number, end: number): void {
  rows.forEach((row, k) => {
    if (row < least || row >= end) throw new RangeError(`${where}[${k}] must be within [${least}, ${end}), got ${row}`)
  })
}

type List = Int32ArrayConstructor | Float64ArrayConstructor | Uint8ArrayConstructor

function list(where: string, name: string, value: unknown, kind: List, length?: number): void {
  if (!(value instanceof kind)) throw new TypeError(`${where}: ${name} must be a ${kind.name}, got ${shown(value)}`)
  if (length !== undefined && value.length !== length) {
    throw new RangeError(`${where}: ${name} must have ${length} entries, got ${value.length}`)
  }
}
