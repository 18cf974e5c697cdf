/** A visitor's mesh: an .obj or .glb that was dropped or chosen. It stays in the page. */

import type { Mesh } from '../../../lib/mesh.js'
import { parseObj } from '../../../lib/obj.js'

/** Largest file that is read [bytes]. */
const MOST_BYTES = 50e6

/** Reads a mesh. Throws `TypeError`/`RangeError` with what is wrong. */
export async function readMesh(file: File): Promise<Mesh> {
  if (file.size > MOST_BYTES) throw new RangeError(`${file.name}: file must be below 50 MB, got ${file.size} bytes`)
  if (/\.obj$/i.test(file.name)) return parseObj(await file.text(), file.name)
  if (/\.glb$/i.test(file.name)) return readGlb(file)
  throw new TypeError(`${file.name}: file must be an .obj or a .glb`)
}

/** All triangles of a binary glTF, in the place where its nodes put them. */
async function readGlb(file: File): Promise<Mesh> {
  const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js')
  const { LoadingManager, Vector3 } = await import('three')
  // Pictures and other files that it may name are not asked for.
  const manager = new LoadingManager()
  manager.setURLModifier((url) => (url.startsWith('blob:') || url.startsWith('data:') ? url : 'data:,'))
  const { scene } = await new GLTFLoader(manager).parseAsync(await file.arrayBuffer(), '')
  scene.updateMatrixWorld(true)
  const positions: number[] = []
  const triangles: number[] = []
  const point = new Vector3()
  scene.traverse((object) => {
    const mesh = object as { isMesh?: boolean } & import('three').Mesh
    if (mesh.isMesh !== true) return
    const { position } = mesh.geometry.attributes
    const first = positions.length / 3
    for (let v = 0; v < position.count; v++) {
      point.fromBufferAttribute(position as import('three').BufferAttribute, v).applyMatrix4(mesh.matrixWorld)
      positions.push(point.x, point.y, point.z)
    }
    const { index } = mesh.geometry
    const count = index === null ? position.count : index.count
    for (let k = 0; k < count; k++) triangles.push(first + (index === null ? k : index.getX(k)))
  })
  if (triangles.length === 0) throw new RangeError(`${file.name}: file must have triangles, got none`)
  return { positions, triangles }
}

/** Lets a file be dropped anywhere on the page. */
export function onDrop(take: (file: File) => void): void {
  const isFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true
  addEventListener('dragover', (event) => {
    if (!isFile(event)) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping')
  })
  addEventListener('drop', (event) => {
    if (!isFile(event)) return
    event.preventDefault()
    document.body.classList.remove('dropping')
    const file = event.dataTransfer?.files[0]
    if (file !== undefined) take(file)
  })
}
