/**
 * closed-chain-ik 0.0.3: damped least squares with a Jacobian by differences, in 32-bit floats.
 *
 * Only its core is imported: the package has no entry that Node finds, and its three helpers need names that three no longer
 * has. A ball is three Euler angles, R_z R_y R_x, a limit a box of them: the box around a cone. Solved an iteration at a
 * time, which costs a second pass over the matrices and undoes its locking of joints at limits, to its advantage.
 */

import { DOF, Goal, Joint as IkJoint, Link, Solver } from 'closed-chain-ik/src/core/index.js'
import { Pose, type Rig } from '@tautline/ik'
import type { Body, BodyRun, BodySolver, ChainRun, ChainSolver, Joint, Opponents, Solved } from '../solver.js'
import { HINGE, hingeAngle, setHinge, TARGET } from '../tasks/body.js'
import { multiply } from '../tasks/kinematics.js'

/** What is used of its classes. */
interface IkFrame {
  readonly matrixWorld: Float32Array
  addChild(child: IkFrame): void
  setPosition(x: number, y: number, z: number): void
  setQuaternion(x: number, y: number, z: number, w: number): void
  updateMatrixWorld(): void
}

interface IkFreedom extends IkFrame {
  readonly dofValues: Float32Array
  setDoF(...freedoms: number[]): void
  setDoFValue(freedom: number, value: number): void
  setMinLimit(freedom: number, value: number): void
  setMaxLimit(freedom: number, value: number): void
  setGoalDoF(...freedoms: number[]): void
  makeClosure(link: IkFrame): void
}

interface IkSolver {
  maxIterations: number
  stallThreshold: number
  dampingFactor: number
  restPoseFactor: number
  translationConvergeThreshold: number
  translationErrorClamp: number
  rotationConvergeThreshold: number
  rotationErrorClamp: number
  /** A status a chain: 0 converged, 1 stalled, 2 diverged, 3 out of iterations. */
  solve(): readonly number[]
}

/** Root of the damping against the reach, and the error that one iteration answers at most, as a share of it. */
const DAMPING = 0.05
const ERROR_CLAMP = 0.2

class ClosedChain implements ChainRun {
  private readonly joints: IkFreedom[] = []
  private readonly kinds: (Joint | undefined)[]
  private readonly end: IkFrame
  private readonly goal: IkFreedom
  private readonly solver: IkSolver

  constructor(links: readonly number[], joints: readonly Joint[] | undefined) {
    const root = new Link() as IkFrame
    this.kinds = links.map((_, k) => joints?.[k])
    let link = root
    links.forEach((_, k) => {
      const joint = new IkJoint() as IkFreedom
      if (k > 0) joint.setPosition(links[k - 1], 0, 0)
      limit(joint, this.kinds[k])
      link.addChild(joint)
      link = new Link() as IkFrame
      joint.addChild(link)
      this.joints.push(joint)
    })
    const last = new IkJoint() as IkFreedom
    last.setPosition(links[links.length - 1], 0, 0)
    link.addChild(last)
    this.end = new Link() as IkFrame
    last.addChild(this.end)
    this.goal = new Goal() as IkFreedom
    this.goal.setGoalDoF(DOF.X, DOF.Y, DOF.Z)
    this.goal.makeClosure(this.end)
    const reach = links.reduce((sum, length) => sum + length, 0)
    this.solver = new Solver(root) as IkSolver
    this.solver.maxIterations = 1
    this.solver.stallThreshold = 0
    this.solver.dampingFactor = DAMPING * reach
    this.solver.restPoseFactor = 0
    this.solver.translationErrorClamp = ERROR_CLAMP * reach
  }

  reset(rotations: Float64Array): void {
    this.joints.forEach((joint, k) => {
      const [x, y, z, w] = rotations.subarray(4 * k, 4 * k + 4)
      const kind = this.kinds[k]
      if (kind?.kind === 'hinge') {
        const along = kind.axis[0] * x + kind.axis[1] * y + kind.axis[2] * z
        joint.setDoFValue(freedomOf(kind.axis), 2 * Math.atan2(along, w))
        return
      }
      joint.setDoFValue(DOF.EX, Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)))
      joint.setDoFValue(DOF.EY, Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))))
      joint.setDoFValue(DOF.EZ, Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
    })
    this.end.updateMatrixWorld()
  }

  solve(target: ArrayLike<number>, iterations: number, tolerance: number): Solved {
    const { solver } = this
    this.goal.setPosition(target[0], target[1], target[2])
    solver.translationConvergeThreshold = tolerance
    let error = this.error(target)
    let count = 0
    while (count < iterations && !(error <= tolerance)) {
      solver.solve()
      error = this.error(target)
      count++
    }
    return { iterations: count, error }
  }

  positions(out: Float64Array): void {
    const frames = [...this.joints, this.end]
    frames.forEach((frame, k) => {
      frame.updateMatrixWorld()
      for (let c = 0; c < 3; c++) out[3 * k + c] = frame.matrixWorld[12 + c]
    })
  }

  rotations(out: Float64Array): void {
    this.joints.forEach(({ dofValues }, k) => out.set(fromEuler(dofValues[3], dofValues[4], dofValues[5]), 4 * k))
  }

  private error(target: ArrayLike<number>): number {
    this.end.updateMatrixWorld()
    const { matrixWorld } = this.end
    const [x, y, z] = [matrixWorld[12] - target[0], matrixWorld[13] - target[1], matrixWorld[14] - target[2]]
    return Math.sqrt(x * x + y * y + z * z)
  }
}

