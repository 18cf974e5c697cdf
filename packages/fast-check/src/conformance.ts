/**
 * The suite that the built-in types pass, for a type of your own: in vitest and other runners, and plain.
 *
 * Each check sets random bodies and a random definition up, and throws with a script of the smallest failure that it finds.
 */

import type { ConstraintType } from '@tautline/core'
import fc, { type Arbitrary } from 'fast-check'
import { Attempt, type SuiteCheck } from './conformance/check.js'
import { MOTION_CHECKS } from './conformance/motion-checks.js'
import type { CheckName, ConformanceOptions, Fields, Tolerances } from './conformance/options.js'
import { ROW_CHECKS } from './conformance/row-checks.js'
import { STATE_CHECKS } from './conformance/state-checks.js'
import { type Subject, type Trial, trials, zigzag } from './conformance/trial.js'
import type { AnyConstraintType } from './spec.js'

/** One check of a type. */
export interface Check {
  readonly name: CheckName
  /** What it says, as the name of a test. */
  readonly says: string
  /** Throws a {@link ConformanceError} where it does not hold. */
  run(): void
}

/** A check that failed. */
export class ConformanceError extends Error {
  readonly check: CheckName
  /** The smallest scene that was found, as a script. */
  readonly script: string

  constructor(check: CheckName, message: string, script: string) {
    super(message)
    this.name = 'ConformanceError'
    this.check = check
    this.script = script
  }
}

/** Scenes a check. */
const RUNS = 60
/** Trials that say nothing, for one that does: a definition may be outside its limits in few of them. */
const SKIPS = 30
/** Tries at a smaller failure: beyond these it gets no easier to read. */
const SHRINKS = 200
/** Error of central differences: STEP² times third derivatives, which kinks that are left out reach 10⁴ near. */
const TOLERANCES: Tolerances = {
  gradient: 1e-6,
  tangent: 1e-2,
  loop: 1e-11,
  momentum: 1e-12,
  frame: 1e-9,
  energy: 0.1,
}
/** Bodies of a definition with `a` and `b`, and of one with `bodies` whose type does not say how many. */
const PAIR = 2
const MANY = 3

/** A gradient by differences keeps momentum, and turns with the frame, only as well as the differences are good. */
const BY_DIFFERENCES = { momentum: 1e-8, frame: 1e-7 }

/**
 * All checks of a constraint type, over random definitions of it. `fields` is an arbitrary of definitions without their bodies.
 *
 * With `test` (and `describe`) each becomes a test of that runner; otherwise call `run` of each, or {@link assertConformance}.
 */
export function conformance<Def extends object>(
  type: ConstraintType<Def, never> | ConstraintType<Def>,
  fields: Arbitrary<object>,
  options: ConformanceOptions = {},
): Check[] {
  checkOptions(options)
  if (typeof (fields as { generate?: unknown } | undefined)?.generate !== 'function') {
    throw new TypeError(`conformance: fields must be an arbitrary of definitions, got ${typeof fields}`)
  }
  const any = type as unknown as AnyConstraintType
  const isPair = options.pair === true
  const places = options.places ?? zigzag(any.arity ?? (isPair ? PAIR : MANY))
  if (any.arity !== undefined && places.length !== any.arity) {
    throw new RangeError(`conformance: places must be ${any.arity} for ${any.name}, got ${places.length}`)
  }
  if (isPair && places.length !== PAIR) {
    throw new RangeError(`conformance: places must be ${PAIR} with pair, got ${places.length} for ${any.name}`)
  }
  const subject: Subject = { type: any, options, places }
  const chosen = [...STATE_CHECKS, ...ROW_CHECKS, ...MOTION_CHECKS].filter(
    (check) => check.applies?.(subject) !== false && options.skip?.[check.name] === undefined,
  )
  const arbitrary = trials(subject, fields as Arbitrary<Fields>)
  const checks = chosen.map((check): Check => ({
    name: check.name,
    says: check.says,
    run() {
      runCheck(subject, check, arbitrary)
    },
  }))
  const { test, describe } = options
  if (test !== undefined) {
    const body = (): void => {
      for (const check of checks) test(check.says, () => check.run())
    }
    if (describe === undefined) body()
    else describe(options.name ?? any.name, body)
  }
  return checks
}

const OPTIONS: readonly (keyof ConformanceOptions)[] = [
  'name',
  'pair',
  'places',
  'particles',
  'world',
  'worldFrame',
  'momentum',
  'sizes',
  'rigid',
  'converges',
  'freeLoop',
  'boundedRate',
  'repeatsFrom',
  'active',
  'skip',
  'tolerances',
  'runs',
  'shrinks',
  'seed',
  'module',
  'describe',
  'test',
]

/** Refuses options that there are none of. */
function checkOptions(options: ConformanceOptions): void {
  for (const name of Object.keys(options)) {
    if ((OPTIONS as readonly string[]).includes(name)) continue
    throw new TypeError(`conformance: options must be known ones (${OPTIONS.join(', ')}), got ${name}`)
  }
}

/** Runs all checks of a type, and throws an `Error` with the messages of all that failed; `check.run()` of each throws the `ConformanceError`, with its script. */
export function assertConformance<Def extends object>(
  type: ConstraintType<Def, never> | ConstraintType<Def>,
  fields: Arbitrary<object>,
  options: Omit<ConformanceOptions, 'test' | 'describe'> = {},
): void {
  const failures: string[] = []
  for (const check of conformance(type, fields, options)) {
    try {
      check.run()
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n\n'))
}

function runCheck(subject: Subject, check: SuiteCheck, arbitrary: Arbitrary<Trial>): void {
  const { options, type } = subject
  const byDifferences = type.traits?.opaque === true && type.traits?.rotatesWithFrame === false
  const tolerances = { ...TOLERANCES, ...(byDifferences && BY_DIFFERENCES), ...options.tolerances }
  const numRuns = Math.max(1, Math.round((options.runs ?? RUNS) * (check.share ?? 1)))
  const trialsOf = fc.limitShrink(
    check.extremes === true ? arbitrary : fc.noBias(arbitrary),
    options.shrinks ?? check.shrinks ?? SHRINKS,
  )
  const property = fc.property(trialsOf, (trial) => {
    check.holds(new Attempt(subject, trial, tolerances))
  })
  const details = fc.check(property, {
    numRuns,
    maxSkipsPerRun: SKIPS,
    ...(options.seed !== undefined && { seed: options.seed }),
  })
  if (!details.failed) return
  const name = options.name ?? type.name
  const found = `seed ${details.seed}, run ${details.numRuns}`
  // No scene was left that says anything more, and those that were held.
  if (details.counterexample === null) return
  const attempt = new Attempt(subject, details.counterexample[0], tolerances)
  let reason = ''
  try {
    check.holds(attempt)
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error)
  }
  const script =
    attempt.last?.scene.toScript({
      ...(options.module !== undefined && { modules: { [type.name]: options.module } }),
      ...(check.last !== undefined && { last: check.last }),
      ...(check.kernel !== undefined && { kernel: check.kernel }),
    }) ?? `// world.add throws: ${reason}`
  const message = `${name}: ${check.says}: ${reason} (${found}, shrunk ${details.numShrinks} times)`
  throw new ConformanceError(check.name, `${message}\n\n${script}`, script)
}
