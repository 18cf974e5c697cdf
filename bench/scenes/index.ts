/** All scenes of the bench, in the order of its tables. */

import type { BenchScene } from '../harness/scene.js'
import { chains } from './chains.js'
import { fallingCloth } from './falling.js'
import { grid } from './grid.js'
import { hangingCloth } from './hanging.js'
import { inverseKinematics } from './ik.js'
import { mixed, settled } from './mixed.js'
import { ownScenes } from './own.js'
import { ragdolls } from './ragdolls.js'
import { scaling } from './scaling.js'
import { setUp } from './set-up.js'
import { snapshots } from './snapshots.js'
import { softBodies } from './soft.js'
import { pyramid, stack } from './stacks.js'

export const SCENES: readonly BenchScene[] = [
  ...chains,
  grid,
  ...ragdolls,
  mixed,
  settled,
  pyramid,
  stack,
  ...hangingCloth,
  ...fallingCloth,
  ...softBodies,
  ...inverseKinematics,
  ...snapshots,
  setUp,
  ...scaling,
  ...ownScenes,
]

/** A scene by name. Throws `RangeError` for what is none. */
export function sceneNamed(name: string | undefined): BenchScene {
  const found = SCENES.find((scene) => scene.name === name)
  if (found !== undefined) return found
  throw new RangeError(
    `bench: scene must be one of ${SCENES.map((scene) => scene.name).join(', ')}, got ${name ?? 'none'}`,
  )
}
