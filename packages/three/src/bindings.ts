/**
 * What is drawn of a world: bodies and the objects of three that stand for them, many at once.
 *
 *   new Bindings(world)      .bind(body, mesh)  .bindInstances(bodies, instancedMesh)  .drive(body, object)  .show(surface, mesh)
 *   a frame                  step the world; .update(alpha)
 *
 * An object is where its body is, times an offset, in the space of whatever parent the object has: parents may move, turn, and be scaled evenly and
 * mirrored. An object's own scale is left alone. A frame allocates nothing.
 */

import { type Body, type LeanWorld } from '@tautline/core'
import { HAS_TARGET, KINEMATIC, rotationBetween, rotate } from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { type InstancedMesh, type Object3D, Vector3 } from 'three'
import { aBody, aWorld, isThree, knownFields, kindOf, placeOf, share } from './checks.js'
import { InstancedBinding, type InstanceOptions } from './instances.js'
import { composePoses, invertPose, POSE, writePose } from './poses.js'
import { Space } from './space.js'

/** How an object stands against its body. */
export interface BindOptions {
  /** Where the object's origin is in the frame of the body, from its centre of mass [m]. @defaultValue [0, 0, 0] */
  position?: ReadonlyVec3
  /** How the object is turned in the frame of the body, [x, y, z, w]. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** Whether the offset is the present one of the two, in place of the fields above. @defaultValue false */
  keepOffset?: boolean
}

/** What a frame brings up to date: surfaces, lines, tubes, ragdolls. */
export interface Updatable {
  /** At `alpha` from the start of the last step (0) to its end (1). */
  update(alpha?: number): void
}

/** What can say which of its points is near another: what a dragger takes hold of. */
export interface Grabbable {
  /** The body nearest to a world point [m], and where on it, in its space [m]. `null` where there is none. */
  nearest(point: ReadonlyVec3): GrabPoint | null
}

/** A point of a body. */
export interface GrabPoint {
  /** The body. */
  body: Body
  /** In its space, from its centre of mass [m]. */
  point: [number, number, number]
}

/** A body and the object that shows it, or that it follows. */
export interface BodyBinding {
  /** The body. */
  readonly body: Body
  /** The object. */
  readonly object: Object3D
  /** Whether the body follows the object, and not the other way round. */
  readonly driven: boolean
  /** Ends it; body and object stay as they are. */
  end(): void
}

const pose = /* @__PURE__ */ new Float64Array(POSE)
const goal = /* @__PURE__ */ new Float64Array(POSE)
const way = /* @__PURE__ */ new Float64Array(3)

class Bound implements BodyBinding {
  readonly body: Body
  readonly object: Object3D
  readonly driven: boolean
  /** Object to body: the offset; of a driven body, body to object. */
  readonly offset: Float64Array
  /** Where a driven body is to be when the frame is over, and where it was. */
  readonly to = new Float64Array(POSE)
  readonly from = new Float64Array(POSE)
  depth = 0
  private readonly owner: Bound[]

  constructor(owner: Bound[], body: Body, object: Object3D, offset: Float64Array, driven: boolean) {
    this.owner = owner
    this.body = body
    this.object = object
    this.offset = offset
    this.driven = driven
  }

  end(): void {
    const at = this.owner.indexOf(this)
    if (at >= 0) this.owner.splice(at, 1)
  }
}

/** Objects of three that show bodies of one world. */
export class Bindings {
  /** The world. */
  readonly world: LeanWorld
  private readonly shown: Bound[] = []
  private readonly drivers: Bound[] = []
  private readonly instanced: InstancedBinding[] = []
  private readonly others: { item: Updatable; object: Object3D | null }[] = []
  private readonly space = new Space()

  /** Binds nothing yet. Throws `TypeError` for what is no world. */
  constructor(world: LeanWorld) {
    this.world = aWorld('Bindings: world', world)
  }

  /**
   * Lets an object show a body: `update` puts it where the body is. An object shows one body; a body may be shown by many. Of
   * dynamic particles, which have no orientation, the object keeps its own. Throws `TypeError`/`RangeError`, and binds nothing, when an
   * argument is wrong, the object is bound already, or a parent is scaled unevenly.
   */
  bind(body: Body, object: Object3D, options: BindOptions = {}): BodyBinding {
    const offset = this.offsetOf('bind', body, object, options)
    return add(this.shown, new Bound(this.shown, body, object, offset, false))
  }

