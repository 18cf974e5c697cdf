/** Turns a visitor's text into a scene. The text is the body of a function; where it goes wrong, the error knows the line. No DOM. */

import * as constraints from '@tautline/constraints'
import { custom, type CustomOptions, solidBox, solidCylinder, solidSphere, type World } from '@tautline/core'
import { atan2, cos, sin } from '@tautline/core/kernel'
import { box, capsule, Collisions, plane, sphere } from '@tautline/collision'
import { functionOf, lineOf, messageOf, ScriptError } from './script-error.js'

/** What the text may use by name: the world, and what the packages export. */
export type Names = Readonly<Record<string, unknown>>

/** The line of a mistake in the grammar of a text, from 1: a browser has a way to find it. */
export type FindMistake = (text: string) => number | undefined

/** What a text may name, besides `world`. */
const LIBRARY: Names = {
  atan2,
  cos,
  sin,
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

/** The error of a constraint of one body: where it is 0 is a surface. */
export type SurfaceError = CustomOptions<undefined>['error']

/** Fills a world by the text. Returns the errors of the constraints of one body that it has made. */
export function runScript(text: string, world: World, findMistake?: FindMistake): SurfaceError[] {
  const surfaces: SurfaceError[] = []
  const watched = (options: CustomOptions<undefined>): ReturnType<typeof custom> => {
    const type = custom(options)
    if (options.bodies === 1 && (options.unit ?? 'm') === 'm') surfaces.push(options.error)
    return type
  }
  const names = { ...LIBRARY, custom: watched, world }
  let build: (...values: unknown[]) => unknown
  try {
    build = functionOf(Object.keys(names), text)
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
  return surfaces
}
