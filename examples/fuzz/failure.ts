/** What counts as a failure, and whose an error is. */

/** What went wrong. */
export type FailureKind =
  | 'throw from a step'
  | 'NaN'
  | 'replay'
  | 'snapshot'
  | 'JSON'
  | 'slow step'
  | 'internal error'
  | 'changed by a refused call'
  | 'hang'

/** A promise that was not kept, with the script that shows it. */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly script: string

  constructor(kind: FailureKind, message: string, script: string) {
    super(message)
    this.kind = kind
    this.script = script
  }

  /** The same for the same defect, whatever its numbers. */
  override get name(): string {
    return `${this.kind}: ${this.message.replace(/-?\d+(\.\d+)?(e[+-]?\d+)?/g, '#').slice(0, 160)}`
  }
}

/** What an engine says by itself. */
const INTERNAL =
  /Cannot (read|set|destructure|convert|access)|is not (a function|iterable|an object|defined)|call stack|Invalid (array|typed)|out of memory/

/** Whether an error is one that the library says: a `TypeError` or `RangeError` that names what it got. */
export function isRefusal(error: unknown): boolean {
  const isKind = error instanceof TypeError || error instanceof RangeError
  return isKind && /must/.test(error.message) && / got /.test(error.message) && !INTERNAL.test(error.message)
}
