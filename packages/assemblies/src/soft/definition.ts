/** What a user writes to make a soft body, checked and filled in. */

import type { SurfaceContacts } from '@tautline/collision'
import type { PlasticityDef } from '@tautline/constraints'
import type { Solver } from '@tautline/core'
import { flag, integer, knownFields, nonNegative, object, oneOf, positive, shown, SOLVERS } from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import type { Pins } from '../cloth/pins.js'
import { checkName, surfaceContactsOf } from '../parts/checks.js'
import { ASSET_FIELDS, meanEdge, type SoftBodyAsset, softBodyAsset } from './asset.js'
import { SOFT_MATERIALS, type SoftMaterialName } from './materials.js'

/**
 * What holds it together: `neoHookean`, tetrahedra of elastic material; `distance`, edges and volumes of tetrahedra; `shape`, clusters that keep
 * their shape; `balloon`, a skin around a volume.
 */
export type SoftBodyModel = 'neoHookean' | 'distance' | 'shape' | 'balloon'

/** What {@link softBody} takes. */
export interface SoftBodyDef {
  /** Made by `softBodyAsset`, in place of `positions` and what goes with them. @defaultValue made of them */
  asset?: SoftBodyAsset
  /** x, y, z of each vertex at rest [m]. @defaultValue those of the asset */
  positions?: ArrayLike<number>
  /** Three vertices a triangle: a closed surface. @defaultValue vertices three by three, or the outside of `tetrahedra` */
  indices?: ArrayLike<number>
  /** Four vertices each, in place of filling the surface. @defaultValue none */
  tetrahedra?: ArrayLike<number>
  /** Length of an edge of the tetrahedra, about [m]. @defaultValue an eighth of the longest side */
  size?: number
  /** Shown in messages, and in JSON. @defaultValue none */
  name?: string
  /** Where the origin of positions is [m]. @defaultValue [0, 0, 0] */
  position?: ReadonlyVec3
  /** How positions are turned. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** Velocity of all of it [m/s]. @defaultValue [0, 0, 0] */
  velocity?: ReadonlyVec3
  /** What holds it together. @defaultValue 'neoHookean', and 'balloon' where there is a pressure */
  model?: SoftBodyModel
  /** What it is made of, by name: density and stiffness, where they are not given. @defaultValue none */
  material?: SoftMaterialName
  /** Mass of a cubic metre [kg/m³]; of a balloon, of a square metre of its skin [kg/m²]. @defaultValue 1000, and 0.3 of a skin */
  density?: number
  /** Mass of all of it [kg], in place of `density`. @defaultValue by `density` */
  mass?: number
  /**
   * Young's modulus [Pa]; of `shape`, of a node that is pushed in: as a whole a cluster is stiffer. Of a balloon, stiffness of a square of its skin [N/m].
   * @defaultValue 1e5, of `shape` 3e5, of a balloon 1000
   */
  youngsModulus?: number
  /** Poisson's ratio, 0 to 0.499. @defaultValue 0.4 */
  poissonRatio?: number
  /** Time in which half of a motion is lost that no inertia keeps up, about [s]. @defaultValue 0.002 */
  damping?: number
  /** Rate at which its velocity decays [1/s]. @defaultValue 0 */
  linearDamping?: number
  /** What makes a dent stay, of `shape`. @defaultValue none: it springs back */
  plasticity?: PlasticityDef
  /**
   * How tetrahedra of `neoHookean` are solved: `direct` as a whole, so that it is as stiff as its material says at any substep; `sweep`, one after another, which
   * costs less the softer it is; `auto`, as a whole where sweeps would leave it too soft, up to 1000 nodes. @defaultValue 'auto'
   */
  solver?: Solver
  /** Clusters of `shape`, which overlap: one bends and twists as a whole alone. @defaultValue 1 */
  clusters?: number
  /** Of a balloon: share of its volume at rest that it is blown up to. @defaultValue 1 */
  pressure?: number
  /** Of a balloon: how much of its volume gives way to a pascal [m³/Pa]; 0 is water, 1e-5 of its volume in cubic metres air. @defaultValue 0 */
  volumeCompliance?: number
  /** Vertices that are held: numbers, or groups with what holds them. The nearest node is. @defaultValue none */
  pins?: Pins
  /** Distance that it keeps from what it touches: radius of its outer nodes [m]. @defaultValue a tenth of an edge, in the mean */
  radius?: number
  /** Friction coefficient. @defaultValue 0.5 */
  friction?: number
  /** Whether it touches other things, where the world has `Collisions`. @defaultValue true */
  collides?: boolean
  /** Whether it touches itself and other particles: by `vertices` cheaply, by its `surface` tightly. @defaultValue false */
  selfCollision?: false | 'vertices' | 'surface'
  /**
   * Whether its outer edges and triangles touch things too, not its nodes alone. `'auto'`: they touch what is small or fast enough to pass between
   * nodes. @defaultValue 'auto'
   */
  surfaceContacts?: SurfaceContacts
  /** Layers that it is on, a bit each. @defaultValue 1 */
  layer?: number
  /** Layers that it meets, a bit each. @defaultValue all */
  mask?: number
  /** As of colliders. @defaultValue 0 */
  group?: number
}

