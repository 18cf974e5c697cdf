/** Attaches anything to anything: particles, points of edges, triangles and tetrahedra, of bodies, of the world. */

import { Body, type Constraint, LeanWorld } from '@tautline/core'
import { attachment, ballSocket, distance } from '@tautline/constraints'
import { array, finiteVector, instance, knownFields, shown } from '@tautline/core/kernel'
import type { ReadonlyVec3, vec3 } from 'gl-matrix'

/**
 * Where something is attached: a body at its centre, a body at a world point, a point among two to four particles (an edge, a triangle, a
 * tetrahedron), or a point of the world.
 */
export type AttachPoint =
  | Body
  | { body: Body; point?: ReadonlyVec3 }
  | { bodies: readonly Body[]; weights?: readonly number[] }
  | { point: ReadonlyVec3 }

/** How strong an attachment is. */
export interface AttachOptions {
  /** Inverse stiffness [m/N]. @defaultValue 0 */
  compliance?: number
  /** Damping [N s/m], where there is compliance. @defaultValue 0 */
  damping?: number
  /** Above this force [N] it breaks. @defaultValue Infinity */
  breakForce?: number
}

/** Particles that are this near are in one place [m]. */
const SAME = 1e-6

/** One side: bodies, shares and lever arms. */
interface Side {
  readonly bodies: readonly Body[]
  readonly weights: readonly number[]
  readonly anchors: readonly number[]
  /** Where it is now [m]. */
  readonly at: vec3
  /** Whether `at` is a point that was given, not the centre of a body. */
  readonly isGiven: boolean
}

/**
 * Attaches `a` to `b`: `attach(world, { bodies: [p, q, r] }, { body: crate, point })`. What is
 * given without a point is held where the other side is, two bodies at the centre of the first; two particles keep their distance, or, where they are in one place, that place; points among particles that are apart come together. Both sides feel it. Returns the constraint, which tells `force` and `broken`. Throws
 * `TypeError`/`RangeError` with what, where and the value, and adds nothing.
 */
export function attach(world: LeanWorld, a: AttachPoint, b: AttachPoint, options: AttachOptions = {}): Constraint {
  const where = 'attach'
  instance(`${where}: world`, world, LeanWorld, 'a World')
  knownFields(`${where}: options`, options, ['compliance', 'damping', 'breakForce'])
  const first = sideOf(world, `${where}: a`, a)
  const second = sideOf(world, `${where}: b`, b)
  if (first.bodies.length === 0 && second.bodies.length === 0) {
    throw new TypeError(`${where}: a or b must have a body, got two points of the world`)
  }
  const [one, other] = first.bodies.length > 0 ? [first, second] : [second, first]
  if (one.bodies.length === 1 && other.bodies.length <= 1) return joinPair(world, one, other, options)
  const placed = withPoint(one, other)
  const made: unknown = world.add(attachment, {
    bodies: [...placed.bodies, ...other.bodies],
    count: placed.bodies.length,
    weights: [...placed.weights, ...other.weights],
    anchors: [...placed.anchors, ...(other.bodies.length > 0 ? armsTo(other, one.at) : [])],
    ...(other.bodies.length === 0 ? { target: [...one.at] } : {}),
    ...options,
  })
  return made as Constraint
}

/** Two bodies, or one and the world: a ball joint, which the direct solution takes up. */
function joinPair(world: LeanWorld, one: Side, other: Side, options: AttachOptions): Constraint {
  const [a] = one.bodies
  const b = other.bodies.length === 0 ? null : other.bodies[0]
  // A distance of 0 has no direction: Newton's method would go to and fro between its two sides.
  if (b !== null && a.isParticle && b.isParticle && !isAt(a, b.position))
    return world.add(distance, { a, b, ...options }) as unknown as Constraint
  const point = pointOf(one, other)
  const made: unknown = world.add(ballSocket, {
    a,
    b,
    anchorA: a.toBody(point) as [number, number, number],
    anchorB: (b === null ? point : b.toBody(point)) as [number, number, number],
    ...options,
  })
  return made as Constraint
}

/** Where a ball joint of two sides is: at a point that was given, where a particle is, else at the centre of the first. */
function pointOf(one: Side, other: Side): vec3 {
  const [a, b] = [one, other].map(({ bodies }) => bodies.some(({ isParticle }) => isParticle))
  const from = one.isGiven || a ? one : other.isGiven || b ? other : one
  const isOpen = from === one && (other.isGiven || b) && !isNear(one.at, other.at)
  if (!isOpen) return from.at
  throw new RangeError(
    `attach: point of both sides must be the same, got [${Array.from(one.at).join(', ')}] and [${Array.from(other.at).join(', ')}]: leave one out, and it is held where the other is`,
  )
}

