/** Random throws of figures: one to three mannequins thrown and spun at a wall, stairs and each other, struck once, a third of them with a part out of place at the start. */

import { type RagdollAsset, ragdoll, ragdollAsset } from '@tautline/assemblies'
import { box, Collisions } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { aheadOf } from '../../accept/energy.js'
import { randomNumbers } from '../../lib/random.js'
import { mannequinBones, mannequinRig } from '../../mannequin/skeleton.js'

/** Simulated time of a throw [s]. */
const SECONDS = 2.5
/** Steps in which joints that were apart at the start may still be brought together. */
const START = 3
const STAIRS = 4
/** Share of the throws that start with a part out of place. */
const VIOLATED = 0.3

export interface Throw {
  /** Energy that nothing gave, as a share of what there was at the start and what the blow gave. */
  gain: number
  /** Largest error of a joint, from the fourth step on [m, rad]. */
  error: number
  nonFinite: number
}

let asset: RagdollAsset | undefined

/** Runs the throw of a seed at the defaults of `World`, but for its substeps (1 to 8) and its rate (30 to 144 Hz). */
export function throwFigures(seed: number): Throw {
  const numbers = randomNumbers(seed)
  const random = (): number => (numbers() + 1) / 2
  const between = (low: number, high: number): number => low + (high - low) * random()
  const vector = (x: number, y: readonly [number, number], z: number): [number, number, number] => [
    between(-x, x),
    between(...y),
    between(-z, z),
  ]
  const rate = between(30, 144)
  const world = new World({ substeps: 1 + Math.floor(8 * random()), dt: 1 / rate })
  addRoom(world)
  const figures: (readonly Body[])[] = []
  const count = 1 + Math.floor(3 * random())
  asset ??= ragdollAsset(mannequinRig(mannequinBones()))
  for (let k = 0; k < count; k++) {
    const turn = [random(), random(), random(), random()].map((x) => x - 0.5)
    const length = Math.hypot(...turn)
    const [x, y, z, w] = turn.map((c) => c / length)
    const [px, py, pz] = vector(1, [0.8, 3], 1)
    const { bodies } = ragdoll(world, asset, { position: [px, py + 1.2 * k, pz], orientation: [x, y, z, w] })
    throwOne(bodies, vector(11, [-8, 4], 6), vector(8, [-8, 8], 8))
    figures.push(bodies)
  }
  const [first] = figures
  if (random() < VIOLATED) first[1 + Math.floor(random() * (first.length - 1))].setPosition(vector(1, [0.5, 2], 1))
  return run(world, Math.floor(SECONDS * rate), first[3], vector(40, [0, 60], 40))
}

function addRoom(world: World): void {
  const collisions = new Collisions(world)
  const friction = 0.6
  collisions.addCollider(null, { shape: box([20, 0.5, 20]), position: [0, -0.5, 0], friction })
  collisions.addCollider(null, { shape: box([0.5, 5, 20]), position: [2.5, 5, 0], friction })
  for (let k = 0; k < STAIRS; k++) {
    const height = 0.1 * (k + 1)
    collisions.addCollider(null, { shape: box([0.4, height, 2]), position: [-1 - 0.4 * k, height, 0] })
  }
}

/** Gives a figure the motion of a rigid body about its first part. */
function throwOne(bodies: readonly Body[], v: readonly number[], w: readonly number[]): void {
  const [x, y, z] = bodies[0].position
  for (const body of bodies) {
    const [a, b, c] = [body.position[0] - x, body.position[1] - y, body.position[2] - z]
    body.setVelocity([v[0] + w[1] * c - w[2] * b, v[1] + w[2] * a - w[0] * c, v[2] + w[0] * b - w[1] * a])
    body.setAngularVelocity([w[0], w[1], w[2]])
  }
}

/** Energy with velocities of the instant of the poses. */
function energyOf(world: World): number {
  return world.energy().total + aheadOf(world)
}

function run(world: World, steps: number, struck: Body, blow: readonly [number, number, number]): Throw {
  const found: Throw = { gain: 0, error: 0, nonFinite: 0 }
  // What starts out of place is put in place by the first step.
  world.step()
  let least = energyOf(world)
  let given = world.energy().kinetic
  for (let step = 1; step < steps; step++) {
    if (step === steps >> 1) {
      const before = energyOf(world)
      struck.applyImpulse(blow)
      const more = energyOf(world) - before
      least += Math.max(0, more)
      given += Math.max(0, more)
    }
    world.step()
    found.nonFinite += world.report.nonFinite.length
    const total = energyOf(world)
    least = Math.min(least, total)
    found.gain = Math.max(found.gain, (total - least) / given)
    if (step <= START) continue
    for (const { error } of world.constraints()) found.error = Math.max(found.error, error)
  }
  return found
}
