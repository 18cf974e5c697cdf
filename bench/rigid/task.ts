/** Steps of an engine on bodies, and what their poses say of the error: the same judge for every engine. */

import { timed } from '../harness/clock.js'
import { type BenchScene, type Contender, type Figures, orNull, type Task } from '../harness/scene.js'
import type { SceneData } from './data.js'
import type { RigidEngine } from './contract.js'
import { rigidEngine } from './engine.js'
import { penetrationOf } from './penetration.js'
import { placed } from './pose.js'

/** What a scene of bodies says of itself. */
export interface RigidScene extends Pick<BenchScene, 'name' | 'family' | 'text' | 'quick' | 'precision'> {
  readonly contenders: readonly Contender[]
  /** Measured steps after the warm-up, and the warm-up if it is not a second. */
  readonly samples: number
  readonly warmUp?: number
  /** Whether bodies ought to stay where they are put. */
  readonly stands?: boolean
  data(): SceneData
}

const DT = 1 / 60
const WARM_UP = 60
/** Beyond this from the y axis, or this far below the floor, a body is lost [m]. */
const FAR = 100
const BELOW = -1

/** A scene of the bench. */
export function rigidScene({ data, stands = false, warmUp = WARM_UP, ...scene }: RigidScene): BenchScene {
  return {
    ...scene,
    sample: 'step of 1/60 s',
    warmUp,
    async open(name, work) {
      const made = data()
      const began = performance.now()
      const engine = await rigidEngine(name)
      await engine.load()
      const loaded = performance.now()
      engine.setup(made, work)
      return new RigidTask(engine, made, stands, {
        note: engine.note(work),
        init: loaded - began,
        setup: performance.now() - loaded,
      })
    },
  }
}

class RigidTask implements Task {
  readonly note: string
  readonly init: number
  readonly setup: number
  private readonly engine: RigidEngine
  private readonly scene: SceneData
  private readonly stands: boolean
  private readonly poses: Float64Array[]
  private gap = 0

  constructor(
    engine: RigidEngine,
    scene: SceneData,
    stands: boolean,
    { note, init, setup }: Pick<Task, 'note' | 'init' | 'setup'>,
  ) {
    this.engine = engine
    this.scene = scene
    this.stands = stands
    this.note = note
    this.init = init
    this.setup = setup
    this.poses = scene.bodies.map(() => new Float64Array(7))
  }

  run(isMeasured: boolean): number {
    const took = timed(() => {
      this.engine.step(DT)
    })
    if (isMeasured && this.scene.joints.length > 0) this.watchJoints()
    return took
  }

  figures(): Figures {
    this.readPoses()
    const { scene, stands, poses } = this
    return {
      ...(scene.joints.length > 0 && { gap: orNull(this.gap) }),
      ...(scene.touches && { penetration: orNull(penetrationOf(scene, poses)), lost: poses.filter(isLost).length }),
      ...(stands && { sideways: orNull(Math.max(...poses.map((pose, i) => this.moved(pose, i)))) }),
    }
  }

  hash(): string | undefined {
    return this.engine.hash?.()
  }

  /** Keeps the widest gap. */
  private watchJoints(): void {
    this.readPoses()
    for (const { a, b, anchorA, anchorB } of this.scene.joints) {
      const p = a === null ? anchorA : placed(this.poses[a], anchorA)
      const q = placed(this.poses[b], anchorB)
      const gap = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
      // Not a number is worse than any.
      this.gap = gap <= this.gap ? this.gap : gap
    }
  }

  private readPoses(): void {
    for (let i = 0; i < this.poses.length; i++) this.engine.pose(i, this.poses[i])
  }

  private moved(pose: Float64Array, i: number): number {
    const [x, , z] = this.scene.bodies[i].position
    return Math.hypot(pose[0] - x, pose[2] - z)
  }
}

function isLost(pose: Float64Array): boolean {
  return !pose.every(Number.isFinite) || pose[1] < BELOW || Math.hypot(pose[0], pose[2]) > FAR
}
