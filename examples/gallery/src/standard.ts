/** The settings that all scenes of worlds share, and a world that is run by them. No DOM. */

import type { Body, Constraint, World } from '@tautline/core'
import type { Pad } from '../../lib/pad.js'
import type { Figure } from '../../scenes/scene.js'
import type { Handle, Live, Plot, Triple } from './exhibit.js'
import type { Part } from './parts.js'
import { numberOf, type NumberSetting, type Setting, type Values } from './settings.js'
import { Stepper } from './stepper.js'

export { worldOptions } from './stepper.js'

export const SOLVERS = [
  ['auto', 'Automatic'],
  ['direct', 'Direct (trees of joints)'],
  ['sweep', 'Gauss–Seidel'],
  ['impulse', 'Impulses (velocity level)'],
] as const

/** What a scene may set otherwise, or leave out (`null`). */
export interface StandardDefaults {
  substeps?: number
  iterations?: number
  solver?: (typeof SOLVERS)[number][0] | null
  gravity?: number | null
  compliance?: number | null
}

/** Substeps, iterations, relaxation, solver, gravity, compliance. */
export function standard(defaults: StandardDefaults = {}): Setting[] {
  const { substeps = 8, iterations = 1, solver = 'auto', gravity = 9.81, compliance = 0 } = defaults
  const list: (Setting | null)[] = [
    { kind: 'number', name: 'substeps', label: 'Substeps', min: 1, max: 40, step: 1, value: substeps, live: true },
    {
      kind: 'number',
      name: 'iterations',
      label: 'Iterations',
      min: 1,
      max: 40,
      step: 1,
      value: iterations,
      live: true,
    },
    {
      kind: 'number',
      name: 'relaxation',
      label: 'Relaxation',
      min: 0.1,
      max: 1.5,
      step: 0.05,
      value: 1,
      live: true,
    },
    solver === null
      ? null
      : { kind: 'choice', name: 'solver', label: 'Solver', options: SOLVERS, value: solver, live: true },
    gravity === null
      ? null
      : {
          kind: 'number',
          name: 'gravity',
          label: 'Gravity',
          unit: 'm/s²',
          min: 0,
          max: 25,
          step: 0.01,
          value: gravity,
          live: true,
        },
    compliance === null
      ? null
      : {
          kind: 'number',
          name: 'compliance',
          label: 'Compliance',
          unit: 'm/N',
          min: 1e-9,
          max: 1e-2,
          scale: 'log',
          zero: true,
          value: compliance,
          live: true,
        },
  ]
  return list.filter((setting) => setting !== null)
}

/** Mass ratio, from 1 to `max`. */
export function massRatio(value: number, max = 100_000): NumberSetting {
  return {
    kind: 'number',
    name: 'ratio',
    label: 'Mass ratio',
    unit: ': 1',
    min: 1,
    max,
    scale: 'log',
    step: 1,
    value,
  }
}

/** Of the solver of poses. */
export const ITERATIONS: NumberSetting = {
  kind: 'number',
  name: 'iterations',
  label: 'Iterations',
  min: 1,
  max: 100,
  step: 1,
  value: 50,
  live: true,
}

export const SEED: NumberSetting = { kind: 'number', name: 'seed', label: 'Seed', min: 1, max: 99, step: 1, value: 1 }

/** Of what is not random unless it is set: at 0 it is as planned. */
export const CHANCE: NumberSetting = { ...SEED, min: 0, value: 0, label: 'Seed (0: as planned)' }

/** What {@link liveWorld} runs. */
export interface WorldParts {
  readonly world: World
  readonly values: Values
  readonly parts: readonly Part[]
  /** Before each step, with its number. */
  beforeStep?(step: number): void
  /** Gets the values that act while it runs, besides the standard ones. */
  configure?(values: Values): void
  figures?(): Readonly<Record<string, Figure>>
  readonly plots?: readonly Plot[]
  readonly handles?: readonly Handle[]
  readonly pad?: Pad
  readonly follows?: () => Triple
  grabbed?(body: Body): void
  released?(): void
  /** After each step. */
  afterStep?(): void
  /** Rows that the compliance is set of. @defaultValue all joints and distances */
  readonly soft?: readonly Constraint[]
}

/** Types that take the compliance of the panel. */
const SOFTENED = ['distance', 'ballSocket', 'hinge', 'slider', 'universal', 'fixed', 'swingTwist', 'ropeLength']

/** A world that is stepped as the values say, and goes on when they change. */
export function liveWorld({ world, values, parts, beforeStep, afterStep, configure, soft, ...more }: WorldParts): Live {
  const stepper = new Stepper(world)
  const constraints = soft ?? world.constraints().filter(({ typeName }) => SOFTENED.includes(typeName))
  let compliance = 0
  const take = (now: Values): void => {
    stepper.take(now)
    const wanted = 'compliance' in now ? numberOf(now, 'compliance') : compliance
    if (wanted !== compliance) for (const joint of constraints) if (joint.alive) joint.set({ compliance: wanted })
    compliance = wanted
    configure?.(now)
  }
  take(values)
  let step = 0
  return {
    dt: world.settings.dt,
    worlds: [world],
    parts,
    ...more,
    step() {
      beforeStep?.(step++)
      stepper.step()
      afterStep?.()
    },
    configure: take,
  }
}
