/**
 * Cloth, ropes, soft bodies and ragdolls made of, and shown by, objects of three. An entry of its own, `@tautline/three/assemblies`, as it brings
 * `@tautline/assemblies` along.
 */

export { clothFromGeometry, ClothSurface } from './assemblies/cloth.js'
export type { ClothGeometryDef } from './assemblies/cloth.js'
export { ragdollFromObject, RagdollObject } from './assemblies/ragdoll.js'
export type { RagdollObjectOptions } from './assemblies/ragdoll.js'
export { ropeMesh, RopeMesh } from './assemblies/rope.js'
export type { RopeMeshOptions } from './assemblies/rope.js'
export { softBodyFromMesh, SoftBodySurface } from './assemblies/soft-body.js'
export type { SoftBodyGeometryDef } from './assemblies/soft-body.js'
