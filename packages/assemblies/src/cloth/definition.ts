/** What a user writes to make a cloth, checked and filled in. */

import type { SurfaceContacts } from '@tautline/collision'
import type { Body } from '@tautline/core'
import {
  finite,
  finiteVector,
  flag,
  integer,
  knownFields,
  nonNegative,
  object,
  oneOf,
  positive,
  shown,
  unitQuaternion,
} from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { checkName, share, surfaceContactsOf } from '../parts/checks.js'
import { isPlain, type VertexValues, valuesOf } from '../parts/values.js'
import { type ClothAsset, clothAsset } from './asset.js'
import { CLOTH_MATERIALS, type ClothMaterialName } from './materials.js'
import type { Pins } from './pins.js'

/** How cloth resists bending: not at all, by the distance across each fold, by the turn of its threads, by the angle of each fold, or by the curvature of material that does not stretch. */
export type BendModel = 'none' | 'distance' | 'threads' | 'dihedral' | 'isometric'
/** What tethers measure: nothing, straight distances at rest, or those along its threads, which shear does not lengthen, or along the cloth. */
export type TetherKind = 'none' | 'euclidean' | 'threads' | 'geodesic'

/** Compliance that differs by direction [m/N]. */
export interface DirectionValues {
  /** Along the warp. @defaultValue 0 */
  warp?: VertexValues
  /** Along the weft. @defaultValue 0 */
  weft?: VertexValues
}

/** What {@link cloth} takes. Stiffness is that of the material: it does not depend on how fine the mesh is. */
export interface ClothDef {
  /** Made by `clothAsset`, in place of `positions` and `indices`. @defaultValue made of them */
  asset?: ClothAsset
  /** x, y, z of each vertex at rest [m]. @defaultValue those of the asset */
  positions?: ArrayLike<number>
  /** Three vertices a triangle. @defaultValue vertices three by three */
  indices?: ArrayLike<number>
  /** Shown in messages, and in JSON. @defaultValue none */
  name?: string
  /** x, y, z of each vertex at the start [m], where it is not at rest. @defaultValue at rest */
  pose?: ArrayLike<number>
  /** Where the origin of positions and pose is [m]. @defaultValue [0, 0, 0] */
  position?: ReadonlyVec3
  /** How positions and pose are turned. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** Velocity of all of it [m/s]. @defaultValue [0, 0, 0] */
  velocity?: ReadonlyVec3
  /** A fabric by name: density, compliances, friction and thickness, where they are not given. @defaultValue none */
  material?: ClothMaterialName
  /** Mass of a square metre [kg/m²]. @defaultValue 0.2 */
  density?: VertexValues
  /** Mass of all of it [kg], in place of `density`. @defaultValue by `density` */
  mass?: number
  /** Compliance of a square of any size against stretch [m/N]; 0 does not stretch. @defaultValue 0, and a tenth by `strength`, where that is given */
  stretchCompliance?: VertexValues | DirectionValues
  /** Against shear [m/N], of woven cloth. @defaultValue 0.02 */
  shearCompliance?: VertexValues
  /** Against bending [1/(N m)]: 1 / bending rigidity. @defaultValue 1e5 */
  bendCompliance?: VertexValues
  /** Damping of stretch and shear: the time in which half of a motion is lost that no inertia keeps up, about [s]. @defaultValue 0 */
  damping?: number
  /**
   * How bending is resisted. `threads`, `isometric` and `dihedral` do by rigidity: `threads` of woven cloth along warp and weft, so that across them it is half as
   * stiff, at a third of the price; the others in all directions, on any mesh. `distance` knows sharp folds alone. @defaultValue 'threads' where woven, else 'isometric'
   */
  bendModel?: BendModel
  /**
   * Share by which it may be pressed together, 0 to 1, before that is resisted; 1: it is not. @defaultValue 0 where woven, else 1: a surface of triangles whose
   * edges keep their lengths both ways is stiff as a board
   */
  maxCompression?: number
  /** Share by which it may stretch at most, whatever its compliance; rigid threads stretch by what their solution leaves, which this does not bound. @defaultValue Infinity */
  stretchLimit?: number
  /**
   * Tethers from each vertex to the nearest pin: what a step leaves unsolved does not stretch what hangs on a figure that runs.
   * @defaultValue 'threads' where those neither stretch nor tear and pins are still or led, else 'none'
   */
  tether?: TetherKind
  /** Share of its distance that a vertex may be from its pin. @defaultValue 1, and 1.005 with the default of `tether`: what hangs still is borne by its threads alone */
  tetherScale?: number
  /** Vertices that are held: numbers, or groups with what holds them. @defaultValue none */
  pins?: Pins
  /** Distance that it keeps from what it touches: radius of its vertices [m]. @defaultValue 0.01 */
  thickness?: VertexValues
  /** Friction coefficient. @defaultValue 0.4 */
  friction?: number
  /** Whether it touches other things, where the world has `Collisions`. @defaultValue true */
  collides?: boolean
  /** Whether it touches itself: by `vertices` cheaply, by its `surface` tightly. @defaultValue false */
  selfCollision?: false | 'vertices' | 'surface'
  /**
   * Whether its edges and triangles touch things too, not its vertices alone: corners and thin things do not go through. `'auto'`: they touch what
   * is small or fast enough to pass between vertices. @defaultValue 'auto'
   */
  surfaceContacts?: SurfaceContacts
  /** Layers that it is on, a bit each. @defaultValue 1 */
  layer?: number
  /** Layers that it meets, a bit each. @defaultValue all */
  mask?: number
  /** As of colliders. @defaultValue 0 */
  group?: number
  /** Drag coefficient, of each triangle that moves through air. @defaultValue 0 */
  drag?: number
  /** Lift coefficient likewise. @defaultValue 0 */
  lift?: number
  /** Density of what it moves through [kg/m³]. @defaultValue 1.2 */
  airDensity?: number
  /** Velocity of the air [m/s]. @defaultValue [0, 0, 0] */
  wind?: ReadonlyVec3
  /** Share by which the wind swells and drops, 0 to 1. @defaultValue 0 */
  gust?: number
  /** Overpressure within, where it is closed, on each triangle along its normal [Pa]. @defaultValue 0 */
  pressure?: number
  /** Force a width at which it tears [N/m]. @defaultValue Infinity */
  strength?: VertexValues
  /** How far a vertex may be from its place on the skin [m], see `setSkin`. @defaultValue Infinity */
  maxDistance?: VertexValues
  /** How far a vertex may sink into the skin [m]. @defaultValue Infinity */
  backstopDistance?: VertexValues
  /** Radius of the sphere that stops it there [m]. @defaultValue 1 */
  backstopRadius?: number
  /** A body that carries it: with `linearInertia` and `angularInertia` below 1, it goes along. @defaultValue none */
  frame?: Body
  /** Share of the frame's way that it feels, 0 to 1. @defaultValue 1 */
  linearInertia?: number
  /** Share of the frame's turn that it feels, 0 to 1. @defaultValue 1 */
  angularInertia?: number
}

