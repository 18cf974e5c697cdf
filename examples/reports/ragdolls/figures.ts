/** Skeletons of the rows: of files, of the examples' adult, and random trees. */

import { readFileSync } from 'node:fs'
import { WebIO } from '@gltf-transform/core'
import {
  gltfSkin,
  type RagdollAsset,
  ragdollAsset,
  type RagdollAssetOptions,
  type RagdollBone,
  type RagdollSource,
} from '@tautline/assemblies'
import type { Body } from '@tautline/core'
import { Pose, Rig } from '@tautline/ik'
import { type Bvh, parseBvh } from '@tautline/ik/bvh'
import { fromGltf, readGlb } from '@tautline/ik/gltf'
import { parseMjcf } from '@tautline/ik/mjcf'
import { WEBXR_HAND_PARENTS } from '@tautline/ik/vrm'
import type { Ragdoll } from '@tautline/assemblies'
import { dataFile, packageFile } from '../../scenes/ik/data.js'
import { adultRig } from '../../scenes/ik/humanoid.js'

/** The file's unit: CMU's skeletons are in inches / 0.45 [m]. */
const UNIT = 0.0254 / 0.45
/** Frame 0 is a T-pose. */
const FIRST = 1

/** A skeleton, or why there is none. */
export type Figure =
  { readonly source: RagdollSource; readonly options?: RagdollAssetOptions } | { readonly missing: string }

/** The examples' adult in the T-pose, by VRM's names. */
export function adultFigure(): Figure {
  return { source: adultRig().rig }
}

/** The motion of CMU, or why there is none. */
export function mocap(): Bvh | string {
  const file = dataFile('mocap/01_01.bvh')
  return 'missing' in file ? file.missing : parseBvh(new TextDecoder().decode(file.bytes), { scale: UNIT })
}

/** Its skeleton. */
export function mocapFigure(): Figure {
  const bvh = mocap()
  return typeof bvh === 'string' ? { missing: bvh } : { source: bvh }
}

/** A robot of the data folder, as its file says. */
export function robotFigure(name: string): Figure {
  const file = dataFile(`robots/${name}.xml`)
  return 'missing' in file ? file : { source: parseMjcf(new TextDecoder().decode(file.bytes)) }
}

/** The mannequin, with its skin. */
export async function mannequinFigure(): Promise<Extract<Figure, { source: unknown }>> {
  const bytes = new Uint8Array(readFileSync(new URL('../../data/mannequin.glb', import.meta.url)))
  const { document } = await readGlb(new WebIO(), bytes)
  return { source: fromGltf(document), options: { skin: gltfSkin(document) } }
}

/** The left generic hand of WebXR, with its skin. */
export async function handFigure(): Promise<Figure> {
  const file = packageFile('@webxr-input-profiles/assets', 'dist/profiles/generic-hand/left.glb')
  if ('missing' in file) return file
  const { document } = await readGlb(new WebIO(), file.bytes)
  return {
    source: fromGltf(document, { parents: WEBXR_HAND_PARENTS }),
    options: { skin: gltfSkin(document), roles: 'none' },
  }
}

/** A clip of the motion: every other frame, 60 a second. Asset with ranges that hold it. */
export function clipOf(bvh: Bvh, frames: number): { asset: RagdollAsset; clip: Pose[] } {
  const rig = Rig.from(bvh.bones)
  const clip = Array.from({ length: frames }, (_, k) => {
    const pose = new Pose(rig)
    bvh.pose(FIRST + 2 * k, pose)
    return pose
  })
  return { asset: ragdollAsset(bvh), clip }
}

/** Numbers in [0, 1) that a seed decides. */
export function random(seed: number): () => number {
  let state = (Math.imul(seed, 2654435761) + 12345) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

/** A tree of 2 to 30 bones with any rotations, some with tips. */
export function randomTree(seed: number): RagdollBone[] {
  const next = random(seed)
  const bones: RagdollBone[] = []
  const count = 2 + Math.floor(29 * next())
  for (let k = 0; k < count; k++) {
    const turn = unit([0, 1, 2, 3].map(() => next() - 0.5))
    const length = k === 0 ? 0 : 0.05 + 0.4 * next()
    const [x, y, z] = unit([0, 1, 2].map(() => next() - 0.5)).map((value) => length * value)
    const parent = k === 0 ? null : Math.floor(next() * k)
    const rotation: [number, number, number, number] = [turn[0], turn[1], turn[2], turn[3]]
    const tip: [number, number, number] = [0.1 + 0.2 * next(), 0, 0]
    bones.push({ name: `bone ${k}`, parent, position: [x, y, z], rotation, ...(next() < 0.5 && { tip }) })
  }
  return bones
}

/** A random unit quaternion. */
export function randomTurn(next: () => number): [number, number, number, number] {
  const [x, y, z, w] = unit([0, 1, 2, 3].map(() => next() - 0.5))
  return [x, y, z, w]
}

function unit(v: readonly number[]): number[] {
  const length = Math.hypot(...v)
  return v.map((value) => value / length)
}

/** Largest distance between the two ends of a joint [m]. */
export function gapOf(doll: Ragdoll): number {
  let gap = 0
  for (const { def, bodies, typeName } of doll.constraints) {
    const { anchorA, anchorB } = def as { anchorA?: [number, number, number]; anchorB?: [number, number, number] }
    const [a, b] = bodies as (Body | null)[]
    if (anchorA === undefined || anchorB === undefined || !a || !b || typeName === 'slider') continue
    const [p, q] = [a.toWorld(anchorA), b.toWorld(anchorB)]
    gap = Math.max(gap, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]))
  }
  return gap
}

/** How far limits are violated at worst [rad]. */
export function overLimits(doll: Ragdoll): number {
  return Math.max(0, ...doll.validate().map(({ value, min, max }) => Math.max(min - value, value - max)))
}