function isAt({ position }: Body, point: ArrayLike<number>): boolean {
  return isNear(position, point)
}

/** Whether two points are one place. */
export function isNear(x: ArrayLike<number>, y: ArrayLike<number>): boolean {
  const [dx, dy, dz] = [x[0] - y[0], x[1] - y[1], x[2] - y[2]]
  return dx * dx + dy * dy + dz * dz <= SAME * SAME
}

/** Arms of bodies that turn, so that the point of the side is `at` [m]. Particles have none. */
function armsTo({ bodies, anchors }: Side, at: ReadonlyVec3): number[] {
  return bodies.flatMap((body, k) =>
    body.isParticle ? Array.from(anchors.slice(3 * k, 3 * k + 3)) : Array.from(body.toBody(at)),
  )
}

/** The first side, with lever arms to the second where it is of bodies that turn and the second is not. */
function withPoint(one: Side, other: Side): Side {
  const turns = one.bodies.some((body) => !body.isParticle)
  const steady = other.bodies.length > 0 && other.bodies.every((body) => body.isParticle)
  return turns && steady ? { ...one, anchors: armsTo(one, other.at) } : one
}

function sideOf(world: LeanWorld, where: string, point: AttachPoint): Side {
  if (point instanceof Body) return bodySide(world, where, point, undefined)
  const given = placeOf(where, point)
  if ('body' in given) {
    knownFields(where, given, ['body', 'point'])
    if (!(given.body instanceof Body)) throw new TypeError(`${where}: body must be a body, got ${shown(given.body)}`)
    return bodySide(
      world,
      `${where}: body`,
      given.body,
      given.point === undefined ? undefined : finiteVector(`${where}: point`, given.point, 3),
    )
  }
  if ('bodies' in given) {
    knownFields(where, given, ['bodies', 'weights'])
    const bodies = array(`${where}: bodies`, given.bodies).map((body, k) => {
      if (!(body instanceof Body)) throw new TypeError(`${where}: bodies[${k}] must be a body, got ${shown(body)}`)
      world.bodies.assertAlive(`${where}: bodies[${k}]`, body)
      return body
    })
    if (bodies.length < 1 || bodies.length > 4)
      throw new RangeError(`${where}: bodies must be one to four, got ${bodies.length}`)
    const weights =
      given.weights === undefined
        ? bodies.map(() => 1 / bodies.length)
        : Array.from(finiteVector(`${where}: weights`, given.weights, bodies.length))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    if (!(Math.abs(sum) > 0)) throw new RangeError(`${where}: weights must add up to a number above 0, got ${sum}`)
    const shares = weights.map((weight) => weight / sum)
    const at: vec3 = [0, 0, 0]
    bodies.forEach((body, n) => {
      for (let k = 0; k < 3; k++) at[k] += shares[n] * body.position[k]
    })
    return { bodies, weights: shares, anchors: new Array<number>(3 * bodies.length).fill(0), at, isGiven: true }
  }
  if (!('point' in given)) throw new TypeError(`${where} must have body, bodies or point, got none of them`)
  knownFields(where, given, ['point'])
  const [x, y, z] = Array.from(finiteVector(`${where}: point`, given.point, 3))
  return { bodies: [], weights: [], anchors: [], at: [x, y, z], isGiven: true }
}

/** What may be attached, in messages. */
const PLACES = 'a body, { body, point }, { bodies, weights } or { point }'

/** One of the plain ways to say where; a handle of an assembly has bodies of which none is meant. */
function placeOf(where: string, given: AttachPoint): Exclude<AttachPoint, Body> {
  const isPlain = typeof given === 'object' && given !== null && !Array.isArray(given) && !('world' in given)
  if (isPlain) return given as Exclude<AttachPoint, Body>
  throw new TypeError(`${where} must be ${PLACES}, got ${shown(given)}`)
}

/** Throws where a point is beside a particle: it has no lever arm. */
function requirePlace(where: string, body: Body, point: ArrayLike<number>): void {
  if (!body.isParticle || isAt(body, point)) return
  const [x, y, z] = body.position
  throw new RangeError(
    `${where}: point must be where the particle is, which has no lever arm, [${x}, ${y}, ${z}], got [${Array.from(point).join(', ')}]`,
  )
}

function bodySide(world: LeanWorld, where: string, body: Body, point: ArrayLike<number> | undefined): Side {
  world.bodies.assertAlive(where, body)
  if (point !== undefined) requirePlace(where, body, point)
  const at: vec3 = point === undefined ? body.position : [point[0], point[1], point[2]]
  const anchors = body.isParticle ? [0, 0, 0] : Array.from(body.toBody(at))
  return {
    bodies: [body],
    weights: [1],
    anchors,
    at: body.isParticle ? body.position : at,
    isGiven: point !== undefined,
  }
}
