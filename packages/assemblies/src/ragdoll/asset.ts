/** The asset of a ragdoll: a skeleton with its parts, masses, shapes and joints. Immutable, plain data, shared by any number of ragdolls. */

import { closest } from '@tautline/collision'
import { inContext, knownFields, object, oneOf, positive, shown } from '@tautline/core/kernel'
import { type Quat, size, sum, times, rotated, type Vec3 } from './algebra.js'
import { bareOf, type Figure, figureOf, placeOf, shapeKind } from './figure.js'
import { fitPart, type Fitted, type PartShape } from './fit.js'
import { foldOf, rowOf } from './fold.js'
import { type HumanoidDetail, type Roles, rolesOf } from './humanoid.js'
import { jointsOf } from './joints.js'
import { type Matter, mattersOf } from './masses.js'
import { checkAsset, type RagdollAsset, type RagdollPart } from './data.js'
import type { PartJoint } from './part-joint.js'
import { pointsOfParts, type RagdollSkin, skinnedBones, skinPoints } from './skin.js'
import { type RagdollSource, skeletonOf } from './skeleton.js'
import { type LimitViolation, violationsOf, widened } from './validate.js'

/** What {@link ragdollAsset} takes besides the skeleton. */
export interface RagdollAssetOptions {
  /** Names of bones by role, in place of those found by name; `'none'` for a figure that is to be taken as no humanoid. @defaultValue found by name */
  roles?: Roles | 'none'
  /**
   * Of a humanoid: 11 parts (trunk in two, head, arms and legs in two each), 15 (hands and feet too) or 20 (abdomen, collar bones and toes too).
   * Of others, at most so many, the longest bones; `'all'` takes every bone that has a length. @defaultValue 15; of others all
   */
  detail?: HumanoidDetail | 'all' | number
  /** Names or roles of the bones that are parts, in place of `detail`; one of them carries all others. @defaultValue by `detail` */
  bones?: readonly string[]
  /** Length of the skeleton's unit [m]; 0.01 where it is in centimetres. @defaultValue 1 */
  scale?: number
  /** Vertices that parts are fitted to. @defaultValue none: by the bones */
  skin?: RagdollSkin
  /** Mass of the whole [kg]. @defaultValue of a humanoid 75 at a stature of 1.75 m, by the cube of its stature; of others by file, or density */
  mass?: number
  /** Of shapes whose mass nobody says [kg/m³]; of a humanoid, its mass is the volume of its shapes times this. @defaultValue 1000 */
  density?: number
  /** Of single parts, by bone or role [kg]; the others stay as they are. @defaultValue none */
  masses?: Readonly<Record<string, number>>
  /** Kind of all shapes, or by bone or role. @defaultValue boxes for trunk, hands and feet, else capsules */
  shapes?: PartShape | Readonly<Record<string, PartShape>>
  /** Whether limits that the rest pose violates are widened to hold it. @defaultValue false */
  widenLimits?: boolean
}

const FIELDS: readonly (keyof RagdollAssetOptions)[] = [
  'roles',
  'detail',
  'bones',
  'scale',
  'skin',
  'mass',
  'density',
  'masses',
  'shapes',
  'widenLimits',
]
/** Names of the options of assets. */
export const ASSET_FIELDS: readonly string[] = FIELDS

const SHAPES = ['capsule', 'taperedCapsule', 'box', 'hull', 'sphere'] as const

/** Parts that are nearer at rest than this share of their size never touch. */
const CLOSE = 0.05

/**
 * Makes parts of a skeleton: which bones, how heavy, which shapes, which joints. Throws `TypeError`/`RangeError` with what, which bone and the value.
 *
 * Masses of a humanoid: de Leva 1996. Ranges of its joints: AAOS 1965. See `docs/ragdolls.md`.
 */
export function ragdollAsset(source: RagdollSource, options: RagdollAssetOptions = {}): RagdollAsset {
  return assetOf('ragdollAsset', source, options)
}

/** The same, with `where` before messages. */
export function assetOf(where: string, source: RagdollSource, options: RagdollAssetOptions): RagdollAsset {
  knownFields(`${where}: options`, object(`${where}: options`, options), FIELDS)
  const scale = positive(`${where}: scale`, options.scale ?? 1)
  const skeleton = skeletonOf(where, source, scale)
  const roles = rolesOf(where, skeleton, options.roles)
  const points = options.skin === undefined ? undefined : skinPoints(`${where}: skin`, skeleton, options.skin, scale)
  const skinned = skinnedBones(skeleton, points)
  const { detail, bones } = options
  const choice = { ...(detail !== undefined && { detail }), ...(bones !== undefined && { bones }) }
  const fold = foldOf(where, skeleton, roles, choice, (row) => skinned[row] === 1)
  const figure = figureOf(where, skeleton, fold, roles)
  const kinds = shapeKinds(where, figure, options.shapes)
  const held = points && pointsOfParts(skeleton, points, fold.bones, fold.partOf)
  const shapes = fold.bones.map((row, part) =>
    inContext(`${where}: bone "${skeleton.names[row]}"`, () =>
      fitPart(kinds[part], held?.[part] ?? [], bareOf(figure, part)),
    ),
  )
  const matters = mattersOf(figure, shapes, {
    mass: options.mass === undefined ? undefined : positive(`${where}: mass`, options.mass),
    density: options.density === undefined ? undefined : positive(`${where}: density`, options.density),
    parts: byPart(`${where}: masses`, figure, options.masses, (at, mass) => positive(at, mass)),
  })
  const made = assembled(figure, shapes, matters, jointsOf(figure, matters))
  if (options.widenLimits === true) return widened(made)
  if (options.widenLimits !== undefined && options.widenLimits !== false) {
    throw new TypeError(`${where}: widenLimits must be a boolean, got ${shown(options.widenLimits)}`)
  }
  return made
}

