/** A scene of poses as an exhibit: capsules on bones, goals that can be dragged. No world, no time. No DOM. */

import type { IkSolver, Pose, Rig, WorldPose } from '@tautline/ik'
import type { BoneCapsule } from '../../scenes/ik/humanoid.js'
import type { Handle, Live } from './exhibit.js'
import { fromY, type Part, type Place, type Tone } from './parts.js'
import { hashNumbers } from './hash.js'

/** A goal that an idle motion leads until somebody takes it. */
export class LedHandle implements Handle {
  readonly name: string
  readonly target: Float64Array
  /** Whether it was dragged: then it stays where it was left. */
  isTaken = false
  readonly reached: () => readonly [number, number, number]

  constructor(name: string, target: Float64Array, reached: () => readonly [number, number, number]) {
    this.name = name
    this.target = target
    this.reached = reached
  }
}

/** Where a bone is. */
export function ofBone(world: WorldPose, bone: number): Place {
  return (out) => {
    for (let k = 0; k < 3; k++) out[k] = world.positions[3 * bone + k]
    for (let k = 0; k < 4; k++) out[3 + k] = world.rotations[4 * bone + k]
  }
}

/** Capsules on bones. */
export function capsuleParts(
  world: WorldPose,
  capsules: readonly BoneCapsule[],
  tone: (bone: number) => Tone = () => 'body',
): Part[] {
  return capsules.map(({ bone, from, to, radius }): Part => {
    const d = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const
    return {
      kind: 'solid',
      form: { kind: 'capsule', radius, half: 0.5 * Math.hypot(...d) },
      place: ofBone(world, bone),
      at: [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.5 * (from[2] + to[2])],
      turned: fromY(d),
      tone: tone(bone),
    }
  })
}

/** A ball that shows a goal and is dragged. */
export function goalPart(handle: Handle, radius: number): Part {
  return {
    kind: 'solid',
    form: { kind: 'sphere', radius },
    tone: 'goal',
    grab: handle,
    place(out) {
      out.set(handle.target)
      out.set([0, 0, 0, 1], 3)
    },
  }
}

export interface PoseParts {
  readonly rig: Rig
  readonly solver: IkSolver
  readonly pose: Pose
  /** Is kept up to date. */
  readonly world: WorldPose
  readonly parts: readonly Part[]
  readonly handles: readonly LedHandle[]
  /** Leads the goals that nobody has taken, at a time [s]. */
  lead(time: number): void
  configure?: NonNullable<Live['configure']>
  figures?: NonNullable<Live['figures']>
  readonly plots?: NonNullable<Live['plots']>
  /** After each solve. */
  afterSolve?(): void
}

const DT = 1 / 60

/** Poses, frame after frame. */
export function livePose({ rig, solver, pose, world, lead, afterSolve, figures, ...more }: PoseParts): Live {
  let step = 0
  world.update(rig, pose)
  return {
    dt: DT,
    worlds: [],
    ...more,
    step() {
      lead(++step * DT)
      solver.solve(pose)
      world.update(rig, pose)
      afterSolve?.()
    },
    figures() {
      const { status, iterations } = solver.result
      return {
        [`Solve: ${status}`]: { value: iterations, unit: 'iterations' },
        ...figures?.(),
      }
    },
    hash: () => hashNumbers(pose.rotations, pose.positions, ...solver.goals.map((goal) => targetOf(goal))),
    isFinite: () => pose.rotations.every(Number.isFinite) && pose.positions.every(Number.isFinite),
  }
}

function targetOf(goal: object): Float64Array {
  return (goal as { target?: Float64Array }).target ?? new Float64Array()
}
