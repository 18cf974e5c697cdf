/** Errors over a port: kind, message and stack stay, whatever a browser's structured clone does with them. */

import type { ErrorData } from './messages.js'

/** Most causes of causes that go along. */
const DEEPEST = 4

/** An error as plain data; of what is none, its text. */
export function errorToData(error: unknown, depth = 0): ErrorData {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined, cause: undefined }
  const { name, message, stack, cause } = error
  return {
    name,
    message,
    stack,
    cause: cause === undefined || depth === DEEPEST ? undefined : errorToData(cause, depth + 1),
  }
}

/** The error again: a `TypeError` or `RangeError` where it was one. */
export function errorFromData({ name, message, stack, cause }: ErrorData): Error {
  const options = cause === undefined ? {} : { cause: errorFromData(cause) }
  const error =
    name === 'TypeError'
      ? new TypeError(message, options)
      : name === 'RangeError'
        ? new RangeError(message, options)
        : new Error(message, options)
  if (error.name !== name) error.name = name
  if (stack !== undefined) error.stack = stack
  return error
}
