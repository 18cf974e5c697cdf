/** The page's own worker: every type of constraints, and scenes with ragdolls. */

import { assembliesFromJSON, ragdollKind } from '@tautline/assemblies'
import * as constraints from '@tautline/constraints'
import type { AnyType } from '@tautline/core/kernel'
import { serve } from '@tautline/worker/host'

const exported: readonly unknown[] = Object.values(constraints)

serve({
  types: exported.filter(
    (value): value is AnyType => typeof value === 'object' && value !== null && 'multipliers' in value,
  ),
  stages: { assemblies: assembliesFromJSON([ragdollKind]) },
  setup: ({ world }) => ({ calls: { meanStep: () => world.time / Math.max(world.clock.steps, 1) } }),
})
