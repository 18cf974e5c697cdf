/** One contender on one scene, in a process of its own: two copies of a loop in one process slow each other down. Prints JSON. */

import { parseArgs } from 'node:util'
import { type Budget, compare, contenders, convergence } from '@tautline/impulse-compat'
import { comparisonScenes } from '../scenes/impulse/index.js'

/** Sweeps after which convergence is looked at. */
const SWEEPS = [1, 2, 4, 8, 16, 32, 64, 128]

const { values } = parseArgs({
  options: { scene: { type: 'string' }, contender: { type: 'string' }, budgets: { type: 'string' } },
})
const scene = comparisonScenes.find(({ name }) => name === values.scene)
const contender = contenders.find(({ name }) => name === values.contender)
if (scene === undefined || contender === undefined) {
  throw new Error(`contend: no scene or contender of this name: ${values.scene}, ${values.contender}`)
}
const budgets = JSON.parse(values.budgets ?? '[]') as Budget[]
const { rows } = compare(scene, [contender], budgets, { clock: () => performance.now() })
console.log(JSON.stringify({ rows, sweeps: convergence(scene, contender, SWEEPS) }))
