/** Pulleys: a rope without mass over points of bodies and of the world, with a winch. */

import { Body, type Constraint, LeanWorld } from '@tautline/core'
import { pulley } from '@tautline/constraints'
import {
  array,
  EDITED,
  finite,
  finiteVector,
  instance,
  knownFields,
  nonNegative,
  object,
  positive,
  shown,
} from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { Assemblies } from '../assemblies.js'
import { Assembly, type AssemblyOwner } from '../assembly.js'
import type { SceneWriter } from '../scene.js'
import { checkName } from '../parts/checks.js'
import { goTo, paceOf, reelAt, type Winch } from '../parts/winch.js'
import { type PulleysState, writePulleys } from './write.js'

/** A point that the rope runs over: the centre of a body, a world point on a body, or one of the world. */
export type PulleyPoint = Body | { body: Body; point?: ReadonlyVec3 } | { point: ReadonlyVec3 }

/** What {@link pulleys} takes. */
export interface PulleysDef {
  /** From end to end, 2 to 16; one and the same body may come more than once. */
  points: readonly PulleyPoint[]
  /** Shown in messages, and in JSON. @defaultValue none */
  name?: string
  /** Length of the rope [m]. @defaultValue that of the way at present */
  length?: number
  /** Strain a newton of the whole rope [1/N]. @defaultValue 0 */
  stretchCompliance?: number
  /** Tension at which it breaks [N]. @defaultValue Infinity */
  breakForce?: number
  /** Speed at which its length goes to what it is set to [m/s]. @defaultValue 2 */
  growthRate?: number
  /** Tension at which the winch stops taking in [N]. @defaultValue Infinity */
  winchForce?: number
}

const FIELDS: readonly (keyof PulleysDef)[] = [
  'points',
  'name',
  'length',
  'stretchCompliance',
  'breakForce',
  'growthRate',
  'winchForce',
]

/** A rope over pulleys: see {@link pulleys}. It has no bodies of its own. */
export class Pulleys extends Assembly<PulleysState> {
  readonly kind = 'pulleys'

  constructor(owner: AssemblyOwner, world: LeanWorld, name: string | undefined, state: PulleysState) {
    super(owner, world, name, state)
  }

  /** Length at rest [m], 0 where a body that it ran over is gone. Set, it goes there at `growthRate`. */
  get length(): number {
    const { rope } = this.known()
    return rope?.alive === true ? (rope.def as { length: number }).length : 0
  }

  set length(length: number) {
    const target = positive(`${this.label}: length`, length)
    const { winch } = this.known()
    this.state = { ...this.state, winch: goTo(winch, target) }
    this.wake()
  }

  /** Pays out, or takes in below 0, at a speed [m/s] until told otherwise; 0 holds. */
  reel(speed: number): void {
    const { winch } = this.known()
    const rate = finite(`${this.label}: reel: speed`, speed)
    this.state = { ...this.state, winch: reelAt(winch, rate, this.length) }
    this.wake()
  }

  /** How its length changes. */
  get winch(): Winch {
    return this.known().winch
  }

  /** Tension of the rope in the last substep [N]: the same all along it. */
  get tension(): number {
    const { rope } = this.known()
    if (rope?.alive !== true) return 0
    const h = this.world.settings.dt / this.world.settings.substeps
    return Math.abs(rope.multipliers[0]) / (h * h)
  }

  /** Whether it has broken, or lost a body that it ran over. */
  get broken(): boolean {
    const { rope } = this.known()
    return rope?.alive !== true || !rope.enabled
  }

  /** Whether all that it runs over sleeps. */
  override get asleep(): boolean {
    return this.moved().every((body) => body.asleep)
  }

  /** Wakes what it runs over. */
  override wake(): void {
    for (const body of this.moved()) body.wake()
  }

  override beforeSubstep(h: number): void {
    const { rope, winch } = this.state
    if (rope?.alive !== true || !rope.enabled) return
    const { batch, slot } = rope
    const row = batch.slotRow[slot]
    const rest = this.length
    const pace = paceOf(winch, rest, h, -batch.common.lambda[row])
    if (pace !== winch.pace) this.state = { ...this.state, winch: { ...winch, pace } }
    const length = Math.max(rest + pace * h, Math.min(rest, SHORTEST))
    if (length === rest) return
    batch.setDef(slot, { ...batch.definition(slot), length })
    batch.columns['rest' as never][row] = length
    const { flags } = this.world.bodies.columns
    for (const body of this.moved()) flags[body.index] |= EDITED
  }

