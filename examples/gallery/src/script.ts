/** Turns a visitor's text into a scene. The text is the body of a function; where it goes wrong, the error knows the line. No DOM. */

import * as constraints from '@tautline/constraints'
import { custom, solidBox, solidSphere, solidCylinder, type World } from '@tautline/core'
import { box, capsule, Collisions, plane, sphere } from '@tautline/collision'

/** What the text may use by name: the world, and what the packages export. */
export type Names = Readonly<Record<string, unknown>>

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

/** Makes a function of names and a text, or throws a `ScriptError`. */
export type Compile = (names: readonly string[], text: string) => (...values: unknown[]) => unknown

/** Lines that `new Function` puts before the text. */
const HEAD = 2

/** The line of an error that was thrown while the text ran: its stack names an anonymous place. */
export function lineOf(error: unknown, head: number = HEAD): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const found = /(?:<anonymous>|gallery-script[^:]*|Function):(\d+):\d+\)?/.exec(stack)
  const line = found === null ? NaN : Number(found[1]) - head
  return line >= 1 ? line : undefined
}

/** By `new Function`: of a mistake in the grammar it does not know the line. */
export const compile: Compile = (names, text) => {
  try {
    return new Function(...names, `${text}\n`) as (...values: unknown[]) => unknown
  } catch (error) {
    throw new ScriptError(messageOf(error), undefined)
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What a text may name, besides `world`. */
const LIBRARY: Names = {
  custom,
  solidBox,
  solidSphere,
  solidCylinder,
  ...constraints,
  box,
  capsule,
  Collisions,
  plane,
  sphere,
}

/** Fills a world by the text. */
export function runScript(text: string, world: World, how: Compile = compile): void {
  const names = { ...LIBRARY, world }
  const build = how(Object.keys(names), `'use strict'\n${text}`)
  try {
    build(...Object.values(names))
  } catch (error) {
    throw new ScriptError(messageOf(error), shifted(lineOf(error)))
  }
  if (world.bodies.all().length === 0)
    throw new ScriptError('add a body: world.addParticle({ position: [0, 1, 0] })', undefined)
}

/** 'use strict' is a line too. */
function shifted(line: number | undefined): number | undefined {
  return line === undefined || line < 2 ? undefined : line - 1
}
