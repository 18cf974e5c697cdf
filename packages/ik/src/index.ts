/** Tautline IK: goals on a skeleton of joints, solved as one block. */

export { Rig } from './rig.js'
export type { BoneDef, MassOptions, RootMode } from './rig.js'
export type {
  AnyJointDef,
  BallDef,
  HingeDef,
  JointDef,
  LockedDef,
  RangeDef,
  SliderDef,
  UniversalDef,
} from './joints.js'
export { Pose, WorldPose } from './pose.js'
export { AimGoal, CentreGoal, Goal, OrientationGoal, PinGoal, PoleGoal, PositionGoal } from './goals.js'
export type { AimOptions, GoalOptions, OrientationOptions, PositionOptions } from './goals.js'
export { IkSolver } from './ik-solver.js'
export type { IkOptions, IkResult } from './ik-solver.js'
export type { Metric } from './metric.js'
