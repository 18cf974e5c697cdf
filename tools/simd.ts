/**
 * Compiles the kernels of packages/simd into its src/binary.ts: after a change of packages/simd/assembly, or of loops that are compiled twice (docs/kernels.md). A test holds
 * the two together.
 */

import asc from 'assemblyscript/asc'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = resolve(import.meta.dirname, '../packages')
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--enable', 'simd']
const ASSEMBLY = 'simd/assembly'
/** Modules that have another in their place, by the end of what is imported. */
const REPLACED: Readonly<Record<string, string>> = {
  '@tautline/core/kernel': 'kernel',
  'math/numbers.js': 'numbers',
}

/** The source of a module for the compiler of WebAssembly: of its own folder as it stands, of others as TypeScript that it understands. */
function sourceOf(path: string): string | null {
  try {
    const text = readFileSync(resolve(packages, path), 'utf8')
    return path.startsWith(ASSEMBLY) ? text : asAssembly(text, path)
  } catch {
    // The compiler asks for a folder's index.ts as well.
    return null
  }
}

/** Types are imported like values; `i32` and `f64` are its own; a class of columns is a row of addresses. */
function asAssembly(text: string, path: string): string {
  return text
    .replaceAll(/import (?:type )?\{([^}]*)\} from '([^']*)'/g, (_, list: string, from: string) => {
      const names = list
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => !['', 'i32', 'f64'].includes(name))
      return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${pathOf(from, path)}'`
    })
    .replaceAll('export class', '@unmanaged export class')
    .replaceAll('!: ', ': ')
}

/** What the module at `path` imports in place of `from`. */
function pathOf(from: string, path: string): string {
  const end = Object.keys(REPLACED).find((key) => from.endsWith(key))
  if (end === undefined) return from.replace(/\.js$/, '')
  return relative(dirname(path), `${ASSEMBLY}/${REPLACED[end]}`)
}

/** The module that the source gives. */
export async function compileKernels(): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined
  const { error, stderr } = await asc.main(
    [`${ASSEMBLY}/index.ts`, ...OPTIONS, '--baseDir', packages, '--outFile', 'kernels.wasm'],
    {
      readFile: (name) => sourceOf(name),
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
  writeFileSync(resolve(packages, 'simd/src/binary.ts'), binaryModule(bytes))
  console.log(`${bytes.length} bytes`)
}
