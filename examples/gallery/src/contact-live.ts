/** A scene of contacts as an exhibit, and the ball that is thrown at it. No DOM. */

import { type Collisions, sphere } from '@tautline/collision'
import { type Body, solidBox } from '@tautline/core'
import { randomNumbers } from '../../lib/random.js'
import { type ContactOptions, type ContactScene, topSpeed } from '../../scenes/contacts/scene.js'
import type { Live } from './exhibit.js'
import { collidersOf } from './collider-parts.js'
import type { Tone } from './parts.js'
import type { Values } from './settings.js'
import { liveWorld, worldOptions } from './standard.js'

export interface ContactParts {
  /** Colour of a body by its number among all. */
  tone?: (body: Body, k: number) => Tone
  beforeStep?: (step: number) => void
  figures?: Live['figures']
}

/** World options of the panel, for the scenes of contacts. */
export function contactOptions(values: Values): ContactOptions {
  return { ...worldOptions(values), sleeping: {} }
}

/** Runs a scene of contacts. */
export function liveContacts(scene: ContactScene, values: Values, more: ContactParts = {}): Live {
  return liveWorld({
    world: scene.world,
    values,
    parts: collidersOf(scene.world, more.tone),
    beforeStep(step) {
      scene.beforeStep?.()
      more.beforeStep?.(step)
    },
    figures: () => ({
      Fastest: { value: 1000 * topSpeed(scene.bodies), unit: 'mm/s' },
      Touching: { value: touching(scene.collisions), unit: 'pairs' },
      ...more.figures?.(),
    }),
  })
}

function touching(collisions: Collisions): number {
  return collisions.events.filter(({ type }) => type !== 'end').length
}

/** A ball that waits aside until it is thrown at a step. */
export function thrownBall(
  scene: ContactScene,
  def: {
    from: readonly [number, number, number]
    velocity: readonly [number, number, number]
    radius: number
    mass: number
  },
): { body: Body; throwAt: (at: number) => (step: number) => void } {
  const body = scene.collisions.addBody({
    shape: sphere(def.radius),
    mass: def.mass,
    position: def.from,
    gravityScale: 0,
    friction: 0.5,
    name: 'ball',
  })
  return {
    body,
    throwAt: (at) => (step) => {
      if (step !== at) return
      body.setGravityScale(1)
      body.setVelocity(def.velocity)
    },
  }
}

/** Makes a cube of a metre so many times as heavy. */
export function heavier(cube: Body, ratio: number): void {
  if (ratio === 1) return
  const mass = ratio * cube.mass
  cube.setMass(mass, solidBox(mass, [1, 1, 1]))
}

/** Puts bodies aside at random, at most so far along x and z [m]; with the seed 0 they stay where they are. */
export function nudge(bodies: readonly Body[], seed: number, most: number): void {
  if (seed === 0) return
  const random = randomNumbers(seed)
  for (let k = 0; k < 8; k++) random()
  for (const body of bodies) {
    const [x, y, z] = body.position
    body.setPosition([x + most * random(), y, z + most * random()])
  }
}
