/** Cloth: made of any triangle mesh in one call. */

import { type Body, type Constraint, LeanWorld, addBodies, addConstraints } from '@tautline/core'
import { finiteVector, instance, inContext, knownFields, object, outVector, rotateVector } from '@tautline/core/kernel'
import { tether } from '@tautline/constraints'
import type { vec3 } from 'gl-matrix'
import { Assemblies } from '../assemblies.js'
import { Assembly, type AssemblyOwner } from '../assembly.js'
import type { SceneWriter } from '../scene.js'
import { Air } from './air.js'
import { type ClothAsset, readPose, vertexAt } from './asset.js'
import type { MadeContacts } from '../parts/lod.js'
import {
  assetOf,
  type ClothDef,
  type ClothMotion,
  type ClothSettings,
  MOTION_FIELDS,
  placeOf,
  resolveMotion,
  resolveSettings,
} from './definition.js'
import { FrameMotion } from './frame.js'
import { checkHolder, followPins, holdVertex, leadPins, type Pin, readPins, releaseVertex } from './pins.js'
import { type ClothReadout, type ClothTopology, readCloth, topologyOf } from './readout.js'
import { addRows, rowsOf } from './rows.js'
import { addSkin, leadSkin, normalsOf } from './skin.js'
import { type BuiltRow, type ClothState, gathered, type Tear } from './state.js'
import { tear, ThreadForces } from './tear.js'
import { geodesicDistances, straightDistances, tetherLength, threadDistances } from './tethers.js'
import { writeCloth } from './write.js'
import { collideAs } from '../parts/particles.js'

/** What of a cloth can change while it exists. */
export type ClothChanges = Pick<ClothDef, (typeof MOTION_FIELDS)[number]>

/** A cloth of a world: see {@link cloth}. Vertices are numbered as they were given. */
export class Cloth extends Assembly<ClothState> {
  readonly kind = 'cloth'
  /** Its shape, as it may be shared. */
  readonly asset: ClothAsset
  /** What it is made of. */
  readonly settings: ClothSettings
  protected override readonly lodFields = ['selfCollision', 'surfaceContacts', 'bend', 'simulate'] as const
  private readonly air = new Air()
  private readonly frameMotion = new FrameMotion()
  private readonly forces = new ThreadForces()
  private readonly tears: boolean
  private rebuilt: ClothState | undefined
  private dt = 0

  constructor(
    owner: AssemblyOwner,
    world: LeanWorld,
    name: string | undefined,
    asset: ClothAsset,
    settings: ClothSettings,
    state: ClothState,
  ) {
    super(owner, world, name, state)
    this.asset = asset
    this.settings = settings
    this.tears = settings.strength.some((value) => value < Infinity)
  }

  /** The bodies of its vertices: those of the asset, then what tears have made. */
  get vertices(): readonly Body[] {
    return this.known().vertices
  }

  /** The body of a vertex, by its number as it was given. */
  bodyOf(vertex: number): Body {
    return this.known().vertices[vertexAt(`${this.label}: bodyOf: vertex`, this.asset, vertex)]
  }

  /** What moves it besides its rows; changes by {@link set}. */
  get motion(): ClothMotion {
    return this.known().motion
  }

  /** Changes wind, drag and the like. What is not named stays. Throws, and changes nothing, when a value is wrong. */
  set(changes: ClothChanges): void {
    const where = `${this.label}: set`
    knownFields(where, object(`${where}: changes`, changes), MOTION_FIELDS)
    if (changes.frame !== undefined) checkHolder(`${where}: frame`, this.world, changes.frame)
    const motion = resolveMotion(where, changes, this.known().motion)
    this.state = { ...this.state, motion }
    this.wake()
  }

  /** Velocity of the air [m/s]. */
  get wind(): vec3 {
    return [...this.known().motion.wind]
  }

  set wind(wind: ArrayLike<number>) {
    this.set({ wind: finiteVector(`${this.label}: wind`, wind, 3) as unknown as vec3 })
  }

