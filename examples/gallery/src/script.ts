/** Turns a visitor's text into a scene. The text is the body of a function; where it goes wrong, the error knows the line. No DOM. */

import * as constraints from '@tautline/constraints'
import { custom, solidBox, solidCylinder, solidSphere, type World } from '@tautline/core'
import { atan2, cos, sin } from '@tautline/core/kernel'
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

/** The line of a mistake in the grammar of a text, from 1: a browser has a way to find it. */
export type FindMistake = (text: string) => number | undefined

/** Lines of `new Function` before the text, 'use strict' among them. */
const HEAD = 3

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

/** What a text may name, besides `world`. */
const LIBRARY: Names = {
  atan2,
  cos,
  sin,
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
export function runScript(text: string, world: World, findMistake?: FindMistake): void {
  const names = { ...LIBRARY, world }
  let build: (...values: unknown[]) => unknown
  try {
    build = new Function(...Object.keys(names), `'use strict'\n${text}\n`) as typeof build
  } catch (error) {
    throw new ScriptError(messageOf(error), findMistake?.(text))
  }
  try {
    build(...Object.values(names))
  } catch (error) {
    throw new ScriptError(messageOf(error), lineOf(error))
  }
  if (world.bodies.all().length === 0)
    throw new ScriptError('add a body: world.addParticle({ position: [0, 1, 0] })', undefined)
}
