/** A cloth as plain data, and back. */

import type { Body, Constraint, LeanWorld } from '@tautline/core'
import { array, finiteVector, integer, knownFields, nonNegative, object, shown } from '@tautline/core/kernel'
import type { SceneReader, SceneWriter } from '../scene.js'
import type { ClothAsset } from './asset.js'
import { type ClothMotion, type ClothSettings, resolveMotion } from './definition.js'
import type { Pin } from './pins.js'
import type { ClothPart } from './rows.js'
import type { SkinPoint } from './skin.js'
import { type BuiltRow, type ClothState, gathered } from './state.js'
import { edgesOf } from '../parts/topology.js'
import { triangleAreas } from '../parts/mesh.js'
import { findThreads } from './threads.js'

/** Settings that are a number a vertex. */
const MAPS = [
  'density',
  'warp',
  'weft',
  'shear',
  'bend',
  'thickness',
  'strength',
  'maxDistance',
  'backstopDistance',
] as const
const PARTS: readonly ClothPart[] = ['stretch', 'shear', 'bend']
const FIELDS = ['asset', 'settings', 'motion', 'vertices', 'origin', 'triangles', 'rows', 'pins', 'tethers', 'skin']
const ASSET_FIELDS = ['positions', 'triangles', 'vertexOf', 'corners', 'woven', 'report']

/** What `Cloth.write` gives. Numbers beyond all are null. */
export function writeCloth(scene: SceneWriter, asset: ClothAsset, settings: ClothSettings, state: ClothState): object {
  const body = (it: Body | undefined): number => (it === undefined ? -1 : scene.body(it))
  const all = (list: readonly Constraint[]): number[] =>
    list.filter(({ alive }) => alive).map((it) => scene.constraint(it))
  const { motion, rows, pins, skin, tethers } = state
  return {
    asset: {
      positions: Array.from(asset.positions),
      triangles: Array.from(asset.triangles),
      vertexOf: Array.from(asset.vertexOf),
      corners: Array.from(asset.corners),
      woven: asset.threads !== undefined,
      report: asset.report,
    },
    settings: {
      ...settings,
      stretchLimit: settings.stretchLimit === Infinity ? null : settings.stretchLimit,
      ...Object.fromEntries(MAPS.map((name) => [name, compact(settings[name])])),
    },
    motion: { ...motion, frame: body(motion.frame) },
    vertices: state.vertices.map(body),
    origin: Array.from(state.origin),
    triangles: Array.from(state.triangles),
    rows: rows.map((row) => [
      PARTS.indexOf(row.part),
      row.kind,
      row.middle,
      row.vertices,
      row.triangles,
      all(row.constraints),
    ]),
    pins: pins.map((pin) => [
      pin.vertex,
      body(pin.body),
      pin.local,
      pin.joint === undefined ? -1 : scene.constraint(pin.joint),
    ]),
    tethers: all(tethers),
    skin: skin.map((point) => [point.vertex, body(point.place), body(point.centre), all(point.rows)]),
  }
}

/** One number where all are the same. */
function compact(values: Float64Array): (number | null) | (number | null)[] {
  const plain = (value: number): number | null => (value === Infinity ? null : value)
  return values.every((value) => value === values[0]) ? plain(values[0]) : Array.from(values, plain)
}

/** What a cloth is read back from. */
export interface ReadCloth {
  readonly asset: ClothAsset
  readonly settings: ClothSettings
  readonly state: ClothState
}

/** Checks what {@link writeCloth} gave, and makes of it what it was. */
export function readClothJson(where: string, scene: SceneReader, data: unknown): ReadCloth {
  const json = knownFields(where, object(where, data), FIELDS) as Record<string, unknown>
  const asset = readAsset(`${where}: asset`, json.asset)
  const settings = readSettings(`${where}: settings`, asset, json.settings)
  const list = (field: string): readonly unknown[] => array(`${where}: ${field}`, json[field])
  const body = (at: string, index: unknown): Body => scene.body(at, index)
  const some = (at: string, index: unknown): Body | undefined => (index === -1 ? undefined : body(at, index))
  const vertices = list('vertices').map((index, v) => scene.bodyOrGone(`${where}: vertices[${v}]`, index))
  const origin = numbers(`${where}: origin`, json.origin, asset.areas.length, vertices.length)
  const triangles = numbers(`${where}: triangles`, json.triangles, vertices.length, asset.triangles.length)
  const all = (at: string, indices: unknown): Constraint[] =>
    array(at, indices).map((index, k) => scene.constraint(`${at}[${k}]`, index))
  const vertex = (at: string, v: unknown): number => integer(at, v, 0, vertices.length - 1)
  const rows = list('rows')
    .map((entry, r): BuiltRow => {
      const at = `${where}: rows[${r}]`
      const [part, kind, middle, ends, over, constraints] = tuple(at, entry, 6)
      const made = all(`${at}: constraints`, constraints)
      return {
        part: PARTS[integer(`${at}: part`, part, 0, 2)],
        kind: integer(`${at}: kind`, kind, 0, 3),
        middle: integer(`${at}: middle`, middle, -1, vertices.length - 1),
        vertices: array(`${at}: vertices`, ends).map((v) => vertex(`${at}: vertices`, v)),
        triangles: array(`${at}: triangles`, over).map((t) =>
          integer(`${at}: triangles`, t, 0, triangles.length / 3 - 1),
        ),
        constraints: made,
      }
    })
    .filter(({ constraints }) => constraints.length > 0)
  const pins = list('pins').map((entry, k): Pin => {
    const at = `${where}: pins[${k}]`
    const [v, holder, local, joint] = tuple(at, entry, 4)
    const [x, y, z] = Array.from(finiteVector(`${at}: local`, local, 3))
    return {
      vertex: vertex(at, v),
      body: some(at, holder),
      local: [x, y, z],
      joint: joint === -1 ? undefined : scene.constraint(at, joint),
    }
  })
  const skin = list('skin').map((entry, k): SkinPoint => {
    const at = `${where}: skin[${k}]`
    const [v, place, centre, constraints] = tuple(at, entry, 4)
    return { vertex: vertex(at, v), place: some(at, place), centre: some(at, centre), rows: all(at, constraints) }
  })
  const motion = readMotion(`${where}: motion`, scene.world, json.motion, (index) =>
    some(`${where}: motion: frame`, index),
  )
  const tethers = all(`${where}: tethers`, json.tethers)
  const state = gathered({ vertices, origin, triangles, rows, pins, tethers, skin, motion, torn: [] })
  return { asset, settings, state }
}