  /** Holds vertices where they are: in place, or on a body. Those that are held already change hands. */
  pin(vertices: ArrayLike<number>, body?: Body): void {
    const where = `${this.label}: pin`
    this.world.bodies.callbacks.refuse(where)
    const group = body === undefined ? { vertices } : { vertices, body }
    const found = readPins(where, this.world, this.asset, [group])
    const { vertices: bodies, pins } = this.known()
    const others = pins.filter((pin) => !found.has(pin.vertex))
    for (const pin of pins) if (found.has(pin.vertex)) releaseVertex(pin, bodies[pin.vertex])
    this.update({ ...this.state, pins: [...others, ...held(this.world, bodies, found)] })
  }

  /** Lets vertices go, all of them where none are named. */
  unpin(vertices?: ArrayLike<number>): void {
    const where = `${this.label}: unpin`
    this.world.bodies.callbacks.refuse(where)
    const { vertices: bodies, pins } = this.known()
    const found = vertices === undefined ? undefined : readPins(where, this.world, this.asset, [{ vertices }])
    const goes = (pin: Pin): boolean => found === undefined || found.has(pin.vertex)
    for (const pin of pins) if (goes(pin)) releaseVertex(pin, bodies[pin.vertex])
    this.update({ ...this.state, pins: pins.filter((pin) => !goes(pin)) })
  }

  /** Numbers of the vertices that are held, as vertices of the asset. */
  get pins(): readonly Pin[] {
    return this.known().pins
  }

  /** Where a pinned vertex is to be at the end of the next step [m]; substeps go between. */
  movePin(vertex: number, target: ArrayLike<number>): void {
    const where = `${this.label}: movePin`
    const v = vertexAt(`${where}: vertex`, this.asset, vertex)
    const { vertices, pins } = this.known()
    const pin = pins.find((known) => known.vertex === v)
    if (pin === undefined || pin.body !== undefined) {
      throw new RangeError(`${where}: vertex must be one that is held in place, got ${vertex}`)
    }
    vertices[v].setTarget(finiteVector(`${where}: target`, target, 3) as unknown as vec3)
  }

  /**
   * Where the skin is to be at the end of the next step: x, y, z of each vertex as it was given [m]. For `maxDistance` and `backstopDistance`.
   * @param normals - outward, of each vertex. Left out: those of the triangles.
   */
  setSkin(positions: ArrayLike<number>, normals?: ArrayLike<number>): void {
    const where = `${this.label}: setSkin`
    const { asset, settings } = this
    const { skin } = this.known()
    const x = new Float64Array(asset.positions.length)
    readPose(`${where}: positions`, asset, positions, x)
    const n = new Float64Array(x.length)
    if (normals === undefined) n.set(normalsOf(asset.triangles, x))
    else readPose(`${where}: normals`, asset, normals, n)
    leadSkin(skin, settings, x, n)
  }

  /** What came apart in the last step. */
  get torn(): readonly Tear[] {
    return this.known().torn
  }

  /** Stretch, tension, area and energy at present. Made when asked for. */
  measure(): ClothReadout {
    return readCloth(this.asset, this.known(), this.world)
  }

  /** Triangles and vertices to be drawn: as given, and more where it has torn. A new object when they have changed. */
  get topology(): ClothTopology {
    return topologyOf(this.asset, this.known())
  }

  /** Writes x, y, z of each vertex of {@link topology} [m]. What is of a body that is gone is left as it was. */
  positions(out: Float32Array | Float64Array): void {
    const { vertices } = this.known()
    const { vertexOf } = this.topology
    const { position } = this.world.bodies.columns
    outVector(`${this.label}: positions: out`, out, 3 * vertexOf.length)
    for (let g = 0; g < vertexOf.length; g++) {
      const body = vertices[vertexOf[g]] as Body | undefined
      if (body?.alive === false) continue
      const p = 4 * (body?.index ?? 0)
      for (let k = 0; k < 3; k++) out[3 * g + k] = position[p + k]
    }
  }

  override lead(dt: number): void {
    const { pins, vertices } = this.state
    followPins(pins, vertices)
    leadPins(pins, vertices, dt)
  }

