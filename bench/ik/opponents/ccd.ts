/**
 * three's CCDIKSolver on bones without a renderer, an iteration at a time. An iteration is one pass from tip to root.
 *
 * Limits are boxes of Euler angles (XYZ), which state a hinge or universal joint exactly and a cone not: `ccd` has the box
 * around the cone, `ccd-inside` the largest square box in it; its angle about x is not the twist, so neither keeps to limits.
 */

import { Bone, BufferGeometry, Skeleton, SkinnedMesh, Vector3 } from 'three'
import { CCDIKSolver, type IK } from 'three/addons/animation/CCDIKSolver.js'
import { Pose } from '@tautline/ik'
import type { Body, BodyRun, BodySolver, ChainRun, ChainSolver, Joint } from '../solver.js'
import type { Opponents, Solved, Tree, TreeRun, TreeSolver } from '../solver.js'
import { TARGET } from '../tasks/body.js'
import { Trunk } from './trunk.js'

/** Bones and their solver: what chain and tree have in common. */
class CcdBones {
  readonly bones: Bone[]
  private readonly ends: Bone[]
  private readonly targets: Bone[]
  private readonly solver: CCDIKSolver

  /** `chains`: rows of the joints from tip to root, and the row of the end. */
  constructor(bones: Bone[], roots: readonly Bone[], chains: readonly { end: number; links: IK['links'] }[]) {
    this.bones = bones
    this.ends = chains.map(({ end }) => bones[end])
    this.targets = chains.map(() => new Bone())
    const mesh = new SkinnedMesh(new BufferGeometry())
    mesh.add(...roots, ...this.targets)
    mesh.bind(new Skeleton([...bones, ...this.targets]))
    const iks = chains.map(({ end, links }, k) => ({ effector: end, links, target: bones.length + k, iteration: 1 }))
    this.solver = new CCDIKSolver(mesh, iks)
  }

  reset(rotations: Float64Array): void {
    this.bones.forEach((bone, k) => bone.quaternion.fromArray(rotations, 4 * k))
    this.bones[0].updateMatrixWorld(true)
  }

  solve(target: ArrayLike<number>, iterations: number, tolerance: number): Solved {
    const { solver } = this
    this.targets.forEach((bone, k) => {
      bone.position.set(target[3 * k], target[3 * k + 1], target[3 * k + 2])
      bone.updateMatrixWorld(true)
    })
    let error = this.error(target)
    let count = 0
    while (count < iterations && !(error <= tolerance)) {
      solver.update()
      error = this.error(target)
      count++
    }
    return { iterations: count, error }
  }

  positions(out: Float64Array): void {
    this.bones.forEach(({ matrixWorld: { elements } }, k) => {
      for (let c = 0; c < 3; c++) out[3 * k + c] = elements[12 + c]
    })
  }

  private error(target: ArrayLike<number>): number {
    let worst = 0
    for (let k = 0; k < this.ends.length; k++) {
      const { elements } = this.ends[k].matrixWorld
      const x = elements[12] - target[3 * k]
      const y = elements[13] - target[3 * k + 1]
      const z = elements[14] - target[3 * k + 2]
      // Not Math.max, which lets a NaN of the last end win only: any makes the pose bad.
      const error = Math.sqrt(x * x + y * y + z * z)
      if (!(error <= worst)) worst = error
    }
    return worst
  }
}

/** A limit as three states it. `share`: of a cone's half angle that the box has. */
function link(index: number, joint: Joint | undefined, share: number): IK['links'][number] {
  if (joint?.kind === 'hinge') {
    const { axis, limits } = joint
    const limitation = new Vector3(...axis)
    return {
      index,
      limitation,
      rotationMin: limitation.clone().multiplyScalar(limits.min),
      rotationMax: limitation.clone().multiplyScalar(limits.max),
    }
  }
  if (joint?.kind === 'universal') {
    const [a, b] = [new Vector3(...joint.axisA), new Vector3(...joint.axisB)]
    const bound = (side: 'min' | 'max'): Vector3 =>
      a.clone().multiplyScalar(joint.limitsA[side]).addScaledVector(b, joint.limitsB[side])
    return { index, rotationMin: bound('min'), rotationMax: bound('max') }
  }
  if (joint?.kind !== 'ball' || !('swing' in joint)) return { index }
  const { swing, twist } = joint
  return {
    index,
    rotationMin: new Vector3(twist.min, share * swing.y.min, share * swing.z.min),
    rotationMax: new Vector3(twist.max, share * swing.y.max, share * swing.z.max),
  }
}

