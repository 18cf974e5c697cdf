/** Random settings of a world: whatever they are, nothing gains energy that nothing put in. */

import type { World, WorldOptions } from '@tautline/core'
import { buildScene } from './attack/build.js'
import { Draw, scenePlan } from './attack/plan.js'
import { randomNet } from './nets.js'

/** By sweeps a substep: the largest relaxation that a world takes. */
const MOST_RELAXATION: Record<number, number> = { 2: 1.5, 5: 1.757 }

/** [m/s²] */
const GRAVITY = 9.81

/** The settings of a seed, substeps and the length of a step left out. A relaxation above 1 goes as far as sweeps and gradients allow. */
export function anySettings(seed: number): WorldOptions {
  const draw = new Draw(seed)
  const iterations = draw.of([1, 1, 2, 5])
  const relaxation = draw.of(iterations === 1 ? [1, 1, 0.5, 0.1] : [1, 1, 0.5, 1.25, MOST_RELAXATION[iterations]])
  const warmStart = draw.of([0, 0, 0.25, 0.5])
  const jacobians = draw.of(['fresh', 'fresh', 'frozen', 'start'] as const)
  return {
    iterations,
    relaxation: jacobians === 'fresh' ? relaxation : Math.min(1, relaxation),
    warmStart,
    jacobians,
    order: draw.of(['outward', 'given', 'alternating'] as const),
    gyroscopic: draw.of(['midpoint', 'implicit', 'explicit', 'none'] as const),
    effectiveInertia: draw.chance(0.3),
    regularization: draw.of([0, 0, 1e-6, 1e-2]),
    solver: draw.of(['auto', 'sweep', 'direct'] as const),
    tolerance: draw.of([0, 0, 1e-6]),
    maxIterations: 10,
  }
}

/** Most that energy may rise above the start, as a share of m g L + the kinetic energy at the start. */
export const MOST_GAIN = 0.01

/**
 * Most that kinetic and potential energy rise above all energy at the start, as a share of m g L + the kinetic energy then: of the joints of the seed
 * (attack) and of its net, each at the settings of the seed. What soft rows store stands beside what a sweep leaves of them, and is not counted.
 */
export function settingsGain(seed: number, seconds: number): number {
  const options = anySettings(seed)
  const { plan, world, mass, extent } = buildScene(scenePlan(seed), options)
  // Solved directly, a net is a forest whose rings are one dense system: a minute a second of it.
  const net = randomNet(seed, 'auto', options.solver === 'direct' ? { ...options, solver: 'auto' } : options)
  const weight = mass * GRAVITY * extent
  return Math.max(
    rise(world, weight + world.energy().kinetic, 1 / plan.rate, seconds),
    rise(net.world, net.scale, 1 / net.rate, seconds),
  )
}

function rise(world: World, scale: number, dt: number, seconds: number): number {
  const start = world.energy().total
  let most = 0
  for (let time = 0; time < seconds; time += dt) {
    world.step(dt)
    const { kinetic, potential } = world.energy()
    const gain = (kinetic + potential - start) / scale
    // NaN has to show.
    if (!(gain <= most)) most = gain
  }
  return most
}
