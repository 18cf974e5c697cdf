/**
 * The mannequin: `npm run mannequin` makes examples/data/mannequin.glb from the bones of examples/data/adult.ts, the same bytes
 * each time; `npm run mannequin -- --check` only says whether the file is that. docs/mannequin.md tells what is in it.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mannequinClips } from './mannequin/clips.js'
import { jump } from './mannequin/jump.js'
import { mannequinSkin } from './mannequin/mesh.js'
import { mannequinBones, mannequinRig } from './mannequin/skeleton.js'
import { mannequinGlb } from './mannequin/write.js'

const file = fileURLToPath(new URL('data/mannequin.glb', import.meta.url))
const bones = mannequinBones()
const rig = mannequinRig(bones)
const skin = await mannequinSkin(bones)
const bytes = await mannequinGlb(bones, rig, skin, mannequinClips(rig, jump))
if (process.argv.includes('--check')) {
  const isSame = readFileSync(file).equals(bytes)
  console.log(`examples/data/mannequin.glb: ${isSame ? 'as the command makes it' : 'differs: run `npm run mannequin`'}`)
  process.exitCode = isSame ? 0 : 1
} else {
  writeFileSync(file, bytes)
  const triangles = (skin.body.length + skin.dark.length) / 3
  console.log(`examples/data/mannequin.glb: ${triangles} triangles, ${Math.round(bytes.length / 1000)} kB`)
}
