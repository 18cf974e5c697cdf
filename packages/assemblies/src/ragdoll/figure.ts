/** Where the parts of a skeleton are at rest, and what they are without a skin: lines with a radius, or boxes. */

import { BUILD, LEGS_AND_TRUNK } from './anthropometry.js'
import {
  across,
  difference,
  direction,
  dot,
  inverse,
  scaled,
  size,
  sum,
  rotationAt,
  rotated,
  type Vec3,
  vectorAt,
} from './algebra.js'
import type { Bare, PartShape } from './fit.js'
import type { Fold } from './fold.js'
import { bodyAxes, type BodyAxes, type RoleRows, sideOf } from './humanoid.js'
import { meanEnds, type Skeleton } from './skeleton.js'

/** A skeleton with its parts chosen. */
export interface Figure {
  readonly skeleton: Skeleton
  readonly fold: Fold
  readonly roles: RoleRows | undefined
  /** Of a humanoid. */
  readonly axes: BodyAxes | undefined
  /** Of a humanoid [m]; 0 of others. */
  readonly stature: number
}

/** Radius of a part of anything but a humanoid, as a share of its length. */
const THICKNESS = 0.15
/** Bounds of a humanoid's stature [m]. */
const LEAST_STATURE = 0.02
const MOST_STATURE = 100

/** Puts together what is known of a figure. Throws for one that cannot be a humanoid in metres. */
export function figureOf(where: string, skeleton: Skeleton, fold: Fold, roles: RoleRows | undefined): Figure {
  const axes = roles === undefined ? undefined : bodyAxes(where, skeleton, roles)
  const stature = roles === undefined ? 0 : statureOf(skeleton, roles)
  if (roles !== undefined && !(stature > LEAST_STATURE && stature < MOST_STATURE)) {
    throw new RangeError(
      `${where}: a humanoid must be between ${LEAST_STATURE} and ${MOST_STATURE} m tall, got ${stature}: scale says how long its unit is`,
    )
  }
  return { skeleton, fold, roles, axes, stature }
}

/** From the lengths of legs and trunk [m], whatever the pose. */
function statureOf({ worldPositions }: Skeleton, rows: RoleRows): number {
  const at = (row: number | undefined): Vec3 => vectorAt(worldPositions, row as number)
  let length = 0
  for (const side of ['left', 'right'] as const) {
    const [hip, knee, ankle] = [rows[`${side}UpperLeg`], rows[`${side}LowerLeg`], rows[`${side}Foot`]]
    const thigh = size(difference(at(hip), at(knee)))
    length += 0.5 * (thigh + (ankle === undefined ? (440.3 / 422.2) * thigh : size(difference(at(knee), at(ankle)))))
  }
  const hips = scaled(sum(at(rows.leftUpperLeg), at(rows.rightUpperLeg)), 0.5)
  return (length + size(difference(at(rows.head ?? rows.neck), hips))) / LEGS_AND_TRUNK
}

/** Place of a part's bone in the skeleton's space. */
export function placeOf({ skeleton, fold }: Figure, part: number): { x: Vec3; q: [number, number, number, number] } {
  const row = fold.bones[part]
  return { x: vectorAt(skeleton.worldPositions, row), q: rotationAt(skeleton.worldRotations, row) }
}

/** Parts that hang on a part. */
export function childrenOf({ fold }: Figure, part: number): number[] {
  return fold.parent.flatMap((p, child) => (p === part ? [child] : []))
}

/** Where a part ends, in the skeleton's space: the joint that its limb goes on with, the mean of several, its tip, or its own joint. */
export function endOf(figure: Figure, part: number): Vec3 {
  const { skeleton, fold } = figure
  const row = fold.bones[part]
  const { x, q } = placeOf(figure, part)
  const next = nextOf(figure, part)
  if (next !== undefined) return vectorAt(skeleton.worldPositions, next)
  const tip = vectorAt(skeleton.tips, row)
  if (!Number.isNaN(tip[0])) return sum(x, rotated(q, tip))
  const children = childrenOf(figure, part)
  if (children.length > 0) {
    const total = children.reduce((all, child) => sum(all, placeOf(figure, child).x), [0, 0, 0] as Vec3)
    return scaled(total, 1 / children.length)
  }
  // A thumb alone does not tell which way a hand goes.
  if (sideOf(fold.roles[part] ?? 'hips').part === 'Hand') return x
  const folded = vectorAt(meanEnds(skeleton), row)
  return Number.isNaN(folded[0]) ? x : sum(x, rotated(q, folded))
}

const NEXT: Readonly<Record<string, string>> = {
  Shoulder: 'UpperArm',
  UpperArm: 'LowerArm',
  LowerArm: 'Hand',
  UpperLeg: 'LowerLeg',
  LowerLeg: 'Foot',
  Foot: 'Toes',
}

/** Fingers that a hand points along, the first that it has; not the thumb. */
const FINGERS = ['MiddleProximal', 'IndexProximal', 'RingProximal', 'LittleProximal']

/** Row of the bone that a humanoid's part goes on with. */
function nextOf({ fold, roles }: Figure, part: number): number | undefined {
  const role = fold.roles[part]
  if (role === undefined || roles === undefined) return undefined
  const { side, part: kind } = sideOf(role)
  if (side !== 0) {
    const name = side > 0 ? 'left' : 'right'
    const next = kind === 'Hand' ? FINGERS : NEXT[kind] === undefined ? [] : [NEXT[kind]]
    return next.map((bone) => roles[`${name}${bone}` as keyof RoleRows]).find((row) => row !== undefined)
  }
  if (kind === 'head') return undefined
  // The trunk's parts go on with each other, and then with the head.
  const above = fold.parent.findIndex(
    (p, child) => p === part && ['spine', 'chest', 'head'].includes(fold.roles[child] ?? ''),
  )
  return above < 0 ? undefined : fold.bones[above]
}

