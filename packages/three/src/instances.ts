/** Many bodies shown by the instances of one mesh. */

import type { Body, LeanWorld } from '@tautline/core'
import { finiteVector, positive } from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { type InstancedMesh, Sphere } from 'three'
import { aBody, aWorld, integer, isThree, knownFields, kindOf, placeOf, share } from './checks.js'
import { composePoses, POSE, writePose } from './poses.js'
import { Space } from './space.js'

/** How instances stand against their bodies. */
export interface InstanceOptions {
  /** Where an instance's origin is in the frame of its body, from the centre of mass [m]. @defaultValue [0, 0, 0] */
  position?: ReadonlyVec3
  /** How it is turned in the frame of its body, [x, y, z, w]. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** Scale of the instances: one number for all, a number a body, or three a body. @defaultValue 1 */
  scale?: number | ArrayLike<number>
}

const pose = /* @__PURE__ */ new Float64Array(POSE)
const matrix = /* @__PURE__ */ new Float64Array(16)

/**
 * Bodies and the instances of a mesh, by number. `null`, or a body that is no more, leaves its instance empty. The mesh's `count`
 * and bounding sphere are kept right, so that culling and rays work.
 */
export class InstancedBinding {
  /** The mesh; its parents may move. */
  readonly mesh: InstancedMesh
  /** The bodies by number of instance; changed by {@link InstancedBinding.set}. */
  readonly bodies: readonly (Body | null)[]
  private readonly world: LeanWorld
  private readonly offset: Float64Array
  /** Three numbers an instance. */
  private readonly scale: Float64Array
  private readonly space = new Space()
  private readonly sphere = new Sphere()

  /** Made by `Bindings.bindInstances`. Throws `TypeError`/`RangeError` when an argument is wrong, or the mesh has too little room. */
  constructor(world: LeanWorld, bodies: readonly (Body | null)[], mesh: InstancedMesh, options: InstanceOptions = {}) {
    const where = 'bindInstances'
    this.world = aWorld(`${where}: world`, world)
    isThree(`${where}: mesh`, mesh, 'isInstancedMesh')
    if (!Array.isArray(bodies)) throw new TypeError(`${where}: bodies must be an array, got ${kindOf(bodies)}`)
    knownFields(where, options, ['position', 'orientation', 'scale'])
    const room = mesh.instanceMatrix.count
    if (bodies.length > room) {
      throw new RangeError(`${where}: mesh must have room for ${bodies.length} instances, got ${room}`)
    }
    bodies.forEach((body: unknown, k) => body === null || aBody(`${where}: bodies[${k}]`, body, world))
    this.offset = placeOf(where, options.position, options.orientation)
    this.mesh = mesh
    this.bodies = bodies.slice()
    this.scale = new Float64Array(3 * room).fill(1)
    writeScales(`${where}: scale`, this.scale, options.scale ?? 1, bodies.length)
    mesh.count = bodies.length
    mesh.boundingSphere = this.sphere
  }

  /** Gives an instance another body, or none. Numbers up to the room of the mesh may be used; its `count` grows to hold them. */
  set(index: number, body: Body | null): void {
    const room = this.mesh.instanceMatrix.count
    if (integer('set: index', index, 0) >= room) throw new RangeError(`set: index must be below ${room}, got ${index}`)
    if (body !== null) aBody('set: body', body, this.world)
    const list = this.bodies as (Body | null)[]
    while (list.length <= index) list.push(null)
    list[index] = body
    this.mesh.count = list.length
  }

