/** What a page gets from the packages: bundles of a few lines that import them. */
import { build, type BuildResult, type PluginBuild } from 'esbuild'
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface BundleOptions {
  minify: boolean
  /** No module is dropped unread: overrides the promise of package.json, to see whether the code keeps it. */
  strict: boolean
  /** Built files, or TypeScript source. */
  from: 'dist' | 'source'
}

/** The built entry of a package. */
export function builtEntry(name: string): string {
  return resolve(import.meta.dirname, `../packages/${name}/dist/index.js`)
}

function sourceEntry(name: string): string {
  return resolve(import.meta.dirname, `../packages/${name}/src/index.ts`)
}

/** An entry besides the main one is where the package's exports say. */
function entryOf(name: string, entry: string | undefined, from: 'dist' | 'source'): string {
  if (entry === undefined) return from === 'dist' ? builtEntry(name) : sourceEntry(name)
  const folder = resolve(import.meta.dirname, '../packages', name)
  const { exports } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, Record<string, string>>
  }
  return resolve(folder, exports[`./${entry}`][from === 'dist' ? 'default' : '@tautline/source'])
}

/** `code` bundled by esbuild, and what it is made of. */
function built(
  code: string,
  { minify, strict, from }: BundleOptions,
): Promise<BuildResult<{ write: false; metafile: true }>> {
  return build({
    // examples depends on every package by name.
    stdin: { contents: code, resolveDir: resolve(import.meta.dirname, '../examples') },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify,
    write: false,
    metafile: true,
    legalComments: 'none',
    // A peer: who binds to it has it.
    external: ['three'],
    plugins: [
      {
        name: from,
        setup({ onResolve }: PluginBuild) {
          onResolve({ filter: /^@tautline\// }, ({ path }) => {
            const [name, entry] = path.slice('@tautline/'.length).split('/')
            return { path: entryOf(name, entry, from), sideEffects: strict }
          })
        },
      },
    ],
  })
}

/** `code` bundled by esbuild. */
export async function bundle(code: string, options: BundleOptions): Promise<string> {
  const { outputFiles } = await built(code, options)
  return outputFiles[0].text
}

/** Bytes of `code` bundled, minified and gzipped. */
export async function gzipped(code: string, from: 'dist' | 'source' = 'source'): Promise<number> {
  return gzipSync(await bundle(code, { minify: true, strict: false, from }), { level: 9 }).length
}

/** Statements that a bare import of a package leaves in every bundle. */
export async function leftovers(name: string, from: 'dist' | 'source' = 'source'): Promise<string> {
  const text = await bundle(`import '${name}'`, { minify: true, strict: true, from })
  return text.replace(/^\/\/.*$/gm, '').trim()
}

/** Folders of the sources of packages by how much of a gzipped bundle of `code` they are [bytes], heaviest first; by their shares of the minified one. */
export async function foldersOf(code: string): Promise<[folder: string, bytes: number][]> {
  const { outputFiles, metafile } = await built(code, { minify: true, strict: false, from: 'source' })
  const { contents } = outputFiles[0]
  const share = gzipSync(contents, { level: 9 }).length / contents.length
  const sums = new Map<string, number>()
  for (const [file, { bytesInOutput }] of Object.entries(Object.values(metafile.outputs)[0].inputs)) {
    const folder = folderOf(file)
    sums.set(folder, (sums.get(folder) ?? 0) + share * bytesInOutput)
  }
  return [...sums].sort((r, s) => s[1] - r[1])
}

/** `core/state` for a file of packages/core/src/state, `core` for one of packages/core/src; `others` for what is no package's. */
function folderOf(file: string): string {
  const path = relative(resolve(import.meta.dirname, '../packages'), resolve(file)).split(/[\\/]/)
  if (path[0] === '..' || path[1] !== 'src') return 'others'
  return path.length > 3 ? `${path[0]}/${path[2]}` : path[0]
}
