/** Ragdolls on swing–twist joints, with what it takes to drive them along a clip or to throw them: the adult, and Jolt's human. */

import { box, capsule, compound, type Shape, taperedCapsule } from '@tautline/collision'
import type { Body, World } from '@tautline/core'
import { swingTwist } from '@tautline/constraints'
import { quat, vec3 } from 'gl-matrix'
import { dataFile } from '../ik/data.js'
import {
  type DrivenJoint,
  emptyWorld,
  frameOf,
  GROUP,
  type Ragdoll,
  type RagdollOptions,
  seenFrom,
} from './adult-ragdoll.js'
import { parseTof, type TofObject } from './tof.js'

export { adultRagdoll, type ClipPose, type DrivenJoint, type Ragdoll, type RagdollOptions } from './adult-ragdoll.js'

/** Why there is no Jolt human, where its files are not at hand. */
export interface Missing {
  readonly missing: string
}

/** Jolt's human of 23 parts, of the density that its file says, and its clip of a walk. */
export function joltRagdoll(options: RagdollOptions = {}): Ragdoll | Missing {
  const [human, walk] = ['human', 'walk'].map((name) => dataFile(`ragdoll/${name}.tof`))
  if ('missing' in human) return human
  if ('missing' in walk) return walk
  const objects = parseTof(new TextDecoder().decode(human.bytes))
  const settings = [...objects.values()].find(({ type }) => type === 'RagdollSettings') as TofObject
  const skeleton = (objects.get(settings.mSkeleton as string) as TofObject).mJoints as TofObject[]
  const parts = settings.mParts as TofObject[]
  const { world, collisions } = emptyWorld(options)
  const bodies = parts.map((part, k) => {
    const fields = { name: skeleton[k].mName as string, position: part.mPosition as vec3 }
    return collisions.addBody({
      ...fields,
      orientation: unit(part.mRotation as quat),
      shape: shapeOf(objects, part.mShape as string),
      group: GROUP,
      ...(k === 0 && options.led === true && { type: 'kinematic' }),
    })
  })
  const parents = skeleton.map(({ mParentName }) => skeleton.findIndex(({ mName }) => mName === mParentName))
  const joints = parts.slice(1).map((part, k): DrivenJoint => {
    const joint = objects.get(part.mToParent as string) as TofObject
    return joltJoint(world, joint, skeleton[k + 1].mName as string, bodies[parents[k + 1]], bodies[k + 1])
  })
  const keys = keysOf(new TextDecoder().decode(walk.bytes), skeleton)
  const frames = joints.map(({ constraint }) => constraint.def)
  return {
    world,
    collisions,
    bodies,
    root: bodies[0],
    joints,
    seconds: keys[0].at(-1)?.time ?? 0,
    clip: (time) => {
      const poses = keys.map((list) => sample(list, time))
      return {
        position: poses[0].position,
        orientation: poses[0].rotation,
        targets: frames.map(({ frameA, frameB }, k) =>
          quat.multiply(quat.create(), seenFrom(frameA as quat, poses[k + 1].rotation), frameB as quat),
        ),
      }
    },
  }
}

function unit(q: quat): quat {
  return quat.normalize(quat.create(), q)
}

function shapeOf(objects: ReadonlyMap<string, TofObject>, address: string): Shape {
  const shape = objects.get(address) as TofObject & Record<string, number>
  switch (shape.type as unknown as string) {
    case 'StaticCompoundShapeSettings':
      return compound(
        (shape.mSubShapes as unknown as TofObject[]).map(({ mShape, mPosition, mRotation }) => ({
          shape: shapeOf(objects, mShape as string),
          position: mPosition as vec3,
          orientation: unit(mRotation as quat),
        })),
      )
    case 'CapsuleShapeSettings':
      return capsule(shape.mRadius, shape.mHalfHeightOfCylinder)
    case 'TaperedCapsuleShapeSettings':
      return taperedCapsule(shape.mTopRadius, shape.mBottomRadius, shape.mHalfHeightOfTaperedCylinder)
    case 'BoxShapeSettings':
      return box(shape.mHalfExtent as unknown as vec3)
    default:
      throw new TypeError(`joltRagdoll: shapes must be capsules, tapered capsules and boxes, got ${String(shape.type)}`)
  }
}

/** Frames have the twist axis along x and the plane axis along z; swing about y is bounded by the plane's half angle. */
function joltJoint(world: World, joint: TofObject, name: string, a: Body, b: Body): DrivenJoint {
  const frame = (side: 1 | 2, body: Body): quat => {
    const [twist, plane] = ['Twist', 'Plane'].map((axis) => joint[`m${axis}Axis${side}`] as vec3)
    return seenFrom(quat.clone(body.orientation), frameOf(twist, vec3.cross(vec3.create(), plane, twist)))
  }
  const [normal, plane] = [joint.mNormalHalfConeAngle, joint.mPlaneHalfConeAngle] as number[]
  const constraint = world.add(swingTwist, {
    a,
    b,
    point: joint.mPosition2 as vec3,
    frameA: frame(1, a),
    frameB: frame(2, b),
    swingShape: 'cone',
    swing: { y: { min: -plane, max: plane }, z: { min: -normal, max: normal } },
    twist: { min: joint.mTwistMinAngle as number, max: joint.mTwistMaxAngle as number },
  })
  return { name, constraint, maxTorque: (joint.mSwingMotorSettings as TofObject).mMaxTorqueLimit as number }
}

interface Key {
  readonly time: number
  readonly position: vec3
  readonly rotation: quat
}

/** Keys of every bone, in the order of the skeleton. */
function keysOf(text: string, skeleton: readonly TofObject[]): Key[][] {
  const animation = [...parseTof(text).values()][0]
  const animated = animation.mAnimatedJoints as TofObject[]
  return skeleton.map(({ mName }) => {
    const joint = animated.find(({ mJointName }) => mJointName === mName) as TofObject
    return (joint.mKeyframes as TofObject[]).map(({ mRotation, mTranslation, mTime }) => ({
      time: mTime as number,
      position: mTranslation as vec3,
      rotation: unit(mRotation as quat),
    }))
  })
}

function sample(keys: readonly Key[], time: number): Key {
  const after = keys.findIndex((key) => key.time >= time)
  if (after === 0) return keys[0]
  if (after < 0) return keys[keys.length - 1]
  const [p, q] = [keys[after - 1], keys[after]]
  const share = (time - p.time) / (q.time - p.time)
  return {
    time,
    position: vec3.lerp(vec3.create(), p.position, q.position, share),
    rotation: quat.slerp(quat.create(), p.rotation, q.rotation, share),
  }
}
