/** A rope or a rod as a mesh that follows it, also where it pays out, takes in, is cut or tied. */

import { Rod, Rope } from '@tautline/assemblies'
import type { Body } from '@tautline/core'
import type { ReadonlyVec3 } from 'gl-matrix'
import { BufferAttribute, BufferGeometry, type Material, Mesh } from 'three'
import type { Grabbable, GrabPoint, Updatable } from '../bindings.js'
import { kindOf, knownFields } from '../checks.js'
import { RopeTube, type RopeTubeOptions } from '../rope.js'

/** How a rope is drawn. */
export interface RopeMeshOptions extends Omit<RopeTubeOptions, 'closed' | 'space' | 'radius'> {
  /** Radius of the tube [m]. @defaultValue that of the rope */
  radius?: number
  /** Length on which the texture goes along once [m]; it stays in place on the rope while it is reeled. @defaultValue all of it */
  textureLength?: number
}

const FIELDS = ['segments', 'sides', 'caps', 'radius', 'textureLength']

/** A mesh in the world's space that shows a rope or a rod: `bindings.show(mesh, mesh)`, or `mesh.update(alpha)` a frame. */
export class RopeMesh extends Mesh implements Updatable, Grabbable {
  /** What it shows. */
  readonly rope: Rope | Rod
  private readonly options: RopeMeshOptions
  private bodies: readonly Body[]
  /** None of a single node, which is left of a rope that parts at its end. */
  private tube: RopeTube | undefined

  /** See {@link ropeMesh}. */
  constructor(rope: Rope | Rod, material: Material | undefined, options: RopeMeshOptions) {
    const { bodies } = rope
    const tube = tubeOf(rope, options)
    super(tube?.geometry ?? nothing(), material)
    this.rope = rope
    this.options = options
    this.bodies = bodies
    this.tube = tube
  }

  /** Writes where the rope is: see `Bindings.update`. */
  update(alpha = 1): void {
    if (!this.rope.alive) return
    const { bodies } = this.rope
    if (bodies !== this.bodies) {
      this.bodies = bodies
      this.geometry.dispose()
      this.tube = tubeOf(this.rope, this.options)
      this.geometry = this.tube?.geometry ?? nothing()
    }
    if (this.tube === undefined) return
    layTexture(this.rope, this.options, this.tube)
    this.tube.update(alpha)
  }

  /** The node nearest to a world point [m]: what a dragger pulls. */
  nearest(point: ReadonlyVec3): GrabPoint | null {
    return this.tube?.nearest(point) ?? null
  }
}

function tubeOf(rope: Rope | Rod, { textureLength: _, ...options }: RopeMeshOptions): RopeTube | undefined {
  const nodes = rope instanceof Rod ? rope.nodes : rope.bodies
  if (nodes.length < 2) return undefined
  const tube = new RopeTube(nodes, {
    radius: rope.settings.radius,
    segments: 3,
    ...options,
  })
  tube.geometry.userData.v = Float32Array.from({ length: tube.geometry.attributes.uv.count }, (_u, k) =>
    tube.geometry.attributes.uv.getY(k),
  )
  return tube
}

function nothing(): BufferGeometry {
  return new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(), 3))
}

/** Texture coordinates along the rope in lengths of the texture, from the end that does not reel. */
function layTexture(rope: Rope | Rod, { textureLength }: RopeMeshOptions, { geometry }: RopeTube): void {
  if (textureLength === undefined) return
  const uv = geometry.attributes.uv as BufferAttribute
  const shares = geometry.userData.v as Float32Array
  const lengths = rope.length / textureLength
  const from = rope instanceof Rope && rope.winch.end === 'start' ? 1 : 0
  if (uv.getY(0) === Math.fround((shares[0] - from) * lengths)) return
  for (let k = 0; k < uv.count; k++) uv.setY(k, (shares[k] - from) * lengths)
  uv.needsUpdate = true
}

/**
 * Makes a mesh that shows a rope or a rod: `scene.add(bindings.show(ropeMesh(line, material)))`. Throws `TypeError`/`RangeError` with what is wrong and its value.
 */
export function ropeMesh(rope: Rope | Rod, material?: Material, options: RopeMeshOptions = {}): RopeMesh {
  const where = 'ropeMesh'
  if (!(rope instanceof Rope || rope instanceof Rod))
    throw new TypeError(`${where}: rope must be a rope or a rod, got ${kindOf(rope)}`)
  knownFields(where, options, FIELDS)
  const { textureLength } = options
  if (textureLength !== undefined && !(textureLength > 0 && textureLength < Infinity)) {
    throw new RangeError(`${where}: textureLength must be finite and > 0, got ${textureLength}`)
  }
  return new RopeMesh(rope, material, options)
}
