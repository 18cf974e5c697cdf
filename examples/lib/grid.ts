/** Sheets of squares, two triangles each, for cloth. */

/** Vertices row by row, and the triangles between them. */
export interface Grid {
  /** x, y, z of each vertex [m]: vertex `across · j + i` is column i of row j. */
  readonly positions: number[]
  readonly indices: number[]
}

/** Makes a sheet of `across` × `down` vertices, each where `place` puts it: u goes from 0 to 1 along a row, v from the first row to the last. */
export function grid(
  across: number,
  down: number,
  place: (u: number, v: number) => readonly [number, number, number],
): Grid {
  const positions: number[] = []
  const indices: number[] = []
  for (let j = 0; j < down; j++) {
    for (let i = 0; i < across; i++) {
      positions.push(...place(i / (across - 1), j / (down - 1)))
      if (i + 1 === across || j + 1 === down) continue
      const k = across * j + i
      indices.push(k, k + across, k + 1, k + 1, k + across, k + across + 1)
    }
  }
  return { positions, indices }
}
