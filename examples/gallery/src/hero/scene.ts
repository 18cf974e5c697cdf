/** The scene of the first screen: a mannequin in a cape hangs by one hand, and swings a ball of a tonne on a thin chain. No DOM. */

import { ballSocket, distance, lineDistance, swingTwist } from '@tautline/constraints'
import { type Body, solidSphere, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { mat3, quat, vec3 } from 'gl-matrix'
import { adult, type Adult, type Joint, type Part, type Vector } from '../../../data/adult.js'

const RADIANS = Math.PI / 180
/** How far the mannequin is turned from the T-pose about z: the left arm points down, the other one up [rad]. */
const TURN = -62 * RADIANS
/** Where the hand holds on [m]. */
const HOOK: Vector = [0, 3.3, 0]
const LINKS = 14
/** Of a link: length [m], mass [kg]. */
const LINK = 0.085
const LINK_MASS = 0.06
/** Of the ball: radius [m], mass [kg]. */
const BALL = 0.3
const TONNE = 1000
/** The chain starts this far from the vertical [rad]. */
const ASIDE = 38 * RADIANS
/** Of the cape: particles across and down, length and width [m], mass of each [kg]. */
const ACROSS = 8
const DOWN = 10
const LENGTH = 0.95
const WIDTH = 0.62
const KNOT_MASS = 0.02
/** Shares of a joint's damping, and of the stiffness of the spine, that a limp mannequin has. */
const LIMP = 0.2
const SPINE = 0.5

const SPINES = new Set(['waist', 'chest', 'neck'])

/** A capsule that is drawn: a body, the ends of its axis in its space and its radius [m]. */
export interface Limb {
  readonly body: Body
  readonly name: string
  readonly from: Vector
  readonly to: Vector
  readonly radius: number
}

export interface HeroScene {
  readonly world: World
  readonly limbs: readonly Limb[]
  readonly links: readonly Limb[]
  readonly ball: Body
  readonly ballRadius: number
  readonly hook: Vector
  /** Knots of the cape, row by row from the shoulders. */
  readonly cape: readonly Body[]
  readonly across: number
}

/** The scene at its start. */
export function heroScene(): HeroScene {
  const world = new World({ substeps: 3 })
  const person = adult(1.75, 75)
  const turn = quat.fromValues(0, 0, sin(0.5 * TURN), cos(0.5 * TURN))
  const hand = person.parts.find(({ name }) => name === 'right hand') as Part
  const grip: vec3 = [hand.position[0] - 0.06, hand.position[1], 0]
  const shift = vec3.subtract(vec3.create(), HOOK, vec3.transformQuat(vec3.create(), grip, turn))
  const place = (point: Vector): vec3 =>
    vec3.add(vec3.create(), vec3.transformQuat(vec3.create(), [...point], turn), shift)

  const bodies = new Map<string, Body>()
  const limbs = person.parts.map((part): Limb => {
    const { name, mass, inertia, position, from, to, radius } = part
    const orientation = quat.multiply(quat.create(), turn, quarter(part))
    const body = world.addBody({ name, mass, inertia, position: place(position), orientation, angularDamping: 0.5 })
    bodies.set(name, body)
    return { body, name, from, to, radius }
  })
  for (const joint of person.joints) addJoint(world, joint, bodies, place(joint.point))
  limbs.push(yoke(person, bodies, 'shoulder', 0.05), yoke(person, bodies, 'hip', 0.075))
  world.add(ballSocket, { a: bodies.get('right hand') as Body, b: null, point: HOOK })

  const other = person.parts.find(({ name }) => name === 'left hand') as Part
  const start = place([other.position[0] + 0.06, other.position[1], 0])
  const { links, ball } = addChain(world, bodies.get('left hand') as Body, start)
  const cape = addCape(world, bodies.get('thorax') as Body, turn)
  return { world, limbs, links, ball, ballRadius: BALL, hook: HOOK, cape, across: ACROSS }
}

/** What joins the limbs of both sides: from one joint of a name to the other, in the part that both are on. */
function yoke({ joints, parts }: Adult, bodies: ReadonlyMap<string, Body>, name: string, radius: number): Limb {
  const [left, right] = ['left', 'right'].map(
    (side) => joints.find((joint) => joint.name === `${side} ${name}`) as Joint,
  )
  const { position } = parts.find((part) => part.name === left.a) as Part
  const inPart = ({ point }: Joint): Vector => [point[0] - position[0], point[1] - position[1], point[2] - position[2]]
  return { body: bodies.get(left.a) as Body, name: `${name}s`, from: inPart(left), to: inPart(right), radius }
}

function quarter({ quarters }: Part): quat {
  const half = 0.25 * Math.PI * quarters
  return quat.fromValues(0, 0, sin(half), cos(half))
}

/** The rotation whose x and y axes are these. */
function frameOf(x: Vector, y: Vector): quat {
  const z = vec3.cross(vec3.create(), [...x], [...y])
  return quat.normalize(
    quat.create(),
    quat.fromMat3(quat.create(), mat3.fromValues(x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2])),
  )
}

