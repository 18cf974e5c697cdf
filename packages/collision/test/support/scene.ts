/** Worlds with collisions, floors of every kind, and what the tests ask of them. */

import { type Body, World, type WorldOptions } from '@tautline/core'
import {
  box,
  type CollisionOptions,
  Collisions,
  compound,
  type ContactEvent,
  convexHull,
  heightfield,
  plane,
  type Shape,
  triangleMesh,
} from '../../src/index.js'

export const G = 9.81

export interface Scene {
  world: World
  collisions: Collisions
}

/** A world with collisions; nothing sleeps unless it is said. */
export function scene(options: WorldOptions = {}, collisionOptions: CollisionOptions = {}): Scene {
  const world = new World(options)
  return { world, collisions: new Collisions(world, { sleeping: false, ...collisionOptions }) }
}

/** The same without gravity. */
export function weightless(options: WorldOptions = {}, collisionOptions: CollisionOptions = {}): Scene {
  return scene({ gravity: [0, 0, 0], ...options }, collisionOptions)
}

export function run({ world }: { world: World }, steps: number): void {
  for (let k = 0; k < steps; k++) world.step()
}

/** Hashes of the next steps. */
export function future({ world }: { world: World }, steps: number): string[] {
  return Array.from({ length: steps }, () => {
    world.step()
    return world.hash()
  })
}

/** What the last step tells, in short. */
export function told({ collisions }: Scene): string[] {
  return collisions.events.map((event) => event.type)
}

/** The only event of the last step. */
export function only({ collisions }: Scene): ContactEvent {
  const { events } = collisions
  if (events.length !== 1) throw new Error(`one event, not ${events.length}`)
  return events[0]
}

export function length(v: ArrayLike<number>): number {
  return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}

export function speedOf(body: Body): number {
  return length(body.velocity) + length(body.angularVelocity)
}

/** Everything that can be bad about a world at rest: all that moves has this speed [m/s, rad/s] at most. */
export function fastest({ world }: { world: World }): number {
  return Math.max(...world.bodies.all().map(speedOf))
}

/** A flat mesh of `n` × `n` squares of side `cell` about the origin, each of two triangles, diagonals in turn. */
export function grid(n: number, cell: number, oneSided = false): Shape {
  const points: number[] = []
  const triangles: number[] = []
  for (let k = 0; k <= n; k++) for (let i = 0; i <= n; i++) points.push((i - n / 2) * cell, 0, (k - n / 2) * cell)
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      const [a, b, c, d] = [k * (n + 1) + i, k * (n + 1) + i + 1, (k + 1) * (n + 1) + i, (k + 1) * (n + 1) + i + 1]
      if ((i + k) % 2 === 0) triangles.push(a, c, b, b, c, d)
      else triangles.push(a, d, b, a, c, d)
    }
  }
  return triangleMesh(points, triangles, { oneSided })
}

/** Floors with their upper side at y = 0, twenty metres wide about the origin. */
export const FLOORS: Record<string, () => Shape> = {
  plane: () => plane([0, 1, 0]),
  box: () => compound([{ shape: box([10, 0.5, 10]), position: [0, -0.5, 0] }]),
  compound: () =>
    compound([
      { shape: box([5, 0.5, 10]), position: [-5, -0.5, 0] },
      { shape: box([5, 0.5, 10]), position: [5, -0.5, 0] },
    ]),
  convexHull: () => convexHull([-10, 0, -10, 10, 0, -10, 10, 0, 10, -10, 0, 10, 0, -3, 0]),
  triangleMesh: () => grid(5, 4),
  'triangleMesh of one side': () => grid(5, 4, true),
  heightfield: () => heightfield({ heights: new Array<number>(36).fill(0), columns: 6, rows: 6, cellX: 4, cellZ: 4 }),
}
