/** The stage of the step that keeps the assemblies of a world and gives them their turn. */

import { type Constraint, type Stage, LeanWorld } from '@tautline/core'
import { instance } from '@tautline/core/kernel'
import type { Assembly, AssemblyOwner } from './assembly.js'
import type { SceneWriter } from './scene.js'

/** What the JSON of a scene holds of an assembly. */
export interface AssemblyJson {
  kind: string
  name?: string
  data: object
  /** Its levels of detail, where it has some. */
  lod?: object
}

/** What a snapshot holds of one. */
interface SavedAssembly {
  readonly assembly: Assembly
  readonly saved: unknown
}

/** All assemblies of a world, in the order in which they were made. Comes with the first one. */
export class Assemblies implements Stage, AssemblyOwner {
  readonly name = 'assemblies'
  readonly world: LeanWorld
  private list: Assembly[] = []

  private constructor(world: LeanWorld) {
    this.world = world
    world.use(this)
  }

  /** Those of a world; the stage is made with the first call. */
  static of(world: LeanWorld): Assemblies {
    instance('Assemblies.of: world', world, LeanWorld, 'a World')
    const known = world.stages.find((stage) => stage instanceof Assemblies)
    return known ?? new Assemblies(world)
  }

  /** All of them. */
  get all(): readonly Assembly[] {
    return this.list
  }

  /** Takes one up. */
  add<Made extends Assembly>(assembly: Made): Made {
    this.list = [...this.list, assembly]
    return assembly
  }

  has(assembly: Assembly): boolean {
    return this.list.includes(assembly)
  }

  drop(assembly: Assembly): void {
    this.list = this.list.filter((other) => other !== assembly)
  }

  lead(dt: number): void {
    const { list } = this
    for (let k = 0; k < list.length; k++) {
      list[k].leadLod(dt)
      list[k].lead?.(dt)
    }
  }

  beforeStep(dt: number): void {
    const { list } = this
    for (let k = 0; k < list.length; k++) list[k].beforeStep?.(dt)
  }

  beforeSubstep(h: number): void {
    const { list } = this
    for (let k = 0; k < list.length; k++) if (list[k].simulated) list[k].beforeSubstep?.(h)
  }

  afterStep(dt: number): void {
    const { list } = this
    for (let k = 0; k < list.length; k++) {
      if (list[k].simulated) list[k].afterStep?.(dt)
      list[k].resumeLod()
    }
  }

  bodyRemoved(row: number): void {
    for (const assembly of this.list) assembly.bodyRemoved?.(row)
  }

  save(): SavedAssembly[] {
    return this.list.map((assembly) => ({ assembly, saved: assembly.save() }))
  }

  restore(saved: unknown): void {
    const kept = (saved ?? []) as readonly SavedAssembly[]
    this.list = kept.map(({ assembly }) => assembly)
    for (const { assembly, saved: state } of kept) assembly.restore(state)
  }

  toJSON(indexOf: (row: number) => number): AssemblyJson[] {
    const places = new Map<Constraint, number>(this.world.constraints().map((constraint, k) => [constraint, k]))
    const scene: SceneWriter = {
      body: (body) => (body === null || !body.alive ? -1 : indexOf(body.index)),
      constraint: (constraint) => (constraint.alive ? (places.get(constraint) ?? -1) : -1),
    }
    return this.list.map((assembly) => {
      const { kind, name } = assembly
      const data = assembly.write(scene)
      const lod = assembly.writeLod(scene)
      return { kind, ...(name === undefined ? {} : { name }), data, ...(lod === undefined ? {} : { lod }) }
    })
  }
}
