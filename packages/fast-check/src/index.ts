/** Tautline for fast-check: arbitraries of scenes, properties of worlds, and the conformance suite for constraint types. */

export { conformance, assertConformance, ConformanceError } from './conformance.js'
export type { Check } from './conformance.js'
export { withoutSoftness } from './conformance/options.js'
export type { CheckName, ConformanceOptions, Fields, Tolerances } from './conformance/options.js'
export { bodies, cuboidMoments, edges, gravities, masses, massUpTo, poses } from './bodies.js'
export type { BodyOptions, PoseDef } from './bodies.js'
export { BUILT_IN } from './built-in.js'
export type { BuiltIn } from './built-in.js'
export * as definitions from './definitions.js'
export * as jointDefinitions from './joint-definitions.js'
export { decades, direction, merged, real, record, rotation, some, vector } from './numbers.js'
export type { Quat, Vec3 } from './numbers.js'
export { operations, perform } from './operations.js'
export type { OperationOptions } from './operations.js'
export type { Running } from './running.js'
export { Scene } from './scene.js'
export { literal, scriptHeader } from './script.js'
export type { ScriptOptions } from './script.js'
export type {
  AnyConstraintType,
  ColliderSpec,
  ConstraintSpec,
  Operation,
  SceneDef,
  ShapeSpec,
  VectorEdit,
} from './spec.js'
export { chains, cloths, piles, ragdolls, scenes, trees } from './scenes.js'
export type { SceneOptions } from './scenes.js'
export {
  gradientMatches,
  isFrameInvariant,
  isPassive,
  keepsLimits,
  keepsMomentum,
  reloads,
  replays,
  restores,
  staysFinite,
  staysMet,
} from './properties.js'
export type {
  FrameOptions,
  MakeWorld,
  MomentumOptions,
  PassiveOptions,
  ReloadOptions,
  ResidualOptions,
  Watch,
} from './properties.js'
