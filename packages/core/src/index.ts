/** Tautline core: state, the step, the contract of a constraint, elementary functions. */

export { World } from './world.js'
export type { VelocityHook } from './world.js'
export type { Clock } from './state/clock.js'
export type { DirectReport, StepReport } from './readout/report.js'
export type { Gyroscopic, Settings, SweepOrder, WorldOptions } from './state/settings.js'
export { Body } from './state/body.js'
export type { BodyHandleJson } from './state/body.js'
export type { Bodies } from './state/bodies.js'
export type { BodiesDef, BodyDef, BodyType } from './state/body-definition.js'
export { type Changes, Constraint } from './edit/constraint.js'
export type { ConstraintHandleJson } from './edit/constraint.js'
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
} from './state/body-columns.js'
export type { BodyColumn, BodyColumns } from './state/body-columns.js'
export { Batch } from './state/batch.js'
export type { AnyType, CommonColumn } from './state/batch.js'
export type { CommonDef, ManyDef, PairDef, Solver } from './define/common.js'
export type { BlockSolver, ConstraintType, ReportView, ResolveContext, WorldView } from './define/contract.js'
export type { Stage } from './define/stage.js'
export { WorldState } from './state/world-state.js'
export type { RowRef } from './state/world-state.js'
export { Curvature } from './direct/curvature.js'
export { direct } from './direct/direct.js'
export { gradient } from './define/gradient.js'
export type { BodyGradient, GradientGroup, GradientRow } from './define/gradient.js'
export { Group, Rows } from './define/rows.js'
export type { Outline } from './define/outline.js'
export { LARGEST_GROUP, RUNAWAY } from './step/group-system.js'
export { dropFaults } from './step/faults.js'
export { sweepRows } from './step/row-solver.js'
export type { GroupKind, GroupLaw, Unit } from './define/rows.js'
export { fromJSON } from './from-json.js'
export type { StageReader } from './from-json.js'
export type { SceneLimits } from './define/scene-limits.js'
export { custom, CustomBody } from './define/custom.js'
export type { CustomDef, CustomOptions, GradientOut } from './define/custom.js'
export { resolveSoftness } from './define/definition.js'
export type { ErrorSummary, Reaction, TypeResidual } from './readout/readout.js'
export type { Energy, EnergyLedger, Momentum } from './readout/energy.js'
export type { GuardReport } from './guard/guard.js'
export type { Snapshot } from './readout/snapshot.js'
export type { BodyJson, ConstraintJson, SceneJson } from './readout/to-json.js'

export type { Columns, Strides } from './state/table.js'
export * from './define/assert.js'
export * from './mass/index.js'
export { acos, asin, atan2, atan2At, cos, sin, sinCos, wrapAngle } from './math/elementary.js'
export * from './math/rotation.js'
export { compose, frameX, frameY, frameZ } from './math/frames.js'
export { ANGLE, angleAboutA, angleAboutB, swingAngles, twistAngle } from './math/joint-angles.js'
export { ellipseAngle } from './math/swing-ellipse.js'
export { beginStep, beginSubstep, endStep, runVelocityHook } from './step/step.js'
export { accelerate, checkVelocities, drift, freeze, isFinitePose, steerKinematic } from './step/motion.js'
export { advanceSpin, predictSpin } from './step/spin-prediction.js'
export { carrySpin } from './step/spin-velocity.js'
export { refreshInertia, worldInertia } from './step/inertia.js'
export { breakOverloaded } from './step/breaking.js'
export { constraintError, measureReaction } from './readout/readout.js'
export { TURNED, turnedSinceStart } from './step/moved.js'
export { DISC, solveDisc } from './step/disc.js'
export type { ProjectOptions, ProjectReport } from './step/projection.js'