/** A definition with everything filled in. Values by vertex of the asset. */
export interface ClothSettings {
  readonly density: Float64Array
  readonly warp: Float64Array
  readonly weft: Float64Array
  readonly shear: Float64Array
  readonly bend: Float64Array
  readonly damping: number
  readonly bendModel: BendModel
  readonly maxCompression: number
  readonly stretchLimit: number
  readonly tether: TetherKind
  readonly tetherScale: number
  readonly thickness: Float64Array
  readonly friction: number
  readonly collides: boolean
  readonly selfCollision: false | 'vertices' | 'surface'
  readonly surfaceContacts: SurfaceContacts
  readonly layer: number
  readonly mask: number
  readonly group: number
  readonly strength: Float64Array
  readonly maxDistance: Float64Array
  readonly backstopDistance: Float64Array
  readonly backstopRadius: number
}

/** What of a definition may change while the cloth exists. */
export interface ClothMotion {
  readonly drag: number
  readonly lift: number
  readonly airDensity: number
  readonly wind: readonly [number, number, number]
  readonly gust: number
  readonly pressure: number
  readonly frame: Body | undefined
  readonly linearInertia: number
  readonly angularInertia: number
}

/** Stretch at which cloth tears that is given a strength alone [-]: woven cloth tears at 5 to 20 %. What does not stretch at all may bear any pull, held straight. */
const TORN = 0.1
const BEND_MODELS: readonly BendModel[] = ['none', 'distance', 'threads', 'dihedral', 'isometric']
/** Fields of {@link ClothMotion}. */
export const MOTION_FIELDS = [
  'drag',
  'lift',
  'airDensity',
  'wind',
  'gust',
  'pressure',
  'frame',
  'linearInertia',
  'angularInertia',
] as const
const SETTINGS = [
  'density',
  'mass',
  'material',
  'stretchCompliance',
  'shearCompliance',
  'bendCompliance',
  'damping',
  'bendModel',
  'maxCompression',
  'stretchLimit',
  'tether',
  'tetherScale',
  'thickness',
  'friction',
  'collides',
  'selfCollision',
  'surfaceContacts',
  'layer',
  'mask',
  'group',
  'strength',
  'maxDistance',
  'backstopDistance',
  'backstopRadius',
] as const
const FIELDS: readonly (keyof ClothDef)[] = [
  'asset',
  'positions',
  'indices',
  'name',
  'pose',
  'position',
  'orientation',
  'velocity',
  'pins',
  ...SETTINGS,
  ...MOTION_FIELDS,
]

