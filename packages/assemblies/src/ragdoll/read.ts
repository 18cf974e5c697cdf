/** Reads ragdolls back from the JSON of a scene: `assembliesFromJSON([ragdollKind])`. */

import { shapeFromJSON, type ShapeJson } from '@tautline/collision'
import { Body, type Constraint } from '@tautline/core'
import {
  array,
  finite,
  finiteVector,
  flag,
  inContext,
  integer,
  knownFields,
  object,
  oneOf,
} from '@tautline/core/kernel'
import { type Role, ROLES } from '@tautline/ik/roles'
import type { SceneReader } from '../scene.js'
import type { AssemblyKind } from '../from-json.js'
import type { Quat, Vec3 } from './algebra.js'
import type { RagdollAsset, RagdollPart } from './data.js'
import { type RagdollSettings, resolveSettings } from './definition.js'
import { COLUMNS, type Motion, motionOf, WEIGHTS } from './motion.js'
import { COORDINATES, type PartJoint, type PartJointKind } from './part-joint.js'
import { checkProfiles } from './profiles.js'
import { Ragdoll } from './ragdoll.js'
import type { Skeleton } from './skeleton.js'
import { gathered, type RagdollState } from './state.js'
import { SKELETON_LISTS } from './write.js'

type Json = Record<string, unknown>

/** The kind of ragdolls, for `assembliesFromJSON`. */
export const ragdollKind: AssemblyKind = {
  kind: 'ragdoll',
  read(owner, scene, name, data) {
    const where = 'assembliesFromJSON: ragdoll'
    const json = knownFields(where, object(where, data), [
      'settings',
      'asset',
      'bodies',
      'joints',
      'pins',
      'held',
      'motion',
    ]) as Json
    const asset = readRagdollAsset(json.asset, `${where}: asset`)
    const settings: RagdollSettings = resolveSettings(`${where}: settings`, object(`${where}: settings`, json.settings))
    checkProfiles(`${where}: settings`, asset, settings.profiles)
    const state = readState(where, scene, asset, json)
    const motion = readMotion(`${where}: motion`, asset, json.motion)
    return new Ragdoll(owner, scene.world, name, asset, settings, state, motion)
  },
}

/** Reads an asset that `JSON.stringify(writeRagdollAsset(asset))` made. Throws `TypeError`/`RangeError` for what no asset would have written. */
export function readRagdollAsset(data: unknown, where = 'readRagdollAsset'): RagdollAsset {
  const fields = ['skeleton', 'parts', 'partOf', 'roles', 'overlaps', 'stature', 'mass']
  const json = knownFields(where, object(where, data), fields) as Json
  const skeleton = readSkeleton(`${where}: skeleton`, json.skeleton)
  const n = skeleton.names.length
  const list = array(`${where}: parts`, json.parts)
  const parts = list.map((part, k) => readPart(`${where}: parts[${k}]`, part, k, n))
  if (parts.length === 0) throw new RangeError(`${where}: parts must be at least one, got none`)
  const partOf = Int32Array.from(array(`${where}: partOf`, json.partOf), (part, k) =>
    integer(`${where}: partOf[${k}]`, part, -1, parts.length - 1),
  )
  if (partOf.length !== n) throw new RangeError(`${where}: partOf must be ${n}, one a bone, got ${partOf.length}`)
  const roles =
    json.roles === undefined ? undefined : knownFields(`${where}: roles`, object(`${where}: roles`, json.roles), ROLES)
  for (const [role, row] of Object.entries(roles ?? {})) integer(`${where}: roles.${role}`, row, 0, n - 1)
  const overlaps = array(`${where}: overlaps`, json.overlaps).map((pair, k): [number, number] => {
    const at = `${where}: overlaps[${k}]`
    const [a, b] = array(at, pair)
    return [integer(at, a, 0, parts.length - 1), integer(at, b, 0, parts.length - 1)]
  })
  return {
    skeleton,
    parts,
    partOf,
    roles: roles as RagdollAsset['roles'],
    overlaps,
    stature: finite(`${where}: stature`, json.stature),
    mass: finite(`${where}: mass`, json.mass),
  }
}

function readSkeleton(where: string, data: unknown): Skeleton {
  const json = knownFields(where, object(where, data), ['names', 'parent', 'order', ...SKELETON_LISTS]) as Json
  const names = array(`${where}: names`, json.names).map(String)
  const n = names.length
  const rows = (field: string, least: number): Int32Array => {
    const at = `${where}: ${field}`
    const found = Int32Array.from(array(at, json[field]), (row, k) => integer(`${at}[${k}]`, row, least, n - 1))
    if (found.length !== n) throw new RangeError(`${at} must be ${n}, one a bone, got ${found.length}`)
    return found
  }
  const lists = SKELETON_LISTS.map((name) => {
    const stride = name === 'rotations' || name === 'worldRotations' ? 4 : 3
    return [
      name,
      Float64Array.from(finiteVector(`${where}: ${name}`, array(`${where}: ${name}`, json[name]), stride * n)),
    ]
  })
  return {
    ...(Object.fromEntries(lists) as unknown as Skeleton),
    names,
    parent: rows('parent', -1),
    order: rows('order', 0),
    tips: new Float64Array(3 * n).fill(NaN),
    matter: names.map(() => undefined),
    joints: names.map(() => undefined),
  }
}

