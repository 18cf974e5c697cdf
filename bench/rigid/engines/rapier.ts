/** Rapier without SIMD. */

import type { RigidEngine } from '../contract.js'
import { rapierEngine } from './rapier-world.js'

export const engine: RigidEngine = rapierEngine(
  'rapier',
  'WebAssembly, f32',
  async () => (await import('@dimforge/rapier3d-compat')).default,
)
