/** Reads ropes back from the JSON of a scene: `assembliesFromJSON([ropeKind])`. */

import type { AssemblyKind } from '../from-json.js'
import { Rope } from './rope.js'
import { readRopeJson } from './write.js'

/** The kind of rope, for `assembliesFromJSON`. */
export const ropeKind: AssemblyKind = {
  kind: 'rope',
  read(owner, scene, name, data) {
    const { settings, state } = readRopeJson('assembliesFromJSON: rope', scene, data)
    return new Rope(owner, scene.world, name, settings, state)
  },
}
