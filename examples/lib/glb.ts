/**
 * Binary glTF 2.0 (.glb): the triangles of its scene, which is all that a mesh to be simulated needs.
 *
 * Specification, sections 3.5.3 (transformations), 3.6 (buffers and accessors), 3.7.2 (meshes) and 4 (the container). Materials,
 * skins and animations are skipped; what is compressed by an extension (Draco, meshopt) or lies in another file is an error. The
 * loaders that do all of that are larger than the rest of the gallery's own code.
 */

import type { Mesh } from './mesh.js'

interface Gltf {
  readonly scene?: number
  readonly scenes?: readonly { readonly nodes?: readonly number[] }[]
  readonly nodes?: readonly GltfNode[]
  readonly meshes?: readonly { readonly primitives: readonly GltfPrimitive[] }[]
  readonly accessors?: readonly GltfAccessor[]
  readonly bufferViews?: readonly { readonly byteOffset?: number; readonly byteStride?: number }[]
  readonly extensionsRequired?: readonly string[]
}
interface GltfNode {
  readonly children?: readonly number[]
  readonly mesh?: number
  /** Column by column. */
  readonly matrix?: readonly number[]
  readonly translation?: readonly number[]
  readonly rotation?: readonly number[]
  readonly scale?: readonly number[]
}
interface GltfPrimitive {
  readonly attributes: Readonly<Record<string, number>>
  readonly indices?: number
  /** 4: triangles. */
  readonly mode?: number
}
interface GltfAccessor {
  readonly bufferView?: number
  readonly byteOffset?: number
  readonly componentType: number
  readonly normalized?: boolean
  readonly count: number
  readonly type: string
  readonly sparse?: object
}

/** "glTF", "JSON" and "BIN" as little-endian numbers. */
const MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
const TRIANGLES = 4
/** Extensions under which positions are read as they stand. */
const HARMLESS = [
  'KHR_mesh_quantization',
  'KHR_materials_unlit',
  'KHR_texture_transform',
  'KHR_materials_emissive_strength',
]

/** By `componentType`: bytes, how one is read, and what a normalised one is divided by. */
const COMPONENTS: Readonly<Record<number, { bytes: number; read: keyof DataView & `get${string}`; whole: number }>> = {
  5120: { bytes: 1, read: 'getInt8', whole: 127 },
  5121: { bytes: 1, read: 'getUint8', whole: 255 },
  5122: { bytes: 2, read: 'getInt16', whole: 32767 },
  5123: { bytes: 2, read: 'getUint16', whole: 65535 },
  5125: { bytes: 4, read: 'getUint32', whole: 1 },
  5126: { bytes: 4, read: 'getFloat32', whole: 1 },
}

/** x, y, z of a point as a matrix of three rows and four columns puts it. */
type Affine = readonly number[]

/** Reads a .glb; what its scene has more than once is there more than once. Throws `TypeError`/`RangeError` with what is wrong. */
export function parseGlb(bytes: ArrayBuffer, where: string = 'glb'): Mesh {
  const view = new DataView(bytes)
  if (bytes.byteLength < 20 || view.getUint32(0, true) !== MAGIC) {
    throw new TypeError(`${where}: file must be a binary glTF, got other bytes`)
  }
  if (view.getUint32(4, true) !== 2) {
    throw new RangeError(`${where}: version must be 2, got ${view.getUint32(4, true)}`)
  }
  let gltf: Gltf | undefined
  let binary: DataView | undefined
  for (let at = 12; at + 8 <= bytes.byteLength;) {
    const [length, kind] = [view.getUint32(at, true), view.getUint32(at + 4, true)]
    if (at + 8 + length > bytes.byteLength) throw new RangeError(`${where}: file must be whole, got an end in a chunk`)
    if (kind === JSON_CHUNK) gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, at + 8, length))) as Gltf
    if (kind === BINARY_CHUNK) binary ??= new DataView(bytes, at + 8, length)
    at += 8 + length
  }
  if (gltf === undefined) throw new TypeError(`${where}: file must have a JSON chunk, got none`)
  const unknown = gltf.extensionsRequired?.find((name) => !HARMLESS.includes(name))
  if (unknown !== undefined) throw new RangeError(`${where}: extensions must not be required, got ${unknown}`)
  return new Reader(where, gltf, binary).read()
}

class Reader {
  private readonly where: string
  private readonly gltf: Gltf
  private readonly binary: DataView | undefined
  private readonly positions: number[] = []
  private readonly triangles: number[] = []

