/** Engines that have soft bodies, each loaded alone. */

import type { BodyEngine } from './body.js'

export const BODY_ENGINES = [
  'tautline',
  'tautline-simd',
  'tautline-springs',
  'tautline-springs-simd',
  'jolt',
  'rapier',
  'rapier-fem',
] as const

/** An engine by name. */
export async function engineOf(name: (typeof BODY_ENGINES)[number]): Promise<BodyEngine> {
  switch (name) {
    case 'tautline':
      return (await import('./engines/tautline-body.js')).engine
    case 'tautline-simd':
      return (await import('./engines/tautline-body.js')).withKernels
    case 'tautline-springs':
      return (await import('./engines/tautline-body.js')).springs
    case 'tautline-springs-simd':
      return (await import('./engines/tautline-body.js')).springsWithKernels
    case 'jolt':
      return (await import('./engines/jolt-body.js')).engine
    case 'rapier':
      return (await import('./engines/rapier-body.js')).engine
    case 'rapier-fem':
      return (await import('./engines/rapier-body.js')).fem
  }
}
