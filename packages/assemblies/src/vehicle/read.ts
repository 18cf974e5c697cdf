/** Reads vehicles back from the JSON of a scene: `assembliesFromJSON([vehicleKind])`. */

import type { AssemblyKind } from '../from-json.js'
import { Vehicle } from './vehicle.js'
import { readVehicleJson } from './write.js'

/** The kind of vehicles, for `assembliesFromJSON`. */
export const vehicleKind: AssemblyKind = {
  kind: 'vehicle',
  read(owner, scene, name, data) {
    const { settings, state } = readVehicleJson('assembliesFromJSON: vehicle', scene, data)
    return new Vehicle(owner, scene.world, name, settings, state)
  },
}
