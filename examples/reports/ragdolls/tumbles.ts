/** Scenes in which the mannequin falls: down stairs, from an explosion, thrown at a wall. */

import { readFileSync } from 'node:fs'
import { WebIO } from '@gltf-transform/core'
import {
  createGetUp,
  fallDown,
  type GetUp,
  gltfSkin,
  type Ragdoll,
  ragdoll,
  type RagdollAsset,
  ragdollAsset,
} from '@tautline/assemblies'
import { box, Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { fromGltf, gltfClip, type GltfClip, type GltfRig, readGlb } from '@tautline/ik/gltf'
import { random } from './figures.js'

const FILE = new URL('../../data/mannequin.glb', import.meta.url)

/** The mannequin as parts, and its clips by name. */
export interface Mannequin {
  readonly asset: RagdollAsset
  readonly bones: GltfRig['bones']
  clip(name: string): GltfClip
}

/** Reads the mannequin. */
export async function mannequin(): Promise<Mannequin> {
  const { document } = await readGlb(new WebIO(), new Uint8Array(readFileSync(FILE)))
  const rig = fromGltf(document)
  return {
    bones: rig.bones,
    asset: ragdollAsset(rig, { skin: gltfSkin(document) }),
    clip: (name) => gltfClip(document, rig, name),
  }
}

/** Ways to fall. */
export const TUMBLES = ['stairs', 'explosion', 'wall'] as const

/** A way to fall. */
export type Tumble = (typeof TUMBLES)[number]

/** A figure that has just begun to fall. */
export interface Fallen {
  readonly world: World
  readonly collisions: Collisions
  readonly doll: Ragdoll
  readonly getUp: GetUp
}

/** Stairs: how many, their height and depth, half their width [m]. */
const STAIRS = { count: 7, rise: 0.18, run: 0.3, half: 1.6 } as const

/** Lets the mannequin fall from a moment of its walk. */
export function tumble(man: Mannequin, clips: readonly GltfClip[], kind: Tumble, seed: number, substeps = 4): Fallen {
  const next = random(seed)
  const world = new World({ substeps })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  if (kind === 'stairs') addStairs(collisions)
  if (kind === 'wall') collisions.addCollider(null, { shape: box([3, 1.5, 0.1]), position: [0, 1.5, 1.6] })
  const walk = man.clip('walk')
  const height = kind === 'stairs' ? STAIRS.count * STAIRS.rise : 0
  const turn = 2 * Math.PI * next()
  const angle = kind === 'explosion' ? turn : 0.6 * (next() - 0.5) + (next() < 0.5 ? 0 : Math.PI)
  const orientation = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] as const
  const frame = 1 + Math.floor(next() * (walk.poses.length - 1))
  const doll = ragdoll(world, man.asset, {
    position: [0, height, 0],
    orientation,
    pose: walk.poses[frame],
    previous: walk.poses[frame - 1],
    dt: 1 / walk.rate,
  })
  const getUp = createGetUp(doll, { clips })
  fallDown(getUp)
  if (kind === 'explosion') explode(doll, next)
  else {
    const speed = kind === 'stairs' ? 1.2 + 1.5 * next() : 4 + 5 * next()
    const [x, y] = [next() - 0.5, 1.5 * next()]
    for (const body of doll.bodies) body.setVelocity([x, y + 0.5 * next(), speed * (0.9 + 0.2 * next())])
  }
  return { world, collisions, doll, getUp }
}

function addStairs(collisions: Collisions): void {
  const { count, rise, run, half } = STAIRS
  for (let k = 0; k < count; k++) {
    const tall = 0.5 * rise * (count - k)
    const back = k === 0 ? 1 : 0.5 * run
    collisions.addCollider(null, { shape: box([half, tall, back]), position: [0, tall, 0.2 + run * k - back] })
  }
}

/** Throws all parts away from a point near the feet, the nearer the faster. */
function explode(doll: Ragdoll, next: () => number): void {
  const at = [1.2 * (next() - 0.5), 0.1, 1.2 * (next() - 0.5)]
  const strength = 3 + 4 * next()
  for (const body of doll.bodies) {
    const [x, y, z] = body.position
    const away = [x - at[0], y - at[1], z - at[2]]
    const r = Math.max(Math.hypot(...away), 0.3)
    const v = (strength / (r * r)) * Math.min(1, r)
    body.setVelocity([(away[0] / r) * v, (away[1] / r) * v + 1, (away[2] / r) * v])
  }
}