class CcdChain extends CcdBones implements ChainRun {
  private readonly count: number

  constructor(links: readonly number[], joints: readonly Joint[] | undefined, share: number) {
    const bones = [...links, 0].map(() => new Bone())
    bones.slice(1).forEach((bone, k) => {
      bone.position.set(links[k], 0, 0)
      bones[k].add(bone)
    })
    const chain = links.map((_, k) => link(k, joints?.[k], share)).reverse()
    super(bones, [bones[0]], [{ end: links.length, links: chain }])
    this.count = links.length
  }

  override reset(rotations: Float64Array): void {
    const all = new Float64Array(rotations.length + 4)
    all.set(rotations)
    all[rotations.length + 3] = 1
    super.reset(all)
  }

  rotations(out: Float64Array): void {
    for (let k = 0; k < this.count; k++) this.bones[k].quaternion.toArray(out, 4 * k)
  }
}

class CcdTree extends CcdBones implements TreeRun {
  constructor({ bones: given, ends }: Tree) {
    const bones = given.map(({ position: [x, y, z] }) => {
      const bone = new Bone()
      bone.position.set(x, y, z)
      return bone
    })
    given.forEach(({ parent }, k) => {
      if (parent >= 0) bones[parent].add(bones[k])
    })
    const chains = ends.map((end) => {
      const links: IK['links'] = []
      // The locked bones between end and root take no part; they stand at the two ends of a chain.
      for (let k = given[end].parent; k >= 0; k = given[k].parent) {
        if (given[k].joint.kind !== 'locked') links.push(link(k, given[k].joint, 1))
      }
      return { end, links }
    })
    super(bones, [bones[0]], chains)
  }

  rotations(out: Float64Array): void {
    this.bones.forEach(({ quaternion }, k) => quaternion.toArray(out, 4 * k))
  }
}

/** A figure's limbs, two joints each, its trunk told by the head. */
class CcdFigure implements BodyRun {
  private readonly bones: CcdBones
  private readonly own: Pose
  private readonly trunk: Trunk
  private readonly targets: Float64Array

  constructor(body: Body) {
    const rig = body.rig()
    const bones = rig.names.map((_, i) => {
      const bone = new Bone()
      bone.position.fromArray(rig.restPosition, 3 * i)
      return bone
    })
    rig.names.forEach((_, i) => {
      if (rig.parent[i] >= 0) bones[rig.parent[i]].add(bones[i])
    })
    const chains = body.limbs.map(({ start, middle, end }) => ({ end, links: [{ index: middle }, { index: start }] }))
    this.bones = new CcdBones(bones, [bones[0]], chains)
    this.own = new Pose(rig)
    this.trunk = new Trunk(rig, body)
    this.targets = new Float64Array(3 * body.limbs.length)
  }

  reset(pose: Pose): void {
    this.own.copy(pose)
  }

  solve(targets: Float64Array, iterations: number, tolerance: number): Solved {
    const { bones, own } = this
    this.trunk.place(targets, own)
    for (let k = 0; k < this.targets.length; k++) this.targets[k] = targets[TARGET * Math.floor(k / 3) + (k % 3)]
    bones.bones[0].position.fromArray(own.positions)
    bones.reset(own.rotations)
    const solved = bones.solve(this.targets, iterations, tolerance)
    bones.bones.forEach(({ quaternion }, i) => quaternion.toArray(own.rotations, 4 * i))
    return solved
  }

  pose(out: Pose): void {
    out.copy(this.own)
  }
}

const figure: BodySolver = {
  name: 'ccdLimbs',
  note: 'three 0.187 CCDIKSolver, a chain a limb, no limits, trunk at rest under the head',
  make: (body) => new CcdFigure(body),
}

const ccd: ChainSolver = {
  name: 'ccd',
  note: 'three 0.187 CCDIKSolver; of a cone its box of Euler angles around',
  limits: true,
  make: (links, joints) => new CcdChain(links, joints, 1),
}

const inside: ChainSolver = {
  name: 'ccd-inside',
  note: 'three 0.187 CCDIKSolver; of a cone the largest square box of Euler angles in it',
  limits: true,
  make: (links, joints) => new CcdChain(links, joints, Math.SQRT1_2),
}

const tree: TreeSolver = {
  name: 'ccd',
  note: 'three 0.187 CCDIKSolver, a chain a finger, limits as Euler boxes',
  make: (given) => new CcdTree(given),
}

export const opponents: Opponents = { chains: [ccd, inside], trees: [tree], bodies: [figure] }
