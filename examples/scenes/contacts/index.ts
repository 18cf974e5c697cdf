/** Scenes of contacts. */

export * from './arch.js'
export * from './cards.js'
export * from './friction.js'
export * from './layouts.js'
export * from './overlap.js'
export * from './packing.js'
export * from './piles.js'
export * from './ratios.js'
export * from './restitution.js'
export * from './scene.js'
export * from './stacks.js'
export * from './towers.js'
