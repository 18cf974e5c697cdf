/** Reads cloth back from the JSON of a scene: `assembliesFromJSON([clothKind])`. */

import type { AssemblyKind } from '../from-json.js'
import { Cloth } from './cloth.js'
import { readClothJson } from './write.js'

/** The kind of cloth, for `assembliesFromJSON`. */
export const clothKind: AssemblyKind = {
  kind: 'cloth',
  read(owner, scene, name, data) {
    const { asset, settings, state } = readClothJson('assembliesFromJSON: cloth', scene, data)
    return new Cloth(owner, scene.world, name, asset, settings, state)
  },
}
