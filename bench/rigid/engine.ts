/** What an engine has to offer to be measured on bodies. */

import type { SceneData } from './data.js'

/** A snapshot of an engine's world. */
export interface Saved {
  /** Size of what is kept; `null` where that is not told. */
  bytes(): number | null
  /** Goes back to it. */
  restore(): void
}

export interface RigidEngine {
  readonly name: string
  /** Precision, SIMD, settings, what `work` means, and how it makes do with what it lacks. */
  note(work: number): string
  /** Compiles and starts it. */
  load(): Promise<void>
  /** Makes the scene, without sleeping. */
  setup(scene: SceneData, work: number): void
  step(dt: number): void
  /** Frame of the shape of body `i` of the scene: x, y, z, then the quaternion x, y, z, w. */
  pose(i: number, out: Float64Array): void
  /** Hash of the state, where there is one. */
  hash?(): string
  /** Takes a snapshot, where it can. */
  snapshot?(): Saved
}

/** Engines by name, each loaded alone. */
export const RIGID_ENGINES = ['tautline', 'crashcat', 'cannon-es', 'jolt', 'rapier', 'rapier-simd', 'havok'] as const
export type RigidEngineName = (typeof RIGID_ENGINES)[number]

/** An engine by name. */
export async function rigidEngine(name: string): Promise<RigidEngine> {
  if (!(RIGID_ENGINES as readonly string[]).includes(name)) {
    throw new RangeError(`bench: engine must be one of ${RIGID_ENGINES.join(', ')}, got ${name}`)
  }
  return ((await import(`./engines/${name}.js`)) as { engine: RigidEngine }).engine
}