/** A definition with everything filled in. */
export interface SoftBodySettings {
  readonly model: SoftBodyModel
  /** [kg/m³], or of a skin [kg/m²]. */
  readonly density: number
  readonly youngsModulus: number
  readonly poissonRatio: number
  readonly damping: number
  readonly linearDamping: number
  readonly solver: Solver
  readonly plasticity: PlasticityDef | undefined
  readonly clusters: number
  readonly pressure: number
  readonly volumeCompliance: number
  readonly radius: number
  readonly friction: number
  readonly collides: boolean
  readonly selfCollision: false | 'vertices' | 'surface'
  readonly surfaceContacts: SurfaceContacts
  readonly layer: number
  readonly mask: number
  readonly group: number
}

export const MODELS: readonly SoftBodyModel[] = ['neoHookean', 'distance', 'shape', 'balloon']

const FIELDS: readonly (keyof SoftBodyDef)[] = [
  'asset',
  'positions',
  'indices',
  'tetrahedra',
  'size',
  'name',
  'position',
  'orientation',
  'velocity',
  'model',
  'material',
  'density',
  'mass',
  'youngsModulus',
  'poissonRatio',
  'damping',
  'linearDamping',
  'solver',
  'plasticity',
  'clusters',
  'pressure',
  'volumeCompliance',
  'pins',
  'radius',
  'friction',
  'collides',
  'selfCollision',
  'surfaceContacts',
  'layer',
  'mask',
  'group',
]

/** Fields of one model, which others refuse. */
const OF_MODEL: Readonly<Record<string, SoftBodyModel>> = {
  solver: 'neoHookean',
  plasticity: 'shape',
  clusters: 'shape',
  pressure: 'balloon',
  volumeCompliance: 'balloon',
}
/** Young's moduli where nobody names one [Pa], of a skin [N/m]. */
const DEFAULT_STIFFNESS: Readonly<Record<SoftBodyModel, number>> = {
  neoHookean: 1e5,
  distance: 1e5,
  shape: 3e5,
  balloon: 1000,
}
/** Poisson's ratio beyond which tetrahedra lock. */
const MOST_RATIO = 0.499

/** Checks names of fields, and which model it is. */
export function modelOf(where: string, def: SoftBodyDef): SoftBodyModel {
  knownFields(where, object(`${where}: definition`, def), FIELDS)
  checkName(where, def.name)
  const model = oneOf(`${where}: model`, def.model ?? (def.pressure === undefined ? 'neoHookean' : 'balloon'), MODELS)
  for (const [field, of] of Object.entries(OF_MODEL)) {
    const value = def[field as keyof SoftBodyDef]
    if (value === undefined || of === model) continue
    throw new TypeError(`${where}: ${field} must be left out of model ${model} (it is of ${of}), got ${shown(value)}`)
  }
  return model
}

