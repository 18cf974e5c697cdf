/** Tautline with kernels in WebAssembly, where there are some. */

import { simd } from '@tautline/simd'
import type { RigidEngine } from '../contract.js'
import { engine as plain, openScene } from './tautline.js'

export const engine: RigidEngine = {
  ...plain,
  name: 'tautline-simd',
  note: (work) => `${plain.note(work)}; kernels in WebAssembly`,
  setup(scene, work) {
    openScene(scene, work, simd())
  },
}