  override beforeStep(dt: number): void {
    const { motion, vertices, rows, triangles } = this.state
    this.dt = dt
    const isCarried = motion.frame?.alive === true && (motion.linearInertia < 1 || motion.angularInertia < 1)
    if (isCarried) this.frameMotion.begin(motion.frame, dt)
    if (this.rebuilt !== this.state) {
      this.air.follow(vertices, triangles)
      this.rebuilt = this.state
    }
    const { clock, settings, bodies } = this.world
    // What carries it takes the air along.
    this.air.beginStep(bodies.columns, dt, isCarried ? 0 : clock.substepLength * settings.substeps)
    if (motion.gust > 0) this.wake()
    if (this.tears) this.forces.begin(rows)
    this.first = true
  }

  private first = true

  override beforeSubstep(h: number): void {
    const { motion, vertices, rows } = this.state
    const { columns } = this.world.bodies
    if (motion.frame?.alive === true && (motion.linearInertia < 1 || motion.angularInertia < 1)) {
      this.frameMotion.carry(columns, vertices, motion, h)
    }
    if (motion.drag > 0 || motion.lift > 0 || motion.pressure !== 0) {
      this.air.addForces(columns, motion, this.world.settings.gravity, h, this.world.clock.time)
    }
    if (this.tears && !this.first) this.forces.add(rows, h)
    this.first = false
  }

  override afterStep(dt: number): void {
    if (!this.tears) return
    const { state, world, asset, settings } = this
    this.forces.add(state.rows, dt / world.settings.substeps)
    const before = state.torn.length > 0 ? { ...state, torn: [] } : state
    const next = tear(world, asset, settings.strength, before, this.forces)
    if (next === state) return
    if (next === before) this.state = before
    else {
      this.update(next)
      collide(world, next.vertices, next.origin, next.triangles, settings)
      this.refreshLod()
    }
  }

  protected override bendRows(): readonly Constraint[] {
    return this.state.rows.flatMap(({ part, constraints }) => (part === 'bend' ? constraints : []))
  }

  protected override madeContacts(): MadeContacts {
    return this.settings
  }

  protected override lodFrame(): Body | undefined {
    return this.state.motion.frame
  }

  protected override ledBodies(): readonly (Body | undefined)[] {
    const { pins, vertices } = this.state
    return pins.map(({ vertex, joint }) => (joint === undefined ? vertices[vertex] : undefined))
  }

  protected override isAnchored(): boolean {
    return this.state.pins.some(({ body }) => body === undefined)
  }

  override bodyRemoved(row: number): void {
    this.air.forget(row)
  }

  write(scene: SceneWriter): object {
    return writeCloth(scene, this.asset, this.settings, this.state)
  }

  private update(next: Omit<ClothState, 'bodies' | 'constraints'>): void {
    this.state = gathered(next)
    this.refreshLod()
    this.wake()
  }
}

/** Holds vertices by what was found for them. */
function held(world: LeanWorld, vertices: readonly Body[], found: ReadonlyMap<number, Body | undefined>): Pin[] {
  return Array.from(found, ([v, body]) => holdVertex(world, v, vertices[v], body))
}

/**
 * Makes a cloth of any indexed mesh: `cloth(world, { positions, indices, pins: [0, 24] })`. Seams are closed, threads found, mass and stiffness shared out by area. It
 * collides with the colliders of the world's `Collisions`, if the world has them at that time. Throws `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a field is wrong.
 */
