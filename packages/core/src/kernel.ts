/**
 * Tautline core for those who write types of constraints, stages of the step and solvers: the contract, columns and batches, the parts of a step,
 * checks of input, elementary functions with the same bits on every engine, rotations and mass properties.
 */

export { type Clock, stepLength } from './state/settings.js'
export type { Gyroscopic, SweepOrder } from './state/settings.js'
export type { BodyHandleJson } from './state/body.js'
export { Bodies } from './state/bodies.js'
export type { ConstraintHandleJson } from './edit/constraint.js'
export {
  ADVANCED,
  ANY_TRANSLATION_LOCK,
  ARRIVED,
  ASLEEP,
  DEAD,
  DYNAMIC,
  EDITED,
  RESET,
  RETARGETED,
  FROZEN,
  HAS_TARGET,
  KINEMATIC,
  LENT,
  LOCK_TRANSLATION,
  DISTURBED,
  RESTS,
  SPHERICAL,
  STATIC,
  TIED,
  ROTATES,
  WORLD_BODY,
  type BodyColumn,
  type BodyColumns,
} from './state/body-columns.js'
export {
  Backing,
  BACKING,
  BACKING_BEFORE,
  BACKING_BODY,
  BACKING_CHANGE,
  BACKING_LOAD,
  BACKING_MASS,
  BACKING_N,
  BACKING_SHARE,
} from './state/backing.js'
export { Batch, type AnyType, type CommonColumn } from './state/batch.js'
export { setRows } from './state/batch.js'
export type {
  BlockSolver,
  Loops,
  ManyNumbers,
  ManyRows,
  ReportView,
  ResolveContext,
  ResolvedDef,
  TypeLoops,
  WorldView,
} from './define/contract.js'
export { addLoad, type Loads, setLoadTaker } from './state/loads.js'
export type { WorldKernels } from './define/kernels.js'
export type { RowRef, WorldState } from './state/world-state.js'
export { type BodyGraph, graphOf } from './graph/body-graph.js'
export { countSets, DisjointSets, groupBySet } from './graph/disjoint-sets.js'
export { Incidence } from './graph/incidence.js'
export { FreeNumbers } from './state/table.js'
export { BLOCK, Curvature } from './define/curvature.js'
export { AUTO, DIRECT, SWEEP } from './direct/gather.js'
export { gradient, type BodyGradient, type GradientGroup, type GradientRow } from './readout/gradient.js'
export { Group, Rows, type GroupKind, type GroupLaw, type Unit } from './define/rows.js'
export type { Outline } from './define/outline.js'
export { OFFSET, SLIDING_FRICTION, STATIC_FRICTION, type Touch } from './define/touch.js'
export { IMMOVABLE, LARGEST_GROUP, RUNAWAY } from './step/limits.js'
export { dropFaults } from './step/faults.js'
export { sweepRows } from './step/row-solver.js'
export type { StageReader } from './from-json.js'
export type { CustomDef } from './define/custom.js'
export { resolveSoftness, SOLVERS } from './define/definition.js'
export { type ErrorSummary, constraintError } from './measure/residuals.js'
export { measureReaction } from './step/reaction.js'
export type { BodyJson, ConstraintJson } from './readout/to-json.js'
export type { Columns, Strides, Table } from './state/table.js'
export { acos, asin, atan2, atan2At, cos, sin, sinCos, wrapAngle } from './math/elementary.js'
export {
  ANGLE_DAMPING,
  ANGLE_ERROR,
  ANGLE_RATE,
  ANGLE_SCALE,
  ANGLE_SOFTNESS,
  COUPLE_DAMPING,
  COUPLE_RADIUS,
  COUPLE_RATE,
  COUPLE_SCALE,
  COUPLE_SOFTNESS,
  type JointRows,
} from './define/joint-rows.js'
export { compose, frameX, frameY, frameZ } from './math/frames.js'
export {
  addSwingTurn,
  addTwistTurn,
  ANGLE,
  angleAboutA,
  angleAboutB,
  swingAngles,
  twistAngle,
} from './math/joint-angles.js'
export { ellipseAngle } from './math/swing-ellipse.js'
export { beginStep, beginSubstep, endStep, runVelocityHook, track } from './step/step.js'
export { accelerate, checkVelocities, drift, freeze, isFinitePose, steerKinematic } from './step/motion.js'
export { advanceSpin, predictSpin } from './step/spin-prediction.js'
export { carrySpin } from './step/spin-velocity.js'
export { refreshInertia, worldInertia } from './state/inertia.js'
export { breakOverloaded } from './step/breaking.js'
export { TURNED, rotationSinceStart } from './step/moved.js'
export { B_S, B_T, K_SS, K_ST, K_TT, SLIP_RADIUS, solveDisc, STICK_RADIUS } from './step/disc.js'
export { type Bytes, type Column, f64, i32, type Ints } from './math/numbers.js'
export {
  finite,
  positive,
  nonNegative,
  finiteVector,
  unitVector,
  unitQuaternion,
  oneOf,
  count,
  outVector,
  refuseNested,
  flag,
  integer,
  object,
  array,
  axisFlags,
  instance,
  callable,
  knownFields,
  inContext,
  shown,
} from './define/assert.js'
export { boxVolume, capsuleVolume, cylinderVolume, sphereVolume, type Axis, type Moments } from './mass/shapes.js'
export { parallelAxis, rotateInertia, type InertiaTensor } from './mass/tensor.js'
export { checkAmount, type MassOrDensity } from './mass/meshes.js'
export type { PrincipalAxes } from './mass/principal-axes.js'
export {
  rotate,
  rotateBy,
  normalizeQuaternion,
  rotationBetween,
  quaternionFromRotationVector,
  rotationVectorFromQuaternion,
  rotateVector,
  rotateVectorAt,
  rotateVectorInverse,
  rotateVectorInverseAt,
  rotateSymmetric,
} from './math/rotation.js'
