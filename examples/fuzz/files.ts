/** Mutated files of every format that is read: within their time, and read or refused. */

import { WebIO } from '@gltf-transform/core'
import {
  assembliesFromJSON,
  clothKind,
  pulleysKind,
  ragdollKind,
  rodKind,
  ropeKind,
  softBodyKind,
  vehicleKind,
} from '@tautline/assemblies'
import { collisionsFromJSON } from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import { fromJSON } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import { literal } from '@tautline/fast-check'
import { Rig } from '@tautline/ik'
import { parseBvh } from '@tautline/ik/bvh'
import { fromGltf, type GltfDocument } from '@tautline/ik/gltf'
import { parseMjcf } from '@tautline/ik/mjcf'
import { parseUrdf } from '@tautline/ik/urdf'
import { Failure, type FailureKind, isRefusal } from './failure.js'
import { type Format, FORMATS, SEEDS } from './file-seeds.js'
import { mutateJson, mutateText } from './mutate.js'
import { pick, randomFrom } from './random.js'
import { Hang, used, within } from './within.js'

export { type Format, FORMATS } from './file-seeds.js'

/** What was read. */
export type FileTally = Record<Format, { read: number; refused: number }> & { longest: number }

export function newFileTally(): FileTally {
  const counts = Object.fromEntries(FORMATS.map((format) => [format, { read: 0, refused: 0 }]))
  return { ...counts, longest: 0 } as FileTally
}

/** A file of a few kilobytes that is not read by then hangs [ms]. */
const LONG = 2000
/** And is ended by then, on a machine that does other things as well [ms]. */
const LIMIT = 10 * LONG
/** Most tries at a smaller file. */
const TRIES = 400
const SLOW_TRIES = 10

const TYPES = Object.values(constraints).filter((type) => typeof type === 'object') as unknown as AnyType[]
const KINDS = [clothKind, ropeKind, rodKind, pulleysKind, vehicleKind, softBodyKind, ragdollKind]
const IO = new WebIO()

/** Reads a file of the format and uses it; throws what it throws. */
type Read = () => unknown

/** What is not a number, in bones or poses. */
class NotFinite extends Error {}

function checkBones(bones: Parameters<typeof Rig.from>[0]): void {
  const rig = Rig.from(bones)
  for (const column of [rig.restPosition, rig.restRotation, rig.tip]) {
    if (!column.every(Number.isFinite)) throw new NotFinite('a bone is not finite')
  }
}

function readScene(text: string): void {
  const stages = { collisions: collisionsFromJSON, assemblies: assembliesFromJSON(KINDS) }
  const world = fromJSON(JSON.parse(text), TYPES, stages, { sweeps: 200 })
  for (let k = 0; k < 2; k++) world.step()
  const { columns, count } = world.bodies
  for (const column of [columns.position, columns.orientation]) {
    if (!column.subarray(0, 4 * count).every(Number.isFinite)) throw new NotFinite('a pose is not finite')
  }
}

function readMotion(text: string): void {
  const bvh = parseBvh(text)
  checkBones(bvh.bones)
  const count = bvh.bones.length
  const pose = { positions: new Float64Array(3 * count), rotations: new Float64Array(4 * count) }
  if (bvh.frameCount > 0) bvh.pose(0, pose)
  if (!pose.rotations.every(Number.isFinite)) throw new NotFinite('a pose is not finite')
}

/** What reads a text; nothing where another's reader refuses it first, as that of glTF does. */
async function readerOf(format: Format, text: string): Promise<Read | undefined> {
  if (format === 'scene' || format === 'collisions' || format === 'assemblies') return () => readScene(text)
  if (format === 'bvh') return () => readMotion(text)
  if (format === 'urdf') return () => checkBones(parseUrdf(text).bones)
  if (format === 'mjcf') return () => checkBones(parseMjcf(text).bones)
  let document: GltfDocument
  try {
    document = (await IO.readJSON({ json: JSON.parse(text), resources: {} })) as unknown as GltfDocument
  } catch {
    return undefined
  }
  return () => checkBones(fromGltf(document, { scale: 'bake' }).bones)
}

