/** Nodes, segments and ends of a rope: how they are made and unmade. */

import type { Body, Constraint, LeanWorld } from '@tautline/core'
import { lineBend, lineDistance } from '@tautline/constraints'
import type { ReadonlyVec3 } from 'gl-matrix'
import { attach } from '../attach.js'
import { collideAs } from '../parts/particles.js'
import type { RopeEnd, RopeSettings } from './definition.js'

/**
 * Speed at which overlap is taken out of a rope [m/s]. Segments carry attached loads along: at more than 20 m/s² times the substep the joint
 * solution is refused as one that gains energy, and contacts no longer hold the loads.
 */
const PUSH_OUT = 0.02

/** Joins two nodes by a segment of a length [m]. Trees solve it, also in a world that sweeps its joints; lines of segments are swept in a world without trees. */
export function addSegment(world: LeanWorld, settings: RopeSettings, a: Body, b: Body, length: number): Constraint {
  const { stretchCompliance, damping, breakForce } = settings
  const compliance = stretchCompliance * length
  const made: unknown = world.add(lineDistance, {
    a,
    b,
    length,
    compliance,
    solver: world.jointSolver === undefined ? 'auto' : 'direct',
    ...(compliance > 0 && damping > 0 ? { damping: damping / compliance } : {}),
    ...(breakForce < Infinity ? { breakForce } : {}),
  })
  return made as Constraint
}

/** Resists the turn at each node, by E I/l [N m/rad], l the segment. None where it does not resist bending. */
export function addBends(
  world: LeanWorld,
  settings: RopeSettings,
  nodes: readonly Body[],
  from: number,
  to: number,
): (Constraint | undefined)[] {
  const { bendCompliance, damping, segment: l } = settings
  const made: (Constraint | undefined)[] = []
  const compliance = bendCompliance * l
  const soft = compliance > 0 && damping > 0 ? { damping: damping / compliance } : {}
  for (let k = from; k < to; k++) {
    const row = { bodies: [nodes[k], nodes[k + 1], nodes[k + 2]], lengths: [l, l], rest: 0, compliance, ...soft }
    made.push(bendCompliance === Infinity ? undefined : (world.add(lineBend, row) as unknown as Constraint))
  }
  return made
}

/** A node. */
export function addNode(
  world: LeanWorld,
  settings: RopeSettings,
  position: ArrayLike<number>,
  velocity: ArrayLike<number>,
  mass: number,
): Body {
  return world.addParticle({
    position: [position[0], position[1], position[2]],
    velocity: [velocity[0], velocity[1], velocity[2]],
    mass,
    linearDamping: settings.linearDamping,
  })
}

/** Hangs a node on something; nothing where that is the world, which holds it itself. */
export function hang(world: LeanWorld, node: Body, end: RopeEnd | undefined): Constraint | undefined {
  if (end === undefined) return undefined
  if (end === 'world') {
    node.type = 'static'
    return undefined
  }
  const { body, point }: { body: Body; point?: ReadonlyVec3 } = 'body' in end ? end : { body: end }
  return attach(world, node, body.isParticle ? body : { body, point: point ?? node.position })
}

/** Lets a node go. */
export function unhang(node: Body, joint: Constraint | undefined): void {
  if (joint?.alive === true) joint.remove()
  if (node.type === 'static') node.type = 'dynamic'
}

/** Gives nodes their radius, and what is between them. */
export function collide(world: LeanWorld, settings: RopeSettings, nodes: readonly Body[]): void {
  const { collides, radius, friction, layer, mask, selfCollision } = settings
  if (!collides) return
  const edges = nodes.slice(1).flatMap((_, k) => [k, k + 1])
  const kind = selfCollision ? 'vertices' : false
  collideAs(world, nodes, {
    radius,
    friction,
    layer,
    mask,
    edges,
    surfaceContacts: true,
    selfCollision: kind,
    maxPushOut: PUSH_OUT,
  })
}