  /**
   * Lets a kinematic body follow an object: `aim`, called before each step, hands it the object's place as its target. The offset is
   * that of the object in the body's frame, as in {@link Bindings.bind}. Throws `TypeError`/`RangeError`, and binds nothing, when an
   * argument is wrong or the body is not kinematic.
   */
  drive(body: Body, object: Object3D, options: BindOptions = {}): BodyBinding {
    const offset = this.offsetOf('drive', body, object, options)
    if (body.type !== 'kinematic') {
      throw new TypeError(`drive: ${body.label} must be kinematic, got ${body.type}`)
    }
    const inverse = new Float64Array(POSE)
    invertPose(offset, inverse)
    return add(this.drivers, new Bound(this.drivers, body, object, inverse, true))
  }

  /** Lets the instances of a mesh show bodies, one each: see {@link InstancedBinding}. Throws as its constructor does. */
  bindInstances(
    bodies: readonly (Body | null)[],
    mesh: InstancedMesh,
    options: InstanceOptions = {},
  ): InstancedBinding {
    return add(this.instanced, new InstancedBinding(this.world, bodies, mesh, options))
  }

  /**
   * Takes something else along in `update`: a surface, a rope, a ragdoll. With the object that shows it, and if it is
   * {@link Grabbable}, a dragger finds it too.
   */
  show<T extends Updatable>(item: T, object: Object3D | null = null): T {
    if (typeof (item as Partial<T> | null)?.update !== 'function') {
      throw new TypeError(`show: item must have an update, got ${kindOf(item)}`)
    }
    if (object !== null) isThree('show: object', object, 'isObject3D')
    if (this.others.some((other) => other.item === item)) throw new RangeError('show: item must be new, got it twice')
    this.others.push({ item, object })
    return item
  }

  /** Removes the bindings of an object, or an item of `show`. Returns whether there was one. Nothing else changes. */
  remove(what: Object3D | Updatable): boolean {
    let found = false
    for (const list of [this.shown, this.drivers]) {
      for (let k = list.length - 1; k >= 0; k--) if (list[k].object === what) found = list.splice(k, 1).length > 0
    }
    for (let k = this.instanced.length - 1; k >= 0; k--) {
      const binding = this.instanced[k]
      if (binding.mesh === what || binding === what) found = this.instanced.splice(k, 1).length > 0
    }
    for (let k = this.others.length - 1; k >= 0; k--) {
      const { item, object } = this.others[k]
      if (item === what || object === what) found = this.others.splice(k, 1).length > 0
    }
    return found
  }

  /** Ends everything. */
  clear(): void {
    this.shown.length = this.drivers.length = this.instanced.length = this.others.length = 0
  }

  /**
   * Puts every object where its body is, at `alpha` from the start of the last step (0) to its end (1). What shows a body that is no
   * more stays as it is; an instance of one vanishes. Throws `RangeError` for an `alpha` outside [0, 1], and where a parent was scaled unevenly since.
   *
   * @defaultValue alpha = 1
   */
  update(alpha = 1): void {
    share('update: alpha', alpha)
    const { shown, space, world } = this
    const c = world.bodies.columns
    sortByDepth(shown)
    let parent: Object3D | null | undefined
    for (let k = 0; k < shown.length; k++) {
      const { body, object, offset } = shown[k]
      if (!body.alive) continue
      writePose(c, body.index, alpha, pose, 0)
      composePoses(pose, 0, offset, 0, pose, 0)
      if (object.parent !== parent) space.enter((parent = object.parent))
      const keepsTurn = body.isParticle && body.type === 'dynamic'
      if (!keepsTurn) needEven('update', space, object)
      place(object, space, keepsTurn)
    }
    for (let k = 0; k < this.instanced.length; k++) this.instanced[k].update(alpha)
    for (let k = 0; k < this.others.length; k++) this.others[k].item.update(alpha)
  }

  /**
   * Hands driven bodies their targets for the step that comes: of `steps` steps of a frame that of number `step`, from 0, which is to
   * go so much of the way. `FixedStep` calls it when it is given these bindings.
   *
   * @defaultValue step = 0, steps = 1
   */
  aim(step = 0, steps = 1): void {
    const c = this.world.bodies.columns
    const { drivers } = this
    for (let k = 0; k < drivers.length; k++) {
      const { body, object, offset, from, to } = drivers[k]
      if (!body.alive || c.kind[body.index] !== KINEMATIC) continue
      const i = body.index
      if (step === 0) {
        writePose(c, i, 1, from, 0)
        needEven('aim', this.space.enter(object.parent), object)
        this.space.readPose(object, to)
        composePoses(to, 0, offset, 0, to, 0)
      }
      const t = (step + 1) / steps
      rotationBetween(to, 3, from, 3, way, 0)
      for (let n = 0; n < POSE; n++) goal[n] = from[n]
      for (let n = 0; n < 3; n++) c.targetPosition[3 * i + n] = t === 1 ? to[n] : from[n] + t * (to[n] - from[n])
      rotate(goal, 3, t * way[0], t * way[1], t * way[2])
      for (let n = 0; n < 4; n++) c.targetOrientation[4 * i + n] = t === 1 ? to[3 + n] : goal[3 + n]
      c.flags[i] |= HAS_TARGET
    }
  }

