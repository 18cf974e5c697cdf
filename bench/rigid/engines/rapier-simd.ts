/** Rapier with SIMD. Its interface is that of the other build for all that is used here. */

import type RapierModule from '@dimforge/rapier3d-compat'
import type { RigidEngine } from '../contract.js'
import { rapierEngine } from './rapier-world.js'

export const engine: RigidEngine = rapierEngine(
  'rapier-simd',
  'WebAssembly, f32 SIMD',
  async () => (await import('@dimforge/rapier3d-simd-compat')).default as unknown as typeof RapierModule,
)
