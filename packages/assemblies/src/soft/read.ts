/** Reads soft bodies back from the JSON of a scene: `assembliesFromJSON([softBodyKind])`. */

import type { AssemblyKind } from '../from-json.js'
import { SoftBody } from './soft-body.js'
import { readSoftBodyJson } from './write.js'

/** The kind of soft bodies, for `assembliesFromJSON`. */
export const softBodyKind: AssemblyKind = {
  kind: 'softBody',
  read(owner, scene, name, data) {
    const { settings, state } = readSoftBodyJson('assembliesFromJSON: softBody', scene, data)
    return new SoftBody(owner, scene.world, name, settings, state)
  },
}