function tuple(where: string, value: unknown, length: number): readonly unknown[] {
  const entries = array(where, value)
  if (entries.length !== length) throw new RangeError(`${where} must be ${length} entries, got ${entries.length}`)
  return entries
}

/** Numbers below `most`, `count` of them. */
function numbers(where: string, value: unknown, most: number, count: number): Uint32Array {
  const list = array(where, value)
  if (list.length !== count) throw new RangeError(`${where} must be ${count} numbers, got ${list.length}`)
  return Uint32Array.from(list, (entry, k) => integer(`${where}[${k}]`, entry, 0, most - 1))
}

function readAsset(where: string, value: unknown): ClothAsset {
  const json = knownFields(where, object(where, value), ASSET_FIELDS) as Record<string, unknown>
  const given = array(`${where}: positions`, json.positions)
  if (given.length % 3 !== 0)
    throw new RangeError(`${where}: positions must be x, y, z each, got ${given.length} numbers`)
  const positions = Float64Array.from(finiteVector(`${where}: positions`, given, given.length))
  const count = positions.length / 3
  const triangles = numbers(`${where}: triangles`, json.triangles, count, array(where, json.triangles).length)
  if (triangles.length % 3 !== 0)
    throw new RangeError(`${where}: triangles must be three numbers each, got ${triangles.length}`)
  const vertexOf = Uint32Array.from(array(`${where}: vertexOf`, json.vertexOf), (v) =>
    integer(`${where}: vertexOf`, v, 0, 0xffffffff),
  )
  const corners = numbers(`${where}: corners`, json.corners, vertexOf.length, triangles.length)
  const edges = edgesOf(triangles, count)
  const areas = new Float64Array(count)
  triangleAreas(positions, triangles).forEach((area, t) => {
    for (let k = 3 * t; k < 3 * t + 3; k++) areas[triangles[k]] += area / 3
  })
  const threads = json.woven === true ? findThreads(positions, triangles, edges) : undefined
  const report = object(`${where}: report`, json.report) as unknown as ClothAsset['report']
  return { positions, triangles, vertexOf, corners, edges, threads, areas, report }
}

function readSettings(where: string, asset: ClothAsset, value: unknown): ClothSettings {
  const json = object(where, value)
  const map = (name: string): Float64Array => {
    const given = json[name]
    const count = asset.areas.length
    const plain = (entry: unknown): number => (entry === null ? Infinity : nonNegative(`${where}: ${name}`, entry))
    if (!Array.isArray(given)) return new Float64Array(count).fill(plain(given))
    if (given.length !== count) throw new RangeError(`${where}: ${name} must be ${count} numbers, got ${given.length}`)
    return Float64Array.from(given, plain)
  }
  const limit = json.stretchLimit
  const settings = {
    ...json,
    stretchLimit: limit === null ? Infinity : nonNegative(`${where}: stretchLimit`, limit),
    ...Object.fromEntries(MAPS.map((name) => [name, map(name)])),
  } as unknown as ClothSettings
  for (const field of ['damping', 'maxCompression', 'tetherScale', 'friction', 'backstopRadius'] as const) {
    nonNegative(`${where}: ${field}`, settings[field])
  }
  return settings
}

function readMotion(
  where: string,
  world: LeanWorld,
  value: unknown,
  bodyAt: (index: unknown) => Body | undefined,
): ClothMotion {
  const json = knownFields(where, object(where, value), [
    'drag',
    'lift',
    'airDensity',
    'wind',
    'gust',
    'pressure',
    'frame',
    'linearInertia',
    'angularInertia',
  ]) as Record<string, unknown>
  const frame = bodyAt(json.frame)
  if (frame !== undefined && frame.bodies !== world.bodies)
    throw new RangeError(`${where}: frame must be of this world, got ${shown(frame)}`)
  return { ...resolveMotion(where, { ...json, frame: undefined } as never), frame }
}
