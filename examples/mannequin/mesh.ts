/**
 * The mannequin's skin as triangles: the implicit surface meshed with the arms lowered half way, its left half made simpler and
 * mirrored, cut where dark joints meet light limbs, and brought back to the T-pose.
 *
 * Meshing: marching tetrahedra on a body-centred grid (`Manifold.levelSet`, manifold-3d). Simplifying: quadric error metrics
 * (`MeshoptSimplifier`, meshoptimizer). Positions end on the surface along its gradient, which also gives the normals.
 *
 * Modelled with the arms lowered, a shoulder is creased neither in a T nor with the arms hanging. A vertex goes to the T-pose by the
 * inverse of the skinning that would bring it there: x_T = (Σ wⱼ Mⱼ)⁻¹ x.
 */

import Module, { type ManifoldToplevel } from 'manifold-3d'
import { MeshoptSimplifier } from 'meshoptimizer'
import type { Vector } from '../data/adult.js'
import type { Bone } from './skeleton.js'
import { out, type Placed, Surface } from './surface.js'
import { about, length, minus, mirrored, mix, plus, type Quaternion, times, turned } from './vectors.js'
import { diffuse, FOUR, ownedBy, strongest, type Weights } from './weights.js'

/** Edge of the first mesh [m]. */
const EDGE = 0.012
/** Triangles that the left half is brought down to, before it is cut. */
const HALF_TRIANGLES = 2000
/** What a change of the normal counts against one of place. */
const BEND = 0.025
/** Error that it may make at most, as a share of the figure. */
const LARGEST_ERROR = 0.01
/** How far from its place a vertex may lie and count as there [m]. */
const THERE = 1e-5

/** Two materials' triangles over the same vertices. */
export interface Skin {
  /** [x, y, z] in the T-pose [m]. */
  readonly positions: Float32Array
  readonly normals: Float32Array
  /** Rows of bones and their weights in 1/255, four a vertex. */
  readonly joints: Uint8Array
  readonly weights: Uint8Array
  /** Triangles of the limbs, and of the joints. */
  readonly body: readonly number[]
  readonly dark: readonly number[]
}

/** A mesh in the making. */
interface Draft {
  points: Vector[]
  triangles: number[]
  weights: Weights[]
}

/** Where the bones are while the skin is modelled: arms lowered by 45°, legs apart by 9°. */
export function modelled(bones: readonly Bone[]): Map<string, Placed> {
  const turns: Readonly<Record<string, Quaternion>> = {
    leftUpperArm: about('z', -38),
    leftShoulder: about('z', -7),
    leftUpperLeg: about('z', 9),
    leftFoot: about('z', -9),
  }
  const places = new Map<string, Placed>()
  const rest = new Map(bones.map(({ name, joint }) => [name, joint]))
  for (const { name, parent, joint } of bones) {
    const left = turns[name.replace('right', 'left')] ?? about('x', 0)
    const own = name.startsWith('right') ? mirrored(left) : left
    const above = parent === null ? undefined : places.get(parent)!
    places.set(name, {
      position: above === undefined ? joint : out(above, minus(joint, rest.get(parent!)!)),
      rotation: above === undefined ? own : times(above.rotation, own),
    })
  }
  return places
}

/** Meshes the mannequin with these bones. */
export async function mannequinSkin(bones: readonly Bone[]): Promise<Skin> {
  const places = modelled(bones)
  const ankle = bones.find(({ name }) => name === 'leftFoot')!.joint[1]
  const surface = new Surface((bone) => places.get(bone)!, places.get('leftFoot')!.position[1] - ankle)
  const whole = await meshed(surface)
  const owners = whole.points.map((p) => surface.owner(p))
  const names = bones.map(({ name }) => name)
  whole.weights = diffuse(ownedBy(owners, names), whole.triangles, whole.points, owners)
  const half = await simplified(leftHalf(whole), surface)
  const mesh = mirroredHalf(half, names)
  const zones = darkZones(places)
  // Where the point of the surface beside it is, so that the line stays where it is when points are put on the surface.
  const cutAt = (p: Vector): number => {
    const on = surface.project(p)
    return Math.min(...zones.map(({ at, radius }) => length(minus(on, at)) - radius))
  }
  const { mesh: cut, isBeyond } = cutBy(mesh, cutAt)
  cut.points = cut.points.map((p) => surface.project(p))
  return finished(cut, isBeyond, surface, bones, places)
}

