/** One engine, one scene: times of the steps, and what the poses say of the error. */

import type { Engine, Settings } from './engine.js'
import { penetrationOf } from './penetration.js'
import type { SceneData } from './scenes.js'

export interface Result {
  engine: string
  scene: string
  note: string
  /** Loading, and making the scene [ms]. */
  init: number
  setup: number
  /** Of a step [ms]. */
  median: number
  p95: number
  /** Deepest overlap of two bodies, or of a body and what stands still, at the end [m]; `null` when a pose is not finite. */
  penetration: number | null
  /** Largest distance in x and z that a body is from where it started [m]; `null` likewise. */
  sideways: number | null
  /** Bodies that fell through the floor, left the container, or are not finite. */
  lost: number
}

const DT = 1 / 60
const WARM_UP = 60
/** Beyond this from the y axis, or this far below the floor, a body is lost [m]. */
const FAR = 100
const BELOW = -1

export async function measureContacts(engine: Engine, settings: Settings, scene: SceneData): Promise<Result> {
  const started = performance.now()
  await engine.load(settings)
  const loaded = performance.now()
  engine.setup(scene)
  const ready = performance.now()
  const times: number[] = []
  for (let step = 0; step < WARM_UP + scene.steps; step++) {
    const before = performance.now()
    engine.step(DT)
    if (step >= WARM_UP) times.push(performance.now() - before)
  }
  times.sort((r, s) => r - s)
  const poses = scene.bodies.map((_, i) => {
    const pose = new Float64Array(7)
    engine.pose(i, pose)
    return pose
  })
  const moved = poses.map((pose, i) => {
    const [x, , z] = scene.bodies[i].position
    return Math.hypot(pose[0] - x, pose[2] - z)
  })
  const isLost = (pose: Float64Array): boolean =>
    !pose.every(Number.isFinite) || pose[1] < BELOW || Math.hypot(pose[0], pose[2]) > FAR
  return {
    engine: engine.name,
    scene: scene.name,
    note: engine.note,
    init: loaded - started,
    setup: ready - loaded,
    median: times[times.length >> 1],
    p95: times[Math.floor(0.95 * times.length)],
    penetration: orNull(penetrationOf(scene, poses)),
    sideways: orNull(Math.max(...moved)),
    lost: poses.filter(isLost).length,
  }
}

/** JSON has no NaN. */
function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
