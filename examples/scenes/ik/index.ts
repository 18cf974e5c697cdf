/** Scenes of poses, by name. */

import { armScene } from './arm.js'
import { pinchPackageScene, pinchScene } from './pinch.js'
import { reachScene } from './reach.js'
import type { PoseScene, SkippedScene } from './scene.js'

export { isFinitePose, type PoseResult, runPoseScene } from './run.js'
export type { PoseScene, SkippedScene } from './scene.js'

/** How each is made. Those whose files are not there say so. */
export const POSE_SCENES: Readonly<Record<string, () => PoseScene | SkippedScene | Promise<PoseScene | SkippedScene>>> =
  {
    arm: armScene,
    reach: reachScene,
    pinch: pinchScene,
    'pinch-npm': pinchPackageScene,
  }
