/** Scenes of the velocity-level sources, and of the comparison of the two schools. */

export * from './chains.js'
export * from './comparison.js'
export * from './cubes.js'
export * from './freedoms.js'
export * from './friction-ramp.js'
export * from './funnel.js'
export * from './impacts.js'
export * from './joints.js'
export * from './pendulum-grid.js'
export * from './pendulum-wave.js'
export * from './random-world.js'
export * from './smooth.js'
