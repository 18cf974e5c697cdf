/** A set of particles that collide: its definition, what is known of it, and the handle that a user holds. */

import type { Body } from '@tautline/core'
import {
  array,
  finiteVector,
  flag,
  knownFields,
  object,
  oneOf,
  positive,
  refuseNested,
  shown,
} from '@tautline/core/kernel'
import { type FilterDef, integer } from '../state/collider.js'
import { type Material, type MaterialDef, resolveMaterial } from '../state/material.js'

/** How the particles of a set meet each other. */
export type SelfCollision = false | 'vertices' | 'surface'

/** Which colliders edges and triangles of a set meet besides its particles: none, all, or those that can pass between particles. */
export type SurfaceContacts = boolean | 'auto'

/** What `addParticles` takes. */
export interface ParticlesDef extends FilterDef, Omit<MaterialDef, 'torsionalFriction' | 'rollingFriction'> {
  /** Of all particles, or one a particle [m]: half the thickness of cloth. */
  radius: number | ArrayLike<number>
  /**
   * How they meet each other: not at all; as balls; or as the triangles and edges of a surface too, so that none passes another. What is nearer
   * than its radii at rest stays as near.
   * @defaultValue 'vertices'
   */
  selfCollision?: SelfCollision
  /** Three particles a triangle, as indices into the list of bodies. @defaultValue none */
  triangles?: ArrayLike<number>
  /** Two particles an edge, besides those of the triangles. @defaultValue none */
  edges?: ArrayLike<number>
  /**
   * Whether edges and triangles meet colliders too, not the particles alone. `'auto'`: they meet what can pass between particles. That is a
   * collider whose half extent in the second shortest direction, with the radius of the particles, is less than the radius of a gap between
   * three particles, at the lengths that their edges may have by the end of the step. @defaultValue false
   */
  surfaceContacts?: SurfaceContacts
  /**
   * Where the particles lie when nothing bends them, three numbers each [m]: which are near each other there may stay as near. For a set that is made
   * crumpled, or folded.
   * @defaultValue where they are
   */
  restPositions?: ArrayLike<number>
  /** Shown in messages. @defaultValue none */
  name?: string
}

/** What may change while a set exists. */
export type ParticleChanges = Partial<Omit<ParticlesDef, 'triangles' | 'edges' | 'restPositions' | 'name'>>

/** What the world knows of a set; replaced as a whole when it changes. */
export interface ParticleRecord {
  /** `null` where one was removed. */
  readonly bodies: readonly (Body | null)[]
  /** Row of each body; −1 of one that was removed. */
  readonly rows: Int32Array
  /** [m] */
  readonly radius: Float64Array
  /** Where they lie at rest (3 each) [m]: what is near there stays as near. */
  readonly rest: Float64Array
  readonly triangles: Int32Array
  /** Edges of the triangles among them, each once. */
  readonly edges: Int32Array
  /** The triangles, then the edges that are in none, with their second particle twice: three numbers each. */
  readonly faces: Int32Array
  readonly selfCollision: SelfCollision
  readonly surfaceContacts: SurfaceContacts
  readonly material: Material
  readonly layer: number
  readonly mask: number
  readonly group: number
  readonly name: string | undefined
  /** How often its number had been given out before. */
  readonly generation: number
}

/** A record that has no number yet. */
export type NewParticles = Omit<ParticleRecord, 'generation'>

const FIELDS: readonly string[] = [
  'radius',
  'friction',
  'dynamicFriction',
  'restitution',
  'maxPushOut',
  'layer',
  'mask',
  'group',
  'selfCollision',
  'surfaceContacts',
  'triangles',
  'edges',
  'restPositions',
  'name',
]
const KINDS = [false, 'vertices', 'surface'] as const

/** Checks a definition for bodies that were checked; changes nothing. `rest` are their positions, for where the definition has none. */
export function resolveParticles(
  where: string,
  bodies: readonly (Body | null)[],
  rest: Float64Array,
  def: ParticlesDef,
): NewParticles {
  object(`${where}: definition`, def)
  knownFields(where, def, FIELDS)
  const count = bodies.length
  const radius = radiiOf(`${where}: radius`, def.radius, count)
  const triangles = indicesOf(`${where}: triangles`, def.triangles, 3, count)
  const edges = indicesOf(`${where}: edges`, def.edges, 2, count)
  if (def.name !== undefined && typeof def.name !== 'string') {
    throw new TypeError(`${where}: name must be a text, got ${shown(def.name)}`)
  }
  return {
    bodies: [...bodies],
    rows: Int32Array.from(bodies, (body) => body?.index ?? -1),
    radius,
    rest: def.restPositions === undefined ? rest : placesOf(`${where}: restPositions`, def.restPositions, count),
    triangles,
    edges: allEdges(triangles, edges, count),
    faces: allFaces(triangles, edges, count),
    selfCollision: kindOf(where, def.selfCollision ?? 'vertices', triangles, edges),
    surfaceContacts: surfaceContactsOf(where, def.surfaceContacts ?? false),
    material: resolveMaterial(where, def),
    layer: integer(`${where}: layer`, def.layer ?? 1),
    mask: integer(`${where}: mask`, def.mask ?? -1),
    group: integer(`${where}: group`, def.group ?? 0, 0x7fffffff),
    name: def.name,
  }
}

