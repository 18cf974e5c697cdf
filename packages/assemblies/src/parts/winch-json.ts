/** A winch as plain data, and back. */

import { finite, nonNegative, object } from '@tautline/core/kernel'
import type { Winch } from './winch.js'

/** A winch as plain data: a field that is left out is none. */
export function writeWinch(winch: Winch): object {
  const known = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)
  return JSON.parse(JSON.stringify({ ...winch, target: known(winch.target), force: known(winch.force) })) as object
}

/** Checks what {@link writeWinch} gave, and makes of it what it was. */
export function readWinch(where: string, value: unknown): Winch {
  const { target, speed, force, pace } = object(where, value)
  return {
    // What is left of a rope may be one node.
    target: target === undefined ? NaN : nonNegative(`${where}: target`, target),
    speed: finite(`${where}: speed`, speed),
    pace: finite(`${where}: pace`, pace),
    force: force === undefined ? Infinity : nonNegative(`${where}: force`, force),
  }
}
