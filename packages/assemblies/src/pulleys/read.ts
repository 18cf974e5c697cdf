/** Reads pulleys back from the JSON of a scene: `assembliesFromJSON([pulleysKind])`. */

import type { AssemblyKind } from '../from-json.js'
import { Pulleys } from './pulleys.js'
import { readPulleysJson } from './write.js'

/** The kind of pulleys, for `assembliesFromJSON`. */
export const pulleysKind: AssemblyKind = {
  kind: 'pulleys',
  read: (owner, scene, name, data) =>
    new Pulleys(owner, scene.world, name, readPulleysJson('assembliesFromJSON: pulleys', scene, data)),
}
