/** A worker that serves every type of constraint there is: what `new Worker(…)` is given where nothing of one's own is to run in it. */

import * as constraints from '@tautline/constraints'
import type { AnyType } from '@tautline/core/kernel'
import { serve } from './host.js'

const exported: readonly unknown[] = Object.values(constraints)
serve({ types: exported.filter(isType) })

function isType(value: unknown): value is AnyType {
  return typeof value === 'object' && value !== null && 'multipliers' in value
}
