/** Tautline on its source, by lines and row by row. */

import type { Kernels } from '@tautline/core'
import { simd } from '@tautline/simd'
import { hangingClothScene } from '../../../examples/scenes/trees/cloth.js'
import type { Scene } from '../../../examples/scenes/scene.js'
import type { ClothEngine } from '../engine.js'

function tautline(name: string, note: string, solver: 'lines' | 'auto', kernels?: Kernels): ClothEngine {
  let scene: Scene
  return {
    name,
    note: `${kernels === undefined ? 'TypeScript' : 'SIMD kernels'}, f64; ${note}`,
    async load() {},
    setup(cloth, { work, drag }) {
      scene = hangingClothScene({ cloth, solver, drag, substeps: work }, kernels)
    },
    step(dt) {
      scene.world.step(dt)
    },
    positions(out) {
      scene.picture.surface?.write(out)
    },
  }
}

export const lines: ClothEngine = tautline('tautline-lines', 'substeps, edges by lines, diagonals row by row', 'lines')
export const rows: ClothEngine = tautline('tautline-rows', 'substeps, row by row', 'auto')
export const linesWithKernels: ClothEngine = tautline('tautline-lines-simd', 'as tautline-lines', 'lines', simd())
export const rowsWithKernels: ClothEngine = tautline('tautline-rows-simd', 'as tautline-rows', 'auto', simd())
