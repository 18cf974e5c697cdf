/** The engines that are measured on bodies. */

import type { RigidEngine } from './contract.js'

/** Engines by name, each loaded alone. */
const ENGINES: Readonly<Record<string, () => Promise<{ engine: RigidEngine }>>> = {
  tautline: () => import('./engines/tautline.js'),
  'tautline-simd': () => import('./engines/tautline-simd.js'),
  'tautline-sweep': async () => ({ engine: (await import('./engines/tautline-variants.js')).sweep }),
  'tautline-tight': async () => ({ engine: (await import('./engines/tautline-variants.js')).tight }),
  'tautline-friction': async () => ({ engine: (await import('./engines/tautline-variants.js')).friction }),
  crashcat: () => import('./engines/crashcat.js'),
  'cannon-es': () => import('./engines/cannon-es.js'),
  jolt: () => import('./engines/jolt.js'),
  rapier: () => import('./engines/rapier.js'),
  'rapier-simd': () => import('./engines/rapier-simd.js'),
  havok: () => import('./engines/havok.js'),
}

/** An engine by name. Throws `RangeError` for what is none. */
export async function rigidEngine(name: string): Promise<RigidEngine> {
  const load = (ENGINES as Partial<typeof ENGINES>)[name]
  if (load !== undefined) return (await load()).engine
  throw new RangeError(`bench: engine must be one of ${Object.keys(ENGINES).join(', ')}, got ${name}`)
}