/** The asset of a definition: the one given, or made of its mesh. */
export function assetOf(where: string, def: ClothDef): ClothAsset {
  knownFields(where, object(`${where}: definition`, def), FIELDS)
  checkName(where, def.name)
  const { asset, positions, indices } = def
  if (asset === undefined) {
    if (positions === undefined) throw new TypeError(`${where}: positions or an asset must be given, got neither`)
    return clothAsset(indices === undefined ? { positions } : { positions, indices })
  }
  const known = object(`${where}: asset`, asset) as Partial<ClothAsset>
  if (!(known.positions instanceof Float64Array) || !(known.triangles instanceof Uint32Array)) {
    throw new TypeError(`${where}: asset must be one that clothAsset made, got ${shown(asset)}`)
  }
  if (positions !== undefined || indices !== undefined) {
    throw new TypeError(`${where}: give an asset, or positions and indices, got both`)
  }
  return asset
}

/** Share by which tethers that nobody asked for are longer than the cloth: rigid threads that hang still stretch by less. */
const SLACK = 0.005

/** The kind of tethers, and their length as a share of the way along the cloth. */
function tethersOf(where: string, def: ClothDef, isFirm: boolean): Pick<ClothSettings, 'tether' | 'tetherScale'> {
  const byDefault = isFirm ? 'threads' : 'none'
  return {
    tether: oneOf(`${where}: tether`, def.tether ?? byDefault, ['none', 'euclidean', 'threads', 'geodesic']),
    tetherScale: positive(`${where}: tetherScale`, def.tetherScale ?? (def.tether === undefined ? 1 + SLACK : 1)),
  }
}

