/** Links and joints of a rod: how they are made. */

import { Body, type Constraint, type LeanWorld } from '@tautline/core'
import { ballSocket, bendTwist } from '@tautline/constraints'
import { cos, sin } from '@tautline/core/kernel'
import type { quat, vec3 } from 'gl-matrix'
import { collisionsOf } from '../parts/collisions.js'
import type { RodEnd, RodPlan, RodRest, RodSettings } from './definition.js'
import { framesAlong } from './frames.js'

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