function readPart(where: string, data: unknown, k: number, bones: number): RagdollPart {
  const fields = ['name', 'bone', 'role', 'parent', 'matter', 'shape', 'position', 'turn', 'joint']
  const json = knownFields(where, object(where, data), fields) as Json
  const matter = knownFields(`${where}: matter`, object(`${where}: matter`, json.matter), [
    'mass',
    'centre',
    'moments',
    'axes',
  ]) as Json
  const parent = integer(`${where}: parent`, json.parent, -1, k - 1)
  return {
    name: String(json.name),
    bone: integer(`${where}: bone`, json.bone, 0, bones - 1),
    role: json.role === undefined ? undefined : (oneOf(`${where}: role`, json.role, ROLES) as Role),
    parent,
    matter: {
      mass: finite(`${where}: mass`, matter.mass),
      centre: three(`${where}: centre`, matter.centre),
      moments: three(`${where}: moments`, matter.moments),
      axes: four(`${where}: axes`, matter.axes),
    },
    shape: inContext(`${where}: shape`, () => shapeFromJSON(json.shape as ShapeJson)),
    position: three(`${where}: position`, json.position),
    turn: four(`${where}: turn`, json.turn),
    joint: json.joint === undefined ? undefined : readJoint(`${where}: joint`, json.joint),
  }
}

function readJoint(where: string, data: unknown): PartJoint {
  const fields = ['kind', 'anchor', 'frameA', 'frameB', 'limits', 'cone', 'strength', 'inertia']
  const json = knownFields(where, object(where, data), fields, ['strength']) as Json
  const kind = oneOf(`${where}: kind`, json.kind, Object.keys(COORDINATES)) as PartJointKind
  const limits = array(`${where}: limits`, json.limits).map((bound, k) => {
    if (bound === null) return k % 2 === 0 ? -Infinity : Infinity
    return finite(`${where}: limits[${k}]`, bound)
  })
  return {
    kind,
    anchor: three(`${where}: anchor`, json.anchor),
    frameA: four(`${where}: frameA`, json.frameA),
    frameB: four(`${where}: frameB`, json.frameB),
    limits,
    cone: flag(`${where}: cone`, json.cone),
    strength: json.strength === null ? Infinity : finite(`${where}: strength`, json.strength),
    inertia: finite(`${where}: inertia`, json.inertia),
  }
}

function readState(where: string, scene: SceneReader, asset: RagdollAsset, json: Json): RagdollState {
  const n = asset.parts.length
  const list = (field: string): readonly unknown[] => {
    const found = array(`${where}: ${field}`, json[field])
    if (found.length !== n) throw new RangeError(`${where}: ${field} must be ${n}, one a part, got ${found.length}`)
    return found
  }
  const row = (at: string, index: unknown): Constraint | undefined =>
    index === -1 ? undefined : scene.constraint(at, index)
  const pins = list('pins').map((pair, k) => {
    const at = `${where}: pins[${k}]`
    const [point, turn] = array(at, pair).map((index) => row(at, index))
    return point === undefined || turn === undefined ? undefined : { point, turn }
  })
  return gathered({
    bodies: list('bodies').map((index, k) => {
      // One that was removed is as stale as it was.
      return index === -1 ? new Body(scene.world.bodies, 0, -1, undefined) : scene.body(`${where}: bodies[${k}]`, index)
    }),
    joints: list('joints').map((index, k) => row(`${where}: joints[${k}]`, index)),
    pins,
    held: array(`${where}: held`, json.held).map((entry, k) => {
      const at = `${where}: held[${k}]`
      const { part, body, joint } = knownFields(at, object(at, entry), ['part', 'body', 'joint']) as Json
      return {
        part: integer(`${at}: part`, part, 0, n - 1),
        body: scene.body(`${at}: body`, body),
        joint: scene.constraint(`${at}: joint`, joint),
      }
    }),
  })
}

function readMotion(where: string, asset: RagdollAsset, data: unknown): Motion {
  const json = knownFields(where, object(where, data), [
    'weights',
    'target',
    'time',
    'driven',
    'bears',
    ...COLUMNS,
  ]) as Json
  const motion = motionOf(asset)
  const weights = knownFields(`${where}: weights`, object(`${where}: weights`, json.weights), WEIGHTS) as Json
  for (const name of WEIGHTS) {
    const at = `${where}: ${name}`
    // None is the joint's own, −1 beyond all.
    const values = array(at, weights[name]).map((value) =>
      value === null ? NaN : value === -1 ? Infinity : finite(at, value),
    )
    take(at, motion.weights[name], values)
  }
  for (const name of COLUMNS) take(`${where}: ${name}`, motion[name], numbers(`${where}: ${name}`, json[name]))
  const target = knownFields(`${where}: target`, object(`${where}: target`, json.target), [
    'positions',
    'rotations',
  ]) as Json
  take(`${where}: target: positions`, motion.target.positions, numbers(`${where}: positions`, target.positions))
  take(`${where}: target: rotations`, motion.target.rotations, numbers(`${where}: rotations`, target.rotations))
  motion.time = finite(`${where}: time`, json.time)
  motion.driven = flag(`${where}: driven`, json.driven)
  motion.bears = finite(`${where}: bears`, json.bears)
  return motion
}

function numbers(where: string, value: unknown): number[] {
  const list = array(where, value)
  return Array.from(finiteVector(where, list, list.length))
}

function take(where: string, column: Float64Array, values: readonly number[]): void {
  if (values.length !== column.length)
    throw new RangeError(`${where} must be ${column.length} numbers, got ${values.length}`)
  column.set(values)
}

function three(where: string, value: unknown): Vec3 {
  const [x, y, z] = Array.from(finiteVector(where, value, 3))
  return [x, y, z]
}

function four(where: string, value: unknown): Quat {
  const [x, y, z, w] = Array.from(finiteVector(where, value, 4))
  return [x, y, z, w]
}
