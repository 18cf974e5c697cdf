/** crashcat: plain JavaScript, f64, arrays of three. */

import {
  addBroadphaseLayer,
  addObjectLayer,
  box,
  capsule,
  ConstraintSpace,
  convexHull,
  createWorld,
  createWorldSettings,
  cylinder,
  enableCollision,
  type Listener,
  MotionType,
  pointConstraint,
  registerAll,
  type RigidBody,
  rigidBody,
  sphere,
  swingTwistConstraint,
  updateWorld,
  type World,
} from 'crashcat'
import { type JointData, type ShapeData } from '../data.js'
import type { RigidEngine } from '../contract.js'
import { pairKey, passingPairs, symmetric } from '../joints.js'
import { turned } from '../pose.js'

let world: World
let bodies: RigidBody[] = []
let listener: Listener | undefined

/** Of its defaults, 10 and 2. */
const VELOCITY_PER_POSITION = 5

function shapeOf(data: ShapeData): RigidBody['shape'] {
  switch (data.kind) {
    case 'sphere':
      return sphere.create({ radius: data.radius })
    case 'capsule':
      return capsule.create({ radius: data.radius, halfHeightOfCylinder: data.halfHeight })
    case 'box':
      return box.create({ halfExtents: data.halfExtents })
    case 'cylinder':
      return cylinder.create({ radius: data.radius, halfHeight: data.halfHeight })
    case 'hull':
      return convexHull.create({ positions: data.points.flat() })
  }
}

export const engine: RigidEngine = {
  name: 'crashcat',
  note: (work) =>
    `JavaScript, f64; ${work} velocity and ${Math.round(work / VELOCITY_PER_POSITION)} position iterations; limits of joints by swing and twist, made symmetric`,

  async load() {
    registerAll()
  },

  setup(scene, work) {
    const settings = createWorldSettings()
    const moving = addObjectLayer(settings, addBroadphaseLayer(settings))
    const still = addObjectLayer(settings, addBroadphaseLayer(settings))
    if (scene.touches) {
      enableCollision(settings, moving, moving)
      enableCollision(settings, moving, still)
    }
    settings.gravity = [...scene.gravity]
    settings.sleeping.allowSleeping = false
    settings.solver.velocityIterations = work
    settings.solver.positionIterations = Math.round(work / VELOCITY_PER_POSITION)
    world = createWorld(settings)
    const { friction, linearDamping, angularDamping } = scene
    const fixed = (shape: RigidBody['shape'], position: [number, number, number]): RigidBody =>
      rigidBody.create(world, { shape, position, friction, objectLayer: still, motionType: MotionType.STATIC })
    for (const { halfExtents, position } of scene.fixed) fixed(box.create({ halfExtents }), position)
    bodies = scene.bodies.map(({ shape, position, orientation, mass }, userData) =>
      rigidBody.create(world, {
        shape: shapeOf(shape),
        position,
        quaternion: orientation,
        mass,
        friction,
        objectLayer: moving,
        motionType: MotionType.DYNAMIC,
        linearDamping,
        angularDamping,
        allowSleeping: false,
        userData,
      }),
    )
    // What joins a body to the world, out of reach.
    const hook = fixed(sphere.create({ radius: 0.01 }), [0, 0, 0])
    for (const joint of scene.joints) join(joint, joint.a === null ? hook : bodies[joint.a], bodies[joint.b])
    const pairs = passingPairs(scene)
    listener =
      pairs.size === 0
        ? undefined
        : {
            onBodyPairValidate: (a, b) =>
              !pairs.has(pairKey(a.userData as number, b.userData as number, bodies.length)),
          }
  },

  step(dt) {
    updateWorld(world, listener, dt)
  },

  pose(i, out) {
    out.set(bodies[i].position, 0)
    out.set(bodies[i].quaternion, 3)
  },
}

function join({ anchorA, anchorB, limits }: JointData, a: RigidBody, b: RigidBody): void {
  const pair = { bodyIdA: a.id, bodyIdB: b.id, space: ConstraintSpace.LOCAL }
  if (limits === undefined) {
    pointConstraint.create(world, { ...pair, pointA: [...anchorA], pointB: [...anchorB] })
    return
  }
  const { frameA, frameB, halfY, halfZ, twist } = symmetric(limits)
  swingTwistConstraint.create(world, {
    ...pair,
    position1: [...anchorA],
    position2: [...anchorB],
    twistAxis1: turned(frameA, [1, 0, 0]),
    planeAxis1: turned(frameA, [0, 0, 1]),
    twistAxis2: turned(frameB, [1, 0, 0]),
    planeAxis2: turned(frameB, [0, 0, 1]),
    normalHalfConeAngle: halfZ,
    planeHalfConeAngle: halfY,
    twistMinAngle: twist[0],
    twistMaxAngle: twist[1],
  })
}
