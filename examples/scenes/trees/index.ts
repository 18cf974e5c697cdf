/** Joint trees: what the direct solution is shown on. */

export * from './chains.js'
export * from './pendulum.js'
