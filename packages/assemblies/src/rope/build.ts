/** Nodes, segments and ends of a rope: how they are made and unmade. */

import type { Collisions } from '@tautline/collision'
import type { Body, Constraint, World } from '@tautline/core'
import { distance, lineDistance } from '@tautline/constraints'
import { attach, type AttachPoint } from '../attach.js'
import type { RopeEnd, RopeSettings } from './definition.js'

/** Joins two nodes by a segment of a length [m]. */
export function addSegment(world: World, settings: RopeSettings, a: Body, b: Body, length: number): Constraint {
  const { stretchCompliance, damping, breakForce } = settings
  const compliance = stretchCompliance * length
  const made: unknown = world.add(lineDistance, {
    a,
    b,
    length,
    compliance,
    solver: 'direct',
    ...(compliance > 0 && damping > 0 ? { damping: damping / compliance } : {}),
    ...(breakForce < Infinity ? { breakForce } : {}),
  })
  return made as Constraint
}

/**
 * Holds each two nodes but one apart, as what resists bending would at 1 rad: k = E I/l (2 · 2/l)², l the segment. None where it does not.
 */
export function addBends(
  world: World,
  settings: RopeSettings,
  nodes: readonly Body[],
  from: number,
  to: number,
): (Constraint | undefined)[] {
  const made: (Constraint | undefined)[] = []
  for (let k = from; k < to; k++) made.push(addBend(world, settings, nodes[k], nodes[k + 2]))
  return made
}

function addBend(world: World, settings: RopeSettings, a: Body, b: Body): Constraint | undefined {
  const { bendCompliance, damping, segment: l } = settings
  if (bendCompliance === Infinity) return undefined
  const compliance = (bendCompliance * l * l * l) / 16
  const soft = compliance > 0 && damping > 0 ? { damping: damping / compliance } : {}
  const made: unknown = world.add(distance, {
    a,
    b,
    length: 2 * l,
    mode: 'strut',
    compliance,
    solver: 'sweep',
    ...soft,
  })
  return made as Constraint
}

/** A node. */
export function addNode(
  world: World,
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
export function hang(world: World, node: Body, end: RopeEnd | undefined): Constraint | undefined {
  if (end === undefined) return undefined
  if (end === 'world') {
    node.type = 'static'
    return undefined
  }
  const point = node.position
  const to: AttachPoint = 'body' in end ? { body: end.body, point: end.point ?? point } : { body: end, point }
  return attach(world, node, to)
}

/** Lets a node go. */
export function unhang(node: Body, joint: Constraint | undefined): void {
  if (joint?.alive === true) joint.remove()
  if (node.type === 'static') node.type = 'dynamic'
}

/** Gives nodes their radius, where the world has collisions; known by name, so that a page without them carries none. */
export function collide(world: World, settings: RopeSettings, nodes: readonly Body[], group: number): void {
  const collisions = world.stages.find(({ name }) => name === 'collisions') as Collisions | undefined
  if (collisions === undefined || !settings.collides || nodes.length === 0) return
  const { radius, friction, layer, mask, selfCollision } = settings
  collisions.addParticles(nodes, { radius, friction, layer, mask, group: selfCollision ? 0 : group })
}
