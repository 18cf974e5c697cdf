/** Kinds of assemblies that `assembliesFromJSON` reads back from the JSON of a scene: one by one, so that a page carries those alone that it names. */

import type { AssemblyKind } from './from-json.js'
import { Cloth } from './cloth/cloth.js'
import { readClothJson } from './cloth/write.js'
import { Rope } from './rope/rope.js'
import { readRopeJson } from './rope/write.js'
import { Rod } from './rod/rod.js'
import { readRodJson } from './rod/write.js'
import { SoftBody } from './soft/soft-body.js'
import { readSoftBodyJson } from './soft/write.js'
import { Vehicle } from './vehicle/vehicle.js'
import { readVehicleJson } from './vehicle/write.js'
import { Pulleys } from './pulleys/pulleys.js'
import { readPulleysJson } from './pulleys/write.js'

/** The kind of cloth, for `assembliesFromJSON`. */
export const clothKind: AssemblyKind = {
  kind: 'cloth',
  read(owner, scene, name, data) {
    const { asset, settings, state } = readClothJson('assembliesFromJSON: cloth', scene, data)
    return new Cloth(owner, scene.world, name, asset, settings, state)
  },
}

/** The kind of rope, for `assembliesFromJSON`. */
export const ropeKind: AssemblyKind = {
  kind: 'rope',
  read(owner, scene, name, data) {
    const { settings, state } = readRopeJson('assembliesFromJSON: rope', scene, data)
    return new Rope(owner, scene.world, name, settings, state)
  },
}

/** The kind of rod, for `assembliesFromJSON`. */
export const rodKind: AssemblyKind = {
  kind: 'rod',
  read(owner, scene, name, data) {
    const { settings, state } = readRodJson('assembliesFromJSON: rod', scene, data)
    return new Rod(owner, scene.world, name, settings, state)
  },
}

/** The kind of soft bodies, for `assembliesFromJSON`. */
export const softBodyKind: AssemblyKind = {
  kind: 'softBody',
  read(owner, scene, name, data) {
    const { settings, state } = readSoftBodyJson('assembliesFromJSON: softBody', scene, data)
    return new SoftBody(owner, scene.world, name, settings, state)
  },
}

/** The kind of vehicles, for `assembliesFromJSON`. */
export const vehicleKind: AssemblyKind = {
  kind: 'vehicle',
  read(owner, scene, name, data) {
    const { settings, state } = readVehicleJson('assembliesFromJSON: vehicle', scene, data)
    return new Vehicle(owner, scene.world, name, settings, state)
  },
}

/** The kind of pulleys, for `assembliesFromJSON`. */
export const pulleysKind: AssemblyKind = {
  kind: 'pulleys',
  read: (owner, scene, name, data) =>
    new Pulleys(owner, scene.world, name, readPulleysJson('assembliesFromJSON: pulleys', scene, data)),
}
