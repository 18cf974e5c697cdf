/** A soft body as plain data, and back. */

import type { Body, Constraint } from '@tautline/core'
import { array, finiteVector, integer, knownFields, nonNegative, object, oneOf, SOLVERS } from '@tautline/core/kernel'
import type { SceneReader, SceneWriter } from '../scene.js'
import type { Pin } from '../cloth/pins.js'
import type { SoftBodyAsset } from './asset.js'
import { MODELS, type SoftBodySettings } from './definition.js'
import { gathered, type SoftBodyState } from './state.js'

const FIELDS = ['asset', 'settings', 'nodes', 'rows', 'pins']
/** What of an asset is plain lists of numbers, and what they count: nothing, nodes, or vertices. */
const LISTS = ['positions', 'tetrahedra', 'surface', 'indices', 'vertexOf', 'shares'] as const
const NUMBERS = ['density', 'youngsModulus', 'poissonRatio', 'damping', 'linearDamping', 'radius', 'friction'] as const

/** What `SoftBody.write` gives. */
export function writeSoftBody(scene: SceneWriter, settings: SoftBodySettings, state: SoftBodyState): object {
  const { asset } = state
  const { embedding, report } = asset
  const { plasticity, ...rest } = settings
  return {
    asset: {
      ...Object.fromEntries(LISTS.map((name) => [name, Array.from(asset[name])])),
      embedding: { nodes: Array.from(embedding.nodes), weights: Array.from(embedding.weights) },
      report,
    },
    settings: plasticity === undefined ? rest : { ...rest, plasticity },
    nodes: state.nodes.map((node) => scene.body(node)),
    rows: state.rows.filter(({ alive }) => alive).map((row) => scene.constraint(row)),
    pins: state.pins.map(({ vertex, body, local, joint }) => [
      vertex,
      body === undefined ? -1 : scene.body(body),
      local,
      joint === undefined ? -1 : scene.constraint(joint),
    ]),
  }
}

/** What a soft body is read back from. */
export interface ReadSoftBody {
  readonly settings: SoftBodySettings
  readonly state: SoftBodyState
}

/** Checks what {@link writeSoftBody} gave, and makes of it what it was. */
export function readSoftBodyJson(where: string, scene: SceneReader, data: unknown): ReadSoftBody {
  const json = knownFields(where, object(where, data), FIELDS) as Record<string, unknown>
  const asset = readAsset(`${where}: asset`, json.asset)
  const nodes = array(`${where}: nodes`, json.nodes).map((index, v) => scene.body(`${where}: nodes[${v}]`, index))
  if (nodes.length !== asset.shares.length) {
    throw new RangeError(`${where}: nodes must be ${asset.shares.length}, as of the asset, got ${nodes.length}`)
  }
  const rows = array(`${where}: rows`, json.rows).map((index, k): Constraint =>
    scene.constraint(`${where}: rows[${k}]`, index),
  )
  const pins = array(`${where}: pins`, json.pins).map((entry, k): Pin => {
    const at = `${where}: pins[${k}]`
    const [vertex, holder, local, joint] = array(at, entry)
    const [x, y, z] = Array.from(finiteVector(`${at}: local`, local, 3))
    const body: Body | undefined = holder === -1 ? undefined : scene.body(at, holder)
    return {
      vertex: integer(`${at}: vertex`, vertex, 0, nodes.length - 1),
      body,
      local: [x, y, z],
      joint: joint === -1 ? undefined : scene.constraint(at, joint),
    }
  })
  return { settings: readSettings(`${where}: settings`, json.settings), state: gathered({ asset, nodes, rows, pins }) }
}

function readAsset(where: string, value: unknown): SoftBodyAsset {
  const json = knownFields(where, object(where, value), [...LISTS, 'embedding', 'report']) as Record<string, unknown>
  const floats = (at: string, list: unknown): Float64Array =>
    Float64Array.from(finiteVector(at, array(at, list), array(at, list).length))
  const numbers = (at: string, list: unknown, most: number): Uint32Array =>
    Uint32Array.from(array(at, list), (entry, k) => integer(`${at}[${k}]`, entry, 0, most))
  const positions = floats(`${where}: positions`, json.positions)
  const count = positions.length / 3
  const shares = floats(`${where}: shares`, json.shares)
  if (shares.length !== count) throw new RangeError(`${where}: shares must be ${count} numbers, got ${shares.length}`)
  const vertexOf = numbers(`${where}: vertexOf`, json.vertexOf, 0xffffffff)
  const riding = object(`${where}: embedding`, json.embedding)
  // With no node left all numbers are 0, and no weight counts.
  const nodes = numbers(`${where}: embedding: nodes`, riding.nodes, Math.max(count - 1, 0))
  const weights = floats(`${where}: embedding: weights`, riding.weights)
  if (nodes.length !== 4 * vertexOf.length || weights.length !== nodes.length) {
    throw new RangeError(
      `${where}: embedding must be four nodes and weights a vertex, got ${nodes.length} and ${weights.length}`,
    )
  }
  return {
    positions,
    tetrahedra: numbers(`${where}: tetrahedra`, json.tetrahedra, count - 1),
    surface: numbers(`${where}: surface`, json.surface, count - 1),
    indices: numbers(`${where}: indices`, json.indices, vertexOf.length - 1),
    embedding: { nodes, weights },
    vertexOf,
    shares,
    report: object(`${where}: report`, json.report) as unknown as SoftBodyAsset['report'],
  }
}

function readSettings(where: string, value: unknown): SoftBodySettings {
  const json = { solver: 'auto', plasticity: undefined, ...object(where, value) } as unknown as SoftBodySettings
  oneOf(`${where}: model`, json.model, MODELS)
  oneOf(`${where}: solver`, json.solver, SOLVERS)
  for (const name of NUMBERS) nonNegative(`${where}: ${name}`, json[name])
  return json
}
