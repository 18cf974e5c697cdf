/** What Jolt needs before it makes a world. */

import type initJolt from 'jolt-physics/wasm-compat'

type Jolt = Awaited<ReturnType<typeof initJolt>>

/** One layer, 0, that meets itself. */
export function joltLayers(jolt: Jolt, settings: InstanceType<Jolt['JoltSettings']>): void {
  const layer = 0
  const pairs = new jolt.ObjectLayerPairFilterTable(1)
  pairs.EnableCollision(layer, layer)
  const broad = new jolt.BroadPhaseLayerInterfaceTable(1, 1)
  broad.MapObjectToBroadPhaseLayer(layer, new jolt.BroadPhaseLayer(0))
  settings.mObjectLayerPairFilter = pairs
  settings.mBroadPhaseLayerInterface = broad
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 1, pairs, 1)
}