  /** The body that an object shows; `null` where it shows none. Objects inside a bound one count as it. */
  bodyOf(object: Object3D): Body | null {
    for (let up: Object3D | null = object; up !== null; up = up.parent) {
      for (let k = 0; k < this.shown.length; k++) if (this.shown[k].object === up) return this.shown[k].body
      for (let k = 0; k < this.drivers.length; k++) if (this.drivers[k].object === up) return this.drivers[k].body
    }
    return null
  }

  /** The binding of an instanced mesh; `null` where it has none. */
  instancesOf(object: Object3D): InstancedBinding | null {
    return this.instanced.find(({ mesh }) => mesh === object) ?? null
  }

  /** What was given to `show` with an object, or with one that holds it; `null` where nothing was. */
  itemOf(object: Object3D): Updatable | null {
    for (let up: Object3D | null = object; up !== null; up = up.parent) {
      const found = this.others.find((other) => other.object === up)
      if (found !== undefined) return found.item
    }
    return null
  }

  /** All objects that show something: for a raycaster. */
  objects(): Object3D[] {
    return [
      ...this.shown.map(({ object }) => object),
      ...this.drivers.map(({ object }) => object),
      ...this.instanced.map(({ mesh }) => mesh),
      ...this.others.flatMap(({ object }) => (object === null ? [] : [object])),
    ]
  }

  private offsetOf(where: string, body: Body, object: Object3D, options: BindOptions): Float64Array {
    aBody(`${where}: body`, body, this.world)
    isThree(`${where}: object`, object, 'isObject3D')
    knownFields(where, options, ['position', 'orientation', 'keepOffset'])
    const { position, orientation, keepOffset } = options
    if ([...this.shown, ...this.drivers].some((other) => other.object === object)) {
      throw new RangeError(`${where}: object must be bound to one body, got ${object.name || object.type} again`)
    }
    this.space.enter(object.parent)
    if (!body.isParticle || body.type !== 'dynamic') needEven(where, this.space, object)
    const offset = placeOf(where, position, orientation)
    if (keepOffset !== true) return offset
    if (position !== undefined || orientation !== undefined) {
      throw new TypeError(`${where}: give keepOffset or position and orientation, got both`)
    }
    writePose(this.world.bodies.columns, body.index, 1, pose, 0)
    invertPose(pose, goal)
    this.space.readPose(object, offset)
    composePoses(goal, 0, offset, 0, offset, 0)
    return offset
  }
}

/** Refuses a space in which nothing can turn without being sheared. */
function needEven(where: string, space: Space, object: Object3D): void {
  if (space.isEven) return
  const { x, y, z } = object.parent!.getWorldScale(new Vector3())
  throw new RangeError(
    `${where}: parents of ${object.name || object.type} must be scaled evenly, as it turns with its body, got a scale of ${x}, ${y}, ${z}: scale its mesh instead`,
  )
}

/** Writes `pose` into an object, in its parent's space. */
function place(object: Object3D, space: Space, keepsTurn: boolean): void {
  space.points(pose, 0, 1)
  object.position.set(pose[0], pose[1], pose[2])
  if (!keepsTurn) {
    space.toLocal(pose, 3, object.quaternion)
  }
  if (!object.matrixAutoUpdate) {
    object.updateMatrix()
    object.matrixWorldNeedsUpdate = true
  }
}

/** Parents first, as an object may hang on another bound one. Insertion keeps what is in order, as it mostly is. */
function sortByDepth(list: Bound[]): void {
  for (let k = 0; k < list.length; k++) {
    const item = list[k]
    item.depth = 0
    for (let up = item.object.parent; up !== null; up = up.parent) item.depth++
    let at = k
    for (; at > 0 && list[at - 1].depth > item.depth; at--) list[at] = list[at - 1]
    list[at] = item
  }
}

function add<T>(list: T[], item: T): T {
  list.push(item)
  return item
}
