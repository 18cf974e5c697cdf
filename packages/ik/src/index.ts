/** Tautline IK: goals on a skeleton of joints, solved as one block. */

export { Rig } from './rig.js'
export type { BoneDef, MassOptions, RootMode } from './rig.js'
export type {
  AnyJointDef,
  BallJointDef,
  HingeJointDef,
  JointDef,
  LockedJointDef,
  RangeDef,
  SliderJointDef,
  UniversalJointDef,
} from './joints.js'
export { Pose, WorldPose } from './pose.js'
export { readJoint, writeJoint } from './joint-values.js'
export { Goal } from './goals/goal.js'
export type { GoalOptions } from './goals/goal.js'
export { PositionGoal } from './goals/position.js'
export type { PositionOptions } from './goals/position.js'
export { OrientationGoal } from './goals/orientation.js'
export type { OrientationOptions } from './goals/orientation.js'
export { AimGoal } from './goals/aim.js'
export type { AimOptions } from './goals/aim.js'
export { PoleGoal } from './goals/pole.js'
export { CentreGoal } from './goals/centre.js'
export { PinGoal } from './goals/pin.js'
export { IkSolver } from './ik-solver.js'
export type { IkResult } from './result.js'
export type { IkOptions } from './options.js'
export type { Metric } from './metric.js'
export { twoBone, TwoBone } from './two-bone.js'
export type { TwoBoneDef, TwoBoneStatus } from './two-bone.js'
export { fullBody, FullBody } from './full-body.js'
export type { BodyGoals } from './body-goals.js'
export type { BodyPoint, FullBodyBones, FullBodyOptions } from './full-body.js'
export { FootPlacement } from './foot.js'
export type { FootOptions, GroundAt, LegDef, PlacedFoot } from './foot.js'
export { Retarget } from './retarget.js'
export type { RetargetedFoot, RetargetOptions } from './retarget.js'
export { bake, readBaked } from './bake.js'
export type { Baked, BakeOptions, Track } from './bake.js'
