/** Tautline assemblies: cloth, rope and soft bodies in one call each. */

export { Assemblies, type AssemblyJson } from './assemblies.js'
export { Assembly, type AssemblyHandleJson, type AssemblyState, type TeleportOptions } from './assembly.js'
export { assembliesFromJSON, type AssemblyKind } from './from-json.js'
export { clothAsset, type ClothAsset, type ClothAssetReport, type ClothMeshDef } from './cloth/asset.js'
export { cloth, Cloth, type ClothChanges } from './cloth/cloth.js'
export type {
  BendModel,
  ClothDef,
  ClothMotion,
  ClothSettings,
  DirectionValues,
  TetherKind,
} from './cloth/definition.js'
export { CLOTH_MATERIALS, type ClothMaterial, type ClothMaterialName } from './cloth/materials.js'
export type { Pin, PinGroup, Pins } from './cloth/pins.js'
export { clothKind } from './cloth/read.js'
export type { ClothReadout, ClothTopology } from './cloth/readout.js'
export type { Tear } from './cloth/state.js'
export type { VertexValues } from './parts/values.js'
export { attach, type AttachOptions, type AttachPoint } from './attach.js'
export type { RopeDef, RopeEnd, RopeSettings, RopeWinch } from './rope/definition.js'
export { ropeKind } from './rope/read.js'
export { rope, Rope } from './rope/rope.js'
export type { RodDef, RodEnd, RodRest, RodSettings } from './rod/definition.js'
export { rodKind } from './rod/read.js'
export { rod, Rod } from './rod/rod.js'
export { pulleys, Pulleys } from './pulleys/pulleys.js'
export type { PulleyPoint, PulleysDef } from './pulleys/pulleys.js'
export { pulleysKind } from './pulleys/read.js'
export type { FullLevel, LodDef, LodField, LodLevel, LodPlan } from './parts/lod.js'
export type { Winch } from './parts/winch.js'
export {
  type FilledMesh,
  type FillMesh,
  type FillOptions,
  type FillReport,
  tetrahedralize,
} from './tetrahedralize/tetrahedralize.js'
export type { TetrahedraQuality } from './tetrahedralize/quality.js'
export { softBodyAsset, type SoftBodyAsset, type SoftBodyMeshDef, type SoftBodyReport } from './soft/asset.js'
export type { SoftBodyDef, SoftBodyModel, SoftBodySettings } from './soft/definition.js'
export type { Embedding } from './soft/embed.js'
export { SOFT_MATERIALS, type SoftMaterial, type SoftMaterialName } from './soft/materials.js'
export { softBodyKind } from './soft/read.js'
export type { SoftBodyReadout } from './soft/readout.js'
export { softBody, SoftBody } from './soft/soft-body.js'