/** The asset of a definition. */
export function assetOf(where: string, def: SoftBodyDef, model: SoftBodyModel): SoftBodyAsset {
  const { asset } = def
  const given = ASSET_FIELDS.filter((field) => field !== 'hollow' && def[field as keyof SoftBodyDef] !== undefined)
  if (asset === undefined) {
    const { positions, indices, tetrahedra, size } = def
    if (positions === undefined) throw new TypeError(`${where}: positions or asset must be given`)
    const more = {
      ...(indices !== undefined && { indices }),
      ...(tetrahedra !== undefined && { tetrahedra }),
      ...(size !== undefined && { size }),
    }
    return softBodyAsset({ positions, ...more, ...(model === 'balloon' && { hollow: true }) })
  }
  const known = object(`${where}: asset`, asset) as Partial<SoftBodyAsset>
  if (!(known.positions instanceof Float64Array) || !(known.tetrahedra instanceof Uint32Array)) {
    throw new TypeError(`${where}: asset must be one that softBodyAsset made, got ${shown(asset)}`)
  }
  if (given.length > 0) throw new TypeError(`${where}: give asset or ${given.join(', ')}, got both`)
  const hasTetrahedra = asset.tetrahedra.length > 0
  if (hasTetrahedra === (model === 'balloon')) {
    throw new TypeError(`${where}: asset must be ${hasTetrahedra ? 'hollow' : 'filled'} for model ${model}`)
  }
  return asset
}

/** Checked before anything is made. */
function checkPlasticity(where: string, plasticity: PlasticityDef): PlasticityDef {
  for (const [field, value] of Object.entries(knownFields(where, plasticity, ['yield', 'creep', 'max']))) {
    if (value !== undefined) nonNegative(`${where}: ${field}`, value)
  }
  return plasticity
}

/** Checks and fills in what it is made of. */
export function resolveSettings(
  where: string,
  def: SoftBodyDef,
  asset: SoftBodyAsset,
  model: SoftBodyModel,
): SoftBodySettings {
  const names = Object.keys(SOFT_MATERIALS) as SoftMaterialName[]
  const isSkin = model === 'balloon'
  if (isSkin && def.material !== undefined)
    throw new TypeError(`${where}: material must be left out of a balloon, got ${def.material}`)
  const material =
    def.material === undefined ? undefined : SOFT_MATERIALS[oneOf(`${where}: material`, def.material, names)]
  const whole = asset.shares.reduce((sum, part) => sum + part, 0)
  if (def.mass !== undefined && def.density !== undefined)
    throw new TypeError(`${where}: give mass or density, got both`)
  const density = def.density ?? material?.density ?? (isSkin ? 0.3 : 1000)
  const ratio = nonNegative(`${where}: poissonRatio`, def.poissonRatio ?? material?.poissonRatio ?? 0.4)
  if (ratio > MOST_RATIO) throw new RangeError(`${where}: poissonRatio must be within [0, ${MOST_RATIO}], got ${ratio}`)
  const { selfCollision = false } = def
  if (selfCollision !== false) oneOf(`${where}: selfCollision`, selfCollision, ['vertices', 'surface'])
  return {
    model,
    density:
      def.mass === undefined ? positive(`${where}: density`, density) : positive(`${where}: mass`, def.mass) / whole,
    youngsModulus: positive(
      `${where}: youngsModulus`,
      def.youngsModulus ?? material?.youngsModulus ?? DEFAULT_STIFFNESS[model],
    ),
    poissonRatio: ratio,
    damping: nonNegative(`${where}: damping`, def.damping ?? 0.002),
    linearDamping: nonNegative(`${where}: linearDamping`, def.linearDamping ?? 0),
    solver: oneOf(`${where}: solver`, def.solver ?? 'auto', SOLVERS),
    plasticity: def.plasticity === undefined ? undefined : checkPlasticity(`${where}: plasticity`, def.plasticity),
    clusters: integer(`${where}: clusters`, def.clusters ?? 1, 1, asset.positions.length / 3),
    pressure: nonNegative(`${where}: pressure`, def.pressure ?? 1),
    volumeCompliance: nonNegative(`${where}: volumeCompliance`, def.volumeCompliance ?? 0),
    radius: positive(`${where}: radius`, def.radius ?? 0.1 * meanEdge(asset)),
    friction: nonNegative(`${where}: friction`, def.friction ?? 0.5),
    collides: flag(`${where}: collides`, def.collides ?? true),
    selfCollision,
    surfaceContacts: surfaceContactsOf(where, def.surfaceContacts),
    layer: integer(`${where}: layer`, def.layer ?? 1, -0x80000000, 0xffffffff),
    mask: integer(`${where}: mask`, def.mask ?? -1, -0x80000000, 0xffffffff),
    group: integer(`${where}: group`, def.group ?? 0, -0x80000000, 0x7fffffff),
  }
}
