/**
 * Cloth and ropes made of, and shown by, meshes of three. An entry of its own, `@tautline/three/assemblies`, as it brings
 * `@tautline/assemblies` along.
 */

export { clothFromGeometry, ClothSurface } from './assemblies/cloth.js'
export type { ClothGeometryDef } from './assemblies/cloth.js'
export { ropeMesh, RopeMesh } from './assemblies/rope.js'
export type { RopeMeshOptions } from './assemblies/rope.js'
export { softBodyFromMesh, SoftBodySurface } from './assemblies/soft-body.js'
export type { SoftBodyGeometryDef } from './assemblies/soft-body.js'
