/** The binary of packages/simd is what its source gives. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { binaryModule, compileKernels } from '../../tools/simd.js'

test(
  'the kernels that are kept are those of the source: npm run simd writes them anew',
  { tags: ['thorough'] },
  async () => {
    const kept = readFileSync(new URL('../../packages/simd/src/binary.ts', import.meta.url), 'utf8')
    expect(binaryModule(await compileKernels())).toBe(kept)
  },
)
