/** Runs a text of the playground and makes an exhibit of what it leaves: an exhibit, a world that it exports, or the last one that it made. */

import { Assemblies, type Assembly, Cloth, Rod, Rope, SoftBody } from '@tautline/assemblies'
import { Collisions } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { clothPart } from '../cloth-part.js'
import type { Exhibit, Live, Triple, View } from '../exhibit.js'
import { pieceParts, ropePart } from '../rope-part.js'
import { functionOf } from '../script-error.js'
import { defaultsOf } from '../settings.js'
import { softBodyPart } from '../soft-body-part.js'
import { type Part, reachOf } from '../parts.js'
import { partsOfWorld } from '../world-parts.js'
import type { Recording } from './recording.js'
import { moduleOf, WatchedWorld, worlds } from './library.js'

/** A program at work, and from where it is seen. */
export interface Program {
  readonly live: Live
  readonly view: View
}

/** What is farther from the middle of the picture than so many of its radii has left it; looked at every so many steps. */
const LEFT = 2.5
const LOOK = 20

type Exports = Record<string, unknown>

/** Runs JavaScript of CommonJS. Throws what it throws. */
export function runProgram(code: string, print: (text: string) => void): Program {
  worlds.length = 0
  const exports: Exports = {}
  const log = (...values: unknown[]): void => print(values.map(shownValue).join(' '))
  const console = { ...globalThis.console, log, info: log }
  functionOf(['require', 'exports', 'console'], code)(moduleOf, exports, console)
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
  const recording = world instanceof WatchedWorld ? world.recording : undefined
  const box = new Box(partsOf(world))
  recording?.rewind(() => box.add(world))
  box.add(world)
  const view = viewOf(world, box)
  return { live: liveOf(world, view, recording), view }
}

/** What there is to see of a world: cloth, ropes and soft bodies as what they are, the rest as it is. */
function partsOf(world: World, bead?: number): Part[] {
  const hasAssemblies = world.stages.some(({ name }) => name === 'assemblies')
  const assemblies = hasAssemblies ? Assemblies.of(world) : undefined
  const shown = new Set<Body>()
  const parts = (assemblies?.all ?? []).flatMap((assembly): Part[] => {
    const part = partOf(assembly)
    if (part === undefined) return []
    for (const body of assembly.bodies) shown.add(body)
    return [part]
  })
  const [first] = shown
  if (assemblies !== undefined && first !== undefined) parts.push(pieceParts(assemblies, first, 'rope'))
  return [...parts, ...partsOfWorld(world, bead, shown)]
}

function partOf(assembly: Assembly): Part | undefined {
  if (assembly instanceof Cloth) return clothPart(assembly, 'cloth')
  if (assembly instanceof SoftBody) return softBodyPart(assembly, 'body')
  if (assembly instanceof Rope || assembly instanceof Rod) return ropePart(assembly, 'rope')
  return undefined
}

function isExhibit(value: unknown): value is Exhibit {
  return typeof value === 'object' && value !== null && 'build' in value && 'settings' in value && 'view' in value
}

/** A world with its own settings. It begins with what the text has done to it, and again when all has left the picture. */
function liveOf(world: World, { centre, radius }: View, recording: Recording | undefined): Live {
  const start = world.snapshot()
  let steps = 0
  const hasLeft = (): boolean => {
    const moving = world.bodies.all().filter(({ type }) => type === 'dynamic')
    const isOut = ({ position }: Body): boolean => Math.hypot(...centre.map((x, k) => position[k] - x)) > LEFT * radius
    return moving.length > 0 && moving.every(isOut)
  }
  return {
    dt: world.settings.dt,
    worlds: [world],
    parts: partsOf(world, Math.min(0.05, 0.03 * radius)),
    step() {
      if (recording?.play() !== true) world.step()
      if (++steps % LOOK !== 0 || !hasLeft()) return
      world.restore(start)
      recording?.restart()
    },
    grabbed: () => recording?.stop(),
  }
}

/** A box about all that moves. */
class Box {
  readonly low = [Infinity, Infinity, Infinity]
  readonly high = [-Infinity, -Infinity, -Infinity]
  /** How far what is drawn of a body reaches from its centre [m], by its index. */
  private readonly reach = new Map<number, number>()

  constructor(parts: readonly Part[]) {
    for (const part of parts) {
      if (part.kind !== 'solid' || part.body === undefined) continue
      const { index } = part.body
      const far = Math.hypot(...(part.at ?? [0, 0, 0])) + reachOf(part.form)
      this.reach.set(index, Math.max(this.reach.get(index) ?? 0, far))
    }
  }

  add(world: World): void {
    const all = world.bodies.all()
    const moving = all.filter(({ type }) => type === 'dynamic')
    for (const { position, index } of moving.length > 0 ? moving : all) {
      const reach = this.reach.get(index) ?? 0
      for (let k = 0; k < 3; k++) {
        this.low[k] = Math.min(this.low[k], position[k] - reach)
        this.high[k] = Math.max(this.high[k], position[k] + reach)
      }
    }
  }
}

/** A ball about a box, and the floor where something stands still below it. */
function viewOf(world: World, { low, high }: Box): View {
  if (low[0] === Infinity) return { centre: [0, 0, 0], radius: 3, turn: 0.45, tilt: 0.22 }
  const centre = low.map((x, k) => 0.5 * (x + high[k])) as unknown as Triple
  const radius = Math.max(0.5, 0.56 * Math.hypot(...low.map((x, k) => high[k] - x)) + 0.1)
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
