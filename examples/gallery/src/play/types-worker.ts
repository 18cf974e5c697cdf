/** Knows the library's types: TypeScript's language service over the packages' declarations, in a worker. */

import ts from 'typescript'
import library from 'virtual:library-types'
import type { Answer, Found, Offer, Question } from './types-protocol.js'

const FILE = '/scene.ts'
/** Most offers at a place. */
const MOST = 300
/** What texts may use besides the language. */
const AROUND = `declare const console: { log(...values: unknown[]): void }
declare module 'three'
`

const files = new Map<string, string>([...Object.entries(library), ['/around.d.ts', AROUND], [FILE, '']])
const versions = new Map<string, number>()

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts'],
  types: [],
  strict: true,
  // What an exhibit imports from beside it is not known here.
  noImplicitAny: false,
  noEmit: true,
  skipLibCheck: true,
}

const service = ts.createLanguageService({
  getCompilationSettings: () => OPTIONS,
  getScriptFileNames: () => [FILE, '/around.d.ts'],
  getScriptVersion: (name) => String(versions.get(name) ?? 0),
  getScriptSnapshot(name) {
    const text = files.get(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => '/',
  getDefaultLibFileName: () => '/lib/lib.es2022.d.ts',
  fileExists: (name) => files.has(name),
  readFile: (name) => files.get(name),
  directoryExists: (name) => [...files.keys()].some((file) => file.startsWith(`${name}/`)),
  getDirectories: () => [],
})

function write(text: string): void {
  if (files.get(FILE) === text) return
  files.set(FILE, text)
  versions.set(FILE, (versions.get(FILE) ?? 0) + 1)
}

/** “Cannot find module”, of what stands beside an exhibit. */
const NOT_FOUND = 2307

function check(): Found[] {
  const all = [...service.getSyntacticDiagnostics(FILE), ...service.getSemanticDiagnostics(FILE)]
  return all.flatMap(({ start = 0, length = 0, messageText, code }): Found[] => {
    const message = ts.flattenDiagnosticMessageText(messageText, '\n')
    if (code === NOT_FOUND && message.includes("'.")) return []
    return [{ from: start, to: start + length, message }]
  })
}

function complete(at: number): Offer[] {
  const found = service.getCompletionsAtPosition(FILE, at, { includeCompletionsForModuleExports: false })
  const entries = [...(found?.entries ?? [])].sort((a, b) => (a.sortText < b.sortText ? -1 : 1))
  return entries.slice(0, MOST).map(({ name, kind }) => ({ label: name, type: kind }))
}

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  const { id, kind, text, at } = data
  write(text)
  const answer: Answer = kind === 'check' ? { id, found: check() } : { id, offers: complete(at) }
  postMessage(answer)
})
