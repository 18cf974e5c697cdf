/** Soft bodies: made of any closed mesh in one call. */

import { type Body, type Constraint, LeanWorld } from '@tautline/core'
import {
  finiteVector,
  inContext,
  instance,
  nonNegative,
  outVector,
  rotateVector,
  unitQuaternion,
} from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'
import { Assemblies } from '../assemblies.js'
import { Assembly, type AssemblyOwner } from '../assembly.js'
import type { SceneWriter } from '../scene.js'
import { enclosedVolume } from '@tautline/constraints'
import { vertexAt } from '../cloth/asset.js'
import { holdVertex, leadPins, type Pin, readPins, releaseVertex } from '../cloth/pins.js'
import type { MadeContacts } from '../parts/lod.js'
import { UNUSED } from '../parts/mesh.js'
import type { SoftBodyAsset } from './asset.js'
import { assetOf, modelOf, resolveSettings, type SoftBodyDef, type SoftBodySettings } from './definition.js'
import { readSoftBody, type SoftBodyReadout, volumeWithin } from './readout.js'
import { addRows } from './rows.js'
import { gathered, type SoftBodyState, withoutNode } from './state.js'
import { writeSoftBody } from './write.js'
import { collideAs } from '../parts/particles.js'

/** A soft body of a world: see {@link softBody}. Vertices are numbered as they were given. */
export class SoftBody extends Assembly<SoftBodyState> {
  readonly kind = 'softBody'
  /** What it is made of. */
  readonly settings: SoftBodySettings
  protected override readonly lodFields = ['selfCollision', 'surfaceContacts', 'simulate'] as const

  constructor(
    owner: AssemblyOwner,
    world: LeanWorld,
    name: string | undefined,
    settings: SoftBodySettings,
    state: SoftBodyState,
  ) {
    super(owner, world, name, state)
    this.settings = settings
  }

  /** Its shape, as it may be shared; another one when nodes were removed. */
  get asset(): SoftBodyAsset {
    return this.known().asset
  }

  /** The bodies of its nodes, as in the asset. */
  get nodes(): readonly Body[] {
    return this.known().nodes
  }

  /** The body of the node that is nearest to a vertex, by its number as it was given. */
  bodyOf(vertex: number): Body {
    return this.known().nodes[vertexAt(`${this.label}: bodyOf: vertex`, this.asset, vertex)]
  }

  /** Where a vertex is among the nodes, for `attach`: `attach(world, jelly.at(12), crate)`. */
  at(vertex: number): { bodies: Body[]; weights: number[] } {
    const { nodes } = this.known()
    vertexAt(`${this.label}: at: vertex`, this.asset, vertex)
    const { nodes: numbers, weights } = this.asset.embedding
    const places = [0, 1, 2, 3].map((k) => 4 * vertex + k).filter((k) => weights[k] !== 0)
    return { bodies: places.map((k) => nodes[numbers[k]]), weights: places.map((k) => weights[k]) }
  }

  /** Holds vertices where they are, by their nearest nodes: in place, or on a body. Those that are held already change hands. */
  pin(vertices: ArrayLike<number>, body?: Body): void {
    const where = `${this.label}: pin`
    this.world.bodies.callbacks.refuse(where)
    const found = readPins(where, this.world, this.asset, [body === undefined ? { vertices } : { vertices, body }])
    const { nodes, pins } = this.known()
    for (const pin of pins) if (found.has(pin.vertex)) releaseVertex(pin, nodes[pin.vertex])
    const others = pins.filter((pin) => !found.has(pin.vertex))
    this.update({ ...this.state, pins: [...others, ...held(this.world, nodes, found)] })
  }

  /** Lets vertices go, all of them where none are named. */
  unpin(vertices?: ArrayLike<number>): void {
    const where = `${this.label}: unpin`
    this.world.bodies.callbacks.refuse(where)
    const { nodes, pins } = this.known()
    const found = vertices === undefined ? undefined : readPins(where, this.world, this.asset, [{ vertices }])
    const goes = (pin: Pin): boolean => found === undefined || found.has(pin.vertex)
    for (const pin of pins) if (goes(pin)) releaseVertex(pin, nodes[pin.vertex])
    this.update({ ...this.state, pins: pins.filter((pin) => !goes(pin)) })
  }

