/**
 * Pulls things about with a pointer, by a point drive of `@tautline/constraints`.
 *
 * Its stiffness and damping are those of a frequency and a damping ratio on the mass of all that hangs together by constraints, so that a corner of a
 * cloth carries the cloth and a hand the figure. You give rays; where they come from, mouse, touch or controller, is yours.
 */

import { pointDrive, type PointDriveDef, springGains, type SpringStrength } from '@tautline/constraints'
import { type Body, type Constraint, type LeanWorld } from '@tautline/core'
import { type BodyColumns, DYNAMIC, finiteVector } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { type Intersection, type Object3D, type Ray, Raycaster, Vector3 } from 'three'
import type { Bindings, Grabbable, GrabPoint } from './bindings.js'
import { aBody, aWorld, knownFields, kindOf, upTo } from './checks.js'

/** The point drive of a pointer: as others, but not kept in JSON, where nobody would let go of it. */
const drag: typeof pointDrive = { ...pointDrive, name: 'drag', transient: true }

/** How strongly a dragger pulls. */
export interface DragOptions extends SpringStrength {
  /** Undamped natural frequency [Hz] of `mass` on the spring. @defaultValue 3 */
  frequency?: number
  /** What the frequency moves [kg]. @defaultValue all that hangs together by constraints */
  mass?: number
  /** Most that it pulls with [N]. @defaultValue Infinity with `stiffness`, else ten times the weight on earth of `mass` */
  maxForce?: number
}

const OPTIONS = ['stiffness', 'damping', 'frequency', 'dampingRatio', 'mass', 'maxForce']
/** Standard gravity [m/s²]. */
const GRAVITY = 9.80665
const WEIGHTS = 10
/** Natural frequency where none is given [Hz]. */
const FREQUENCY = 3

/** What a ray took hold of. */
export interface Grabbed extends GrabPoint {
  /** What the ray met; `null` where no ray was used. */
  object: Object3D | null
}

/** One pointer that takes hold of one body at a time. For more fingers make more of them. */
export class Dragger {
  /** The bindings whose objects rays are tried on. */
  readonly bindings: Bindings
  private readonly options: DragOptions
  private readonly caster = new Raycaster()
  private readonly hits: Intersection[] = []
  /** Plane in which rays move the target: n·x = d. */
  private readonly normal = new Vector3()
  private offset = 0
  private readonly goal = new Float64Array(3)
  /** Kept when it ends: a restored snapshot may bring it back, and then it must be possible to let go. */
  private made: Constraint<PointDriveDef> | null = null
  private holding: GrabPoint | null = null

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(bindings: Bindings, options: DragOptions = {}) {
    aWorld('Dragger: bindings.world', (bindings as Partial<Bindings> | null)?.world)
    checkOptions('Dragger', options)
    this.bindings = bindings
    this.options = options
  }

  /** The constraint at work; `null` while nothing is held. */
  get constraint(): Constraint<PointDriveDef> | null {
    return this.made?.alive === true ? this.made : null
  }

  /** What is held; `null` once it was let go, or the body is no more. A snapshot from before brings it back. */
  get held(): GrabPoint | null {
    return this.made?.alive === true ? this.holding : null
  }

  /** Where it is pulled to, world [m]: written to `out` and returned. */
  getTarget(out: [number, number, number] = [0, 0, 0]): [number, number, number] {
    for (let k = 0; k < 3; k++) out[k] = this.goal[k]
    return out
  }

