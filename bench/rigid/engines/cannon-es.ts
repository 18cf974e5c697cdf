/** cannon-es: plain JavaScript, f64. A capsule is a cylinder of 12 sides and two spheres. */

import {
  Body,
  Box,
  ConvexPolyhedron,
  Cylinder,
  GSSolver,
  PointToPointConstraint,
  Quaternion,
  SAPBroadphase,
  Sphere,
  Vec3,
  World,
} from 'cannon-es'
import { convexFaces } from '../convex-faces.js'
import type { SceneData, ShapeData } from '../data.js'
import type { RigidEngine } from '../contract.js'
import { passingPairs, pairKey } from '../joints.js'

const SIDES = 12
let world: World
let bodies: Body[] = []

function addShape(body: Body, data: ShapeData): void {
  switch (data.kind) {
    case 'sphere':
      body.addShape(new Sphere(data.radius))
      break
    case 'capsule':
      body.addShape(new Cylinder(data.radius, data.radius, 2 * data.halfHeight, SIDES))
      body.addShape(new Sphere(data.radius), new Vec3(0, data.halfHeight, 0))
      body.addShape(new Sphere(data.radius), new Vec3(0, -data.halfHeight, 0))
      break
    case 'box':
      body.addShape(new Box(new Vec3(...data.halfExtents)))
      break
    case 'cylinder':
      body.addShape(new Cylinder(data.radius, data.radius, 2 * data.halfHeight, SIDES))
      break
    case 'hull':
      body.addShape(
        new ConvexPolyhedron({
          vertices: data.points.map((point) => new Vec3(...point)),
          faces: convexFaces(data.points),
        }),
      )
      break
  }
}

/** Sweep and prune that leaves out pairs of rows which pass through each other. */
class Filtered extends SAPBroadphase {
  readonly pairs: ReadonlySet<number>
  readonly rows: ReadonlyMap<Body, number>

  constructor(world: World, pairs: ReadonlySet<number>, rows: ReadonlyMap<Body, number>) {
    super(world)
    this.pairs = pairs
    this.rows = rows
  }

  override needBroadphaseCollision(a: Body, b: Body): boolean {
    const [i, j] = [this.rows.get(a), this.rows.get(b)]
    if (i !== undefined && j !== undefined && this.pairs.has(pairKey(i, j, this.rows.size))) return false
    return super.needBroadphaseCollision(a, b)
  }
}

export const engine: RigidEngine = {
  name: 'cannon-es',
  note: (work) =>
    `JavaScript, f64; ${work} iterations, sweep and prune; cylinders have ${SIDES} sides, capsules are three shapes; joints without limits`,

  load: () => Promise.resolve(),

  setup(scene, work) {
    const solver = new GSSolver()
    solver.iterations = work
    world = new World({ gravity: new Vec3(...scene.gravity), allowSleep: false, solver })
    world.defaultContactMaterial.friction = scene.friction
    world.defaultContactMaterial.restitution = 0
    for (const { halfExtents, position } of scene.fixed) {
      const body = new Body({ mass: 0, position: new Vec3(...position) })
      body.addShape(new Box(new Vec3(...halfExtents)))
      world.addBody(body)
    }
    const { linearDamping, angularDamping } = scene
    bodies = scene.bodies.map(({ shape, position, orientation, mass }) => {
      const body = new Body({ mass, position: new Vec3(...position), quaternion: new Quaternion(...orientation) })
      Object.assign(body, { linearDamping, angularDamping })
      addShape(body, shape)
      if (!scene.touches) body.collisionFilterMask = 0
      world.addBody(body)
      return body
    })
    world.broadphase = new Filtered(world, passingPairs(scene), new Map(bodies.map((body, row) => [body, row])))
    addJoints(scene)
  },

  step(dt) {
    world.step(dt)
  },

  pose(i, out) {
    const { position, quaternion } = bodies[i]
    out.set(position.toArray(), 0)
    out.set(quaternion.toArray(), 3)
  },
}

function addJoints({ joints }: SceneData): void {
  const hook = new Body({ mass: 0 })
  world.addBody(hook)
  for (const { a, b, anchorA, anchorB } of joints) {
    const first = a === null ? hook : bodies[a]
    const joint = new PointToPointConstraint(first, new Vec3(...anchorA), bodies[b], new Vec3(...anchorB))
    // The broad phase leaves them out, which is cheaper.
    joint.collideConnected = true
    world.addConstraint(joint)
  }
}