  /** Nodes that are held. */
  get pins(): readonly Pin[] {
    return this.known().pins
  }

  /** Where the node of a pinned vertex is to be at the end of the next step [m]; substeps go between. */
  movePin(vertex: number, target: ArrayLike<number>): void {
    const where = `${this.label}: movePin`
    const v = vertexAt(`${where}: vertex`, this.asset, vertex)
    const { nodes, pins } = this.known()
    if (pins.find((pin) => pin.vertex === v && pin.body === undefined) === undefined) {
      throw new RangeError(`${where}: vertex must be one that is held in place, got ${vertex}`)
    }
    nodes[v].setTarget(finiteVector(`${where}: target`, target, 3) as unknown as vec3)
  }

  /** Of a balloon: share of its volume at rest that it is blown up to. 0 of others, and of one with a hole. */
  get pressure(): number {
    return (this.air?.def as { pressure: number } | undefined)?.pressure ?? 0
  }

  set pressure(pressure: number) {
    const where = `${this.label}: pressure`
    const { air } = this
    if (air === undefined)
      throw new TypeError(`${where}: model must be a balloon without a hole, got ${this.settings.model}`)
    air.set({ pressure: nonNegative(where, pressure) } as object)
  }

  /** Volume within [m³]. */
  get volume(): number {
    return volumeWithin(this.known(), this.world)
  }

  /** Volume, energy and stretch at present. Made when asked for. */
  measure(): SoftBodyReadout {
    return readSoftBody(this.known(), this.world)
  }

  /**
   * Writes x, y, z of each vertex as it was given [m], and the normals of the triangles around it where asked for. What rode on nodes that are gone is left as
   * it was.
   */
  positions(out: Float32Array | Float64Array, normals?: Float32Array | Float64Array): void {
    const { nodes } = this.known()
    const { embedding, indices, vertexOf } = this.asset
    const { position } = this.world.bodies.columns
    const where = `${this.label}: positions`
    outVector(`${where}: out`, out, 3 * vertexOf.length)
    if (normals !== undefined) outVector(`${where}: normals`, normals, 3 * vertexOf.length)
    for (let v = 0; v < vertexOf.length; v++) {
      if (vertexOf[v] === UNUSED) continue
      let [x, y, z] = [0, 0, 0]
      for (let k = 4 * v; k < 4 * v + 4; k++) {
        const p = 4 * nodes[embedding.nodes[k]].index
        const w = embedding.weights[k]
        x += w * position[p]
        y += w * position[p + 1]
        z += w * position[p + 2]
      }
      out[3 * v] = x
      out[3 * v + 1] = y
      out[3 * v + 2] = z
    }
    if (normals !== undefined) writeNormals(out, indices, normals)
  }

  override lead(dt: number): void {
    const { pins, nodes } = this.state
    leadPins(pins, nodes, dt)
  }

  write(scene: SceneWriter): object {
    return writeSoftBody(scene, this.settings, this.state)
  }

  override bodyRemoved(row: number): void {
    const gone = this.state.nodes.findIndex(({ index }) => index === row)
    if (gone >= 0) this.state = withoutNode(this.state, gone)
  }

  protected override madeContacts(): MadeContacts {
    return this.settings
  }

  protected override ledBodies(): readonly (Body | undefined)[] {
    const { pins, nodes } = this.state
    return pins.map(({ vertex, joint }) => (joint === undefined ? nodes[vertex] : undefined))
  }

  /** The volume within a balloon; none when its skin has a hole. */
  private get air(): Constraint | undefined {
    return this.known().rows.find(({ batch }) => batch.type.name === enclosedVolume.name)
  }

  private update(next: Omit<SoftBodyState, 'bodies' | 'constraints'>): void {
    this.state = gathered(next)
    this.refreshLod()
    this.wake()
  }
}