  /**
   * Takes hold of the first dynamic body that a ray [m] meets, of the objects in the bindings, at the point where it does, and lets go of
   * what was held before. What is invisible, or not dynamic, is passed through; of surfaces and ropes it is the nearest node. `null`
   * where there is none. The target then moves in the plane through that point across `normal`, by default the ray.
   */
  grab(ray: Ray, options: { normal?: ReadonlyVec3; far?: number } = {}): Grabbed | null {
    checkRay('grab', ray)
    knownFields('grab', options, ['normal', 'far'])
    this.release()
    const { caster, hits, bindings } = this
    caster.ray.copy(ray)
    caster.ray.direction.normalize()
    caster.far = upTo('grab: far', options.far ?? Infinity)
    const objects = bindings.objects().filter(isVisible)
    for (const object of objects) object.updateWorldMatrix(true, true)
    hits.length = 0
    caster.intersectObjects(objects, true, hits)
    try {
      for (const hit of hits) {
        const grabPoint = this.grabPointOf(hit)
        if (grabPoint === null || grabPoint.body.type !== 'dynamic') continue
        const target: [number, number, number] = [0, 0, 0]
        grabPoint.body.toWorld(grabPoint.point, target)
        this.take(grabPoint, target)
        this.facePlane(options.normal ?? caster.ray.direction.toArray(), target)
        return { ...grabPoint, object: hit.object }
      }
    } finally {
      hits.length = 0
    }
    return null
  }

  /**
   * Takes hold of a point of a body, in its space [m], by default its centre, and lets go of what was held before. Throws
   * `TypeError`/`RangeError` when an argument is wrong or the body is not dynamic.
   */
  grabBody(body: Body, point: ReadonlyVec3 = [0, 0, 0]): Grabbed {
    aBody('grabBody: body', body, this.bindings.world)
    const [x, y, z] = Array.from(finiteVector('grabBody: point', point, 3))
    if (body.type !== 'dynamic') throw new TypeError(`grabBody: ${body.label} must be dynamic, got ${body.type}`)
    this.release()
    const grabPoint: GrabPoint = { body, point: [x, y, z] }
    const target: [number, number, number] = [0, 0, 0]
    body.toWorld(grabPoint.point, target)
    this.take(grabPoint, target)
    this.facePlane([0, 0, 1], target)
    return { ...grabPoint, object: null }
  }

  /** Moves the target to where a ray meets the plane; stays where it does not. Allocates nothing. Says whether something is held. */
  move(ray: Ray): boolean {
    checkRay('move', ray)
    if (this.held === null) return false
    const { normal } = this
    const { origin, direction } = ray
    const towards = normal.dot(direction)
    const t = (this.offset - normal.dot(origin)) / towards
    if (!(t > 0 && t < Infinity)) return true
    this.goal[0] = origin.x + t * direction.x
    this.goal[1] = origin.y + t * direction.y
    this.goal[2] = origin.z + t * direction.z
    this.steer()
    return true
  }

  /** Moves the target to a world point [m], and the plane with it. Says whether something is held. */
  moveTo(point: ReadonlyVec3): boolean {
    finiteVector('moveTo: point', point, 3)
    if (this.held === null) return false
    for (let k = 0; k < 3; k++) this.goal[k] = point[k]
    this.offset = this.normal.x * point[0] + this.normal.y * point[1] + this.normal.z * point[2]
    this.steer()
    return true
  }

  /** Moves the plane along its normal [m], as by a wheel: away from the viewer where the normal was the ray's. */
  push(distance: number): boolean {
    const { normal, goal } = this
    const [d] = Array.from(finiteVector('push: distance', [distance], 1))
    return this.moveTo([goal[0] + d * normal.x, goal[1] + d * normal.y, goal[2] + d * normal.z])
  }

  /** Lets go; what was held keeps its speed. Does nothing when nothing is held. */
  release(): void {
    if (this.made?.alive === true) this.made.remove()
  }

  private take(grabPoint: GrabPoint, target: [number, number, number]): void {
    const { world } = this.bindings
    this.made = world.add(drag, {
      bodies: [grabPoint.body],
      point: grabPoint.point,
      target,
      ...strengthOf(world, grabPoint.body, this.options),
    })
    this.holding = grabPoint
    this.goal.set(target)
  }

