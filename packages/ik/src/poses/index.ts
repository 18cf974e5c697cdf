/** Poses blended, added, mirrored, mapped between skeletons; masks of bones; clips read between their poses. */

export { addPose, poseDifference, slerpPose } from './blend.js'
export { checkClip, clipDuration, type PoseClip, sampleClip } from './clip.js'
export { boneMask, type MaskEntry } from './mask.js'
export { createPoseMapper, mapToHigh, mapToLow, type MapperSkeleton, type PoseMapperOptions } from './mapper.js'
export type { MapperSide, PoseMapper } from './mapper-side.js'
export { mirrorPose, type MirrorOptions } from './mirror.js'
export type { BoneTree, PoseData } from './pose-data.js'
