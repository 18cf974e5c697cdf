/** The Stanford bunny of npm `bunny`: 1839 vertices, 3674 triangles, closed. */

import bunny from 'bunny'
import type { Mesh } from './mesh.js'

/** As it is in the package: about 10 units long, standing on y = 0. */
export function bunnyMesh(): Mesh {
  return { positions: bunny.positions.flat(), triangles: bunny.cells.flat() }
}
