/** Reads rods back from the JSON of a scene: `assembliesFromJSON([rodKind])`. */

import type { AssemblyKind } from '../from-json.js'
import { Rod } from './rod.js'
import { readRodJson } from './write.js'

/** The kind of rod, for `assembliesFromJSON`. */
export const rodKind: AssemblyKind = {
  kind: 'rod',
  read(owner, scene, name, data) {
    const { settings, state } = readRodJson('assembliesFromJSON: rod', scene, data)
    return new Rod(owner, scene.world, name, settings, state)
  },
}
