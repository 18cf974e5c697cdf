/** Scenes whose state has to have the same bits on every engine, small enough for an interpreter. */

import { buildScene } from '../scenes/attack/build.js'
import { scenePlan } from '../scenes/attack/plan.js'
import * as contacts from '../scenes/contacts/index.js'
import * as impulse from '../scenes/impulse/index.js'
import { randomNet } from '../scenes/nets.js'
import { ragdollScene, softBodyScene } from '../scenes/index.js'
import { adultRagdoll } from '../scenes/trees/index.js'
import { World } from '@tautline/core'
import { BUILT_IN, type BuiltIn } from '@tautline/fast-check'
import fc from 'fast-check'
import type { EngineScene } from './entry.js'

/** Seeds of random trees of joints with contacts, and of nets of particles. */
const ATTACKS = [2, 5, 9, 11, 12, 19, 23, 28]
const NETS = [1, 3, 6, 9]

function scene(name: string, world: World, byImpulses = false): EngineScene {
  return { name, json: JSON.stringify(world), byImpulses }
}

/** Seed of the definitions of constraint types. */
const SEED = 1

/** One constraint of a type between thrown bodies. */
function typeScene({ name, type, fields, options }: BuiltIn): EngineScene {
  const world = new World()
  const bodies = (options.places ?? []).map((position, k) =>
    world.addBody({ position, mass: 1 + k, inertia: 0.1, velocity: [k, 1, -0.5 * k], angularVelocity: [0, k, 1] }),
  )
  const [def] = fc.sample(fields, { seed: SEED, numRuns: 1 })
  const [a, b] = bodies
  world.add(type, options.pair === true ? { ...def, a, b } : { ...def, bodies })
  return scene(`type-${name.replaceAll(/[ ,]+/g, '-')}`, world)
}

/** Every constraint type: short runs, as each is alone. */
export function typeScenes(): EngineScene[] {
  return BUILT_IN.map(typeScene)
}

/** Scenes of many bodies. */
export function engineScenes(): EngineScene[] {
  return [
    ...ATTACKS.map((seed) => scene(`attack-${seed}`, buildScene(scenePlan(seed)).world)),
    ...NETS.map((seed) => scene(`net-${seed}`, randomNet(seed).world)),
    scene('net-by-lines', randomNet(2, 'lines').world),
    scene('stack', contacts.stack(5).world),
    scene('pyramid', contacts.pyramid(4).world),
    scene('pile', contacts.mixedPile(12).world),
    scene('arch', contacts.arch().world),
    scene('card-house', contacts.cardHouse(2).world),
    scene('bouncing-ball', contacts.bouncingBall(0.8).world),
    scene('rolling', contacts.rolling().world),
    scene('heavy-chain', impulse.heavyChain(100).world),
    scene('ragdoll', ragdollScene().world),
    scene('adult', adultRagdoll().world),
    scene('soft-body', softBodyScene().world),
    scene('chain-by-impulses', impulse.jointChain('ballSocket', 8).world, true),
    scene('stack-by-impulses', contacts.stack(4).world, true),
  ]
}
