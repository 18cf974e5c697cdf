/** Rod: rigid links that bend and twist against each other. */

import { type Body, type Constraint, LeanWorld } from '@tautline/core'
import { instance, compose } from '@tautline/core/kernel'
import { Assemblies } from '../assemblies.js'
import { Assembly, type AssemblyOwner } from '../assembly.js'
import type { SceneWriter } from '../scene.js'
import { addLinks, hangLink, joinLinks } from './build.js'
import { checkRodEnd, planRod, type RodDef, type RodEnd, type RodSettings } from './definition.js'
import { gathered, type RodState } from './state.js'
import { writeRod } from './write.js'

/** A rod of a world: see {@link rod}. */
export class Rod extends Assembly<RodState> {
  readonly kind = 'rod'
  /** What it is made of. */
  readonly settings: RodSettings
  protected override readonly lodFields = ['bend', 'simulate'] as const

  constructor(
    owner: AssemblyOwner,
    world: LeanWorld,
    name: string | undefined,
    settings: RodSettings,
    state: RodState,
  ) {
    super(owner, world, name, state)
    this.settings = settings
  }

  /** Its links, from start to end; y is along them. */
  get links(): readonly Body[] {
    return this.known().links
  }

  /** Points of its links that it runs through, from end to end: what a tube is drawn around. */
  get nodes(): readonly { body: Body; point: [number, number, number] }[] {
    const { links } = this.known()
    const half = 0.5 * this.settings.link
    return links.flatMap((body, k) => {
      const last = { body, point: [0, half, 0] as [number, number, number] }
      const first = { body, point: [0, -half, 0] as [number, number, number] }
      return k === 0 ? [first, last] : [last]
    })
  }

  /** [m] */
  get length(): number {
    return this.known().links.length * this.settings.link
  }

  /** How far each link is turned against the one before, from its rest [rad]. */
  get strains(): number[] {
    const { links, joints } = this.known()
    return joints.map(({ spring }, k) =>
      spring?.alive === true
        ? strainOf(links[k], links[k + 1], (spring.def as { reference: readonly number[] }).reference)
        : 0,
    )
  }

  /** Force between links in the last substep [N]. */
  get tensions(): number[] {
    return this.known().joints.map(({ point }) => (point?.alive === true ? point.force : 0))
  }

  /** Hangs its first end on something else, or lets it go. */
  attachStart(end: RodEnd | undefined): void {
    this.reattach('start', 0, -1, end)
  }

  /** Hangs its last end on something else, or lets it go. */
  attachEnd(end: RodEnd | undefined): void {
    this.reattach('end', this.known().links.length - 1, 1, end)
  }

  override afterStep(dt: number): void {
    const { yieldCurvature, creep, link } = this.settings
    if (yieldCurvature === Infinity || this.asleep) return
    const { links, joints } = this.state
    const share = Math.min(1, creep * dt)
    for (let k = 0; k < joints.length; k++) {
      const { spring } = joints[k]
      if (spring?.alive !== true || !links[k].alive || !links[k + 1].alive) continue
      yieldBeyond(spring, links[k], links[k + 1], yieldCurvature * link, share)
    }
  }

  /** A link that goes leaves a gap, as a joint that breaks does. */
  override bodyRemoved(row: number): void {
    const { state } = this
    const { links, joints } = state
    const gone = links.findIndex(({ index }) => index === row)
    if (gone < 0) return
    if (links.length === 1) {
      this.vanish()
      return
    }
    const isFirst = gone === 0
    const isLast = gone === links.length - 1
    const gap = isFirst || isLast ? [] : [{ point: undefined, spring: undefined }]
    this.state = gathered({
      links: links.filter((_, k) => k !== gone),
      joints: [...joints.slice(0, Math.max(0, gone - 1)), ...gap, ...joints.slice(gone + 1)],
      start: isFirst ? undefined : state.start,
      end: isLast ? undefined : state.end,
    })
  }

  protected override bendRows(): readonly (Constraint | undefined)[] {
    const { joints, start, end } = this.state
    return [...joints, start, end].map((joint) => joint?.spring)
  }

  write(scene: SceneWriter): object {
    return writeRod(scene, this.settings, this.state)
  }

