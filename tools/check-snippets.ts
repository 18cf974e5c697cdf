// Type-checks the TypeScript fences of all pages, READMEs of packages among them, as a user of the packages would write them; --run also
// executes each. A fence is a module of its own; one that opens with ```ts ignore is skipped.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { allPages } from './docs/pages.js'

// Inside examples, whose node_modules hold the packages by name.
const directory = resolve('examples/node_modules/.cache/snippets')

rmSync(directory, { recursive: true, force: true })
mkdirSync(directory, { recursive: true })

/** Markdown file of each module, by its path. */
const pageOf = new Map<string, string>()
for (const page of allPages()) {
  const lines = readFileSync(page, 'utf8').split(/\r?\n/)
  for (let i = 0; i < lines.length; i++) {
    const fence = /^(\s*)(`{3,}|~{3,})\s*(\S*)\s*(.*)$/.exec(lines[i]!)
    if (!fence) continue
    const [, , mark = '', language = '', flags = ''] = fence
    const start = i + 1
    do i++
    while (i < lines.length && lines[i]!.trim() !== mark)
    if (!/^(ts|typescript)$/.test(language) || flags.split(/\s+/).includes('ignore')) continue
    // Blank lines in front, so that errors carry the line of the page. mts: a module without a package.json.
    const file = join(directory, `${page.replace(/\W/g, '-')}-${start}.mts`)
    writeFileSync(file, '\n'.repeat(start) + lines.slice(start, i).join('\n') + '\nexport {}\n')
    pageOf.set(file, page)
  }
}

const { config } = ts.readConfigFile('examples/tsconfig.json', (path) => ts.sys.readFile(path))
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('examples'))
const program = ts.createProgram([...pageOf.keys()], { ...options, incremental: false })
const failed = new Set<string>()
for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
  const name = file ? resolve(file.fileName) : ''
  failed.add(name)
  const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
  console.error(`${pageOf.get(name) ?? name}:${line}  ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

if (process.argv.includes('--run')) {
  for (const [file, page] of pageOf) {
    const run = spawnSync(process.execPath, ['--import', 'tsx', '--conditions=@tautline/source', file], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    if (run.status !== 0) {
      failed.add(file)
      console.error(`${page}: ${file} failed\n${run.stderr || (run.error?.message ?? '')}`)
    }
  }
}

console.log(`${pageOf.size} snippets, ${failed.size} with errors`)
process.exitCode = failed.size === 0 ? 0 : 1