export function cloth(world: LeanWorld, def: ClothDef): Cloth {
  const where = typeof def?.name === 'string' ? `cloth "${def.name}"` : 'cloth'
  instance(`${where}: world`, world, LeanWorld, 'a World')
  world.bodies.callbacks.refuse(where)
  const asset = inContext(where, () => assetOf(where, def))
  const pins = readPins(`${where}: pins`, world, asset, def.pins ?? [])
  const isLed = Array.from(pins.values()).every((body) => body?.type !== 'dynamic')
  const settings = resolveSettings(where, def, asset, isLed)
  const motion = resolveMotion(where, def)
  if (motion.frame !== undefined) checkHolder(`${where}: frame`, world, motion.frame)
  const { rest, start } = placed(where, def, asset)
  const velocity = finiteVector(`${where}: velocity`, def.velocity ?? [0, 0, 0], 3)
  const count = asset.areas.length
  const vertices = addBodies(world, {
    count,
    positions: rest,
    velocities: Float64Array.from({ length: 3 * count }, (_, k) => velocity[k % 3]),
    mass: asset.areas.map((area, v) => area * settings.density[v]),
  })
  try {
    const planned = rowsOf(asset, settings)
    const made = addRows({ world, asset, settings, vertices }, planned)
    const rows = planned.map((row, k): BuiltRow => ({ ...row, constraints: made[k] }))
    const tethers = addTethers(world, asset, settings, vertices, Array.from(pins.keys()))
    const origin = Uint32Array.from({ length: count }, (_, v) => v)
    collide(world, vertices, origin, asset.triangles, settings)
    if (start !== rest) {
      vertices.forEach((body, v) => body.setPosition([start[3 * v], start[3 * v + 1], start[3 * v + 2]]))
    }
    const skin = addSkin(world, asset, settings, vertices, start)
    const state = gathered({
      vertices,
      origin,
      triangles: asset.triangles,
      rows,
      pins: held(world, vertices, pins),
      tethers,
      skin,
      motion,
      torn: [],
    })
    const owner = Assemblies.of(world)
    return owner.add(new Cloth(owner, world, def.name, asset, settings, state))
  } catch (error) {
    for (const body of vertices) body.remove()
    throw error
  }
}

/** Positions at rest and at the start, in the world [m]. */
function placed(where: string, def: ClothDef, asset: ClothAsset): { rest: Float64Array; start: Float64Array } {
  const { position, orientation } = placeOf(where, def)
  const put = (x: Float64Array): Float64Array => {
    const out = new Float64Array(x.length)
    for (let o = 0; o < x.length; o += 3) {
      rotateVector(orientation, 0, x[o], x[o + 1], x[o + 2], out, o)
      for (let k = 0; k < 3; k++) out[o + k] += position[k]
    }
    return out
  }
  const rest = put(asset.positions)
  if (def.pose === undefined) return { rest, start: rest }
  const pose = new Float64Array(asset.positions.length)
  readPose(`${where}: pose`, asset, def.pose, pose)
  return { rest, start: put(pose) }
}

/** What tethers measure, by kind. */
const DISTANCES = { euclidean: straightDistances, threads: threadDistances, geodesic: geodesicDistances } as const

/** Tethers from each free vertex to its nearest pin. */
function addTethers(
  world: LeanWorld,
  asset: ClothAsset,
  settings: ClothSettings,
  vertices: readonly Body[],
  pins: readonly number[],
): Constraint[] {
  if (settings.tether === 'none' || pins.length === 0) return []
  const distances = DISTANCES[settings.tether](asset, pins)
  const { pin } = distances
  const indices: number[] = []
  const length: number[] = []
  for (let v = 0; v < vertices.length; v++) {
    if (pin[v] < 0 || pin[v] === v) continue
    indices.push(v, pin[v])
    length.push(settings.tetherScale * tetherLength(asset, distances, v))
  }
  const made: unknown = [...addConstraints(world, tether, { bodies: vertices, indices, each: { length } })]
  return made as Constraint[]
}

/** Gives vertices their thickness, and the surface its triangles. Called at rest: what is near there may stay as near. */
function collide(
  world: LeanWorld,
  vertices: readonly Body[],
  origin: ArrayLike<number>,
  triangles: Uint32Array,
  settings: ClothSettings,
): void {
  const { collides, friction, layer, mask, group, selfCollision, surfaceContacts, thickness } = settings
  if (!collides) return
  const radius = Float64Array.from({ length: vertices.length }, (_, v) => thickness[origin[v]])
  const surface = selfCollision === 'surface' || surfaceContacts !== false ? { triangles } : {}
  collideAs(world, vertices, { radius, friction, layer, mask, group, selfCollision, surfaceContacts, ...surface })
}
