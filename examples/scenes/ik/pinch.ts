/**
 * A hand closes thumb and index finger on a point and moves it about, joints within an adult's ranges; the pose goes back to the
 * nodes of the file. The hands are WebXR's generic ones, whose 25 joints lie side by side.
 */

import { WebIO } from '@gltf-transform/core'
import { cos, sin } from '@tautline/core/kernel'
import { IkSolver, Pose, PositionGoal, Rig, WorldPose } from '@tautline/ik'
import { fromGltf, readGlb } from '@tautline/ik/gltf'
import { humanoidJoints, humanoidRoles, WEBXR_HAND_PARENTS } from '@tautline/ik/vrm'
import { dataFile, type Input, packageFile } from './data.js'
import { distance, jointAt, type PoseScene, share, type SkippedScene } from './scene.js'

const FRAMES = 120
/** Frames in which the fingers close. */
const CLOSE = 60
/** Of the circle that the closed fingers make then [m]. */
const RADIUS = 0.003
/** Where they meet, from the first knuckle: into the palm, to the fingers' ends, to the thumb [m]. */
const MEET = [0.045, 0.008, 0.012]

/** The right hand of the data folder. */
export function pinchScene(): Promise<PoseScene | SkippedScene> {
  return handScene('pinch', 'right', dataFile('hands/right.glb'))
}

/** The left hand of the npm package that such hands come from. */
export function pinchPackageScene(): Promise<PoseScene | SkippedScene> {
  const file = 'dist/profiles/generic-hand/left.glb'
  return handScene('pinch-npm', 'left', packageFile('@webxr-input-profiles/assets', file))
}

async function handScene(name: string, side: 'left' | 'right', input: Input): Promise<PoseScene | SkippedScene> {
  if ('missing' in input) return { name, skipped: input.missing }
  const { document } = await readGlb(new WebIO(), input.bytes)
  const hand = fromGltf(document, { parents: WEBXR_HAND_PARENTS })
  const rig = Rig.from(hand.bones)
  const moving = humanoidJoints(rig, humanoidRoles(rig.names, { side, convention: 'webxr' }))
  rig.setJoints(moving)
  // Metacarpals and tips have no role, and the wrist is held.
  for (const bone of rig.names) if (bone === 'wrist' || !(bone in moving)) rig.joint(bone, { kind: 'locked' })

  const pose = new Pose(rig)
  const world = new WorldPose(rig).update(rig, pose)
  const tips = ['thumb-tip', 'index-finger-tip'].map((tip) => rig.indexOf(tip))
  const starts = tips.map((tip) => jointAt(world.positions, tip))
  const knuckle = jointAt(world.positions, rig.indexOf('index-finger-phalanx-proximal'))
  // In the files x goes through the palm, the hands mirror each other, fingers point along −y, and the thumb is at −z.
  const meet = [knuckle[0] + (side === 'left' ? MEET[0] : -MEET[0]), knuckle[1] - MEET[1], knuckle[2] - MEET[2]]
  const solver = new IkSolver(rig)
  const goals = tips.map((tip, i) => solver.add(new PositionGoal(rig, tip, starts[i], { point: [0, 0, 0] })))
  return {
    name,
    rig,
    solver,
    pose,
    frames: FRAMES,
    beforeFrame(frame) {
      const s = share(frame + 1, CLOSE)
      const angle = frame < CLOSE ? 0 : (2 * Math.PI * (frame + 1 - CLOSE)) / (FRAMES - CLOSE)
      const circle = [RADIUS * (cos(angle) - 1), RADIUS * sin(angle), 0]
      goals.forEach(({ target }, i) => {
        for (let k = 0; k < 3; k++) target[k] = starts[i][k] + s * (meet[k] - starts[i][k]) + circle[k]
      })
    },
    measure() {
      hand.write(pose)
      world.update(rig, pose)
      const [thumb, finger] = tips.map((tip) => jointAt(world.positions, tip))
      return {
        'tips apart': { value: 1000 * distance(thumb, finger), unit: 'mm' },
        'apart at rest': { value: 1000 * distance(starts[0], starts[1]), unit: 'mm' },
      }
    },
  }
}
