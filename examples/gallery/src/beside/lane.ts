/** An engine at work on a scene: steps, poses, and what is measured. No DOM. */

import type { Live } from '../exhibit.js'
import { type Form, type Part } from '../parts.js'
import type { Engine } from './engine.js'
import { type BesideScene, energyOf, type Pose } from './scenes.js'

export const DT = 1 / 60
/** Steps of which the median time is taken. */
const WINDOW = 120

export class Lane {
  readonly live: Live
  steps = 0
  private readonly engine: Engine
  private readonly scene: BesideScene
  private readonly poses: readonly Pose[]
  private readonly before: readonly Pose[]
  private readonly start: number
  private readonly times: number[] = []

  /** Sets a scene up. Each engine holds one at a time. */
  constructor(engine: Engine, work: number, scene: BesideScene) {
    this.engine = engine
    this.scene = scene
    engine.setup(scene.data, work)
    this.poses = scene.data.bodies.map(() => new Float64Array(7))
    this.before = scene.data.bodies.map(() => new Float64Array(7))
    this.read()
    this.before.forEach((pose, k) => pose.set(this.poses[k]))
    this.start = energyOf(scene.data, this.poses, this.before, DT)
    this.live = { dt: DT, parts: this.parts(), worlds: [], step: () => this.step() }
  }

  /** Another scene, or the same from its start, in this engine. */
  again(work: number, scene: BesideScene): Lane {
    return new Lane(this.engine, work, scene)
  }

  step(): void {
    this.before.forEach((pose, k) => pose.set(this.poses[k]))
    const from = performance.now()
    this.engine.step(DT)
    this.times.push(performance.now() - from)
    if (this.times.length > WINDOW) this.times.shift()
    this.steps++
    this.read()
  }

  /** Largest error [m]. */
  get gap(): number {
    return this.scene.gapOf(this.poses)
  }

  /** What energy has become more by since the start [J]. */
  get energy(): number {
    return energyOf(this.scene.data, this.poses, this.before, DT) - this.start
  }

  /** Median [ms]. */
  get msPerStep(): number {
    return [...this.times].sort((a, b) => a - b)[this.times.length >> 1] ?? 0
  }

  private read(): void {
    this.poses.forEach((pose, k) => this.engine.pose(k, pose))
  }

  private parts(): Part[] {
    const { bodies, joints } = this.scene.data
    const heaviest = Math.max(...bodies.map(({ mass }) => mass))
    const solids = bodies.map(({ shape, mass }, k): Part => {
      const form: Form =
        shape.kind === 'box'
          ? { kind: 'box', half: shape.halfExtents }
          : { kind: 'sphere', radius: shape.kind === 'sphere' ? shape.radius : 0.1 }
      const isHeavy = mass === heaviest && bodies[0].mass !== heaviest
      return { kind: 'solid', form, tone: isHeavy ? 'heavy' : 'body', place: (out) => out.set(this.poses[k]) }
    })
    const links = joints.filter(
      ({ a, b }) => a !== null && bodies[b].shape.kind === 'sphere' && bodies[a].shape.kind === 'sphere',
    )
    if (links.length === 0) return solids
    const sticks: Part = {
      kind: 'sticks',
      count: links.length,
      radius: 0.03,
      tone: 'rope',
      write: (out) => {
        links.forEach(({ a, b }, k) => {
          out.set(this.poses[a as number].subarray(0, 3), 6 * k)
          out.set(this.poses[b].subarray(0, 3), 6 * k + 3)
        })
      },
    }
    return [...solids, sticks]
  }
}
