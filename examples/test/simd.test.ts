/** The binary of packages/simd is what its source gives. */

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)

test(
  'the kernels that are kept are those of the source: npm run simd writes them anew',
  { tags: ['thorough'] },
  async ({ skip }) => {
    const isInstalled = existsSync(new URL('node_modules/assemblyscript', ROOT))
    skip(!isInstalled, 'AssemblyScript is not installed: npm run setup -- kernels')
    const { binaryModule, compileKernels } = await import('../../tools/simd.js')
    const kept = readFileSync(new URL('packages/simd/src/binary.ts', ROOT), 'utf8')
    expect(binaryModule(await compileKernels())).toBe(kept)
  },
)
