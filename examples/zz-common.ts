import { readFileSync } from 'node:fs'
import { WebIO } from '@gltf-transform/core'
import { gltfSkin, ragdoll, ragdollAsset, type RagdollAsset, type Ragdoll } from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { fromGltf, readGlb } from '@tautline/ik/gltf'
import { adultRig } from './scenes/ik/humanoid.js'
export async function mannequin(detail: 15 | 20 = 15): Promise<RagdollAsset> {
  const bytes = new Uint8Array(readFileSync(new URL('./data/mannequin.glb', import.meta.url)))
  const { document } = await readGlb(new WebIO(), bytes)
  return ragdollAsset(fromGltf(document), { skin: gltfSkin(document), detail })
}
export const adult = () => ragdollAsset(adultRig().rig)
export function scene(asset: RagdollAsset, options: any = {}, normal: [number, number, number] = [0, 1, 0], y = 0): { world: World; collisions: Collisions; doll: Ragdoll } {
  const world = new World(options)
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane(normal, 0) })
  return { world, collisions, doll: ragdoll(world, asset, { position: [0, y, 0] }) }
}