  private facePlane(normal: ArrayLike<number>, through: readonly number[]): void {
    finiteVector('grab: normal', normal, 3)
    this.normal.set(normal[0], normal[1], normal[2]).normalize()
    this.offset = this.normal.x * through[0] + this.normal.y * through[1] + this.normal.z * through[2]
  }

  /** The target into the row: a change of the definition would make a new one a frame. */
  private steer(): void {
    const constraint = this.made as Constraint<PointDriveDef>
    const { batch, world } = constraint
    const row = constraint.row()
    ;(batch.columns as unknown as Record<string, Float64Array>).target.set(this.goal, 3 * row)
    world.bodies.wake(batch.ids[row])
  }

  private grabPointOf({ object, instanceId, point }: Intersection): GrabPoint | null {
    const { bindings } = this
    const at: [number, number, number] = [point.x, point.y, point.z]
    const instances = bindings.instancesOf(object)
    const body = instances === null ? bindings.bodyOf(object) : (instances.bodies[instanceId ?? -1] ?? null)
    if (body !== null) {
      if (!body.alive) return null
      const local: [number, number, number] = [0, 0, 0]
      if (!body.isParticle) body.toBody(at, local)
      return { body, point: local }
    }
    const item = bindings.itemOf(object) as Partial<Grabbable> | null
    return item?.nearest?.(at) ?? null
  }
}

function isVisible(object: Object3D): boolean {
  for (let up: Object3D | null = object; up !== null; up = up.parent) if (!up.visible) return false
  return true
}

function checkRay(where: string, ray: unknown): void {
  const { origin, direction } = (ray ?? {}) as Partial<Ray>
  if (origin?.isVector3 !== true || direction?.isVector3 !== true) {
    throw new TypeError(`${where}: ray must be a Ray of three, got ${kindOf(ray)}`)
  }
  finiteVector(`${where}: ray.origin`, [origin.x, origin.y, origin.z], 3)
  finiteVector(`${where}: ray.direction`, [direction.x, direction.y, direction.z], 3)
}

function checkOptions(where: string, options: DragOptions): void {
  knownFields(where, options, OPTIONS)
  const { maxForce, ...strength } = options
  springGains(where, strength, 1, FREQUENCY)
  if (maxForce !== undefined) upTo(`${where}: maxForce`, maxForce)
}

function strengthOf(
  world: LeanWorld,
  body: Body,
  { maxForce, ...strength }: DragOptions,
): Pick<PointDriveDef, 'stiffness' | 'damping' | 'maxForce'> {
  if (strength.stiffness !== undefined) {
    return { ...springGains('Dragger', strength, 1, FREQUENCY), maxForce: maxForce ?? Infinity }
  }
  const mass = strength.mass ?? massTogether(world, body.index)
  return { ...springGains('Dragger', strength, mass, FREQUENCY), maxForce: maxForce ?? WEIGHTS * GRAVITY * mass }
}

/** Mass [kg] of the dynamic bodies that constraints join to a body, over others or not; what only touches is not joined. */
function massTogether(world: LeanWorld, start: number): number {
  const c: BodyColumns = world.bodies.columns
  const seen = new Uint8Array(world.bodies.count)
  seen[start] = 1
  for (let grew = true; grew;) {
    grew = false
    for (const { type, ids, arity, count, common } of world.batches) {
      if (type.transient === true) continue
      for (let row = 0; row < count; row++) {
        if (common.enabled[row] === 0) continue
        let touches = false
        for (let k = arity * row; k < arity * (row + 1); k++) if (seen[ids[k]] === 1) touches = true
        if (!touches) continue
        for (let k = arity * row; k < arity * (row + 1); k++) {
          if (seen[ids[k]] === 1 || c.kind[ids[k]] !== DYNAMIC) continue
          seen[ids[k]] = 1
          grew = true
        }
      }
    }
  }
  let mass = 0
  for (let i = 0; i < seen.length; i++) if (seen[i] === 1) mass += 1 / c.inverseMass[i]
  return mass
}