/** Checks changes of a set; changes nothing. */
export function changeParticles(where: string, old: ParticleRecord, changes: ParticleChanges): ParticleRecord {
  object(`${where}: changes`, changes)
  for (const field of ['triangles', 'edges', 'restPositions', 'name']) {
    if (field in changes) throw new TypeError(`${where}: ${field} must stay, got a change of it`)
  }
  knownFields(where, changes, FIELDS)
  const { radius, selfCollision, surfaceContacts, layer, mask, group } = changes
  return {
    ...old,
    radius: radius === undefined ? old.radius : radiiOf(`${where}: radius`, radius, old.bodies.length),
    selfCollision:
      selfCollision === undefined ? old.selfCollision : kindOf(where, selfCollision, old.triangles, old.edges),
    surfaceContacts: surfaceContactsOf(where, surfaceContacts ?? old.surfaceContacts),
    material: resolveMaterial(where, changes, old.material),
    layer: integer(`${where}: layer`, layer ?? old.layer),
    mask: integer(`${where}: mask`, mask ?? old.mask),
    group: integer(`${where}: group`, group ?? old.group, 0x7fffffff),
  }
}

function surfaceContactsOf(where: string, value: unknown): SurfaceContacts {
  return value === 'auto' ? value : flag(`${where}: surfaceContacts`, value as boolean)
}

function kindOf(where: string, kind: unknown, triangles: Int32Array, edges: Int32Array): SelfCollision {
  if (kind !== false) oneOf(`${where}: selfCollision`, kind as string, KINDS.slice(1) as unknown as readonly string[])
  if (kind === 'surface' && triangles.length + edges.length === 0) {
    throw new RangeError(`${where}: selfCollision 'surface' must have triangles or edges, got none`)
  }
  return kind as SelfCollision
}

function radiiOf(where: string, value: unknown, count: number): Float64Array {
  if (typeof value === 'number' || typeof value !== 'object' || value === null) {
    return new Float64Array(count).fill(positive(where, value as number))
  }
  const given = value as ArrayLike<number>
  if (given.length !== count)
    throw new RangeError(`${where} must be one a particle, ${count}, got ${shown(given.length)}`)
  return Float64Array.from({ length: count }, (_, k) => positive(`${where}[${k}]`, given[k]))
}

/** Checked places, three numbers a particle. */
function placesOf(where: string, value: unknown, count: number): Float64Array {
  if (!ArrayBuffer.isView(value)) array(where, value)
  const given = value as ArrayLike<number>
  if (given.length !== 3 * count)
    throw new RangeError(`${where} must be 3 numbers a particle, ${3 * count}, got ${given.length}`)
  return Float64Array.from(finiteVector(where, given, 3 * count))
}

/** Checked indices, `stride` each, none of them twice in one. */
function indicesOf(where: string, value: unknown, stride: number, count: number): Int32Array {
  if (value === undefined) return new Int32Array(0)
  if (!ArrayBuffer.isView(value)) array(where, value)
  const given = value as ArrayLike<number>
  refuseNested(where, given)
  if (given.length % stride !== 0) {
    throw new RangeError(`${where} must be ${stride} indices each, got ${given.length}`)
  }
  for (let k = 0; k < given.length; k++) {
    const index = given[k]
    if (!(Number.isInteger(index) && index >= 0 && index < count)) {
      throw new RangeError(`${where}[${k}] must be an index from 0 to ${count - 1}, got ${shown(index)}`)
    }
    for (let j = k - (k % stride); j < k; j++) {
      if (given[j] === index) throw new RangeError(`${where}[${k}] must be another particle, got ${index} twice`)
    }
  }
  return Int32Array.from(given)
}

