/** What the playground's editor knows: declarations of the packages, of gl-matrix, and of the language, as one module of texts. */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type { Plugin } from 'vite'

const NAME = 'virtual:library-types'
const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url))
const KNOWN = ['core', 'constraints', 'collision', 'assemblies', 'ik', 'impulse-compat', 'simd', 'three']
const CACHE = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
/** The library of the language. */
const LIB = 'lib.es2022.d.ts'

type Files = Record<string, string>

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Declarations of a package, each file by itself: sources say the types of what they export. */
function addPackage(files: Files, folder: string): void {
  const { name, exports } = JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8')) as Manifest
  const root = `/node_modules/${name}`
  const source = join(PACKAGES, folder, 'src')
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue
    const { outputText } = ts.transpileDeclaration(readFileSync(join(source, path), 'utf8'), {
      fileName: path,
      compilerOptions: { target: ts.ScriptTarget.ES2022, isolatedDeclarations: true, stripInternal: true },
    })
    files[`${root}/src/${path.replace(/\.ts$/, '.d.ts')}`] = outputText
  }
  const types = Object.entries(exports).flatMap(([key, entry]) =>
    typeof entry === 'string' ? [] : [[key, { types: entry['@tautline/source'].replace(/\.ts$/, '.d.ts') }] as const],
  )
  files[`${root}/package.json`] = JSON.stringify({ name, exports: Object.fromEntries(types) })
}

/** A file of the language's library, and those that it refers to. */
function addLib(files: Files, name: string): void {
  const path = `/lib/${name}`
  if (path in files) return
  const file = join(dirname(createRequire(import.meta.url).resolve('typescript')), name)
  if (!existsSync(file)) return
  const text = readFileSync(file, 'utf8')
  files[path] = text
  for (const [, lib] of text.matchAll(/<reference lib="([\w.]+)"/g)) addLib(files, `lib.${lib}.d.ts`)
}

/** Sources that the declarations are made of, as one text of names, sizes and times. */
function stateOfSources(): string {
  const own = fileURLToPath(import.meta.url)
  const paths = KNOWN.flatMap((folder) =>
    readdirSync(join(PACKAGES, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => join(PACKAGES, folder, 'src', path)),
  )
  const stamps = [own, ...paths].map((path) => {
    const { size, mtimeMs } = statSync(path)
    return `${path} ${size} ${mtimeMs}`
  })
  return `${ts.version}\n${stamps.join('\n')}`
}

/** The module's text: made anew where a source has changed. */
function moduleText(): string {
  const state = createHash('sha256').update(stateOfSources()).digest('hex')
  const file = join(CACHE, `library-types-${state}.js`)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const text = `export default ${JSON.stringify(allFiles())}`
  mkdirSync(CACHE, { recursive: true })
  for (const old of readdirSync(CACHE)) if (old.startsWith('library-types-')) rmSync(join(CACHE, old))
  writeFileSync(file, text)
  return text
}

function allFiles(): Files {
  const files: Files = {}
  for (const folder of KNOWN) addPackage(files, folder)
  const matrix = dirname(createRequire(import.meta.url).resolve('gl-matrix/package.json'))
  files['/node_modules/gl-matrix/package.json'] = JSON.stringify({ name: 'gl-matrix', types: 'index.d.ts' })
  files['/node_modules/gl-matrix/index.d.ts'] = readFileSync(join(matrix, 'index.d.ts'), 'utf8')
  addLib(files, LIB)
  return files
}

/** Makes the module. */
export const libraryTypes: Plugin = {
  name: 'library-types',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
  load: (id) => (id === `\0${NAME}` ? moduleText() : null),
}