  /** Puts the instances where their bodies are: see `Bindings.update`. */
  update(alpha = 1): void {
    share('update: alpha', alpha)
    const { mesh, bodies, scale, offset, sphere } = this
    const c = this.world.bodies.columns
    const m = mesh.instanceMatrix.array
    const space = this.space.enter(mesh)
    const e = space.inverse.elements
    let shown = 0
    let lx = Infinity
    let ly = Infinity
    let lz = Infinity
    let hx = -Infinity
    let hy = -Infinity
    let hz = -Infinity
    let stretch = 0
    for (let k = 0; k < bodies.length; k++) {
      const body = bodies[k]
      const o = 16 * k
      if (body === null || !body.alive) {
        for (let n = 0; n < 16; n++) m[o + n] = n === 15 ? 1 : 0
        continue
      }
      writePose(c, body.index, alpha, pose, 0)
      composePoses(pose, 0, offset, 0, pose, 0)
      // In double until the space is the mesh's: what is far from the world's origin may be near to its own.
      writeMatrix(matrix, 0, scale, 3 * k)
      if (!space.isWorld) premultiply(e, matrix, 0)
      for (let n = 0; n < 16; n++) m[o + n] = matrix[n]
      shown++
      const x = m[o + 12]
      const y = m[o + 13]
      const z = m[o + 14]
      lx = Math.min(lx, x)
      ly = Math.min(ly, y)
      lz = Math.min(lz, z)
      hx = Math.max(hx, x)
      hy = Math.max(hy, y)
      hz = Math.max(hz, z)
      for (let n = o; n < o + 12; n += 4) {
        stretch = Math.max(stretch, m[n] * m[n] + m[n + 1] * m[n + 1] + m[n + 2] * m[n + 2])
      }
    }
    mesh.instanceMatrix.needsUpdate = true
    if (shown === 0) {
      sphere.makeEmpty()
      return
    }
    const { geometry } = mesh
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere()
    const own = geometry.boundingSphere as Sphere
    const reach = (own.center.length() + own.radius) * Math.sqrt(stretch)
    const x = 0.5 * (lx + hx)
    const y = 0.5 * (ly + hy)
    const z = 0.5 * (lz + hz)
    let most = 0
    for (let k = 0; k < bodies.length; k++) {
      const o = 16 * k
      if (m[o] === 0 && m[o + 1] === 0 && m[o + 2] === 0) continue
      const dx = m[o + 12] - x
      const dy = m[o + 13] - y
      const dz = m[o + 14] - z
      most = Math.max(most, dx * dx + dy * dy + dz * dz)
    }
    sphere.center.set(x, y, z)
    sphere.radius = Math.sqrt(most) + reach
  }
}

/** `pose` and a scale as a matrix, column-major. */
function writeMatrix(m: Float64Array, o: number, scale: Float64Array, s: number): void {
  const x = pose[3]
  const y = pose[4]
  const z = pose[5]
  const w = pose[6]
  const sx = scale[s]
  const sy = scale[s + 1]
  const sz = scale[s + 2]
  m[o] = sx * (1 - 2 * (y * y + z * z))
  m[o + 1] = sx * 2 * (x * y + w * z)
  m[o + 2] = sx * 2 * (x * z - w * y)
  m[o + 3] = 0
  m[o + 4] = sy * 2 * (x * y - w * z)
  m[o + 5] = sy * (1 - 2 * (x * x + z * z))
  m[o + 6] = sy * 2 * (y * z + w * x)
  m[o + 7] = 0
  m[o + 8] = sz * 2 * (x * z + w * y)
  m[o + 9] = sz * 2 * (y * z - w * x)
  m[o + 10] = sz * (1 - 2 * (x * x + y * y))
  m[o + 11] = 0
  m[o + 12] = pose[0]
  m[o + 13] = pose[1]
  m[o + 14] = pose[2]
  m[o + 15] = 1
}

/** m ← e m, affine. */
function premultiply(e: ArrayLike<number>, m: Float64Array, o: number): void {
  for (let n = o; n < o + 16; n += 4) {
    const x = m[n]
    const y = m[n + 1]
    const z = m[n + 2]
    const w = n === o + 12 ? 1 : 0
    m[n] = e[0] * x + e[4] * y + e[8] * z + w * e[12]
    m[n + 1] = e[1] * x + e[5] * y + e[9] * z + w * e[13]
    m[n + 2] = e[2] * x + e[6] * y + e[10] * z + w * e[14]
  }
}

function writeScales(where: string, out: Float64Array, scale: number | ArrayLike<number>, count: number): void {
  if (typeof scale === 'number') {
    out.fill(positive(where, scale))
    return
  }
  const each = scale?.length === 3 * count && count > 0 ? 3 : 1
  finiteVector(where, scale, each * count)
  for (let k = 0; k < 3 * count; k++) {
    const n = each === 3 ? k : (k - (k % 3)) / 3
    out[k] = positive(`${where}[${n}]`, scale[n])
  }
}