/** Edges of triangles and those given besides, each once, in order. */
function allEdges(triangles: Int32Array, edges: Int32Array, count: number): Int32Array {
  const keys = new Set<number>()
  const add = (i: number, j: number): void => void keys.add(i < j ? i * count + j : j * count + i)
  for (let k = 0; k < triangles.length; k += 3) {
    for (let e = 0; e < 3; e++) add(triangles[k + e], triangles[k + ((e + 1) % 3)])
  }
  for (let k = 0; k < edges.length; k += 2) add(edges[k], edges[k + 1])
  const sorted = Float64Array.from(keys).sort()
  const out = new Int32Array(2 * sorted.length)
  sorted.forEach((key, k) => {
    out[2 * k] = Math.floor(key / count)
    out[2 * k + 1] = key % count
  })
  return out
}

/** Triangles, and those of the edges that are a side of none. */
function allFaces(triangles: Int32Array, edges: Int32Array, count: number): Int32Array {
  const sides = allEdges(triangles, new Int32Array(0), count)
  const keys = new Set<number>()
  for (let k = 0; k < sides.length; k += 2) keys.add(sides[k] * count + sides[k + 1])
  const faces = Array.from(triangles)
  const given = allEdges(new Int32Array(0), edges, count)
  for (let k = 0; k < given.length; k += 2) {
    if (!keys.has(given[k] * count + given[k + 1])) faces.push(given[k], given[k + 1], given[k + 1])
  }
  return Int32Array.from(faces)
}

/** What a handle asks: contacts of particles of the collisions that it belongs to. */
export interface ParticleOwner {
  /** What is known of a handle, unless it is stale. */
  findParticles(set: ParticleSet): ParticleRecord | undefined
  /** The same, or what was known of it when it was removed. */
  recallParticles(set: ParticleSet): ParticleRecord | undefined
  /** See {@link ParticleSet.set}. */
  changeParticles(set: ParticleSet, changes: ParticleChanges): void
  /** See {@link ParticleSet.remove}. */
  removeParticles(set: ParticleSet): void
}

/** How the handle of a set is printed. */
export interface ParticleSetHandleJson {
  particles: number
  generation: number
  name?: string
}

/** A set of particles that collide: a number and a generation. The handle of a removed set keeps what it was; `set` and `remove` throw a `RangeError`. */
export class ParticleSet {
  readonly owner: ParticleOwner
  /** Its number; contacts are in the order of numbers. */
  readonly id: number
  readonly generation: number
  /** Anything of yours: it stays with the handle, also through `restore`, and is no part of JSON. */
  userData: unknown = undefined

  constructor(owner: ParticleOwner, id: number, generation: number) {
    this.owner = owner
    this.id = id
    this.generation = generation
  }

  /** Whether it still exists. */
  get alive(): boolean {
    return this.owner.findParticles(this) !== undefined
  }

  /** Its particles, in the order in which they were given; `null` where one was removed. */
  get bodies(): readonly (Body | null)[] {
    return this.record().bodies
  }

  /** Radius of each particle [m]. */
  get radius(): Float64Array {
    return this.record().radius.slice()
  }

  get material(): Material {
    return this.record().material
  }

  get selfCollision(): SelfCollision {
    return this.record().selfCollision
  }

  get surfaceContacts(): SurfaceContacts {
    return this.record().surfaceContacts
  }

  /** Three indices a triangle. */
  get triangles(): Int32Array {
    return this.record().triangles.slice()
  }

  /** Two indices an edge, those of the triangles among them. */
  get edges(): Int32Array {
    return this.record().edges.slice()
  }

  get name(): string | undefined {
    return this.record().name
  }

  /** Changes what is named and leaves the rest; wakes the particles. Throws, and changes nothing, when a value is wrong. */
  set(changes: ParticleChanges): void {
    this.assertAlive()
    this.owner.changeParticles(this, changes)
  }

  /** Removes it, and wakes its particles and what they touched. The bodies stay. */
  remove(): void {
    this.assertAlive()
    this.owner.removeParticles(this)
  }

  /** How messages name it. */
  get label(): string {
    const name = this.owner.recallParticles(this)?.name
    return name === undefined ? `particles ${this.id}` : `particles ${this.id} "${name}"`
  }

  /** Which it is, in JSON. */
  toJSON(): ParticleSetHandleJson {
    const { id, generation } = this
    const name = this.owner.recallParticles(this)?.name
    return name === undefined ? { particles: id, generation } : { particles: id, generation, name }
  }

  private record(): ParticleRecord {
    const record = this.owner.recallParticles(this)
    if (record === undefined) throw this.stale()
    return record
  }

  private assertAlive(): void {
    if (!this.alive) throw this.stale()
  }

  private stale(): RangeError {
    return new RangeError(`particles: ${this.label} of generation ${this.generation} must exist, got removed ones`)
  }
}
