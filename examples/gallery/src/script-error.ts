/** Mistakes in a visitor's text: what and where. No DOM. */

/** A mistake in the text. */
export class ScriptError extends Error {
  /** From 1; `undefined` where it is not known. */
  readonly line: number | undefined

  constructor(message: string, line: number | undefined) {
    super(message)
    this.name = 'ScriptError'
    this.line = line
  }
}

/** Lines of `new Function` before the text, 'use strict' among them. */
const HEAD = 3

/** A text as the body of a function of these names. Throws where its grammar is wrong; `lineOf` knows the lines of what it throws when it runs. */
export function functionOf(names: readonly string[], text: string): (...values: unknown[]) => unknown {
  return new Function(...names, `'use strict'\n${text}\n`) as (...values: unknown[]) => unknown
}

/** The line of an error that was thrown while the text ran, from 1: its stack names the text. */
export function lineOf(error: unknown): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const found = /(?:<anonymous>|Function):(\d+):\d+/.exec(stack)
  const line = found === null ? 0 : Number(found[1]) - HEAD
  return line >= 1 ? line : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