/** The surface as a first, fine mesh. */
async function meshed(surface: Surface): Promise<Draft> {
  const kernel: ManifoldToplevel = await Module()
  kernel.setup()
  const box = { min: [-0.85, -0.03, -0.18], max: [0.85, 1.83, 0.24] } as const
  const solid = kernel.Manifold.levelSet(([x, y, z]: Vector) => -surface.distance([x, y, z]), box as never, EDGE)
  const { vertProperties, triVerts, numProp } = solid.getMesh()
  const points: Vector[] = []
  for (let i = 0; i < vertProperties.length; i += numProp) {
    points.push([vertProperties[i], vertProperties[i + 1], vertProperties[i + 2]])
  }
  solid.delete()
  return { points, triangles: [...triVerts], weights: [] }
}

/** What lies at x >= 0, its border on the middle plane. */
function leftHalf(mesh: Draft): Draft {
  const { mesh: cut, isBeyond } = cutBy(mesh, ([x]) => x)
  const triangles = cut.triangles.filter((_, k) => isBeyond[Math.floor(k / 3)])
  const points = cut.points.map(([x, y, z]): Vector => [Math.abs(x) < THERE ? 0 : x, y, z])
  return compact({ ...cut, points, triangles })
}

/** Fewer triangles, most of them where the surface bends. */
async function simplified({ points, triangles, weights }: Draft, surface: Surface): Promise<Draft> {
  await MeshoptSimplifier.ready
  const [kept] = MeshoptSimplifier.simplifyWithAttributes(
    Uint32Array.from(triangles),
    Float32Array.from(points.flat()),
    3,
    Float32Array.from(points.flatMap((p) => surface.normal(p))),
    3,
    [BEND, BEND, BEND],
    null,
    3 * HALF_TRIANGLES,
    LARGEST_ERROR,
    ['Regularize'],
  )
  return compact({ points, triangles: [...kept], weights })
}

/** Both halves; bones of the other side are those of the same name. */
function mirroredHalf({ points, triangles, weights }: Draft, names: readonly string[]): Draft {
  const other = names.map((name) => {
    const twin = name.startsWith('left') ? name.replace('left', 'right') : name.replace('right', 'left')
    return names.indexOf(twin)
  })
  const all: Draft = { points: [...points], triangles: [], weights: [...weights] }
  const twinOf = points.map(([x, y, z], i) => {
    if (x === 0) {
      all.weights[i] = weights[i].map((w, bone) => 0.5 * (w + weights[i][other[bone]]))
      return i
    }
    all.weights.push(weights[i].map((_, bone) => weights[i][other[bone]]))
    return all.points.push([-x, y, z]) - 1
  })
  for (let k = 0; k < triangles.length; k += 3) {
    // One that lies in the plane would meet its twin face to face.
    if (triangles.slice(k, k + 3).every((i) => points[i][0] === 0)) continue
    all.triangles.push(...triangles.slice(k, k + 3))
    all.triangles.push(twinOf[triangles[k]], twinOf[triangles[k + 2]], twinOf[triangles[k + 1]])
  }
  return all
}

/** Balls about joints: the skin within is dark. */
function darkZones(places: ReadonlyMap<string, Placed>): { at: Vector; radius: number }[] {
  const zone = (bone: string, radius: number, shift: Vector = [0, 0, 0]) => ({
    at: out(places.get(bone)!, shift),
    radius,
  })
  const sided = (['left', 'right'] as const).flatMap((side) => {
    const sign = side === 'left' ? 1 : -1
    return [
      zone(`${side}UpperArm`, 0.082, [sign * 0.014, -0.006, 0]),
      zone(`${side}LowerArm`, 0.051),
      zone(`${side}Hand`, 0.038, [sign * -0.008, 0, 0]),
      zone(`${side}UpperLeg`, 0.118, [sign * 0.03, -0.012, 0]),
      zone(`${side}LowerLeg`, 0.07, [0, 0, 0.004]),
      zone(`${side}Foot`, 0.057, [0, 0.03, 0.002]),
    ]
  })
  return [...sided, zone('neck', 0.078, [0, 0.048, 0.016])]
}

/** Cuts triangles along the line where a field is zero; `isBeyond` tells of each whether the field is positive there. */
function cutBy(mesh: Draft, field: (p: Vector) => number): { mesh: Draft; isBeyond: boolean[] } {
  const points = [...mesh.points]
  const weights = [...mesh.weights]
  const values = points.map((p) => {
    const value = field(p)
    return Math.abs(value) < THERE ? 0 : value
  })
  const made = new Map<string, number>()
  const crossing = (a: number, b: number): number => {
    const [i, j] = a < b ? [a, b] : [b, a]
    const key = `${i} ${j}`
    let at = made.get(key)
    if (at === undefined) {
      const share = crossingOf(points[i], points[j], values[i], values[j], field)
      at = points.push(mix(points[i], points[j], share)) - 1
      weights[at] = weights[i].map((w, bone) => (1 - share) * w + share * weights[j][bone])
      values[at] = 0
      made.set(key, at)
    }
    return at
  }
  const triangles: number[] = []
  const isBeyond: boolean[] = []
  for (let k = 0; k < mesh.triangles.length; k += 3) {
    for (const piece of pieces(mesh.triangles.slice(k, k + 3), values, crossing)) {
      triangles.push(...piece)
      isBeyond.push(piece.reduce((sum, i) => sum + values[i], 0) >= 0)
    }
  }
  return { mesh: { points, triangles, weights }, isBeyond }
}

