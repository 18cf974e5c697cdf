/** A visitor's mesh: an .obj or .glb that was dropped or chosen. It stays in the page. */

import { parseGlb } from '../../../lib/glb.js'
import type { Mesh } from '../../../lib/mesh.js'
import { parseObj } from '../../../lib/obj.js'

/** Largest file that is read [bytes]. */
const MOST_BYTES = 50e6

/** Reads a mesh. Throws `TypeError`/`RangeError` with what is wrong. */
export async function readMesh(file: File): Promise<Mesh> {
  if (file.size > MOST_BYTES) throw new RangeError(`${file.name}: file must be below 50 MB, got ${file.size} bytes`)
  if (/\.obj$/i.test(file.name)) return parseObj(await file.text(), file.name)
  if (/\.glb$/i.test(file.name)) return parseGlb(await file.arrayBuffer(), file.name)
  throw new TypeError(`${file.name}: file must be an .obj or a .glb`)
}
