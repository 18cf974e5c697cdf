/** Joint trees: what the direct solution is shown on. */

export * from './branching.js'
export * from './chains.js'
export * from './pendulum.js'
export * from './random.js'
