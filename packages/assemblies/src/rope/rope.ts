/** Rope: particles on a line that does not stretch, whose length, ends and pieces change while it runs. */

import { type Body, type Constraint, LeanWorld } from '@tautline/core'
import { EDITED, finite, instance, knownFields, nonNegative, object, oneOf, positive } from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'
import { Assemblies } from '../assemblies.js'
import { Assembly } from '../assembly.js'
import type { SceneWriter } from '../scene.js'
import { share as checkShare } from '../parts/checks.js'
import type { MadeContacts } from '../parts/lod.js'
import { contactsOf, particleSetOf } from '../parts/collisions.js'
import { goTo, paceOf, reelAt } from '../parts/winch.js'
import { addBends, addNode, addSegment, collide, hang, unhang } from './build.js'
import { checkEnd, planRope, type RopeDef, type RopeEnd, type RopeSettings, type RopeWinch } from './definition.js'
import { gathered, lengthOf, restOf, type RopeState } from './state.js'
import { writeRope } from './write.js'

/** Shares of a segment at which the one at the winch is parted, or goes up in the next. */
const LONGEST = 1.5
const SHORTEST = 0.25

/** A rope of a world: see {@link rope}. */
export class Rope extends Assembly<RopeState> {
  readonly kind = 'rope'
  /** What it is made of. */
  readonly settings: RopeSettings
  protected override readonly lodFields = ['selfCollision', 'surfaceContacts', 'bend', 'simulate'] as const
  /** Ropes that came off it in the last step, where it broke. */
  private parted: readonly Rope[] = []
  private readonly assemblies: Assemblies

  constructor(owner: Assemblies, world: LeanWorld, name: string | undefined, settings: RopeSettings, state: RopeState) {
    super(owner, world, name, state)
    this.assemblies = owner
    this.settings = settings
  }

  /** Its nodes, from start to end. */
  get nodes(): readonly Body[] {
    return this.known().nodes
  }

  /** Length at rest [m]. Set, it goes there at `growthRate`. */
  get length(): number {
    return lengthOf(this.known())
  }

