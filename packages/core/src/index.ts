/** Tautline core: state, the step, the contract of a constraint, elementary functions. */

export { World } from './world.js'
export type { Clock, StepReport, VelocityHook } from './world.js'
export type { Settings, WorldOptions } from './settings.js'
export { Body } from './body.js'
export type { BodyDef, BodyHandleJson } from './body.js'
export type { Bodies, BodiesDef } from './bodies.js'
export { type Changes, Constraint } from './constraint.js'
export type { ConstraintHandleJson } from './constraint.js'
export {
  ADVANCED,
  ANY_TRANSLATION_LOCK,
  ARRIVED,
  ASLEEP,
  DEAD,
  DYNAMIC,
  FROZEN,
  HAS_TARGET,
  KINEMATIC,
  LOCK_TRANSLATION,
  RESTS,
  SPHERICAL,
  STATIC,
  TURNS,
  WORLD_BODY,
} from './body-columns.js'
export type { BodyColumn, BodyColumns } from './body-columns.js'
export { Batch } from './batch.js'
export type { AnyType, CommonColumn } from './batch.js'
export type { CommonDef, ConstraintType, ManyDef, PairDef, ResolveContext, Solver, Stage } from './contract.js'
export { Curvature } from './direct/curvature.js'
export { direct } from './direct/direct.js'
export type { BlockSolver } from './block-solver.js'
export { gradient } from './gradient.js'
export type { BodyGradient, GradientGroup, GradientRow } from './gradient.js'
export { Group, Rows } from './rows.js'
export { LARGEST_GROUP, RUNAWAY } from './group-system.js'
export { dropFaults } from './faults.js'
export { sweepRows } from './row-solver.js'
export type { Outline } from './outline.js'
export type { GroupKind, GroupLaw, Unit } from './rows.js'
export { fromJSON } from './from-json.js'
export type { StageReader } from './from-json.js'
export type { SceneLimits } from './scene-limits.js'
export { custom, CustomBody } from './custom.js'
export type { CustomDef, CustomOptions, GradientOut } from './custom.js'
export { resolveSoftness } from './definition.js'
export type { DirectReport, ErrorSummary, Reaction, TypeResidual } from './readout.js'
export type { Energy, Momentum } from './energy.js'
export type { GuardReport } from './guard/guard.js'
export type { EnergyLedger } from './ledger/ledger.js'
export type { Snapshot } from './snapshot.js'
export type { BodyJson, ConstraintJson, SceneJson } from './to-json.js'
export type { SweepOrder } from './order.js'
export type { Gyroscopic } from './spin.js'
export type { Columns, Strides } from './table.js'
export * from './assert.js'
export * from './mass.js'
export { acos, asin, atan2, atan2At, cos, sin, sinCos, wrapAngle } from './math/elementary.js'
export * from './math/rotation.js'
export { compose, frameX, frameY, frameZ } from './math/frames.js'
export { ANGLE, angleAboutA, angleAboutB, swingAngles, twistAngle } from './math/joint-angles.js'
export { ellipseAngle } from './math/swing-ellipse.js'
export { beginStep, beginSubstep, endStep } from './step.js'
export { accelerate, checkVelocities, drift, freeze, isFinitePose, steerKinematic } from './motion.js'
export { advanceSpin, carrySpin, predictSpin } from './spin.js'
export { refreshInertia, worldInertia } from './inertia.js'
export { breakOverloaded, constraintError, measureReaction } from './readout.js'
export { TURNED, turnedSinceStart } from './moved.js'
export { DISC, solveDisc } from './disc.js'
export type { ProjectOptions, ProjectReport } from './projection.js'
