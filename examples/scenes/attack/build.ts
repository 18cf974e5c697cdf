/** Random joint scenes from their plans, through the public API. */

import { Collisions, box, capsule, plane, type Shape, triangleMesh } from '@tautline/collision'
import { axle, ballSocket, cone, distance, fixed, hinge, slider, swingTwist, universal } from '@tautline/constraints'
import { type Body, type Constraint, solidBox, solidCapsule, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { quat, vec3 } from 'gl-matrix'
import type { LinkPlan, Range, ScenePlan } from './plan.js'

// Quaternions and vectors of gl-matrix hold single precision unless they are plain arrays.
const vector = (x = 0, y = 0, z = 0): vec3 => [x, y, z]
const identity = (): quat => [0, 0, 0, 1]

export interface AttackScene {
  plan: ScenePlan
  world: World
  bodies: readonly Body[]
  joints: readonly Constraint[]
  /** All mass [kg], and the extent of the bodies at the start [m]. */
  mass: number
  extent: number
}

export interface BuildOptions extends WorldOptions {
  /** Leaves ground and colliders away. @defaultValue false */
  bare?: boolean
}

/** Where a link is: its body, its turn from the rest layout, and its ends in both. */
interface Placed {
  body: Body
  turn: quat
  /** Joint and far end in the rest layout, and the middle of the body. */
  from: vec3
  to: vec3
  middle: vec3
  position: vec3
  velocity: vec3
  spin: vec3
}

/** The scene of a plan. Options win over those of the plan. */
export function buildScene(plan: ScenePlan, { bare = false, ...options }: BuildOptions = {}): AttackScene {
  const world = new World({ dt: 1 / plan.rate, substeps: plan.substeps, ...options })
  const placed: Placed[] = []
  const joints: Constraint[] = []
  for (const link of plan.links) {
    const parent = placed[link.parent] as Placed | undefined
    const next = atRest(world, link, parent)
    if (parent !== undefined || plan.setting === 'hung') joints.push(...join(world, link, parent?.body ?? null, next))
    placed.push(next)
  }
  for (let k = 0; k < placed.length; k++) pose(plan, plan.links[k], placed[plan.links[k].parent], placed[k])
  if (plan.motion === 'thrown' && plan.setting !== 'hung') throwAll(plan, placed)
  const isFalling = plan.setting !== 'free' && plan.setting !== 'hung'
  if (isFalling) lift(plan, placed)
  for (const { body, turn, position, velocity, spin } of placed) {
    body.setPosition(position)
    body.setOrientation(quat.multiply(identity(), turn, body.orientation))
    body.setVelocity(velocity)
    body.setAngularVelocity(spin)
  }
  if (isFalling && !bare) addGround(plan, world, placed)
  const mass = plan.links.reduce((sum, link) => sum + link.mass, 0)
  return { plan, world, bodies: placed.map(({ body }) => body), joints, mass, extent: extentOf(plan, placed) }
}

/** Puts a body where the rest layout has it. */
function atRest(world: World, link: LinkPlan, parent: Placed | undefined): Placed {
  const from = parent === undefined ? vector() : vec3.lerp(vector(), parent.from, parent.to, link.along)
  const to = vec3.scaleAndAdd(vector(), from, link.direction, link.length)
  const middle = vec3.lerp(vector(), from, to, 0.5)
  const { mass, length, radius } = link
  const body = world.addBody({
    position: middle,
    orientation: turnedFromY(link.direction),
    mass,
    inertia: link.isBox
      ? solidBox(mass, [2 * radius, length, 2 * radius])
      : solidCapsule(mass, radius, Math.max(length - 2 * radius, radius)),
  })
  return { body, turn: identity(), from, to, middle, position: middle, velocity: vector(), spin: vector() }
}

function turnedFromY(direction: readonly number[]): quat {
  return quat.normalize(identity(), [direction[2], 0, -direction[0], Math.max(1 + direction[1], 1e-6)])
}

function axisOf(frame: LinkPlan['frame'], k: number): vec3 {
  return vec3.transformQuat(vector(), [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0], [...frame])
}

/** A world direction in a body's frame. */
function seenFrom(body: Body | null, direction: vec3): vec3 {
  if (body === null) return direction
  return vec3.transformQuat(vector(), direction, quat.conjugate(identity(), body.orientation))
}

function limitsOf(range: Range): { min: number; max: number } {
  return { min: range[0], max: range[1] }
}

function join(world: World, link: LinkPlan, a: Body | null, { body: b, from }: Placed): Constraint[] {
  const { frictionTorque, compliance, ranges } = link
  const pair = { a, b, compliance, point: from }
  const x = axisOf(link.frame, 0)
  const limits = ranges && limitsOf(ranges[0])
  const made = ((): object[] => {
    switch (link.kind) {
      case 'ballSocket':
        return [world.add(ballSocket, pair)]
      case 'hinge':
        return [world.add(hinge, { ...pair, axis: x, frictionTorque, ...(limits && { limits }) })]
      case 'fixed':
        return [world.add(fixed, pair)]
      case 'slider':
        return [world.add(slider, { ...pair, axis: x, ...(limits && { limits }) })]
      case 'universal':
        return [
          world.add(universal, {
            ...pair,
            axisA: seenFrom(a, x),
            axisB: seenFrom(b, axisOf(link.frame, 2)),
            frictionTorque,
            ...(ranges && { limitsA: limitsOf(ranges[0]), limitsB: limitsOf(ranges[1]) }),
          }),
        ]
      case 'swingTwist':
      case 'swingCone':
        return [
          world.add(swingTwist, {
            ...pair,
            frameB: quat.multiply(identity(), quat.conjugate(identity(), b.orientation), [...link.frame]),
            frictionTorque,
            ...(ranges && {
              swing: { y: limitsOf(ranges[0]), z: limitsOf(ranges[1]) },
              twist: limitsOf(ranges[2]),
            }),
            swingShape: link.kind === 'swingCone' ? 'cone' : 'pyramid',
          }),
        ]
      case 'cone':
        return [world.add(ballSocket, pair), world.add(cone, { a, b, axis: x, limit: limits?.max ?? 1 })]
      case 'axle':
        return [world.add(ballSocket, pair), world.add(axle, { a, b, axis: x })]
      case 'distance':
        return [world.add(distance, { a, b, compliance, ...rodAnchors(a, from) })]
    }
  })()
  return made as Constraint[]
}

/** A rod goes from the joint's point on `a` to the middle of `b`. */
function rodAnchors(a: Body | null, from: vec3): { anchorA: vec3; anchorB: vec3 } {
  if (a === null) return { anchorA: from, anchorB: vector() }
  return { anchorA: seenFrom(a, vec3.subtract(vector(), from, a.position)), anchorB: vector() }
}

function exponential(x: number, y: number, z: number): quat {
  const angle = Math.sqrt(x * x + y * y + z * z)
  const s = angle > 0 ? sin(0.5 * angle) / angle : 0.5
  return [s * x, s * y, s * z, cos(0.5 * angle)]
}

function about(axis: vec3, angle: number): quat {
  return exponential(angle * axis[0], angle * axis[1], angle * axis[2])
}

/** A coordinate at the start: a share of its range, or of what is free. */
function coordinate(share: number, range: Range | undefined, free: number): number {
  if (range === undefined) return free * share
  return share < 0 ? -share * range[0] : share * range[1]
}

/** The relative turn that a joint is bent by, in the rest layout. */
function bendOf({ kind, frame, ranges, bend }: LinkPlan): quat {
  const [x, z] = [axisOf(frame, 0), axisOf(frame, 2)]
  const at = (k: number, free: number): number => coordinate(bend[k], ranges?.[k], free)
  const inFrame = (q: quat): quat =>
    quat.multiply(identity(), quat.multiply(identity(), [...frame], q), quat.conjugate(identity(), [...frame]))
  switch (kind) {
    case 'ballSocket':
    case 'distance':
      return exponential(2 * bend[0], 2 * bend[1], 2 * bend[2])
    case 'hinge':
      return about(x, at(0, 2.5))
    case 'axle':
      return about(x, 2.5 * bend[0])
    case 'universal':
      return quat.multiply(identity(), about(x, at(0, 2.5)), about(z, at(1, 1.2)))
    case 'swingTwist':
    case 'swingCone': {
      // Inside the ellipse through the four limits.
      const inside = kind === 'swingCone' ? Math.SQRT1_2 : 1
      const swing = exponential(0, inside * at(0, 1.2), inside * at(1, 1.2))
      return inFrame(quat.multiply(identity(), swing, about([1, 0, 0], at(2, 1.2))))
    }
    case 'cone': {
      const size = Math.SQRT1_2 * (ranges?.[0][1] ?? 1)
      const swing = exponential(0, size * bend[1], size * bend[2])
      return inFrame(quat.multiply(identity(), swing, about([1, 0, 0], 2.5 * bend[0])))
    }
    case 'fixed':
    case 'slider':
      return identity()
  }
}

/** Poses a link against its parent, and gives it the velocities that its joint allows. */
function pose(plan: ScenePlan, link: LinkPlan, parent: Placed | undefined, placed: Placed): void {
  const above = parent?.turn ?? identity()
  const isLoose = parent === undefined && plan.setting !== 'hung'
  const turn = quat.multiply(identity(), above, bendOf(link))
  quat.normalize(placed.turn, quat.multiply(identity(), exponential(...link.tilt), turn))
  const hook = parent === undefined ? vector(...placed.from) : pointOf(parent, placed.from)
  const x = vec3.transformQuat(vector(), axisOf(link.frame, 0), above)
  const slides = link.kind === 'slider' && !isLoose
  const offset = slides ? coordinate(0.3 * link.bend[0], link.ranges?.[0], 1) : 0
  const held = vec3.add(vector(), vec3.scaleAndAdd(vector(), hook, x, offset), link.shift)
  const lever = vec3.transformQuat(vector(), vec3.subtract(vector(), placed.middle, placed.from), placed.turn)
  // A rod turns as the parent does, bent by the joint; the body on it turns freely.
  placed.position = vec3.add(vector(), held, lever)
  if (plan.motion === 'rest' || plan.motion === 'thrown') return
  placed.spin = isLoose ? vector(...link.spin) : allowedSpin(link, above, parent?.spin ?? vector())
  const carried = parent === undefined ? vector() : velocityAt(parent, held)
  if (slides) vec3.scaleAndAdd(carried, carried, x, link.slide)
  placed.velocity = vec3.add(vector(), carried, vec3.cross(vector(), placed.spin, lever))
}

/** The wanted spin, less what the joint does not allow against its parent's. */
function allowedSpin({ kind, frame, spin, bend, ranges }: LinkPlan, above: quat, carried: vec3): vec3 {
  const wanted = vec3.subtract(vector(), [...spin], carried)
  const x = vec3.transformQuat(vector(), axisOf(frame, 0), above)
  switch (kind) {
    case 'fixed':
    case 'slider':
      return vector(...carried)
    case 'hinge':
    case 'axle':
      return vec3.scaleAndAdd(vector(), carried, x, vec3.dot(x, wanted))
    case 'universal': {
      const turned = about(axisOf(frame, 0), coordinate(bend[0], ranges?.[0], 2.5))
      const z = vec3.transformQuat(vector(), vec3.transformQuat(vector(), axisOf(frame, 2), turned), above)
      const alongX = vec3.scaleAndAdd(vector(), carried, x, vec3.dot(x, wanted))
      return vec3.scaleAndAdd(vector(), alongX, z, vec3.dot(z, wanted))
    }
    case 'ballSocket':
    case 'swingTwist':
    case 'swingCone':
    case 'cone':
    case 'distance':
      return vector(...spin)
  }
}

/** A point of the rest layout on a body that is posed. */
function pointOf({ turn, middle, position }: Placed, point: vec3): vec3 {
  return vec3.add(vector(), position, vec3.transformQuat(vector(), vec3.subtract(vector(), point, middle), turn))
}

function velocityAt({ position, velocity, spin }: Placed, point: vec3): vec3 {
  return vec3.add(vector(), velocity, vec3.cross(vector(), spin, vec3.subtract(vector(), point, position)))
}

/** One rigid motion about the first body for all. */
function throwAll({ thrown }: ScenePlan, placed: readonly Placed[]): void {
  const [{ position: origin }] = placed
  for (const body of placed) {
    const lever = vec3.subtract(vector(), body.position, origin)
    body.spin = vector(...thrown.spin)
    body.velocity = vec3.add(vector(), [...thrown.velocity], vec3.cross(vector(), [...thrown.spin], lever))
  }
}

/** Radius of the ball around a link's middle that it is in [m]. */
function reach({ length, radius }: LinkPlan): number {
  return 0.5 * length + 2 * radius
}

/** Lifts all so that the lowest starts above the ground, which is nowhere above 0.3 m. */
function lift({ drop, links }: ScenePlan, placed: readonly Placed[]): void {
  const lowest = Math.min(...placed.map(({ position }, k) => position[1] - reach(links[k])))
  for (const body of placed) body.position = vec3.add(vector(), body.position, [0, GROUND + drop - lowest, 0])
}

function extentOf({ links }: ScenePlan, placed: readonly Placed[]): number {
  const sides = [0, 1, 2].map((axis) => {
    const low = Math.min(...placed.map(({ position }, k) => position[axis] - 0.5 * links[k].length))
    return Math.max(...placed.map(({ position }, k) => position[axis] + 0.5 * links[k].length)) - low
  })
  return Math.hypot(...sides)
}

/** Highest point of any ground, and half the sides of the one that ends [m]. */
const GROUND = 0.3
const HALF = 30
/** Squares a side of the mesh, and how far its vertices go up and down [m]. */
const CELLS = 40
const HILL = 0.15

/** Parts of one figure do not meet each other: how they start they may overlap. */
const GROUP = -1

function addGround(plan: ScenePlan, world: World, placed: readonly Placed[]): void {
  const collisions = new Collisions(world)
  const { friction, restitution } = plan
  const shape = plan.setting === 'plane' ? plane([0, 1, 0], 0) : plan.setting === 'box' ? box([HALF, 1, HALF]) : hills()
  const position = vector(0, plan.setting === 'box' ? -1 : 0, 0)
  collisions.addCollider(null, { shape, position, friction, restitution })
  placed.forEach(({ body }, k) => {
    const { isBox, length, radius } = plan.links[k]
    const part = isBox
      ? box([radius, 0.5 * length, radius])
      : capsule(radius, Math.max(0.5 * length - radius, 0.5 * radius))
    collisions.addCollider(body, { shape: part, friction, restitution, group: GROUP })
  })
}

/** A terrain of hills made of two sines, which ends after 60 m. */
function hills(): Shape {
  const vertices: number[] = []
  const triangles: number[] = []
  const cell = (2 * HALF) / CELLS
  for (let row = 0; row <= CELLS; row++) {
    for (let column = 0; column <= CELLS; column++) {
      const [x, z] = [cell * column - HALF, cell * row - HALF]
      vertices.push(x, HILL * (sin(0.9 * x) + sin(1.1 * z)), z)
      const v = row * (CELLS + 1) + column
      if (row < CELLS && column < CELLS) triangles.push(v, v + CELLS + 1, v + 1, v + 1, v + CELLS + 1, v + CELLS + 2)
    }
  }
  return triangleMesh(vertices, triangles)
}
