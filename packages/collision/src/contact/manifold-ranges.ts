/** What the numbers of a manifold may be, for reading them from data that may come from anywhere. */

import { MAX_POINTS } from '../detect/narrow/manifold.js'

/** The least key of a manifold: a sensor's. */
export const LEAST_KEY = -1

/** A range of a number, whole or not. */
export interface NumberRange {
  readonly least: number
  readonly most: number
  readonly whole: boolean
}

const FLAG: NumberRange = { least: 0, most: 1, whole: true }
const COUNT: NumberRange = { least: 0, most: Number.MAX_SAFE_INTEGER, whole: true }
const POSITIVE: NumberRange = { least: 0, most: Number.MAX_VALUE, whole: false }

/** By column. What is not here may be any finite number. */
export const NUMBER_RANGES: Readonly<Partial<Record<string, NumberRange>>> = {
  points: { least: 0, most: MAX_POINTS, whole: true },
  carrier: { least: 0, most: 2, whole: true },
  round: POSITIVE,
  friction: POSITIVE,
  torsional: POSITIVE,
  rolling: POSITIVE,
  restitution: { least: 0, most: 1, whole: false },
  maxPushOut: POSITIVE,
  heft: POSITIVE,
  bearing: POSITIVE,
  tower: { least: -1, most: 1, whole: true },
  sliding: FLAG,
  impulse: POSITIVE,
  touching: FLAG,
  touched: FLAG,
  stamp: POSITIVE,
  fastSubstep: COUNT,
  still: FLAG,
  fresh: FLAG,
  island: COUNT,
  enabled: FLAG,
  sequence: COUNT,
}