  private reattach(which: 'start' | 'end', at: number, sign: 1 | -1, end: RodEnd | undefined): void {
    const where = `${this.label}: attach`
    this.world.bodies.callbacks.refuse(where)
    const state = this.known()
    if (end !== undefined) checkRodEnd(`${where}: end`, this.world, end)
    for (const old of [state[which]?.point, state[which]?.spring]) if (old?.alive === true) old.remove()
    const joint = end === undefined ? undefined : hangLink(this.world, this.settings, state.links[at], sign, end)
    this.state = gathered({ ...state, [which]: joint })
    this.wake()
  }
}

/**
 * Makes a rod: `rod(world, { from, to, youngsModulus: 1e9, start: { body: 'world', clamped: true }, shape: capsule })`. It bends and twists as a Cosserat rod that neither
 * stretches nor shears; without stiffness it is a chain of rigid links. Throws `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a field is
 * wrong.
 */
export function rod(world: LeanWorld, def: RodDef): Rod {
  const where = typeof def?.name === 'string' ? `rod "${def.name}"` : 'rod'
  instance(`${where}: world`, world, LeanWorld, 'a World')
  world.bodies.callbacks.refuse(where)
  if (world.jointSolver === undefined) {
    throw new RangeError(`${where}: world must have jointTrees among its parts, got one without`)
  }
  const plan = planRod(where, world, def)
  const { settings } = plan
  const links: Body[] = []
  try {
    links.push(...addLinks(world, plan))
    const joints = links.slice(1).map((link, k) => joinLinks(world, settings, links[k], link, plan.rest))
    const start = def.start === undefined ? undefined : hangLink(world, settings, links[0], -1, def.start)
    const end = def.end === undefined ? undefined : hangLink(world, settings, links[links.length - 1], 1, def.end)
    const owner = Assemblies.of(world)
    return owner.add(new Rod(owner, world, def.name, settings, gathered({ links, joints, start, end })))
  } catch (error) {
    for (const link of links) link.remove()
    throw error
  }
}

const relative = /* @__PURE__ */ new Float64Array(4)
const inverse = /* @__PURE__ */ new Float64Array(4)
const rest = /* @__PURE__ */ new Float64Array(4)

/** Angle of the turn of b against a from `reference` [rad]. */
function strainOf(a: Body, b: Body, reference: ArrayLike<number>): number {
  turnOf(a, b)
  const s = relative
  let dot = 0
  for (let k = 0; k < 4; k++) dot += s[k] * reference[k]
  // 2 √(1 − dot²) = 2 sin(θ/2).
  return 2 * Math.sqrt(Math.max(0, 1 - dot * dot))
}

/** Brings the rest of a joint that is bent by more than `most` [rad] nearer to how it is, by `share` of what is too much. It gives energy away. */
function yieldBeyond(spring: Constraint, a: Body, b: Body, most: number, share: number): boolean {
  const { reference } = spring.def as { reference: readonly number[] }
  const strain = strainOf(a, b, reference)
  if (strain <= most) return false
  const part = (share * (strain - most)) / strain
  let dot = 0
  for (let k = 0; k < 4; k++) dot += relative[k] * reference[k]
  const sign = dot < 0 ? -1 : 1
  for (let k = 0; k < 4; k++) rest[k] = (1 - part) * reference[k] + part * sign * relative[k]
  const size = Math.sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2] + rest[3] * rest[3])
  for (let k = 0; k < 4; k++) rest[k] /= size
  setReference(spring)
  return true
}

/** Writes `rest` into a spring. As energy only falls by it and nothing else changes, rows need not be put in order anew. */
function setReference({ batch, slot }: Constraint): void {
  const def = { ...batch.definition(slot), reference: [rest[0], rest[1], rest[2], rest[3]] }
  batch.setDef(slot, def)
  batch.type.write(batch, batch.slotRow[slot], def)
}

/** Orientation of b seen from a, into `relative`. */
function turnOf(a: Body, b: Body): void {
  const { orientation: q } = a.bodies.columns
  const o = 4 * a.index
  for (let k = 0; k < 3; k++) inverse[k] = -q[o + k]
  inverse[3] = q[o + 3]
  compose(inverse, 0, q, 4 * b.index, relative, 0)
}
