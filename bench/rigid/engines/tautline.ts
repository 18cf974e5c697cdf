/** Tautline: plain JavaScript, f64. */

import { ragdoll, type Ragdoll } from '@tautline/assemblies'
import {
  box,
  capsule,
  Collisions,
  convexHull,
  cylinder,
  setPairCollision,
  type Shape,
  sphere,
} from '@tautline/collision'
import { ballSocket } from '@tautline/constraints'
import { type Body, type Kernels, type Snapshot, solidBox, World, type WorldOptions } from '@tautline/core'
import type { FigureData, SceneData, ShapeData } from '../data.js'
import type { RigidEngine } from '../contract.js'
import { product, turned } from '../pose.js'

let world: World
let bodies: readonly Body[] = []
/** The last snapshot: the next one takes its array, as a rollback's ring does. */
let former: Snapshot | undefined
/** Frame of the shape in each body's frame, of figures alone. */
let shapes: FigureData['shapes'] = []

function shapeOf(data: ShapeData): Shape {
  switch (data.kind) {
    case 'sphere':
      return sphere(data.radius)
    case 'capsule':
      return capsule(data.radius, data.halfHeight)
    case 'box':
      return box(data.halfExtents)
    case 'cylinder':
      return cylinder(data.radius, data.halfHeight)
    case 'hull':
      return convexHull(data.points)
  }
}

/** Makes the scene, on kernels where there are some, and with further options of the world. */
export function openScene(scene: SceneData, work: number, kernels?: Kernels, options: WorldOptions = {}): void {
  world = new World({
    gravity: scene.gravity,
    substeps: work,
    iterations: 1,
    ...(kernels !== undefined && { kernels }),
    ...options,
  })
  former = undefined
  shapes = scene.figures?.shapes ?? []
  if (!scene.touches) bodies = withoutContacts(scene)
  else {
    const collisions = new Collisions(world, { sleeping: false })
    const { friction } = scene
    for (const { halfExtents, position } of scene.fixed) {
      collisions.addCollider(null, { shape: box(halfExtents), position, friction })
    }
    if (scene.figures !== undefined) {
      bodies = figuresOf(scene, scene.figures).flatMap((figure) => [...figure.bodies])
      return
    }
    bodies = scene.bodies.map(({ shape, position, orientation, mass }) =>
      collisions.addBody({ shape: shapeOf(shape), friction, position, orientation, mass, ...dampingOf(scene) }),
    )
    passThrough(collisions, scene)
  }
  for (const { a, b, anchorA, anchorB } of scene.joints) {
    world.add(ballSocket, { a: a === null ? null : bodies[a], b: bodies[b], anchorA, anchorB })
  }
}

/** Gives every joint of the scene that takes it a friction torque [N m]. */
export function addFriction(frictionTorque: number): void {
  for (const joint of world.constraints()) joint.set({ frictionTorque } as never)
}

export const engine: RigidEngine = {
  name: 'tautline',

  note: (work) => `TypeScript, f64; ${work} substep${work > 1 ? 's' : ''} of one sweep`,

  load: () => Promise.resolve(),

  setup(scene, work) {
    openScene(scene, work)
  },

  step(dt) {
    world.step(dt)
  },

  pose(i, out) {
    const { position, orientation } = bodies[i]
    if (shapes.length === 0) {
      out.set(position, 0)
      out.set(orientation, 3)
      return
    }
    const shape = shapes[i % shapes.length]
    const arm = turned(orientation, shape.position)
    for (let k = 0; k < 3; k++) out[k] = position[k] + arm[k]
    out.set(product([...orientation], shape.orientation), 3)
  },

  hash: () => world.hash(),

  snapshot() {
    const snapshot = world.snapshot(former)
    former = snapshot
    return {
      bytes: () => bytesIn([snapshot.data, snapshot.stages, snapshot.solvers], partsOf(world)),
      restore: () => {
        world.restore(snapshot)
      },
    }
  },
}

/** Every object that a value leads to. */
function partsOf(value: unknown, seen: Set<unknown> = new Set()): Set<unknown> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return seen
  seen.add(value)
  if (!ArrayBuffer.isView(value)) for (const inner of Object.values(value)) partsOf(inner, seen)
  return seen
}

/** Size of the arrays of numbers that a value holds: those of the world itself and of what it is made of are not its own. */
function bytesIn(value: unknown, seen: Set<unknown>): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0
  seen.add(value)
  if (ArrayBuffer.isView(value)) return value.byteLength
  return Object.entries(value).reduce(
    (sum, [key, inner]) => (key === 'stage' || key === 'solver' ? sum : sum + bytesIn(inner, seen)),
    0,
  )
}

function dampingOf({ linearDamping, angularDamping }: SceneData): { linearDamping: number; angularDamping: number } {
  return { linearDamping, angularDamping }
}

/** Bodies without colliders; they are boxes or balls. */
function withoutContacts(scene: SceneData): Body[] {
  return scene.bodies.map(({ shape, position, orientation, mass }) => {
    const half = shape.kind === 'box' ? shape.halfExtents : undefined
    const inertia =
      half === undefined ? ballInertia(shape, mass) : solidBox(mass, [2 * half[0], 2 * half[1], 2 * half[2]])
    return world.addBody({ position, orientation, mass, inertia, ...dampingOf(scene) })
  })
}

function ballInertia(shape: ShapeData, mass: number): [number, number, number] {
  if (shape.kind !== 'sphere')
    throw new Error(`tautline: a body that touches nothing must be a box or a ball, got ${shape.kind}`)
  const moment = 0.4 * mass * shape.radius * shape.radius
  return [moment, moment, moment]
}

function figuresOf(scene: SceneData, { asset, places }: FigureData): Ragdoll[] {
  const { friction } = scene
  return places.map((place) =>
    ragdoll(world, asset, { ...place, friction, gripFriction: friction, ...dampingOf(scene) }),
  )
}

function passThrough(collisions: Collisions, { bodies: data, apart }: SceneData): void {
  data.forEach(({ figure, part }, first) => {
    if (part !== 0 || figure === undefined) return
    for (const [p, q] of apart) setPairCollision(collisions, bodies[first + p], bodies[first + q], false)
  })
}
