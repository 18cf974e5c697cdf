/** Writes bits.json of the packages anew: after a change that was meant to change what moves. */

import { writeFileSync } from 'node:fs'
import { BIT_SCENES as assemblies } from '../packages/assemblies/test/support/bit-scenes.js'
import { BIT_SCENES as collision } from '../packages/collision/test/support/bit-scenes.js'
import { BIT_SCENES as constraints } from '../packages/constraints/test/support/bit-scenes.js'

let count = 0
for (const [name, scenes] of Object.entries({ constraints, collision, assemblies })) {
  const bits = Object.fromEntries(Object.entries(scenes).map(([scene, run]) => [scene, run()]))
  count += Object.keys(bits).length
  writeFileSync(new URL(`../packages/${name}/test/bits.json`, import.meta.url), `${JSON.stringify(bits, null, 2)}\n`)
}
console.log(`${count} worlds written`)