/** Checks the material and fills it in; `isLed` where all pins are still or led. */
export function resolveSettings(where: string, def: ClothDef, asset: ClothAsset, isLed: boolean): ClothSettings {
  const map = { vertexOf: asset.vertexOf, count: asset.areas.length }
  const values = (field: keyof ClothDef, fallback: number, endless = false): Float64Array =>
    valuesOf(`${where}: ${field}`, (def[field] as VertexValues | undefined) ?? fallback, map, endless)
  const material =
    def.material === undefined
      ? undefined
      : CLOTH_MATERIALS[oneOf(`${where}: material`, def.material, Object.keys(CLOTH_MATERIALS) as ClothMaterialName[])]
  const stretch = def.stretchCompliance
  const isDirected = isPlain(stretch) && !('map' in stretch || 'low' in stretch || 'high' in stretch)
  if (isDirected) knownFields(`${where}: stretchCompliance`, stretch, ['warp', 'weft'])
  const strength = values('strength', Infinity, true)
  const along = (way: 'warp' | 'weft'): Float64Array => {
    const given = isDirected ? ((stretch as DirectionValues)[way] ?? 0) : (stretch as VertexValues | undefined)
    if (given === undefined && material === undefined) return strength.map((value) => (value > 0 ? TORN / value : 0))
    const fallback = material === undefined ? 0 : 1 / material[way]
    return valuesOf(`${where}: stretchCompliance${isDirected ? `: ${way}` : ''}`, given ?? fallback, map)
  }
  const { selfCollision = false } = def
  const [warp, weft] = [along('warp'), along('weft')]
  const isFirm = warp.every(isZero) && weft.every(isZero) && strength.every((value) => value === Infinity)
  const isWoven = asset.threads !== undefined
  const bendModel = oneOf(`${where}: bendModel`, def.bendModel ?? (isWoven ? 'threads' : 'isometric'), BEND_MODELS)
  if (selfCollision !== false) oneOf(`${where}: selfCollision`, selfCollision, ['vertices', 'surface'])
  const limit = def.stretchLimit ?? Infinity
  const compression = def.maxCompression ?? (isWoven ? 0 : 1)
  return {
    density: densityOf(where, def, asset, values('density', material?.density ?? 0.2)),
    warp,
    weft,
    shear: values('shearCompliance', material === undefined ? 0.02 : 1 / material.shear),
    bend: values('bendCompliance', material === undefined ? 1e5 : 1 / material.bend),
    damping: nonNegative(`${where}: damping`, def.damping ?? 0),
    // Where there are no threads, folds are what is left of them.
    bendModel: bendModel === 'threads' && !isWoven ? 'isometric' : bendModel,
    maxCompression: share(`${where}: maxCompression`, compression),
    stretchLimit: limit === Infinity ? limit : nonNegative(`${where}: stretchLimit`, limit),
    ...tethersOf(where, def, isFirm && isLed),
    thickness: thicknessOf(where, values('thickness', material?.thickness ?? 0.01)),
    friction: nonNegative(`${where}: friction`, def.friction ?? material?.friction ?? 0.4),
    collides: flag(`${where}: collides`, def.collides ?? true),
    selfCollision,
    surfaceContacts: surfaceContactsOf(where, def.surfaceContacts),
    layer: integer(`${where}: layer`, def.layer ?? 1, -0x80000000, 0xffffffff),
    mask: integer(`${where}: mask`, def.mask ?? -1, -0x80000000, 0xffffffff),
    group: integer(`${where}: group`, def.group ?? 0, -0x80000000, 0x7fffffff),
    strength,
    maxDistance: values('maxDistance', Infinity, true),
    backstopDistance: values('backstopDistance', Infinity, true),
    backstopRadius: positive(`${where}: backstopRadius`, def.backstopRadius ?? 1),
  }
}

function isZero(value: number): boolean {
  return value === 0
}

function thicknessOf(where: string, thickness: Float64Array): Float64Array {
  thickness.forEach((value) => positive(`${where}: thickness`, value))
  return thickness
}

/** Mass of a square metre by vertex, so that the whole weighs what it should. */
function densityOf(where: string, def: ClothDef, asset: ClothAsset, density: Float64Array): Float64Array {
  density.forEach((value) => positive(`${where}: density`, value))
  if (def.mass === undefined) return density
  const total = positive(`${where}: mass`, def.mass)
  if (def.density !== undefined && typeof def.density === 'number') {
    throw new TypeError(`${where}: give mass, or density as a number, got both`)
  }
  const sum = density.reduce((mass, value, v) => mass + value * asset.areas[v], 0)
  return density.map((value) => (value * total) / sum)
}

/** Checks what may change over `base`. */
export function resolveMotion(where: string, def: Partial<ClothDef>, base?: ClothMotion): ClothMotion {
  const wind = finiteVector(`${where}: wind`, def.wind ?? base?.wind ?? [0, 0, 0], 3)
  const frame = 'frame' in def ? def.frame : base?.frame
  return {
    drag: nonNegative(`${where}: drag`, def.drag ?? base?.drag ?? 0),
    lift: nonNegative(`${where}: lift`, def.lift ?? base?.lift ?? 0),
    airDensity: nonNegative(`${where}: airDensity`, def.airDensity ?? base?.airDensity ?? 1.2),
    wind: [wind[0], wind[1], wind[2]],
    gust: share(`${where}: gust`, def.gust ?? base?.gust ?? 0),
    pressure: finite(`${where}: pressure`, def.pressure ?? base?.pressure ?? 0),
    frame,
    linearInertia: share(`${where}: linearInertia`, def.linearInertia ?? base?.linearInertia ?? 1),
    angularInertia: share(`${where}: angularInertia`, def.angularInertia ?? base?.angularInertia ?? 1),
  }
}

/** Start position and rotation of a definition. */
export function placeOf(where: string, def: ClothDef): { position: ArrayLike<number>; orientation: Float64Array } {
  return {
    position: finiteVector(`${where}: position`, def.position ?? [0, 0, 0], 3),
    orientation: Float64Array.from(unitQuaternion(`${where}: orientation`, def.orientation ?? [0, 0, 0, 1])),
  }
}