/** Where between two points a field of opposite signs is zero (regula falsi, Illinois), a share of the way. */
function crossingOf(p: Vector, q: Vector, atP: number, atQ: number, field: (p: Vector) => number): number {
  let [a, b, fa, fb] = [0, 1, atP, atQ]
  for (let k = 0; k < 12; k++) {
    const s = a + ((b - a) * fa) / (fa - fb)
    const f = field(mix(p, q, s))
    if (Math.abs(f) < THERE) return s
    if (f * fb < 0) [a, fa] = [b, fb]
    else fa *= 0.5
    ;[b, fb] = [s, f]
  }
  return b
}

/** A triangle, or what a line through it makes of it. */
function pieces(corners: number[], values: readonly number[], crossing: (a: number, b: number) => number): number[][] {
  const ring: number[] = []
  for (let k = 0; k < 3; k++) {
    const [a, b] = [corners[k], corners[(k + 1) % 3]]
    ring.push(a)
    if (values[a] * values[b] < 0) ring.push(crossing(a, b))
  }
  if (ring.length === 3) return [ring]
  const fans: number[][] = []
  for (const isIn of [(i: number) => values[i] >= 0, (i: number) => values[i] <= 0]) {
    const side = ring.filter(isIn)
    for (let k = 1; k + 1 < side.length; k++) fans.push([side[0], side[k], side[k + 1]])
  }
  return fans
}

/** Leaves out the points that no triangle has. */
function compact({ points, triangles, weights }: Draft): Draft {
  const rows = new Map<number, number>()
  for (const i of triangles) if (!rows.has(i)) rows.set(i, rows.size)
  const kept = [...rows.keys()]
  return {
    points: kept.map((i) => points[i]),
    triangles: triangles.map((i) => rows.get(i)!),
    weights: kept.map((i) => weights[i]),
  }
}

/** In the T-pose, with normals, and at most four bones a vertex. */
function finished(
  { points, triangles, weights }: Draft,
  isBeyond: readonly boolean[],
  surface: Surface,
  bones: readonly Bone[],
  places: ReadonlyMap<string, Placed>,
): Skin {
  const count = points.length
  const skin = {
    positions: new Float32Array(3 * count),
    normals: new Float32Array(3 * count),
    joints: new Uint8Array(FOUR * count),
    weights: new Uint8Array(FOUR * count),
    body: triangles.filter((_, k) => isBeyond[Math.floor(k / 3)]),
    dark: triangles.filter((_, k) => !isBeyond[Math.floor(k / 3)]),
  }
  points.forEach((p, i) => {
    const four = strongest(weights[i])
    skin.joints.set(four.bones, FOUR * i)
    skin.weights.set(four.shares, FOUR * i)
    const columns = [0, 1, 2].map((axis) => blended(four, bones, places, unit(axis)))
    const origin = blended(four, bones, places, [0, 0, 0])
    const [a, b, c] = columns.map((column) => minus(column, origin))
    skin.positions.set(solved(a, b, c, minus(p, origin)), 3 * i)
    const n = surface.normal(p)
    // A plane's normal goes with the transpose of the map.
    const back: Vector = [dot(a, n), dot(b, n), dot(c, n)]
    skin.normals.set(
      back.map((value) => value / length(back)),
      3 * i,
    )
  })
  return skin
}

const unit = (axis: number): Vector => [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0]
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** Where the skinning puts a point of the T-pose. */
function blended(
  four: { bones: readonly number[]; shares: readonly number[] },
  bones: readonly Bone[],
  places: ReadonlyMap<string, Placed>,
  p: Vector,
): Vector {
  let sum: Vector = [0, 0, 0]
  four.bones.forEach((row, k) => {
    const { name, joint } = bones[row]
    const { position, rotation } = places.get(name)!
    const at = plus(position, turned(rotation, minus(p, joint)))
    const share = four.shares[k] / 255
    sum = plus(sum, [share * at[0], share * at[1], share * at[2]])
  })
  return sum
}

/** x with a x₁ + b x₂ + c x₃ = d (G. Cramer). */
function solved(a: Vector, b: Vector, c: Vector, d: Vector): Vector {
  const cross = (u: Vector, v: Vector): Vector => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ]
  const whole = dot(a, cross(b, c))
  return [dot(d, cross(b, c)) / whole, dot(a, cross(d, c)) / whole, dot(a, cross(b, d)) / whole]
}
