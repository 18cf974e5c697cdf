/** A rig handed over to the dynamics and read back, and goals that pull its bodies: `@tautline/ik/ragdoll`. */

export { poseFromRagdoll, toRagdoll } from './ragdoll.js'
export type { Ragdoll, RagdollJoint, RagdollOptions } from './ragdoll.js'
export { Pull, pullTo } from './pull.js'
export type { PullOptions } from './pull.js'
export { WorldGoal, WorldGoals, worldGoals } from './world-goals.js'
export type { WorldGoalsOptions, WorldGoalsResult } from './world-goals.js'