/** Normals of vertices: those of their triangles, by area. */
function writeNormals(x: Float32Array | Float64Array, indices: Uint32Array, out: Float32Array | Float64Array): void {
  out.fill(0)
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]]
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]]
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]]
    for (const o of [a, b, c]) {
      out[o] += uy * vz - uz * vy
      out[o + 1] += uz * vx - ux * vz
      out[o + 2] += ux * vy - uy * vx
    }
  }
  for (let o = 0; o < out.length; o += 3) {
    const length = Math.sqrt(out[o] * out[o] + out[o + 1] * out[o + 1] + out[o + 2] * out[o + 2])
    if (length > 0) for (let k = o; k < o + 3; k++) out[k] /= length
  }
}

/** Holds nodes by what was found for them. */
function held(world: LeanWorld, nodes: readonly Body[], found: ReadonlyMap<number, Body | undefined>): Pin[] {
  return Array.from(found, ([v, body]) => holdVertex(world, v, nodes[v], body))
}

/**
 * Makes a soft body of any closed mesh: `softBody(world, { positions, indices, youngsModulus: 2e4 })`. The mesh is filled with tetrahedra, and rides on them. It
 * collides with the colliders of the world's `Collisions`, if the world has them at that time. Throws `TypeError`/`RangeError` with what, where and the value, and adds
 * nothing, when a field is wrong.
 */
export function softBody(world: LeanWorld, def: SoftBodyDef): SoftBody {
  const where = typeof def?.name === 'string' ? `softBody "${def.name}"` : 'softBody'
  instance(`${where}: world`, world, LeanWorld, 'a World')
  world.bodies.callbacks.refuse(where)
  const model = modelOf(where, def)
  const asset = inContext(where, () => assetOf(where, def, model))
  const settings = resolveSettings(where, def, asset, model)
  const pins = readPins(`${where}: pins`, world, asset, def.pins ?? [])
  const positions = placed(where, def, asset)
  const velocity = finiteVector(`${where}: velocity`, def.velocity ?? [0, 0, 0], 3)
  const nodes = Array.from(asset.shares, (part, v) =>
    world.addParticle({
      position: [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]],
      velocity: [velocity[0], velocity[1], velocity[2]],
      mass: settings.density * part,
      linearDamping: settings.linearDamping,
    }),
  )
  try {
    const rows = addRows(world, asset, settings, nodes)
    collide(world, asset, settings, nodes)
    const state = gathered({ asset, nodes, rows, pins: held(world, nodes, pins) })
    const owner = Assemblies.of(world)
    return owner.add(new SoftBody(owner, world, def.name, settings, state))
  } catch (error) {
    for (const node of nodes) node.remove()
    throw error
  }
}

/** Nodes at rest, in the world [m]. */
function placed(where: string, def: SoftBodyDef, { positions }: SoftBodyAsset): Float64Array {
  const position = finiteVector(`${where}: position`, def.position ?? [0, 0, 0], 3)
  const turn = Float64Array.from(unitQuaternion(`${where}: orientation`, def.orientation ?? [0, 0, 0, 1]))
  const out = new Float64Array(positions.length)
  for (let o = 0; o < out.length; o += 3) {
    rotateVector(turn, 0, positions[o], positions[o + 1], positions[o + 2], out, o)
    for (let k = 0; k < 3; k++) out[o + k] += position[k]
  }
  return out
}

/** Gives the outer nodes their radius, and the outside its triangles. Called at rest: what is near there may stay as near. */
function collide(world: LeanWorld, asset: SoftBodyAsset, settings: SoftBodySettings, nodes: readonly Body[]): void {
  const { collides, radius, friction, layer, mask, group, selfCollision, surfaceContacts } = settings
  if (!collides) return
  // Inner nodes touch nothing of their own kind, but must not be pushed through what the outer ones lie on.
  const outside = Array.from(new Set(asset.surface)).sort((a, b) => a - b)
  const touching = selfCollision === false ? nodes.keys() : outside
  const number = new Map<number, number>()
  for (const v of touching) number.set(v, number.size)
  const outer = Array.from(number.keys(), (v) => nodes[v])
  const triangles = Uint32Array.from(asset.surface, (v) => number.get(v) as number)
  const surface = selfCollision === 'surface' || surfaceContacts !== false ? { triangles } : {}
  collideAs(world, outer, { radius, friction, layer, mask, group, selfCollision, surfaceContacts, ...surface })
}