  constructor(where: string, gltf: Gltf, binary: DataView | undefined) {
    this.where = where
    this.gltf = gltf
    this.binary = binary
  }

  read(): Mesh {
    const { gltf, positions, triangles } = this
    const children = new Set((gltf.nodes ?? []).flatMap((node) => node.children ?? []))
    const roots =
      gltf.scenes?.[gltf.scene ?? 0]?.nodes ?? (gltf.nodes ?? []).map((_, k) => k).filter((k) => !children.has(k))
    for (const root of roots) this.visit(root, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 0)
    if (triangles.length === 0) throw new RangeError(`${this.where}: file must have triangles, got none`)
    return { positions, triangles }
  }

  private visit(index: number, above: Affine, depth: number): void {
    const node = this.gltf.nodes?.[index]
    if (node === undefined || depth > 1000)
      throw new RangeError(`${this.where}: nodes must be a tree, got node ${index}`)
    const place = times(above, placeOf(node))
    if (node.mesh !== undefined) {
      for (const primitive of this.gltf.meshes?.[node.mesh]?.primitives ?? []) this.add(primitive, place)
    }
    for (const child of node.children ?? []) this.visit(child, place, depth + 1)
  }

  private add({ attributes, indices, mode = TRIANGLES }: GltfPrimitive, place: Affine): void {
    if (mode !== TRIANGLES || attributes.POSITION === undefined) return
    const first = this.positions.length / 3
    const points = this.numbers(attributes.POSITION, 3)
    for (let k = 0; k < points.length; k += 3) {
      for (let row = 0; row < 3; row++) {
        const o = 4 * row
        const at = place[o] * points[k] + place[o + 1] * points[k + 1] + place[o + 2] * points[k + 2] + place[o + 3]
        this.positions.push(at)
      }
    }
    const count = points.length / 3
    const list = indices === undefined ? Array.from({ length: count }, (_, k) => k) : this.numbers(indices, 1)
    for (const index of list) {
      if (index >= count) throw new RangeError(`${this.where}: indices must be below ${count}, got ${index}`)
      this.triangles.push(first + index)
    }
  }

  private numbers(index: number, width: number): number[] {
    const { where, gltf, binary } = this
    const accessor = gltf.accessors?.[index]
    const part = COMPONENTS[accessor?.componentType ?? 0]
    const view = gltf.bufferViews?.[accessor?.bufferView ?? -1]
    if (accessor === undefined || part === undefined || view === undefined || accessor.sparse !== undefined) {
      throw new RangeError(`${where}: accessors must be plain ones of a buffer, got accessor ${index}`)
    }
    const stride = view.byteStride ?? width * part.bytes
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0)
    const end = start + stride * (accessor.count - 1) + width * part.bytes
    if (binary === undefined || end > binary.byteLength) {
      throw new RangeError(`${where}: accessor ${index} must lie in the file, got bytes up to ${end}`)
    }
    const share = accessor.normalized === true ? part.whole : 1
    const read = binary[part.read].bind(binary) as (at: number, little: boolean) => number
    return Array.from({ length: width * accessor.count }, (_, k) => {
      const value = read(start + stride * Math.floor(k / width) + part.bytes * (k % width), true)
      return accessor.normalized === true ? Math.max(value / share, -1) : value
    })
  }
}

/** A node's place in its parent. */
function placeOf({ matrix: m, translation: t, rotation, scale }: GltfNode): Affine {
  if (m !== undefined) return [m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]]
  const [x, y, z, w] = rotation ?? [0, 0, 0, 1]
  const [a, b, c] = scale ?? [1, 1, 1]
  const [u, v, n] = t ?? [0, 0, 0]
  return [
    a * (1 - 2 * (y * y + z * z)),
    b * 2 * (x * y - w * z),
    c * 2 * (x * z + w * y),
    u,
    a * 2 * (x * y + w * z),
    b * (1 - 2 * (x * x + z * z)),
    c * 2 * (y * z - w * x),
    v,
    a * 2 * (x * z - w * y),
    b * 2 * (y * z + w * x),
    c * (1 - 2 * (x * x + y * y)),
    n,
  ]
}

function times(a: Affine, b: Affine): Affine {
  return Array.from({ length: 12 }, (_, k) => {
    const [row, column] = [4 * Math.floor(k / 4), k % 4]
    const sum = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column]
    return column === 3 ? sum + a[row + 3] : sum
  })
}