/** The way that a limb goes where it has no end of its own: on as its parent. */
export function alongOf(figure: Figure, part: number): Vec3 {
  const { x, q } = placeOf(figure, part)
  const own = direction(difference(endOf(figure, part), x), 1e-9)
  if (own !== undefined) return own
  const p = figure.fold.parent[part]
  return direction(p < 0 ? undefined : difference(x, placeOf(figure, p).x), 1e-9) ?? rotated(q, [1, 0, 0])
}

/** What kind of shape a part has where nobody says. */
export function shapeKind({ fold }: Figure, part: number): PartShape {
  const role = fold.roles[part]
  const kind = role === undefined ? '' : sideOf(role).part
  return ['hips', 'spine', 'chest', 'Hand', 'Foot', 'Toes'].includes(kind) ? 'box' : 'capsule'
}

/** What a part is without a skin, in the rigid frame of its bone. */
export function bareOf(figure: Figure, part: number): Bare {
  const { x, q } = placeOf(figure, part)
  const back = inverse(q)
  const world = bareInSpace(figure, part)
  const into = (point: Vec3): Vec3 => rotated(back, difference(point, x))
  return { ...world, from: into(world.from), to: into(world.to), ...(world.y && { y: rotated(back, world.y) }) }
}

function bareInSpace(figure: Figure, part: number): Bare {
  const { axes, stature, fold } = figure
  const { x } = placeOf(figure, part)
  const end = endOf(figure, part)
  const role = fold.roles[part]
  if (role === undefined || axes === undefined) {
    const length = size(difference(end, x))
    return { kind: 'capsule', from: x, to: end, radius: THICKNESS * (length > 0 ? length : parentLength(figure, part)) }
  }
  const { part: kind } = sideOf(role)
  const radius = (BUILD.radius[kind] ?? 0.03) * stature
  if (kind === 'head')
    return { kind: 'capsule', from: x, to: sum(x, scaled(axes.up, headHeight(figure, part))), radius }
  if (kind === 'Hand') return handOf(figure, part, x)
  if (kind === 'Foot' || kind === 'Toes') return footOf(figure, part, x)
  if (['hips', 'spine', 'chest'].includes(kind)) return trunkOf(figure, part, x, end)
  return { kind: 'capsule', from: x, to: end, radius }
}

/** Of a joint without a length: a share of its parent's. */
function parentLength(figure: Figure, part: number): number {
  const p = figure.fold.parent[part]
  const length = p < 0 ? 0 : size(difference(endOf(figure, p), placeOf(figure, p).x))
  return length > 0 ? 0.5 * length : 1e-2
}

function headHeight(figure: Figure, part: number): number {
  const tip = size(difference(endOf(figure, part), placeOf(figure, part).x))
  return Math.max(tip, BUILD.headHeight * figure.stature)
}

function handOf(figure: Figure, part: number, x: Vec3): Bare {
  const { stature, axes } = figure
  const along = alongOf(figure, part)
  const to = sum(x, scaled(along, BUILD.handLength * stature))
  const half: Vec3 = [0.5 * BUILD.handLength * stature, BUILD.handBreadth * stature, BUILD.handDepth * stature]
  return { kind: 'box', from: x, to, radius: half[1], half, y: (axes as BodyAxes).front }
}

/** From the heel, a quarter of the foot behind the ankle, along the sole; the toes' part ends it where there is one. */
function footOf(figure: Figure, part: number, x: Vec3): Bare {
  const { stature, axes, fold } = figure
  const { up, front } = axes as BodyAxes
  const forward = direction(across(alongOf(figure, part), up), 1e-2)
  const way = forward !== undefined && dot(forward, front) > 0.2 ? forward : front
  const isToes = sideOf(fold.roles[part] ?? 'hips').part === 'Toes'
  const toes = childrenOf(figure, part)[0]
  const reach = 0.75 * BUILD.footLength * stature
  const ahead = isToes ? 0.3 * reach : toes === undefined ? reach : dot(difference(placeOf(figure, toes).x, x), way)
  const heel = isToes ? 0 : 0.25 * BUILD.footLength * stature
  const height = (isToes ? 0.4 : 1) * BUILD.ankleHeight * stature
  const middle = scaled(up, isToes ? 0 : -0.5 * height)
  const from = sum(sum(x, middle), scaled(way, -heel))
  const to = sum(sum(x, middle), scaled(way, ahead))
  const half: Vec3 = [0.5 * (heel + ahead), BUILD.footBreadth * stature, 0.5 * height]
  return { kind: 'box', from, to, radius: half[1], half, y: (axes as BodyAxes).left, level: true }
}

/** As broad as the joints on it are apart. */
function trunkOf(figure: Figure, part: number, x: Vec3, end: Vec3): Bare {
  const { stature, axes } = figure
  const { left } = axes as BodyAxes
  const spread = childrenOf(figure, part).map((child) => Math.abs(dot(difference(placeOf(figure, child).x, x), left)))
  const breadth = Math.max(0.8 * Math.max(0, ...spread), BUILD.trunkBreadth * stature)
  const length = size(difference(end, x))
  const half: Vec3 = [Math.max(0.5 * length, 0.02 * stature), breadth, BUILD.trunkDepth * stature]
  return { kind: 'box', from: x, to: end, radius: half[2], half, y: left }
}