/** Frames are in the spaces of the bodies, so that the turn of the whole changes none. */
function addJoint(world: World, joint: Joint, bodies: ReadonlyMap<string, Body>, point: vec3): void {
  const [a, b] = [bodies.get(joint.a) as Body, bodies.get(joint.b) as Body]
  const frame = frameOf(joint.twistAxis, joint.yAxis)
  // Of the shoulders b counts as unturned in the T-pose, a quarter from where its space has it.
  const half = (joint.name.endsWith('shoulder') ? 0.25 : 0) * Math.PI * (joint.name.startsWith('left') ? 1 : -1)
  const frameB = quat.multiply(quat.create(), [0, 0, -sin(half), cos(half)], frame)
  const { y, z, x } = joint.ranges
  const radians = ({ min, max }: { min: number; max: number }) => ({ min: min * RADIANS, max: max * RADIANS })
  world.add(swingTwist, {
    a,
    b,
    point,
    frameA: frame,
    frameB,
    swing: { y: radians(y), z: radians(z) },
    twist: radians(x),
    drive: {
      stiffness: (SPINES.has(joint.name) ? SPINE : 0) * joint.drive.stiffness,
      damping: LIMP * joint.drive.damping,
      maxTorque: joint.drive.maxTorque,
    },
  })
}

/** Links from a hand down and aside, and the ball at their end. */
function addChain(world: World, hand: Body, start: vec3): { links: Limb[]; ball: Body } {
  const along: vec3 = [sin(ASIDE), -cos(ASIDE), 0]
  const at = (way: number): vec3 => vec3.scaleAndAdd(vec3.create(), start, along, way)
  const orientation: vec3 | quat = [0, 0, sin(0.5 * ASIDE), cos(0.5 * ASIDE)]
  let before = hand
  const links = Array.from({ length: LINKS }, (_, k): Limb => {
    const body = world.addBody({
      name: `link ${k + 1}`,
      mass: LINK_MASS,
      inertia: (LINK_MASS * LINK * LINK) / 6,
      position: at((k + 0.5) * LINK),
      orientation,
    })
    world.add(ballSocket, { a: before, b: body, point: at(k * LINK) })
    before = body
    return { body, name: body.name ?? '', from: [0, 0.5 * LINK, 0], to: [0, -0.5 * LINK, 0], radius: 0.012 }
  })
  const ball = world.addBody({
    name: 'ball',
    mass: TONNE,
    inertia: solidSphere(TONNE, BALL),
    position: at(LINKS * LINK + BALL),
    orientation,
  })
  world.add(ballSocket, { a: before, b: ball, point: at(LINKS * LINK) })
  return { links, ball }
}

/** Cloth behind the shoulders: threads are solved along their whole length. */
function addCape(world: World, thorax: Body, turn: quat): Body[] {
  const knots = Array.from({ length: ACROSS * DOWN }, (_, k) => {
    const [i, j] = [k % ACROSS, Math.floor(k / ACROSS)]
    const [u, v] = [i / (ACROSS - 1) - 0.5, j / (DOWN - 1)]
    const local: vec3 = [WIDTH * u * (0.62 + 0.38 * v), 0.2 - LENGTH * v, -0.16 - 0.05 * v + 0.08 * u * u]
    const position = vec3.add(vec3.create(), vec3.transformQuat(vec3.create(), local, turn), thorax.position as vec3)
    return world.addParticle({ position, mass: KNOT_MASS, linearDamping: 1.2 })
  })
  const knot = (i: number, j: number): Body => knots[j * ACROSS + i]
  for (let i = 0; i < ACROSS; i++) {
    world.add(ballSocket, { a: thorax, b: knot(i, 0), point: knot(i, 0).position, solver: 'sweep' })
    for (let j = 0; j < DOWN; j++) {
      if (j + 1 < DOWN) world.add(lineDistance, { a: knot(i, j), b: knot(i, j + 1) })
      if (i + 1 < ACROSS && j > 0) world.add(lineDistance, { a: knot(i, j), b: knot(i + 1, j) })
      if (i + 1 < ACROSS && j + 1 < DOWN) {
        world.add(distance, { a: knot(i, j), b: knot(i + 1, j + 1), compliance: 2e-4 })
        world.add(distance, { a: knot(i + 1, j), b: knot(i, j + 1), compliance: 2e-4 })
      }
    }
  }
  return knots
}
