/** Rapier without SIMD. */

import type { Engine } from '../engine.js'
import { rapierEngine } from './rapier-world.js'

export const engine: Engine = rapierEngine(
  'rapier',
  'WebAssembly, f32',
  async () => (await import('@dimforge/rapier3d-compat')).default,
)
