/** What the contact scenes share: a world with collisions, and what is measured of its bodies. */

import { type Body, World, type WorldOptions } from '@tautline/core'
import { type CollisionOptions, Collisions, plane } from '@tautline/collision'
import type { Triple } from './layouts.js'

/** Settings of a world and of its collisions, so that any scene can be tried with any. Nothing sleeps unless asked. */
export interface ContactOptions extends WorldOptions {
  sleeping?: CollisionOptions['sleeping']
  /** Where the scene's origin is [m]. @defaultValue [0, 0, 0] */
  origin?: Triple
}

/** A scene that is ready to run. */
export interface ContactScene {
  readonly world: World
  readonly collisions: Collisions
  /** What moves, in the order made. */
  readonly bodies: readonly Body[]
  /** To be called before each step. */
  beforeStep?(): void
}

/** How contacts are solved unless a scene or a caller says otherwise. */
export const QUALITY = { dt: 1 / 60, substeps: 8, iterations: 1 } as const

/** An empty world. */
export function emptyWorld(options: ContactOptions): { world: World; collisions: Collisions } {
  const { sleeping = false, origin: _origin, ...settings } = options
  const world = new World({ ...QUALITY, ...settings })
  return { world, collisions: new Collisions(world, { sleeping }) }
}

/** A world with the floor y = 0, seen from the scene's origin. */
export function worldOnFloor(
  options: ContactOptions,
  friction: number,
  rollingFriction: number = 0,
): { world: World; collisions: Collisions } {
  const made = emptyWorld(options)
  const position = placed(options, [0, 0, 0])
  made.collisions.addCollider(null, { shape: plane([0, 1, 0]), position, friction, rollingFriction })
  return made
}

/** A point of the scene in the world. */
export function placed({ origin = [0, 0, 0] }: ContactOptions, [x, y, z]: Triple): Triple {
  return [origin[0] + x, origin[1] + y, origin[2] + z]
}

/** Steps a scene for `seconds`, and calls `after` with the time since the call [s]; stops early when that returns `false`. */
export function run(scene: ContactScene, seconds: number, after?: (time: number) => boolean | void): void {
  const { dt } = scene.world.settings
  const steps = Math.round(seconds / dt)
  for (let step = 1; step <= steps; step++) {
    scene.beforeStep?.()
    scene.world.step(dt)
    if (after?.(step * dt) === false) return
  }
}

/** Positions of bodies. */
export function positionsOf(bodies: readonly Body[]): Triple[] {
  return bodies.map((body) => [...body.position] as Triple)
}

/** How far bodies are from where they were, in x and z [m]; the farthest. */
export function sidewaysDrift(bodies: readonly Body[], starts: readonly Triple[]): number {
  return largest(bodies, (body, k) => {
    const [x, , z] = body.position
    return Math.hypot(x - starts[k][0], z - starts[k][2])
  })
}

/** How far bodies are below where they were [m]; the deepest. */
export function sink(bodies: readonly Body[], starts: readonly Triple[]): number {
  return largest(bodies, (body, k) => starts[k][1] - body.position[1])
}

/** Of the centres [m/s]; the fastest. */
export function topSpeed(bodies: readonly Body[]): number {
  return largest(bodies, ({ velocity }) => Math.hypot(velocity[0], velocity[1], velocity[2]))
}

/** Kinetic energy a body [J], in the mean. */
export function restlessness({ world, bodies }: ContactScene): number {
  return world.energy().kinetic / bodies.length
}

/** Deepest overlap of spheres of one radius [m]; below 0 when all are apart. */
export function sphereOverlap(bodies: readonly Body[], radius: number): number {
  const centres = positionsOf(bodies)
  let most = -Infinity
  for (let i = 0; i < centres.length; i++) {
    const [x, y, z] = centres[i]
    for (let j = 0; j < i; j++) {
      const other = centres[j]
      const [dx, dy, dz] = [x - other[0], y - other[1], z - other[2]]
      const apart = dx * dx + dy * dy + dz * dz
      if (apart < 4 * radius * radius) most = Math.max(most, 2 * radius - Math.sqrt(apart))
    }
  }
  return most
}

/** `Math.max` over bodies; NaN when one is. */
function largest(bodies: readonly Body[], value: (body: Body, k: number) => number): number {
  return bodies.reduce((most, body, k) => Math.max(most, value(body, k)), -Infinity)
}
