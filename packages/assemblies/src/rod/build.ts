/** Links and joints of a rod: how they are made. */

import { Body, type Constraint, type LeanWorld } from '@tautline/core'
import { ballSocket, bendTwist } from '@tautline/constraints'
import { cos, sin, compose } from '@tautline/core/kernel'
import type { quat, vec3 } from 'gl-matrix'
import { collisionsOf } from '../parts/collisions.js'
import type { RodEnd, RodPlan, RodRest, RodSettings } from './definition.js'

/** How a rod is held together between two links, or at an end. */
export interface RodJoint {
  /** What holds the two together; nothing where it was gone when it was saved. */
  readonly point: Constraint | undefined
  /** What resists bending and twist; nothing where the rod has no stiffness, or an end is not clamped. */
  readonly spring: Constraint | undefined
}

/** Makes the links where they are at the start: y along the rod, frames by parallel transport, then twisted. */
export function addLinks(world: LeanWorld, { settings, nodes, velocity, twist, shape, friction }: RodPlan): Body[] {
  const { radius: r, link: l, lineDensity, linearDamping } = settings
  const mass = lineDensity * l
  const across = (mass * (3 * r * r + l * l)) / 12
  const frames = framesAlong(nodes, twist)
  const collisions = collisionsOf(world)
  return frames.map((orientation, k) => {
    const position = [0, 1, 2].map((n) => 0.5 * (nodes[3 * k + n] + nodes[3 * k + 3 + n])) as vec3
    const link = world.addBody({
      position,
      orientation,
      mass,
      inertia: [across, 0.5 * mass * r * r, across],
      velocity: [velocity[0], velocity[1], velocity[2]],
      linearDamping,
      angularDamping: linearDamping,
    })
    if (shape !== undefined)
      collisions?.addCollider(link, { shape: shape(r, Math.max(0.5 * l - r, 1e-3 * r)), friction })
    return link
  })
}

/** Joins two links. */
export function joinLinks(world: LeanWorld, settings: RodSettings, a: Body, b: Body, rest: RodPlan['rest']): RodJoint {
  const half = 0.5 * settings.link
  const point: unknown = world.add(ballSocket, {
    a,
    b,
    anchorA: [0, half, 0],
    anchorB: [0, -half, 0],
    solver: 'direct',
    ...(settings.breakForce < Infinity ? { breakForce: settings.breakForce } : {}),
  })
  const spring = addSpring(world, settings, a, b, settings.link, rest)
  return { point: point as Constraint, spring }
}

/** Resists bending and twist between two bodies that are `length` of rod apart [m]. */
function addSpring(
  world: LeanWorld,
  { bendStiffness, twistStiffness, damping }: RodSettings,
  a: Body | null,
  b: Body,
  length: number,
  rest: RodPlan['rest'],
): Constraint | undefined {
  if (bendStiffness === 0 && twistStiffness === 0) return undefined
  const [bend, twist] = [bendStiffness / length, twistStiffness / length]
  const made: unknown = world.add(bendTwist, {
    a,
    b,
    ...(a === null ? { axis: axisOf(b) } : { axisA: axisOn(a, b) }),
    ...(rest === 'shape' ? {} : { reference: rest === 'straight' ? [0, 0, 0, 1] : helix(rest, length) }),
    bendStiffness: bend,
    twistStiffness: twist,
    bendDamping: damping * bend,
    twistDamping: damping * twist,
  })
  return made as Constraint
}

/** The rod's axis in the world, as b has it. */
function axisOf(b: Body): vec3 {
  const [from, to] = [b.toWorld([0, 0, 0]), b.toWorld([0, 1, 0])]
  return [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
}

/** The rod's axis in the space of a, as b has it. */
function axisOn(a: Body, b: Body): vec3 {
  const [x, y, z] = axisOf(b)
  const [cx, cy, cz] = a.position
  return a.toBody([cx + x, cy + y, cz + z])
}

/** Turn of a helix from link to link: about x by its curvature, about y by its twist. */
function helix({ curvature, twist }: RodRest, length: number): quat {
  const angle = length * Math.sqrt(curvature * curvature + twist * twist)
  if (angle === 0) return [0, 0, 0, 1]
  const s = (sin(0.5 * angle) * length) / angle
  return [s * curvature, s * twist, 0, cos(0.5 * angle)]
}

/** Hangs an end of a link on something: by a point, or clamped, as stiff as half a link of rod. */
export function hangLink(world: LeanWorld, settings: RodSettings, link: Body, sign: 1 | -1, end: RodEnd): RodJoint {
  const local: vec3 = [0, 0.5 * sign * settings.link, 0]
  const isPlain = end === 'world' || end instanceof Body
  const { body: on, point, clamped = false } = isPlain ? { body: end, point: undefined } : end
  const body = on === 'world' ? null : on
  const at = point ?? link.toWorld(local)
  const made: unknown = world.add(ballSocket, {
    a: body,
    b: link,
    anchorA: body === null ? [at[0], at[1], at[2]] : body.toBody(at),
    anchorB: local,
    solver: 'direct',
  })
  const spring = clamped ? addSpring(world, settings, body, link, 0.5 * settings.link, 'shape') : undefined
  return { point: made as Constraint, spring }
}

/** 1 + cosine of two directions below which the shortest turn between them is lost: the rod turns back on itself. */
const OPPOSED = 1e-6

/**
 * A frame a link of `nodes`, y along it: each turned from the one before by the shortest turn (parallel transport: Bishop, 1975), so that none is
 * twisted against the next, and then about y by its share of `twist` [rad].
 */
function framesAlong(nodes: Float64Array, twist: number): quat[] {
  const count = nodes.length / 3 - 1
  const q = Float64Array.of(0, 0, 0, 1)
  const change = new Float64Array(4)
  let before: readonly number[] = [0, 1, 0]
  return Array.from({ length: count }, (_, k) => {
    const along = direction(nodes, k)
    shortestTurn(before, along, change)
    compose(change, 0, q, 0, q, 0)
    before = along
    // Between links, so that there are count − 1 shares.
    const angle = count > 1 ? (twist * k) / (count - 1) : 0
    const turned = new Float64Array(4)
    compose(q, 0, Float64Array.of(0, sin(0.5 * angle), 0, cos(0.5 * angle)), 0, turned, 0)
    const size = Math.sqrt(turned.reduce((sum, x) => sum + x * x, 0))
    return Array.from(turned, (x) => x / size) as unknown as quat
  })
}

function direction(nodes: Float64Array, k: number): readonly number[] {
  const d = [0, 1, 2].map((n) => nodes[3 * k + 3 + n] - nodes[3 * k + n])
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
  return length > 0 ? d.map((x) => x / length) : [0, 1, 0]
}

/** The shortest turn from u to v; half a turn is about any axis across. */
function shortestTurn(u: readonly number[], v: readonly number[], out: Float64Array): void {
  const w = 1 + u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
  if (w > OPPOSED) out.set([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0], w])
  else if (Math.abs(u[0]) < 0.5) out.set([0, u[2], -u[1], 0])
  else out.set([-u[2], 0, u[0], 0])
  const size = Math.sqrt(out.reduce((sum, x) => sum + x * x, 0))
  for (let k = 0; k < 4; k++) out[k] /= size
}
