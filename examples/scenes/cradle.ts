/**
 * Newton's cradle as it hangs on a desk: steel balls on two threads each, the first few drawn aside.
 *
 * Threads keep a ball in its plane, so each has one way to move. Balls hang `gap` apart: blows then come one after the other, which
 * is what steel does, and each of them is between two balls, where restitution is exact. At no gap all are one simultaneous impact.
 */

import { type Body, solidSphere, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { Collisions, sphere } from '@tautline/collision'
import { distance } from '@tautline/constraints'

export interface CradleParameters {
  count: number
  /** How many are drawn aside, and by how much [rad]. */
  drawn: number
  angle: number
  /** Of a ball [m] [kg]. */
  radius: number
  mass: number
  /** Of the threads: how far below the rail a ball hangs, and half their spread [m]. */
  drop: number
  spread: number
  /** Between balls at rest [m]. */
  gap: number
  restitution: number
}

export const CRADLE: Readonly<CradleParameters> = {
  count: 5,
  drawn: 1,
  angle: 0.7,
  radius: 0.1,
  mass: 1,
  drop: 1,
  spread: 0.35,
  gap: 1e-3,
  restitution: 1,
}

export interface CradleScene {
  readonly world: World
  readonly collisions: Collisions
  readonly balls: readonly Body[]
  /** By ball: where its two threads are fixed [m]. */
  readonly hooks: readonly (readonly [readonly [number, number, number], readonly [number, number, number]])[]
  readonly parameters: Readonly<CradleParameters>
}

/** The cradle, its rail at y = 0 along x. */
export function cradleOnThreads(given: Partial<CradleParameters> = {}, options: WorldOptions = {}): CradleScene {
  const parameters = { ...CRADLE, ...given }
  const { count, drawn, angle, radius, mass, drop, spread, gap, restitution } = parameters
  const world = new World({ substeps: 20, ...options })
  const collisions = new Collisions(world, { sleeping: false })
  const hooks: CradleScene['hooks'][number][] = []
  const balls = Array.from({ length: count }, (_, k) => {
    const x = (k - 0.5 * (count - 1)) * (2 * radius + gap)
    const aside = k < drawn ? -angle : 0
    const ball = world.addBody({
      position: [x + drop * sin(aside), -drop * cos(aside), 0],
      mass,
      inertia: solidSphere(mass, radius),
      // Two threads meet in the centre: what turns about it is not seen and would only take energy in.
      lockRotation: [true, true, true],
    })
    collisions.addCollider(ball, { shape: sphere(radius), friction: 0, restitution })
    const pair = [
      [x, 0, -spread],
      [x, 0, spread],
    ] as const
    for (const hook of pair) world.add(distance, { a: null, b: ball, anchorA: hook, anchorB: [0, 0, 0] })
    hooks.push(pair)
    return ball
  })
  return { world, collisions, balls, hooks, parameters }
}