  override afterStep(dt: number): void {
    const { rope, breakForce } = this.state
    if (breakForce === Infinity || rope?.alive !== true || !rope.enabled) return
    const { batch, slot } = rope
    const h = dt / this.world.settings.substeps
    if (Math.abs(batch.common.lambda[batch.slotRow[slot]]) > breakForce * h * h) rope.enabled = false
  }

  write(scene: SceneWriter): object {
    return writePulleys(scene, this.state)
  }

  private moved(): Body[] {
    const { rope } = this.known()
    if (rope?.alive !== true) return []
    return rope.bodies.filter((body): body is Body => body?.alive === true && body.type === 'dynamic')
  }
}

/** The last bit of a rope stays out [m]. */
const SHORTEST = 1e-3

/**
 * Runs a rope over points: `pulleys(world, { points: [{ point: [0, 5, 0] }, crate, { point: [1, 5, 0] }, weight] })`. It has no mass and no friction, and pulls with the
 * same tension everywhere. Throws `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a field is wrong.
 */
export function pulleys(world: LeanWorld, def: PulleysDef): Pulleys {
  const where = typeof def?.name === 'string' ? `pulleys "${def.name}"` : 'pulleys'
  instance(`${where}: world`, world, LeanWorld, 'a World')
  world.bodies.callbacks.refuse(where)
  knownFields(where, object(`${where}: definition`, def), FIELDS)
  checkName(where, def.name)
  const { bodies, path, anchors } = wayOver(where, world, def.points)
  const length = def.length === undefined ? undefined : positive(`${where}: length`, def.length)
  const compliance = nonNegative(`${where}: stretchCompliance`, def.stretchCompliance ?? 0)
  const endless = (field: 'breakForce' | 'winchForce'): number => {
    const value = def[field] ?? Infinity
    return value === Infinity ? value : positive(`${where}: ${field}`, value)
  }
  const [breakForce, force] = [endless('breakForce'), endless('winchForce')]
  const speed = positive(`${where}: growthRate`, def.growthRate ?? 2)
  const made: unknown = world.add(pulley, {
    bodies,
    path,
    anchors,
    ...(length === undefined ? {} : { length }),
  })
  const rope = made as Constraint
  const rest = (rope.def as { length: number }).length
  if (compliance > 0) rope.set({ compliance: compliance * rest } as object)
  const owner = Assemblies.of(world)
  const winch = { target: rest, speed, rate: 0, force, pace: 0 }
  return owner.add(new Pulleys(owner, world, def.name, { bodies: [], constraints: [rope], rope, winch, breakForce }))
}

/** Bodies, each once, and the way over them. */
function wayOver(
  where: string,
  world: LeanWorld,
  points: readonly PulleyPoint[],
): { bodies: Body[]; path: number[]; anchors: number[] } {
  const list = array(`${where}: points`, points) as readonly PulleyPoint[]
  if (list.length < 2 || list.length > 16) {
    throw new RangeError(`${where}: points must be 2 to 16, got ${list.length}`)
  }
  const bodies: Body[] = []
  const path: number[] = []
  const anchors: number[] = []
  list.forEach((given, k) => {
    const at = `${where}: points[${k}]`
    const known = given instanceof Body ? { body: given } : knownFields(at, object(at, given), ['body', 'point'])
    const { body, point } = known as { body?: Body; point?: ReadonlyVec3 }
    const place = point === undefined ? undefined : finiteVector(`${at}: point`, point, 3)
    if (body === undefined) {
      if (place === undefined) throw new TypeError(`${at} must have a body or a point, got neither`)
      path.push(-1)
      anchors.push(place[0], place[1], place[2])
      return
    }
    if (!(body instanceof Body)) throw new TypeError(`${at}: body must be a body, got ${shown(body)}`)
    world.bodies.assertAlive(at, body)
    if (!bodies.includes(body)) bodies.push(body)
    path.push(bodies.indexOf(body))
    anchors.push(...(place === undefined || body.isParticle ? [0, 0, 0] : body.toBody([place[0], place[1], place[2]])))
  })
  if (bodies.length === 0) throw new TypeError(`${where}: points must have a body, got the world alone`)
  return { bodies, path, anchors }
}
