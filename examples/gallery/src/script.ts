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

/** Lines before the text, 'use strict' among them: of the page's script element, and of `new Function`. */
const HEADS = { script: 2, function: 3 } as const
/** What the page's script element calls itself. */
export const SCRIPT_NAME = 'gallery-script'

/** The line of an error that was thrown while the text ran, from 1: its stack names the text. */
export function lineOf(error: unknown): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const found = /(gallery-script|<anonymous>|Function):(\d+):\d+/.exec(stack)
  if (found === null) return undefined
  const line = Number(found[2]) - (found[1] === SCRIPT_NAME ? HEADS.script : HEADS.function)
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
    throw new ScriptError(messageOf(error), lineOf(error))
  }
  if (world.bodies.all().length === 0)
    throw new ScriptError('add a body: world.addParticle({ position: [0, 1, 0] })', undefined)
}
