/**
 * Vertices that are held: in place, by a body that is led, or by one that moves.
 *
 * What is led takes them along exactly: a vertex becomes a kinematic body whose target is where its holder is going to be, so that nothing lags and
 * what is next to it feels the way between. To one that moves it is tied by a `pin`, which pulls both ways.
 */

import { Body, type Constraint, type LeanWorld } from '@tautline/core'
import { pin } from '@tautline/constraints'
import { knownFields, object, shown } from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'
import { listed } from '../parts/mesh.js'
import { type ClothAsset, vertexAt } from './asset.js'
import { targetPoint } from './target.js'

/** Vertices and what holds them. */
export interface PinGroup {
  /** Numbers of vertices, as they were given. */
  vertices: ArrayLike<number>
  /** What holds them where they are on it; left out, they stay in place. @defaultValue none */
  body?: Body
}

/** Vertices that stay in place, by number, and groups that a body holds. */
export type Pins = ArrayLike<number> | readonly (number | PinGroup)[]

/** One that is held. */
export interface Pin {
  readonly vertex: number
  readonly body: Body | undefined
  /** Where it is on the body, from its centre of mass [m]. */
  readonly local: readonly [number, number, number]
  /** The joint to a body that moves. */
  readonly joint: Constraint | undefined
}

/** Vertices and holders of a definition, checked: of a vertex that is named twice, the last. */
export function readPins(
  where: string,
  world: LeanWorld,
  asset: Pick<ClothAsset, 'vertexOf'>,
  pins: unknown,
): Map<number, Body | undefined> {
  const found = new Map<number, Body | undefined>()
  Array.from(listed(where, pins) as ArrayLike<unknown>).forEach((entry, k) => {
    const at = `${where}[${k}]`
    if (typeof entry === 'number') {
      found.set(vertexAt(at, asset, entry), undefined)
      return
    }
    knownFields(at, object(at, entry), ['vertices', 'body'])
    const { vertices, body } = entry as PinGroup
    if (body !== undefined) checkHolder(`${at}: body`, world, body)
    const list = listed(`${at}: vertices`, vertices)
    for (let i = 0; i < list.length; i++) found.set(vertexAt(`${at}: vertices[${i}]`, asset, list[i]), body)
  })
  return found
}

/** Throws unless a body of this world. */
export function checkHolder(where: string, world: LeanWorld, body: unknown): void {
  if (!(body instanceof Body)) throw new TypeError(`${where} must be a body, got ${shown(body)}`)
  world.bodies.assertAlive(where, body)
}

/** Holds a vertex where it is. */
export function holdVertex(world: LeanWorld, vertex: number, particle: Body, body: Body | undefined): Pin {
  const local: [number, number, number] = [0, 0, 0]
  if (body === undefined) {
    particle.type = 'kinematic'
    particle.setVelocity([0, 0, 0])
    return { vertex, body, local, joint: undefined }
  }
  const at = body.toBody(particle.position)
  for (let k = 0; k < 3; k++) local[k] = at[k]
  if (body.type !== 'dynamic') {
    particle.type = 'kinematic'
    particle.setVelocity([0, 0, 0])
    // Led at once: one that begins in a static collider gives way, also where its holder stands still.
    if (body.type === 'kinematic') particle.setTarget(particle.position)
    return { vertex, body, local, joint: undefined }
  }
  const joint = world.add(pin, { a: particle, b: body, anchorB: local })
  return { vertex, body, local, joint: joint as unknown as Constraint }
}

/** Lets it go, at the speed that it has. */
export function releaseVertex({ joint }: Pin, particle: Body): void {
  if (joint?.alive === true) joint.remove()
  else if (particle.alive && particle.type === 'kinematic') particle.type = 'dynamic'
}

const at: vec3 = [0, 0, 0]

/** What is farther from its place on its holder than this [m] was set down there, and not led. */
const JUMP = 0.2

/**
 * Moves all of it to where its holders are, where they or the cloth were set down elsewhere: by how far pins are from their places in the mean. Led there within a step,
 * it would be thrown.
 */
export function followPins(pins: readonly Pin[], particles: readonly Body[]): void {
  if (pins.length === 0) return
  let x = 0
  let y = 0
  let z = 0
  let count = 0
  let farthest = 0
  for (let k = 0; k < pins.length; k++) {
    const { vertex, body, local, joint } = pins[k]
    if (joint !== undefined || !particles[vertex].alive) continue
    // One that is held in place keeps the cloth where it is.
    if (body?.alive !== true) return
    body.toWorld(local as unknown as vec3, PLACE)
    particles[vertex].getPosition(NOW)
    const dx = PLACE[0] - NOW[0]
    const dy = PLACE[1] - NOW[1]
    const dz = PLACE[2] - NOW[2]
    x += dx
    y += dy
    z += dz
    count++
    farthest = Math.max(farthest, dx * dx + dy * dy + dz * dz)
  }
  if (farthest <= JUMP * JUMP) return
  for (const body of particles) {
    if (!body.alive) continue
    body.getPosition(NOW)
    body.setPosition([NOW[0] + x / count, NOW[1] + y / count, NOW[2] + z / count])
  }
}

/** Sets where pins on bodies that are led go in a step of `dt` [s]. */
export function leadPins(pins: readonly Pin[], particles: readonly Body[], dt: number): void {
  for (const { vertex, body, local, joint } of pins) {
    if (body === undefined || joint !== undefined || !body.alive || !particles[vertex].alive) continue
    targetPoint(body, local, dt, at)
    const now = particles[vertex].getPosition(NOW)
    if (at[0] === now[0] && at[1] === now[1] && at[2] === now[2] && isStill(particles[vertex])) continue
    particles[vertex].setTarget(at)
  }
}

const NOW: vec3 = [0, 0, 0]
const PLACE: vec3 = [0, 0, 0]
const SPEED: vec3 = [0, 0, 0]

function isStill(body: Body): boolean {
  body.getVelocity(SPEED)
  return SPEED[0] === 0 && SPEED[1] === 0 && SPEED[2] === 0
}