  set length(length: number) {
    const target = positive(`${this.label}: length`, length)
    this.state = { ...this.known(), winch: goTo(this.state.winch, target) }
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
  get winch(): RopeWinch {
    return this.known().winch
  }

  /** Changes which end the winch is at, how fast it is [m/s] and how strong [N]. */
  setWinch(changes: { end?: 'start' | 'end'; speed?: number; force?: number }): void {
    const { winch } = this.known()
    const where = `${this.label}: setWinch`
    knownFields(where, object(`${where}: changes`, changes), ['end', 'speed', 'force'])
    const { end = winch.end, speed, force = winch.force } = changes
    oneOf(`${where}: end`, end, ['start', 'end'])
    if (speed !== undefined) positive(`${where}: speed`, speed)
    if (force !== Infinity) nonNegative(`${where}: force`, force)
    this.state = { ...this.state, winch: { ...winch, end, force, speed: speed ?? winch.speed } }
  }

  /** Pull of each segment in the last substep [N]; below 0 it is pressed. */
  get tensions(): number[] {
    const h = this.world.settings.dt / this.world.settings.substeps
    return this.known().segments.map(({ batch, slot, alive }) =>
      alive ? -batch.common.lambda[batch.slotRow[slot]] / (h * h) : 0,
    )
  }

  /** The largest pull along it [N]. */
  get tension(): number {
    return Math.max(0, ...this.tensions)
  }

  /** Pull at a share of its length [N]: 0 its start, 1 its end. */
  tensionAt(share: number): number {
    return this.tensions[this.segmentAt(`${this.label}: tensionAt`, share)]
  }

  /** Share by which it is longer than at rest. */
  get stretch(): number {
    const { nodes } = this.known()
    let sum = 0
    for (let k = 1; k < nodes.length; k++) sum += apart(nodes[k - 1], nodes[k])
    return nodes.length < 2 ? 0 : sum / this.length - 1
  }

  /** Largest depth of a node in a collider [m]. Beyond the radius of the rope, its loads press it in farther than contacts hold. */
  get depth(): number {
    const { contacts } = contactsOf(this.world, this.known().nodes)
    return contacts.reduce((most, { separation }) => Math.max(most, -separation), 0)
  }

  /** Hangs an end on something else, or lets it go. It stays where it is. */
  attachStart(end: RopeEnd | undefined): void {
    this.reattach('start', 0, end)
  }

  /** Hangs its last end on something else, or lets it go. */
  attachEnd(end: RopeEnd | undefined): void {
    this.reattach('end', this.known().nodes.length - 1, end)
  }

  /**
   * Cuts it at the node that is nearest to a share of its length, and gives the piece behind it. The node becomes two of half its mass at its place and
   * velocity: mass, momentum and energy are kept.
   */
  cutAt(share: number): Rope {
    const where = `${this.label}: cutAt`
    this.world.bodies.callbacks.refuse(where)
    const state = this.known()
    const { nodes, segments } = state
    if (segments.length < 2)
      throw new RangeError(`${where}: rope must have two segments to be cut, got ${segments.length}`)
    const k = this.segmentAt(where, share)
    const at = share * this.length - segments.slice(0, k).reduce((sum, segment) => sum + restOf(segment), 0)
    const node = Math.min(Math.max(at > 0.5 * restOf(segments[k]) ? k + 1 : k, 1), segments.length - 1)
    const { world, settings } = this
    const body = nodes[node]
    const held = body.type !== 'dynamic'
    const { mass } = body
    const fresh = addNode(
      world,
      settings,
      body.position,
      body.velocity,
      held ? settings.lineDensity * settings.segment : 0.5 * mass,
    )
    if (!held) body.setMass(mass - 0.5 * mass)
    const old = segments[node]
    const behind = [fresh, ...nodes.slice(node + 1)]
    const first = addSegment(world, settings, fresh, nodes[node + 1], restOf(old))
    old.remove()
    return this.divide(node, behind, [first, ...segments.slice(node + 1)])
  }

  /** Ties the start of another rope to its end; the other one's handle is then gone, and its bodies are this one's. */
  join(other: Rope): void {
    const where = `${this.label}: join`
    this.world.bodies.callbacks.refuse(where)
    instance(`${where}: other`, other, Rope, 'a rope')
    if (other === this || other.world !== this.world)
      throw new RangeError(`${where}: other must be another rope of this world`)
    other.setLod(undefined)
    const one = this.known()
    const two = other.known()
    const { world, settings } = this
    const [a, b] = [one.nodes[one.nodes.length - 1], two.nodes[0]]
    const gap = apart(a, b)
    const tie = addSegment(world, settings, a, b, Math.max(gap, 1e-3 * settings.segment))
    const nodes = [...one.nodes, ...two.nodes]
    const across = addBends(
      world,
      settings,
      nodes,
      Math.max(0, one.nodes.length - 2),
      Math.min(nodes.length - 2, one.nodes.length),
    )
    particleSetOf(world, b)?.remove()
    for (const joint of [one.end, two.start]) if (joint?.alive === true) joint.remove()
    this.update({
      nodes,
      segments: [...one.segments, tie, ...two.segments],
      bends: [...one.bends, ...across, ...two.bends],
      start: one.start,
      end: two.end,
      winch: goTo(one.winch, lengthOf(one) + lengthOf(two) + restOf(tie)),
    })
    this.assemblies.drop(other)
  }

  /** Ropes that came off it in the last step, where it broke. */
  get torn(): readonly Rope[] {
    return this.parted
  }

  override beforeSubstep(h: number): void {
    const { winch, segments, nodes } = this.state
    if (segments.length === 0) return
    const at = winch.end === 'start' ? 0 : segments.length - 1
    const segment = segments[at]
    if (!segment.alive) return
    const { batch, slot } = segment
    const row = batch.slotRow[slot]
    const rest = restOf(segment)
    const pace = paceOf(winch, lengthOf(this.state), h, -batch.common.lambda[row])
    if (pace !== winch.pace) this.state = { ...this.state, winch: { ...winch, pace } }
    // The last bit of a rope stays out.
    const least = segments.length === 1 ? SHORTEST * this.settings.segment : 0.1 * rest
    const length = Math.max(rest + pace * h, Math.min(rest, least))
    if (length === rest) return
    batch.setDef(slot, { ...batch.definition(slot), length })
    batch.columns['rest' as never][row] = length
    const { flags } = this.world.bodies.columns
    for (const node of [nodes[at], nodes[at + 1]]) flags[node.index] |= EDITED
  }

  override afterStep(): void {
    this.parted = []
    const broken = this.state.segments.findIndex((segment) => !segment.alive || segment.broken)
    if (broken >= 0) {
      const { nodes, segments } = this.state
      if (segments[broken].alive) segments[broken].remove()
      this.parted = [this.divide(broken, nodes.slice(broken + 1), segments.slice(broken + 1))]
      return
    }
    this.wind()
  }

  /** A node that goes takes its segments along: the rope ends there, and what was behind is a rope of its own. */
  override bodyRemoved(row: number): void {
    const { state } = this
    const { nodes, segments } = state
    const gone = nodes.findIndex(({ index }) => index === row)
    if (gone < 0) return
    const last = nodes.length - 1
    if (last === 0) this.vanish()
    else if (gone === 0)
      this.shorten({ ...state, nodes: nodes.slice(1), segments: segments.slice(1), start: undefined })
    else if (gone === last) {
      this.shorten({ ...state, nodes: nodes.slice(0, -1), segments: segments.slice(0, -1), end: undefined })
    } else this.parted = [...this.parted, this.divide(gone - 1, nodes.slice(gone + 1), segments.slice(gone + 1))]
  }

  write(scene: SceneWriter): object {
    return writeRope(scene, this.settings, this.state)
  }

  protected override bendRows(): readonly (Constraint | undefined)[] {
    return this.state.bends
  }

  protected override madeContacts(): MadeContacts {
    return { selfCollision: this.settings.selfCollision && 'vertices', surfaceContacts: true }
  }

  /** Parts the segment at the winch, or joins it to the next, as its length asks. */
  private wind(): void {
    const { world, settings } = this
    const { nodes, segments, bends, winch } = this.state
    if (segments.length === 0) return
    const last = segments.length - 1
    const isStart = winch.end === 'start'
    const at = isStart ? 0 : last
    const rest = restOf(segments[at])
    const outer = nodes[isStart ? 0 : last + 1]
    const inner = nodes[isStart ? 1 : last]
    if (rest > LONGEST * settings.segment) {
      const share = (rest - settings.segment) / rest
      const x = Array.from(outer.position).map((from, k) => from + share * (inner.position[k] - from))
      const v = Array.from(outer.velocity).map((from, k) => from + share * (inner.velocity[k] - from))
      const fresh = addNode(world, settings, x, v, settings.lineDensity * settings.segment)
      const pull = pullOf(segments[at])
      segments[at].remove()
      const near = addSegment(world, settings, fresh, outer, rest - settings.segment)
      const far = addSegment(world, settings, fresh, inner, settings.segment)
      for (const row of [near, far]) setPull(row, pull)
      const next = isStart ? [outer, fresh, ...nodes.slice(1)] : [...nodes.slice(0, -1), fresh, outer]
      const rows = isStart ? [near, far, ...segments.slice(1)] : [...segments.slice(0, -1), far, near]
      this.update({ ...this.state, nodes: next, segments: rows, bends: this.rebent(next, bends) })
    } else if (rest < SHORTEST * settings.segment && segments.length > 1) {
      const gone = inner
      const beyond = isStart ? nodes[2] : nodes[last - 1]
      const beside = isStart ? segments[1] : segments[last - 1]
      const length = Math.min(Math.max(apart(outer, beyond), restOf(beside)), rest + restOf(beside))
      const next = nodes.filter((node) => node !== gone)
      const left = isStart ? segments.slice(2) : segments.slice(0, -2)
      const pull = pullOf(beside)
      const row = addSegment(world, settings, outer, beyond, length)
      setPull(row, pull)
      const rows = isStart ? [row, ...left] : [...left, row]
      this.update({ ...this.state, nodes: next, segments: rows, bends: this.rebent(next, bends) })
      // It is no node any more, so that the rope does not part there.
      gone.remove()
    }
  }

  /** Rows against bending for other nodes: those that hold are kept. */
  private rebent(nodes: readonly Body[], bends: readonly (Constraint | undefined)[]): (Constraint | undefined)[] {
    const known = new Map<string, Constraint>()
    for (const bend of bends) if (bend?.alive === true) known.set(bend.bodies.map((body) => body?.index).join(), bend)
    const next: (Constraint | undefined)[] = []
    for (let k = 0; k + 2 < nodes.length; k++) {
      const key = `${nodes[k].index},${nodes[k + 1].index},${nodes[k + 2].index}`
      next.push(known.get(key) ?? addBends(this.world, this.settings, nodes, k, k + 1)[0])
      known.delete(key)
    }
    for (const bend of known.values()) bend.remove()
    return next
  }

  /** Goes on with fewer nodes, at the length that they have. */
  private shorten(next: RopeState): void {
    const { winch } = next
    const target = Number.isNaN(winch.target) ? NaN : lengthOf(next)
    this.update({ ...next, bends: this.rebent(next.nodes, next.bends), winch: { ...winch, target } })
  }

  /** Keeps nodes 0 to `last`, and makes a rope of the others. */
  private divide(last: number, nodes: readonly Body[], segments: readonly Constraint[]): Rope {
    const { state, world, settings, assemblies, name } = this
    const { winch } = state
    const own = state.nodes.slice(0, last + 1)
    const isOwnWinch = winch.end === 'start'
    const held = (length: number): RopeWinch => ({ ...goTo(winch, length), pace: 0 })
    const reels = Number.isNaN(winch.target)
    const before = { ...state, nodes: own, segments: state.segments.slice(0, last), end: undefined }
    const behind = { ...state, nodes, segments, start: undefined }
    const bends = state.bends
    this.update({
      ...before,
      bends: this.rebent(own, bends.slice(0, Math.max(0, last - 1))),
      winch: isOwnWinch && reels ? winch : held(lengthOf({ ...before, bends })),
    })
    const other = new Rope(
      assemblies,
      world,
      name,
      settings,
      gathered({
        ...behind,
        bends: [],
        winch: isOwnWinch || !reels ? held(lengthOf({ ...behind, bends })) : winch,
      }),
    )
    for (const bend of bends.slice(Math.max(0, last - 1))) if (bend?.alive === true) bend.remove()
    assemblies.add(other)
    other.update({ ...other.state, bends: other.rebent(nodes, []) })
    collide(world, settings, nodes)
    other.inheritLod(this)
    return other
  }

  private reattach(which: 'start' | 'end', node: number, end: RopeEnd | undefined): void {
    const where = `${this.label}: attach`
    this.world.bodies.callbacks.refuse(where)
    const state = this.known()
    if (end !== undefined) checkEnd(`${where}: end`, this.world, end, state.nodes[node].position)
    unhang(state.nodes[node], state[which])
    this.update({ ...state, [which]: hang(this.world, state.nodes[node], end) })
  }

  private segmentAt(where: string, share: number): number {
    const { segments } = this.known()
    checkShare(`${where}: share`, share)
    let left = share * this.length
    for (let k = 0; k < segments.length; k++) {
      left -= restOf(segments[k])
      if (left <= 0) return k
    }
    return segments.length - 1
  }

  private update(next: Omit<RopeState, 'bodies' | 'constraints'>): void {
    const isOther =
      next.nodes.length !== this.state.nodes.length || next.nodes.some((node, k) => node !== this.state.nodes[k])
    this.state = gathered(next)
    if (isOther) {
      collide(this.world, this.settings, this.state.nodes)
      this.refreshLod()
    }
    for (const node of this.state.nodes) if (node.alive) node.wake()
  }
}

/** Multiplier of a segment in the last substep. */
function pullOf({ batch, slot }: Constraint): number {
  return batch.common.lambda[batch.slotRow[slot]]
}

/** Has a segment that takes the place of another bear what that bore, until it is solved itself: what is read of it goes on. */
function setPull({ batch, slot }: Constraint, pull: number): void {
  batch.common.lambda[batch.slotRow[slot]] = pull
}

function apart(a: Body, b: Body): number {
  const [x, y, z]: vec3 = [a.position[0] - b.position[0], a.position[1] - b.position[1], a.position[2] - b.position[2]]
  return Math.sqrt(x * x + y * y + z * z)
}

/**
 * Makes a rope: `rope(world, { from, to, start: 'world', end: crate })`. It does not stretch whatever hangs on it, pays out and takes in, is cut and tied. Throws
 * `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a field is wrong.
 */
export function rope(world: LeanWorld, def: RopeDef): Rope {
  const where = typeof def?.name === 'string' ? `rope "${def.name}"` : 'rope'
  instance(`${where}: world`, world, LeanWorld, 'a World')
  world.bodies.callbacks.refuse(where)
  const { settings, winch, nodes: x, velocity } = planRope(where, world, def)
  const count = x.length / 3
  const whole = settings.lineDensity * settings.segment
  const nodes = Array.from({ length: count }, (_, k) =>
    addNode(world, settings, x.subarray(3 * k, 3 * k + 3), velocity, k === 0 || k === count - 1 ? 0.5 * whole : whole),
  )
  try {
    const segments = nodes.slice(1).map((node, k) => addSegment(world, settings, nodes[k], node, settings.segment))
    const bends = addBends(world, settings, nodes, 0, Math.max(0, count - 2))
    const start = hang(world, nodes[0], def.start)
    const end = hang(world, nodes[count - 1], def.end)
    collide(world, settings, nodes)
    const owner = Assemblies.of(world)
    return owner.add(
      new Rope(owner, world, def.name, settings, gathered({ nodes, segments, bends, start, end, winch })),
    )
  } catch (error) {
    for (const node of nodes) node.remove()
    throw error
  }
}
