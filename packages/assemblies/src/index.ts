/** Tautline assemblies: cloth, rope and soft bodies in one call each. */

export { Assemblies, type AssemblyJson } from './assemblies.js'
export { Assembly, type AssemblyHandleJson, type AssemblyState, type TeleportOptions } from './assembly.js'
export { assembliesFromJSON, type AssemblyKind } from './from-json.js'
