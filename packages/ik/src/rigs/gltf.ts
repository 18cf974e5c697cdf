/**
 * Rigs of glTF: the joints of a skin, and poses written back to their nodes.
 *
 * Files are read by `@gltf-transform/core`, an optional peer dependency of which nothing is imported here: hand over a `Document`
 * that you have read, or a reader and bytes to `readGlb`. The interfaces below are what is read of a `Document`.
 *
 * glTF 2.0 specification, 3.7.3 (skins), 3.5.3 (transformations). The rig's space is the scene's, y up, metres: what stands
 * above the joints is part of the roots' places.
 */

import { callable, finiteVector, knownFields, object, oneOf, shown } from '@tautline/core/kernel'
import type { GltfDocument, GltfNode, GltfRig, GltfSkin } from './gltf-document.js'
import { type SceneNode, type SceneOptions, SceneRig, boundPlace } from './nodes.js'

export type { SceneOptions } from './nodes.js'
export type { LocalPose } from './transform.js'
export type { GltfDocument, GltfNode, GltfRig, GltfSkin } from './gltf-document.js'
export {
  type GltfAnimated,
  type GltfAnimation,
  type GltfChannel,
  gltfClip,
  type GltfClip,
  type GltfClipOptions,
  type GltfValues,
} from './gltf-clip.js'

/** Options of {@link fromGltf}. */
export interface GltfOptions extends SceneOptions {
  /** Name or number of the skin. @defaultValue 0 */
  skin?: string | number
  /**
   * `nodes`: as the file's nodes stand; `bind`: every joint that has a joint above it as the skin was bound, roots as they
   * stand. @defaultValue 'nodes'
   */
  rest?: 'nodes' | 'bind'
}

/** Where a node is in its parent: a file may have anything there. */
function placeOf(node: GltfNode): Pick<SceneNode, 'position' | 'rotation' | 'scale'> {
  const [position, rotation, scale] = [node.getTranslation(), node.getRotation(), node.getScale()]
  const where = `fromGltf: ${node.getName()}`
  finiteVector(`${where}: translation`, position, 3)
  finiteVector(`${where}: rotation`, rotation, 4)
  finiteVector(`${where}: scale`, scale, 3)
  return { position, rotation, scale }
}

/** Makes bones of a skin's joints. Throws `TypeError`/`RangeError` with what, which node and the value. */
export function fromGltf(document: GltfDocument, options: GltfOptions = {}): GltfRig {
  if (typeof document?.getRoot !== 'function') {
    throw new TypeError(`fromGltf: document must be a Document of @gltf-transform/core, got ${shown(document)}`)
  }
  knownFields('fromGltf: options', object('fromGltf: options', options), ['skin', 'rest', 'scale', 'parents', 'tips'])
  const rest = oneOf('fromGltf: rest', options.rest ?? 'nodes', ['nodes', 'bind'])
  const skin = chosenSkin(document.getRoot().listSkins(), options.skin ?? 0)
  const joints = skin.listJoints()
  const bind = skin.getInverseBindMatrices()
  if (rest === 'bind' && (bind === null || bind.getCount() < joints.length)) {
    throw new RangeError("fromGltf: rest 'bind' must have a skin with an inverse bind matrix a joint, got none")
  }
  const found = collect(joints)
  const rowOf = new Map(found.map((node, row) => [node, row]))
  const jointOf = new Map(joints.map((node, k) => [node, k]))
  const nodes = found.map((node): SceneNode => {
    const outer = node.getParentNode()
    const up = outer === null ? -1 : (jointOf.get(outer) ?? -1)
    const isBone = jointOf.has(node)
    const place =
      rest === 'bind' && isBone && up >= 0
        ? boundPlace(bind!.getElement(up, []), bind!.getElement(jointOf.get(node)!, []))
        : placeOf(node)
    return { name: node.getName(), parent: outer === null ? -1 : rowOf.get(outer)!, isBone, ...place }
  })
  const rig = new SceneRig('fromGltf', nodes, options)
  const bound = rig.rows.map((row) => found[row])
  return {
    bones: rig.bones,
    nodes: bound,
    write(pose) {
      rig.toNodes(pose)
      const { position: p, rotation: q } = rig
      bound.forEach((node, i) => {
        node.setTranslation([p[3 * i], p[3 * i + 1], p[3 * i + 2]])
        node.setRotation([q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]])
      })
    },
    read(pose) {
      bound.forEach((node, i) => {
        rig.position.set(node.getTranslation(), 3 * i)
        rig.rotation.set(node.getRotation(), 4 * i)
      })
      rig.fromNodes(pose)
    },
  }
}

/** What reads files: a `WebIO` or `NodeIO`, with the extensions that your files need registered. */
export interface GltfIO<File extends { readonly json: object }, Document> {
  /** Takes the bytes of a .glb apart. */
  binaryToJSON(bytes: Uint8Array): Promise<File>
  /** Makes a document of them. */
  readJSON(file: File): Promise<Document>
}

/** A read file: its document, and its JSON, where extensions such as VRM stand that the document does not know. */
export interface GlbFile<Document> {
  /** For {@link fromGltf}. */
  readonly document: Document
  /** For `vrmRoles`. */
  readonly json: Readonly<Record<string, unknown>>
}

/**
 * Reads the bytes of a .glb (or .vrm) file: `await readGlb(new WebIO(), bytes)`. The reader is handed in, so that a page that
 * gets its documents otherwise need not ship one. Rejects with a `TypeError` for what is no `Uint8Array`, else with the reader's error.
 */
export async function readGlb<File extends { readonly json: object }, Document>(
  io: GltfIO<File, Document>,
  bytes: Uint8Array,
): Promise<GlbFile<Document>> {
  const { binaryToJSON, readJSON } = object('readGlb: io', io)
  callable('readGlb: io.binaryToJSON', binaryToJSON)
  callable('readGlb: io.readJSON', readJSON)
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`readGlb: bytes must be a Uint8Array, got ${shown(bytes)}`)
  const file = await io.binaryToJSON(bytes)
  return { document: await io.readJSON(file), json: file.json as Record<string, unknown> }
}

function chosenSkin(skins: readonly GltfSkin[], wish: string | number): GltfSkin {
  const skin = typeof wish === 'number' ? skins[wish] : skins.find((candidate) => candidate.getName() === wish)
  if (skin === undefined) {
    const names = skins.map((candidate) => `"${candidate.getName()}"`).join(', ')
    throw new RangeError(`fromGltf: skin must be one of the file's ${skins.length} (${names}), got ${shown(wish)}`)
  }
  return skin
}

/** Joints and all above them, parents first. */
function collect(joints: readonly GltfNode[]): GltfNode[] {
  const found = new Set<GltfNode>()
  for (const joint of joints) {
    const chain = new Set<GltfNode>()
    for (let node: GltfNode | null = joint; node !== null && !found.has(node); node = node.getParentNode()) {
      if (chain.has(node)) {
        throw new RangeError(`fromGltf: nodes must form trees, got ${shown(node.getName())} above itself`)
      }
      chain.add(node)
    }
    for (const node of [...chain].reverse()) found.add(node)
  }
  return [...found]
}
