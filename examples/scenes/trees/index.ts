/** Joint trees: what the direct solution is shown on. */

export * from './bad-input.js'
export * from './branching.js'
export * from './chains.js'
export * from './pendulum.js'
export * from './ragdolls.js'
export * from './random.js'
export * from './thrown-chains.js'
export * from './violated.js'
export * from './walk.js'
