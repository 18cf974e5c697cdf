/** Loops of the step as WebAssembly SIMD kernels: `new World({ kernels: simd() })`. Bit for bit what TypeScript computes, in less time. */

import type { Kernels } from '@tautline/core'
import { compile } from './compiled.js'
import { SimdWorld } from './world-kernels.js'

export { isSimdSupported } from './compiled.js'

const KERNELS: Kernels = { open: () => new SimdWorld() }

/**
 * Kernels for `new World({ kernels: simd() })`, compiled at the first call, synchronously. Any number of worlds may share them: each has a memory of its
 * own. Throws an `Error` where WebAssembly or its SIMD is missing (`isSimdSupported` tells), or where a page's policy forbids to compile it
 * (`'wasm-unsafe-eval'`).
 */
export function simd(): Kernels {
  compile()
  return KERNELS
}
