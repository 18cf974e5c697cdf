/** What a check of the suite is, and the words in which it fails. */

import fc from 'fast-check'
import type { CheckName, Tolerances } from './options.js'
import { type Live, live, type Setting, type Subject, type Trial } from './trial.js'

/** One trial of one type, and how far off is still right. */
export class Attempt {
  readonly subject: Subject
  readonly trial: Trial
  readonly tolerances: Tolerances
  /** The last that was set up: what a failure shows. */
  last: Live | undefined

  constructor(subject: Subject, trial: Trial, tolerances: Tolerances) {
    this.subject = subject
    this.trial = trial
    this.tolerances = tolerances
  }

  /** The world of the trial. */
  live(setting?: Setting): Live {
    this.last = live(this.subject, this.trial, setting)
    return this.last
  }
}

/** A property that every constraint type must have. */
export interface SuiteCheck {
  name: CheckName
  /** What it says, as the name of a test. */
  says: string
  /** Share of the runs that it gets. @defaultValue 1 */
  share?: number
  /** Most tries at a smaller failure, where a try is slow. @defaultValue 200 */
  shrinks?: number
  /** Whether values at the ends of their ranges are wanted; they make rounding large. @defaultValue false */
  extremes?: boolean
  applies?(subject: Subject): boolean
  /** Throws where it does not hold. */
  holds(attempt: Attempt): void
  /** What the script of a failure ends with: statements on `world` and `constraint0`. */
  last?: readonly string[]
  /** What those import from the kernel of core. */
  kernel?: readonly string[]
}

/** Leaves a trial out that says nothing. */
export function skip(): never {
  fc.pre(false)
  throw new Error('fast-check leaves the run by an exception')
}

/** Throws unless `value` is at most `bound`; NaN is not. */
export function atMost(value: number, bound: number, what: string): void {
  if (!(value <= bound)) throw new Error(`${what} must be at most ${bound}, got ${value}`)
}

/** Throws unless both are the same data. */
export function same(got: unknown, wanted: unknown, what: string): void {
  if (!isSame(got, wanted)) throw new Error(`${what} must be ${shown(wanted)}, got ${shown(got)}`)
}

/** Same numbers to the bit but for the sign of 0, same fields. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (prototypeOf(a) !== prototypeOf(b)) return false
  // A handle stands for itself; two of the same body are equal.
  if ('bodies' in a && 'generation' in a && 'index' in a) {
    const other = b as typeof a
    return a.bodies === other.bodies && a.index === other.index && a.generation === other.generation
  }
  if (a instanceof Map || a instanceof Set) return false
  const [first, second] = [Object.entries(a), Object.entries(b)]
  return (
    first.filter(([, value]) => value !== undefined).length ===
      second.filter(([, value]) => value !== undefined).length &&
    first.every(([field, value]) => isSame(value, (b as Record<string, unknown>)[field]))
  )
}

/** That of plain objects for those that have none. */
function prototypeOf(value: object): unknown {
  return Object.getPrototypeOf(value) ?? Object.prototype
}

function shown(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value, plain) : String(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'generation' in value && 'index' in value)
    return `body ${value.index}`
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
