/** Runs a text of the playground and makes an exhibit of what it leaves: an exhibit, a world that it exports, or the last one that it made. */

import { Collisions } from '@tautline/collision'
import { World } from '@tautline/core'
import type { Exhibit, Live, Triple, View } from '../exhibit.js'
import { defaultsOf } from '../settings.js'
import { partsOfWorld } from '../world-parts.js'
import { moduleOf, worlds } from './library.js'

/** A program at work, and from where it is seen. */
export interface Program {
  readonly live: Live
  readonly view: View
}

type Exports = Record<string, unknown>

/** Runs JavaScript of CommonJS. Throws what it throws. */
export function runProgram(code: string, print: (text: string) => void): Program {
  worlds.length = 0
  const exports: Exports = {}
  const log = (...values: unknown[]): void => print(values.map(shownValue).join(' '))
  const console = { ...globalThis.console, log, info: log }
  const body = new Function('require', 'exports', 'console', `${code}\n`) as (
    require: typeof moduleOf,
    exports: Exports,
    console: Console,
  ) => void
  body(moduleOf, exports, console)
  return programOf(exports)
}

function shownValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) return JSON.stringify(value)
  return ArrayBuffer.isView(value)
    ? Array.from(value as Float64Array, (x) => x.toPrecision(4)).join(', ')
    : String(value)
}

function programOf(exports: Exports): Program {
  const values = Object.values(exports)
  const exhibit = values.find(isExhibit)
  if (exhibit !== undefined) {
    const live = exhibit.build(defaultsOf(exhibit.settings))
    return { live, view: live.view ?? exhibit.view }
  }
  const world =
    values.find((value) => value instanceof World) ??
    worlds.filter((each) => each.bodies.all().length > 0).at(-1) ??
    worlds.at(-1)
  if (world === undefined) {
    throw new TypeError('nothing to show: make a World, and export it: export const world = new World()')
  }
  return { live: liveOf(world), view: viewOf(world) }
}

function isExhibit(value: unknown): value is Exhibit {
  return typeof value === 'object' && value !== null && 'build' in value && 'settings' in value && 'view' in value
}

/** A world with its own settings. */
function liveOf(world: World): Live {
  const bead = Math.min(0.05, 0.03 * viewOf(world).radius)
  return { dt: world.settings.dt, worlds: [world], parts: partsOfWorld(world, bead), step: () => void world.step() }
}

/** A ball about all that moves, and the floor where something stands still below it. */
function viewOf(world: World): View {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ]
  const all = world.bodies.all()
  if (all.length === 0) return { centre: [0, 0, 0], radius: 3, turn: 0.45, tilt: 0.22 }
  const moving = all.filter(({ type }) => type === 'dynamic')
  for (const { position } of moving.length > 0 ? moving : all) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], position[k])
      high[k] = Math.max(high[k], position[k])
    }
  }
  const centre = low.map((x, k) => 0.5 * (x + high[k])) as unknown as Triple
  const radius = Math.max(0.8, 0.56 * Math.hypot(...low.map((x, k) => high[k] - x)) + 0.5)
  const floor = floorOf(world)
  return { centre, radius, turn: 0.45, tilt: 0.22, ...(floor !== undefined && { floor }) }
}

/** Height of a level plane that stands still, if there is one [m]. */
function floorOf(world: World): number | undefined {
  const collisions = Collisions.of(world)
  for (const collider of collisions?.collidersOf(null) ?? []) {
    if (collider.shape.name !== 'plane' || collider.shape.params[1] < 0.999) continue
    return (collisions?.find(collider)?.local[1] ?? 0) + collider.shape.params[3]
  }
  return undefined
}
