/** Reads back what `Assemblies.toJSON` writes. Apart from it, so that a page that saves nothing does not carry it. */

import { Body, LeanWorld } from '@tautline/core'
import {
  array,
  callable,
  instance,
  integer,
  knownFields,
  object,
  shown,
  type StageReader,
  WORLD_BODY,
} from '@tautline/core/kernel'
import type { Assembly } from './assembly.js'
import type { SceneReader } from './scene.js'
import { Assemblies } from './assemblies.js'
import { readLod } from './parts/lod-json.js'

/** Makes an assembly anew from what its `write` gave; bodies and constraints of the scene are there already. */
export interface AssemblyKind {
  /** As in {@link Assembly.kind}. */
  readonly kind: string
  /** Throws `TypeError`/`RangeError` for data that no assembly would have written. */
  read(owner: Assemblies, scene: SceneReader, name: string | undefined, data: unknown): Assembly
}

/** Generation that no body has. */
const GONE = -1

const WHERE = 'assembliesFromJSON'

/**
 * The reader of assemblies for `fromJSON`: `fromJSON(json, types, { assemblies: assembliesFromJSON([clothKind, ropeKind]) })`. Kinds that the scene has
 * and that are not given are errors that name them.
 */
export function assembliesFromJSON(kinds: readonly AssemblyKind[]): StageReader {
  array(`${WHERE}: kinds`, kinds).forEach((entry, k) => {
    const { kind, read } = object(`${WHERE}: kinds[${k}]`, entry)
    if (typeof kind !== 'string') throw new TypeError(`${WHERE}: kinds[${k}].kind must be a text, got ${shown(kind)}`)
    callable(`${WHERE}: kinds[${k}].read`, read)
  })
  return (world, data, bodies) => {
    instance(`${WHERE}: world`, world, LeanWorld, 'a World')
    array(`${WHERE}: bodies`, bodies).forEach((body, k) => instance(`${WHERE}: bodies[${k}]`, body, Body, 'a body'))
    const constraints = world.constraints()
    const body = (where: string, index: unknown): Body => bodies[integer(where, index, 0, bodies.length - 1)]
    const gone = new Body(world.bodies, WORLD_BODY, GONE, undefined)
    const scene: SceneReader = {
      world,
      body,
      bodyOrGone: (where, index) => (index === -1 ? gone : body(where, index)),
      constraint: (where, index) => constraints[integer(where, index, 0, constraints.length - 1)],
    }
    const owner = Assemblies.of(world)
    array(`${WHERE}: data`, data).forEach((entry, k) => {
      const {
        kind,
        name,
        data: own,
        lod,
      } = knownFields(`${WHERE}: data[${k}]`, entry, ['kind', 'name', 'data', 'lod']) as Record<string, unknown>
      const found = kinds.find((candidate) => candidate.kind === kind)
      if (found === undefined) {
        throw new RangeError(
          `${WHERE}: kinds must have ${String(kind)}, got ${kinds.map((known) => known.kind).join(', ') || 'none'}`,
        )
      }
      if (name !== undefined && typeof name !== 'string')
        throw new TypeError(`${WHERE}: name must be a text, got ${typeof name}`)
      const made = owner.add(found.read(owner, scene, name, own))
      if (lod === undefined) return
      made.takeLod((fields, contacts) => readLod(`${WHERE}: ${made.label}: lod`, scene, fields, contacts, lod))
    })
  }
}
