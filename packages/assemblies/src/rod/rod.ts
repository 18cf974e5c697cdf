/** Rod: rigid links that bend and twist against each other. */

import { type Body, type Constraint, LeanWorld } from '@tautline/core'
import { instance } from '@tautline/core/kernel'
import { Assemblies } from '../assemblies.js'
import { Assembly, type AssemblyOwner } from '../assembly.js'
import type { SceneWriter } from '../scene.js'
import { addLinks, hangLink, joinLinks } from './build.js'
import { checkRodEnd, planRod, type RodDef, type RodEnd, type RodSettings } from './definition.js'
import { strainOf, yieldBeyond } from './plastic.js'
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
