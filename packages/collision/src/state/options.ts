/** Options of collisions, and how they are checked. */

import { knownFields, nonNegative, positive } from '@tautline/core/kernel'
import type { SleepOptions } from '../sleep/sleeping.js'
import { type CombineRule, combineRule } from './material.js'

/** What a user writes to make collisions. Every field may be left out. */
export interface CollisionOptions {
  /** Gap within which contact points are kept, beyond what speeds ask for [m]. @defaultValue 0.02 */
  margin?: number
  /** When bodies fall asleep, or `false`: never. @defaultValue { speed: 0.03, time: 0.5 } */
  sleeping?: SleepOptions | false
  /** How two coefficients of friction become one. @defaultValue 'geometric' */
  frictionCombine?: CombineRule
  /** How two restitutions become one. @defaultValue 'max' */
  restitutionCombine?: CombineRule
}

/** Options with everything filled in. */
export type CollisionSettings = Required<Omit<CollisionOptions, 'sleeping'>> & {
  sleeping: Required<SleepOptions> | false
}

const DEFAULTS = {
  margin: 0.02,
  sleeping: { speed: 0.03, time: 0.5 },
  frictionCombine: 'geometric',
  restitutionCombine: 'max',
} as const

/** Checks options and fills them in. */
export function resolveOptions(where: string, options: CollisionOptions): CollisionSettings {
  knownFields(`${where}: options`, options, Object.keys(DEFAULTS))
  const sleep = options.sleeping === false ? {} : (options.sleeping ?? {})
  knownFields(`${where}: sleeping`, sleep, ['speed', 'time'])
  return {
    margin: nonNegative(`${where}: margin`, options.margin ?? DEFAULTS.margin),
    frictionCombine: combineRule(`${where}: frictionCombine`, options.frictionCombine ?? DEFAULTS.frictionCombine),
    restitutionCombine: combineRule(
      `${where}: restitutionCombine`,
      options.restitutionCombine ?? DEFAULTS.restitutionCombine,
    ),
    sleeping: options.sleeping !== false && {
      speed: positive(`${where}: sleeping.speed`, sleep.speed ?? DEFAULTS.sleeping.speed),
      time: positive(`${where}: sleeping.time`, sleep.time ?? DEFAULTS.sleeping.time),
    },
  }
}
