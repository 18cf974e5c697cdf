/** Tautline assemblies: cloth, rope, soft bodies and ragdolls in one call each. */

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
export { clothKind } from './kinds.js'
export type { ClothReadout, ClothTopology } from './cloth/readout.js'
export type { Tear } from './cloth/state.js'
export type { VertexValues } from './parts/values.js'
export { attach, type AttachOptions, type AttachPoint } from './attach.js'
export type { RopeDef, RopeEnd, RopeSettings, RopeWinch } from './rope/definition.js'
export { ropeKind } from './kinds.js'
export { rope, Rope } from './rope/rope.js'
export type { RodDef, RodEnd, RodRest, RodSettings } from './rod/definition.js'
export { rodKind } from './kinds.js'
export { rod, Rod } from './rod/rod.js'
export { pulleys, Pulleys } from './pulleys/pulleys.js'
export type { PulleyPoint, PulleysDef } from './pulleys/pulleys.js'
export { pulleysKind } from './kinds.js'
export type { VehicleDef, VehicleSettings, WheelDef } from './vehicle/definition.js'
export { vehicleKind } from './kinds.js'
export type { VehicleControls } from './vehicle/state.js'
export { vehicle, Vehicle, type WheelReadout } from './vehicle/vehicle.js'
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
export { softBodyKind } from './kinds.js'
export type { SoftBodyReadout } from './soft/readout.js'
export { softBody, SoftBody } from './soft/soft-body.js'
export { ragdollAsset, type RagdollAssetOptions, validateAsset } from './ragdoll/asset.js'
export type { AimOptions } from './ragdoll/active/aims.js'
export { balance, Balance, type BalanceOptions, type BalanceState } from './ragdoll/active/balance.js'
export { ragdoll } from './ragdoll/build.js'
export type { RagdollAsset, RagdollPart } from './ragdoll/data.js'
export type { RagdollOptions, RagdollSettings } from './ragdoll/definition.js'
export type { PartShape } from './ragdoll/fit.js'
export { limitsFromClip, widenLimits } from './ragdoll/clip-limits.js'
export {
  type GltfAccessor,
  type GltfBoundSkin,
  type GltfFile,
  type GltfMeshNode,
  gltfSkin,
} from './ragdoll/gltf-skin.js'
export type { HumanoidDetail } from './ragdoll/humanoid.js'
export type { PartJoint, PartJointKind } from './ragdoll/part-joint.js'
export { type BonePose, restPose } from './ragdoll/pose.js'
export type { ProfilePart, RagdollProfileDef } from './ragdoll/profiles.js'
export { type DriveToOptions, type HitOptions, Ragdoll, type SetPoseOptions } from './ragdoll/ragdoll.js'
export type { GetUpOptions, GetUpSettings } from './ragdoll/get-up/definition.js'
export {
  createGetUp,
  fallDown,
  type GetUp,
  type GetUpProgress,
  type GetUpState,
  startGetUp,
  updateGetUp,
} from './ragdoll/get-up/get-up.js'
export type { GetUpPlan, Starts } from './ragdoll/get-up/plan.js'
export { ragdollKind, readRagdollAsset } from './ragdoll/read.js'
export type { RagdollSkin } from './ragdoll/skin.js'
export type { RagdollBone, RagdollSource, Skeleton } from './ragdoll/skeleton.js'
export type { LimitViolation } from './ragdoll/validate.js'
export { type PartChoice, RAGDOLL_PROFILES, type RagdollProfile, type RagdollWeights } from './ragdoll/weights.js'
export { writeAsset as writeRagdollAsset } from './ragdoll/write.js'