function assembled(
  figure: Figure,
  shapes: readonly Fitted[],
  matters: readonly Matter[],
  joints: readonly (PartJoint | undefined)[],
): RagdollAsset {
  const { skeleton, fold, roles, stature } = figure
  const parts = fold.bones.map((bone, part): RagdollPart => {
    const { shape, position, turn } = shapes[part]
    const [name, role, parent] = [skeleton.names[bone], fold.roles[part], fold.parent[part]]
    return { name, bone, role, parent, matter: matters[part], shape, position, turn, joint: joints[part] }
  })
  return {
    skeleton,
    parts,
    partOf: fold.partOf,
    roles,
    overlaps: overlapsOf(figure, shapes),
    stature,
    mass: matters.reduce((total, { mass }) => total + mass, 0),
  }
}

/** Joints whose limits the rest pose violates, by part: what `validate` of a ragdoll says of its own pose. */
export function validateAsset(asset: RagdollAsset): LimitViolation[] {
  checkAsset('validateAsset: asset', asset)
  return violationsOf(asset)
}

function shapeKinds(where: string, figure: Figure, given: RagdollAssetOptions['shapes']): PartShape[] {
  const kinds = figure.fold.bones.map((_, part) => shapeKind(figure, part))
  if (given === undefined) return kinds
  if (typeof given === 'string') return kinds.fill(oneOf(`${where}: shapes`, given, SHAPES))
  for (const [part, kind] of byPart(`${where}: shapes`, figure, given, (at, value) => oneOf(at, value, SHAPES)))
    kinds[part] = kind
  return kinds
}

/** What is given by bone or role, by part. */
function byPart<Value>(
  where: string,
  { skeleton, fold, roles }: Figure,
  given: Readonly<Record<string, Value>> | undefined,
  check: (at: string, value: Value) => Value,
): Map<number, Value> {
  const found = new Map<number, Value>()
  for (const [name, value] of Object.entries(given === undefined ? {} : object(where, given))) {
    const row = rowOf(skeleton, roles, name)
    const part = row === undefined ? -1 : fold.bones.indexOf(row)
    if (part < 0) throw new RangeError(`${where}: must name parts, got ${shown(name)}`)
    found.set(part, check(`${where}.${name}`, value as Value))
  }
  return found
}

const A = /* @__PURE__ */ new Float64Array(12)
const B = /* @__PURE__ */ new Float64Array(12)
const out = /* @__PURE__ */ new Float64Array(10)

/** Pairs of parts, not joined to each other, that are in or close to each other at rest. */
function overlapsOf(figure: Figure, shapes: readonly Fitted[]): [number, number][] {
  const places = shapes.map(({ position, turn }, part) => {
    const { x, q } = placeOf(figure, part)
    return { at: sum(x, rotated(q, position)), turn: times(q, turn) }
  })
  const found: [number, number][] = []
  for (let i = 0; i < shapes.length; i++) {
    for (let j = i + 1; j < shapes.length; j++) {
      if (figure.fold.parent[j] === i || figure.fold.parent[i] === j) continue
      const reach = shapes[i].shape.reach + shapes[j].shape.reach
      const margin = CLOSE * Math.min(shapes[i].shape.reach, shapes[j].shape.reach)
      const apart = size([0, 1, 2].map((k) => places[i].at[k] - places[j].at[k]) as Vec3)
      if (apart > reach + margin) continue
      writeTransform(places[i], A)
      writeTransform(places[j], B)
      if (closest(shapes[i].shape, A, 0, shapes[j].shape, B, 0, out) < margin) found.push([i, j])
    }
  }
  return found
}

/** x, y, z, then the rotation row by row. */
function writeTransform({ at, turn }: { at: Vec3; turn: Quat }, T: Float64Array): void {
  T.set(at)
  for (let c = 0; c < 3; c++) {
    const column = rotated(turn, [c === 0 ? 1 : 0, c === 1 ? 1 : 0, c === 2 ? 1 : 0])
    for (let r = 0; r < 3; r++) T[3 + 3 * r + c] = column[r]
  }
}

/** Row of a part by the name or role of any bone of it. Throws for what is none. */
export function partAt(where: string, { skeleton, roles, partOf }: RagdollAsset, bone: string): number {
  const row = rowOf(skeleton, roles, bone)
  const part = row === undefined ? -1 : partOf[row]
  if (part < 0) throw new RangeError(`${where}: bone must be one of a part, by name or role, got ${shown(bone)}`)
  return part
}