/** A robot of hinges: each joint's frame is turned so that its axis is x, and turned back behind it. */
class ClosedArm implements BodyRun {
  private readonly rig: Rig
  private readonly joints: IkFreedom[]
  private readonly goal: IkFreedom
  private readonly solver: IkSolver

  constructor({ effectors: [effector], rig: make }: Body) {
    const rig = make()
    this.rig = rig
    const root = new Link() as IkFrame
    const links: IkFrame[] = []
    this.joints = rig.names.map((_, i) => {
      const { frame, kind, limits } = rig.joints[i]
      const joint = new IkJoint() as IkFreedom
      const [x, y, z] = rig.restPosition.subarray(3 * i, 3 * i + 3)
      joint.setPosition(x, y, z)
      const isHinge = kind === HINGE
      const turned = new Float64Array(rig.restRotation.subarray(4 * i, 4 * i + 4))
      if (isHinge) multiply(turned, 0, frame, 0, turned, 0)
      joint.setQuaternion(turned[0], turned[1], turned[2], turned[3])
      if (isHinge) {
        joint.setDoF(DOF.EX)
        joint.setMinLimit(DOF.EX, limits[0])
        joint.setMaxLimit(DOF.EX, limits[1])
      }
      const above = rig.parent[i] < 0 ? root : links[rig.parent[i]]
      above.addChild(joint)
      const link = new Link() as IkFrame
      if (isHinge) link.setQuaternion(-frame[0], -frame[1], -frame[2], frame[3])
      joint.addChild(link)
      links.push(link)
      return joint
    })
    const last = new IkJoint() as IkFreedom
    last.setPosition(...effector.point)
    links[effector.bone].addChild(last)
    const end = new Link() as IkFrame
    last.addChild(end)
    this.goal = new Goal() as IkFreedom
    this.goal.makeClosure(end)
    this.goal.setGoalDoF(DOF.X, DOF.Y, DOF.Z, DOF.EX, DOF.EY, DOF.EZ)
    this.solver = new Solver(root) as IkSolver
    this.solver.restPoseFactor = 0
    this.solver.stallThreshold = 0
    this.solver.dampingFactor = ARM_DAMPING
    this.solver.translationErrorClamp = this.solver.rotationErrorClamp = ARM_CLAMP
  }

  reset(pose: Pose): void {
    this.joints.forEach((joint, i) => {
      if (this.rig.joints[i].kind === HINGE) joint.setDoFValue(DOF.EX, hingeAngle(this.rig, i, pose))
    })
  }

  solve(targets: Float64Array, iterations: number, tolerance: number): Solved {
    const { goal, solver } = this
    goal.setPosition(targets[0], targets[1], targets[2])
    goal.setQuaternion(targets[3], targets[4], targets[5], targets[TARGET - 1])
    solver.maxIterations = iterations
    solver.translationConvergeThreshold = solver.rotationConvergeThreshold = tolerance
    try {
      const [status] = solver.solve()
      return { iterations, error: status === 0 ? 0 : Infinity }
    } catch {
      // It throws where its matrix has no inverse: the pose is then that of the last iteration.
      return { iterations, error: Infinity }
    }
  }

  pose(out: Pose): void {
    out.copy(new Pose(this.rig))
    this.joints.forEach((joint, i) => {
      if (this.rig.joints[i].kind === HINGE) setHinge(this.rig, i, joint.dofValues[DOF.EX], out)
    })
  }
}

/** Root of the damping, and the most of an error that one iteration answers [m] and [rad]: not searched for. */
const ARM_DAMPING = 0.01
const ARM_CLAMP = 0.3

function freedomOf([x, y]: readonly number[]): number {
  return x !== 0 ? DOF.EX : y !== 0 ? DOF.EY : DOF.EZ
}

function limit(joint: IkFreedom, kind: Joint | undefined): void {
  if (kind?.kind === 'hinge') {
    const freedom = freedomOf(kind.axis)
    joint.setDoF(freedom)
    joint.setMinLimit(freedom, kind.limits.min)
    joint.setMaxLimit(freedom, kind.limits.max)
    return
  }
  joint.setDoF(DOF.EX, DOF.EY, DOF.EZ)
  if (kind?.kind !== 'ball' || !('swing' in kind)) return
  const ranges = [kind.twist, kind.swing.y, kind.swing.z]
  ranges.forEach(({ min, max }, c) => {
    joint.setMinLimit(DOF.EX + c, min)
    joint.setMaxLimit(DOF.EX + c, max)
  })
}

/** R_z R_y R_x. */
function fromEuler(x: number, y: number, z: number): [number, number, number, number] {
  const [sx, cx] = [Math.sin(0.5 * x), Math.cos(0.5 * x)]
  const [sy, cy] = [Math.sin(0.5 * y), Math.cos(0.5 * y)]
  const [sz, cz] = [Math.sin(0.5 * z), Math.cos(0.5 * z)]
  return [
    sx * cy * cz - cx * sy * sz,
    cx * sy * cz + sx * cy * sz,
    cx * cy * sz - sx * sy * cz,
    cx * cy * cz + sx * sy * sz,
  ]
}

const closedChain: ChainSolver = {
  name: 'closed-chain-ik',
  note: `closed-chain-ik 0.0.3, damping ${DAMPING}, error clamp ${ERROR_CLAMP} of the reach; of a cone the Euler box around`,
  limits: true,
  make: (links, joints) => new ClosedChain(links, joints),
}

const closedArm: BodySolver = {
  name: 'closed-chain-ik',
  note: `closed-chain-ik 0.0.3, damping ${ARM_DAMPING}, error clamp ${ARM_CLAMP}, no restarts`,
  make: (body) => new ClosedArm(body),
}

export const opponents: Opponents = { chains: [closedChain], bodies: [closedArm] }