const CALLS: Readonly<Record<Format, readonly string[]>> = {
  scene: [],
  collisions: [],
  assemblies: [],
  bvh: [
    "import { Rig } from '@tautline/ik'",
    "import { parseBvh } from '@tautline/ik/bvh'",
    'Rig.from(parseBvh(text).bones)',
  ],
  urdf: [
    "import { Rig } from '@tautline/ik'",
    "import { parseUrdf } from '@tautline/ik/urdf'",
    'Rig.from(parseUrdf(text).bones)',
  ],
  mjcf: [
    "import { Rig } from '@tautline/ik'",
    "import { parseMjcf } from '@tautline/ik/mjcf'",
    'Rig.from(parseMjcf(text).bones)',
  ],
  gltf: [
    "import { WebIO } from '@gltf-transform/core'",
    "import { Rig } from '@tautline/ik'",
    "import { fromGltf } from '@tautline/ik/gltf'",
    'const document = await new WebIO().readJSON({ json: JSON.parse(text), resources: {} })',
    "Rig.from(fromGltf(document, { scale: 'bake' }).bones)",
  ],
}
const SCENE_CALL = [
  "import * as assemblies from '@tautline/assemblies'",
  "import { collisionsFromJSON } from '@tautline/collision'",
  "import * as constraints from '@tautline/constraints'",
  "import { fromJSON } from '@tautline/core'",
  "const types = Object.values(constraints).filter((type) => typeof type === 'object')",
  'const { clothKind, ropeKind, rodKind, pulleysKind, vehicleKind, softBodyKind, ragdollKind } = assemblies',
  'const kinds = [clothKind, ropeKind, rodKind, pulleysKind, vehicleKind, softBodyKind, ragdollKind]',
  'const stages = { collisions: collisionsFromJSON, assemblies: assemblies.assembliesFromJSON(kinds) }',
  'const world = fromJSON(text, types, stages)',
  'world.step()',
  'world.step()',
]

function scriptOf(format: Format, text: string): string {
  const call = CALLS[format].length > 0 ? CALLS[format] : SCENE_CALL
  const imports = call.filter((line) => line.startsWith('import'))
  return [...imports, '', `const text = ${literal(text)}`, ...call.slice(imports.length), ''].join('\n')
}

/** How reading went: read, refused, or a failure. */
async function outcome(format: Format, text: string): Promise<'read' | 'refused' | Failure> {
  const read = await readerOf(format, text)
  if (read === undefined) return 'refused'
  const fail = (kind: FailureKind, message: string): Failure =>
    new Failure(kind, `${format}: ${message}`, scriptOf(format, text))
  try {
    const start = used()
    within(LIMIT, read)
    return used() - start > LONG ? fail('hang', `took longer than ${LONG} ms`) : 'read'
  } catch (error) {
    if (error instanceof Hang) return fail('hang', error.message)
    if (error instanceof NotFinite) return fail('NaN', error.message)
    return isRefusal(error) ? 'refused' : fail('internal error', String(error))
  }
}

/** Reads the file of a seed; a failure comes back with the smallest file that still fails so. */
export async function runFile(seed: number, format: Format, tally: FileTally): Promise<Failure | undefined> {
  const random = randomFrom(Math.imul(seed, 2654435761))
  random()
  const isJson = !['bvh', 'urdf', 'mjcf'].includes(format)
  const text = (isJson ? mutateJson : mutateText)(pick(random, SEEDS[format]), random)
  const start = used()
  const result = await outcome(format, text)
  tally.longest = Math.max(tally.longest, used() - start)
  if (typeof result !== 'string') return smallest(format, text, result, isJson)
  tally[format][result]++
  return undefined
}

/** Takes parts away, halves first, for as long as it fails the same. */
async function smallest(format: Format, text: string, failure: Failure, isJson: boolean): Promise<Failure> {
  let best = { text, failure }
  // Each try of what takes long is long, whether it fails or comes back just in time.
  const isSlow = failure.kind === 'hang'
  let tries = isSlow ? SLOW_TRIES : TRIES
  for (let size = text.length >> 1; size >= 1 && tries > 0; size >>= 1) {
    for (let at = 0; at < best.text.length && tries > 0;) {
      const shorter = best.text.slice(0, at) + best.text.slice(at + size)
      const result = isJson && !isText(shorter) ? 'refused' : await outcome(format, shorter)
      if (isSlow || typeof result !== 'string') tries--
      if (typeof result !== 'string' && result.name === best.failure.name) best = { text: shorter, failure: result }
      else at += size
    }
  }
  return best.failure
}

function isText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
