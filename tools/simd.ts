/** Compiles the kernels of packages/simd into its src/binary.ts: after a change of packages/simd/assembly. A test holds the two together. */

import asc from 'assemblyscript/asc'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = resolve(import.meta.dirname, '../packages/simd')
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--enable', 'simd']

/** The module that the source gives. */
export async function compileKernels(): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined
  const { error, stderr } = await asc.main(
    ['index.ts', ...OPTIONS, '--baseDir', resolve(folder, 'assembly'), '--outFile', 'kernels.wasm'],
    {
      writeFile(name, contents) {
        if (name === 'kernels.wasm') bytes = contents as Uint8Array
      },
    },
  )
  if (error !== null || bytes === undefined) throw new Error(`simd: assembly must compile, got\n${stderr.toString()}`)
  return bytes
}

/** The file that carries it. */
export function binaryModule(bytes: Uint8Array): string {
  return `/** The compiled kernels, base64: written by \`npm run simd\` from assembly/. */\nexport const BINARY = '${Buffer.from(bytes).toString('base64')}'\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bytes = await compileKernels()
  writeFileSync(resolve(folder, 'src/binary.ts'), binaryModule(bytes))
  console.log(`${bytes.length} bytes`)
}
