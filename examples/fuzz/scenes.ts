/** Random programs by seed, each within its time, and the smallest that still fails. */

import fc from 'fast-check'
import { Failure } from './failure.js'
import { programs, type Program } from './program.js'
import { newTally, runProgram, type Tally } from './run-program.js'
import { script } from './script.js'
import { Hang, within } from './within.js'

/** A program that is not back by then hangs [ms]: each of its moves has a limit of its own, which is the one that counts. */
const LIMIT = 600_000
/** Most tries at a smaller failure; of one that takes long, each is long. */
const TRIES = 100
const SLOW_TRIES = 2

const PROGRAMS = programs()

function failureOf(program: Program, tally: Tally): Failure | undefined {
  const trace = { script: (): string => script(program.def, []) }
  try {
    within(LIMIT, () => {
      runProgram(program, tally, trace)
    })
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    if (error instanceof Hang) return new Failure('hang', error.message, trace.script())
    return new Failure('internal error', String(error), trace.script())
  }
}

/** Runs the program of a seed, and shrinks what fails without turning into another failure. */
export function runScene(
  seed: number,
  tally: Tally,
  isKnown: (name: string) => boolean = () => false,
  isOver: () => boolean = () => false,
): Failure | undefined {
  let least: Failure | undefined
  let tries = 0
  const property = fc.property(PROGRAMS, (program) => {
    if (least !== undefined) {
      const most = least.kind === 'hang' || least.kind === 'slow step' ? SLOW_TRIES : TRIES
      if (isKnown(least.name) || ++tries > most || isOver()) throw new fc.PreconditionFailure(true)
    }
    const failure = failureOf(program, least === undefined ? tally : newTally())
    if (failure === undefined || (least !== undefined && failure.kind !== least.kind)) return true
    least = failure
    return false
  })
  fc.check(property, { seed, numRuns: 1 })
  return least
}
