/** Levels of detail as plain data, and back. */

import type { Body } from '@tautline/core'
import { array, finiteVector, flag, integer, knownFields, nonNegative, object } from '@tautline/core/kernel'
import type { SceneReader, SceneWriter } from '../scene.js'
import { type LodDef, type LodField, type MadeContacts, planLod } from './lod.js'
import type { LodState, StillBody } from './lod-state.js'

const FIELDS = ['levels', 'hysteresis', 'frame', 'level', 'returning', 'credit', 'still']
/** Position and orientation on a frame. */
const PLACE = 7

/** What the JSON of a scene holds of the level of an assembly. */
export function writeLod(scene: SceneWriter, fields: readonly LodField[], state: LodState): object {
  const { plan, level, returning, credit, still } = state
  return {
    levels: plan.levels
      .slice(1)
      .map((entry) => Object.fromEntries((['distance', ...fields] as const).map((field) => [field, entry[field]]))),
    hysteresis: plan.hysteresis,
    frame: plan.frame === undefined ? -1 : scene.body(plan.frame),
    level,
    returning,
    credit,
    still: still.filter(({ body }) => body.alive).map(({ body, local }) => [scene.body(body), local ?? null]),
  }
}

/** Checks what {@link writeLod} gave, and makes of it what it was. */
export function readLod(
  where: string,
  scene: SceneReader,
  fields: readonly LodField[],
  made: MadeContacts,
  data: unknown,
): LodState {
  const json = knownFields(where, object(where, data), FIELDS) as Record<string, unknown>
  const frame = json.frame === -1 ? {} : { frame: scene.body(`${where}: frame`, json.frame) }
  const { levels, hysteresis } = json as unknown as LodDef
  const plan = planLod(where, scene.world, { levels, hysteresis, ...frame } as LodDef, fields, made)
  return {
    plan,
    level: integer(`${where}: level`, json.level, 0, plan.levels.length - 1),
    returning: flag(`${where}: returning`, json.returning),
    credit: nonNegative(`${where}: credit`, json.credit),
    still: array(`${where}: still`, json.still).map((entry, k) => readStill(`${where}: still[${k}]`, scene, entry)),
  }
}

function readStill(where: string, scene: SceneReader, entry: unknown): StillBody {
  const [index, local] = array(where, entry)
  const body: Body = scene.body(`${where}: body`, index)
  return { body, local: local === null ? undefined : Array.from(finiteVector(`${where}: place`, local, PLACE)) }
}
