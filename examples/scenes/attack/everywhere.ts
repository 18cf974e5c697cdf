/** Every scene of the examples that a world can be made of by itself: for what has to hold in all of them. */

import type { World, WorldOptions } from '@tautline/core'
import * as contacts from '../contacts/index.js'
import * as impulse from '../impulse/index.js'
import { clothScene, ragdollScene, ropeScene, softBodyScene } from '../index.js'
import { adultRagdoll } from '../trees/adult-ragdoll.js'
import * as trees from '../trees/index.js'

/** A world that is ready to run. */
export interface AnyScene {
  readonly world: World
  beforeStep?(): void
}

export interface NamedScene {
  readonly name: string
  make(options: WorldOptions): AnyScene
}

function named(group: string, makers: Record<string, (options: WorldOptions) => AnyScene>): NamedScene[] {
  return Object.entries(makers).map(([name, make]) => ({ name: `${group}: ${name}`, make }))
}

/** Options that a scene has no parameter for are set afterwards. */
function configured(scene: { world: World; beforeStep?(step: number): void }, options: WorldOptions): AnyScene {
  scene.world.configure(options)
  let step = 0
  return { world: scene.world, beforeStep: () => scene.beforeStep?.(step++) }
}

/** Scenes of contacts. */
export const CONTACT_SCENES: readonly NamedScene[] = named('contacts', {
  ramp: (options) => contacts.ramp(0.3, options),
  sliding: (options) => contacts.sliding(1, options),
  launchedBall: contacts.launchedBall,
  rolling: contacts.rolling,
  overlappingCubes: contacts.overlappingCubes,
  overlappingPyramid: contacts.overlappingPyramid,
  droppedSpheres: contacts.droppedSpheres,
  rush: contacts.rush,
  confined: contacts.confined,
  mixedPile: (options) => contacts.mixedPile(60, options),
  randomPile: (options) => contacts.randomPile(3, options),
  collidingCloud: (options) => contacts.collidingCloud(60, options),
  cubeOnCubes: contacts.cubeOnCubes,
  heavyTops: contacts.heavyTops,
  bouncingBall: (options) => contacts.bouncingBall(0.8, options),
  bouncingGrid: contacts.bouncingGrid,
  stack: (options) => contacts.stack(10, options),
  offsetStack: contacts.offsetStack,
  pyramid: (options) => contacts.pyramid(8, options),
  arch: contacts.arch,
  cardHouse: (options) => contacts.cardHouse(5, options),
})

/** Scenes of joints and of the velocity-level school. */
export const JOINT_SCENES: readonly NamedScene[] = [
  ...named('impulse', {
    ballChain: (options) => impulse.jointChain('ballSocket', 20, options),
    hingeChain: (options) => impulse.jointChain('hinge', 12, options),
    heavyChain: (options) => impulse.heavyChain(100, options),
    freeChain: impulse.freeChain,
    bridge: (options) => impulse.bridge(40, options),
    jointGrid: (options) => impulse.jointGrid(8, options),
    tamisStack: (options) => impulse.tamisStack(options),
    intersectingStack: impulse.intersectingStack,
    frictionRamp: impulse.frictionRamp,
    funnel: impulse.funnel,
    cradle: (options) => impulse.cradle(5, 1, options),
    sevenBodies: (options) => impulse.sevenBodies(0.5, options),
    steeredWheel: impulse.steeredWheel,
    pendulumGrid: impulse.pendulumGrid,
    pendulumWave: (options) => impulse.pendulumWave(options),
  }),
  ...named('trees', {
    adultRagdoll,
    directRing: (options) => trees.directRing(6, options),
    heldTwice: trees.heldTwice,
    mobile: (options) => trees.mobile(5, options),
    particleChain: (options) => trees.particleChain(100, options),
    mixedChain: (options) => trees.mixedChain(100, undefined, undefined, options),
    twoLinks: (options) => trees.twoLinks(undefined, options),
  }),
]

/** Cloth, ropes and soft bodies, as they are shown. */
export const SOFT_SCENES: readonly NamedScene[] = named('scenes', {
  cloth: (options) => configured(clothScene(), options),
  rope: (options) => configured(ropeScene(), options),
  ragdoll: (options) => configured(ragdollScene(), options),
  softBody: (options) => configured(softBodyScene(), options),
})

/** Scenes of the comparison of the two schools. */
export const COMPARISON_SCENES: readonly NamedScene[] = impulse.comparisonScenes.map(({ name, build }) => ({
  name: `comparison: ${name}`,
  make: build,
}))

export const ALL_SCENES: readonly NamedScene[] = [
  ...COMPARISON_SCENES,
  ...CONTACT_SCENES,
  ...JOINT_SCENES,
  ...SOFT_SCENES,
]
