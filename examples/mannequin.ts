/**
 * The mannequin: `npm run mannequin` makes examples/data/mannequin.glb from the bones of examples/data/adult.ts, the same bytes
 * each time. docs/mannequin.md says what is in it.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mannequinClips } from './mannequin/clips.js'
import { mannequinSkin } from './mannequin/mesh.js'
import { mannequinBones, mannequinRig } from './mannequin/skeleton.js'
import { mannequinGlb } from './mannequin/write.js'

const bones = mannequinBones()
const rig = mannequinRig(bones)
const skin = await mannequinSkin(bones)
const bytes = await mannequinGlb(bones, rig, skin, mannequinClips(rig))
writeFileSync(fileURLToPath(new URL('data/mannequin.glb', import.meta.url)), bytes)
const triangles = (skin.body.length + skin.dark.length) / 3
console.log(`examples/data/mannequin.glb: ${triangles} triangles, ${Math.round(bytes.length / 1000)} kB`)
