/**
 * Wavefront OBJ: the `v` and `f` lines of it, which is all that a mesh to be simulated needs.
 *
 * Why not a package: of those on npm in autumn 2026, `@loaders.gl/obj` 4.5 is the one that is kept up, and brings
 * apache-arrow along (26 MB installed), splits every shared vertex and turns an index out of range into NaN;
 * `obj-file-parser`, `parse-wavefront-obj` and `webgl-obj-loader` have had no release since 2024, and read a
 * misspelt coordinate as NaN or as 0 without a word. The grammar that is left is these few lines.
 * Groups, objects, materials, normals and texture coordinates are skipped: all faces make one mesh.
 */

import type { Mesh } from './mesh.js'

/** Reads OBJ text; polygons become fans of triangles. Errors name the line. */
export function parseObj(text: string, where: string = 'obj'): Mesh {
  const positions: number[] = []
  const triangles: number[] = []
  // A backslash at the end of a line joins it to the next.
  const lines = text.replace(/\\\r?\n/g, (cut) => ' '.repeat(cut.length)).split(/\r?\n/)
  lines.forEach((line, index) => {
    const [key, ...words] = line.split('#', 1)[0].trim().split(/\s+/)
    const at = `${where}: line ${index + 1}`
    if (key === 'v') positions.push(...vertex(at, words))
    if (key === 'f') triangles.push(...fan(face(at, words, positions.length / 3)))
  })
  if (positions.length === 0) throw new RangeError(`${where}: file must have vertices (lines "v x y z"), got none`)
  if (triangles.length === 0) throw new RangeError(`${where}: file must have faces (lines "f i j k"), got none`)
  return { positions, triangles }
}

function vertex(at: string, words: string[]): number[] {
  if (words.length < 3) throw new RangeError(`${at}: a vertex must have three coordinates, got ${words.length}`)
  return words.slice(0, 3).map((word) => {
    const value = Number(word)
    if (!Number.isFinite(value)) throw new RangeError(`${at}: a coordinate must be a finite number, got "${word}"`)
    return value
  })
}

/** Corners of a face, counted from 0. `count` vertices were read so far: negative indices count back from there. */
function face(at: string, words: string[], count: number): number[] {
  if (words.length < 3) throw new RangeError(`${at}: a face must have three corners or more, got ${words.length}`)
  return words.map((word) => {
    const given = Number(word.split('/', 1)[0])
    const index = given < 0 ? count + given : given - 1
    if (!Number.isInteger(given) || index < 0 || index >= count) {
      throw new RangeError(`${at}: a face index must be one of the ${count} vertices above it, got "${word}"`)
    }
    return index
  })
}

function fan(corners: number[]): number[] {
  return corners.slice(2).flatMap((corner, i) => [corners[0], corners[i + 1], corner])
}
