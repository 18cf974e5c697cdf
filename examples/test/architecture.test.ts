/** Pictures of the architecture are those of the sources. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { architecturePictures, packageImports, substepPhases } from '../../tools/docs/architecture.js'

test('are as the sources have it', async () => {
  for (const [file, picture] of await architecturePictures()) expect(readFileSync(file, 'utf8')).toBe(picture)
})

test('imports point down to core, which has none', () => {
  const imports = packageImports()
  expect(imports).toContainEqual({ from: 'constraints', to: 'core' })
  expect(imports.filter(({ from }) => from === 'core')).toEqual([])
})

test('phases that the step does not call in their order are refused', () => {
  const source = (calls: string): string =>
    `/**\n *     predict      x += h v\n *     solve        each batch   (51)\n */\nfor (let substep = 0; ;) {\n    ${calls}\n  }\n`
  expect(substepPhases(source('predict(world, h) solve(world, h)'))).toEqual([
    { name: 'predict', text: 'x += h v' },
    { name: 'solve', text: 'each batch' },
  ])
  expect(() => substepPhases(source('solve(world, h) predict(world, h)'))).toThrow(/phases must be called/)
  expect(() => substepPhases(source('predict(world, h)'))).toThrow(RangeError)
})
