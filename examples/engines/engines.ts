/** JavaScript engines that may be there, and how each runs a script that prints. */

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { getQuickJS } from 'quickjs-emscripten'
import type { EngineScene } from './entry.js'

const run = promisify(execFile)

/** What a script may print [bytes], and how long it may take [ms]. */
const MOST_OUTPUT = 1e7
const TIME_OUT = 1_200_000

export interface Engine {
  readonly name: string
  /** Why it cannot run here; undefined where it can. */
  missing(): string | undefined
  /** What the script prints. */
  output(script: string): Promise<string>
}

/** All scenes and what runs them as one script of ES2020, which prints a run a line. */
export async function bundle(scenes: readonly EngineScene[], steps: number): Promise<string> {
  const entry = fileURLToPath(new URL('entry.ts', import.meta.url))
  const { outputFiles } = await build({
    stdin: {
      contents: `import { printScenes } from ${JSON.stringify(entry)}
const text = printScenes(${JSON.stringify(scenes)}, ${steps})
;(globalThis.print ?? globalThis.console.log)(text)`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    conditions: ['@tautline/source'],
  })
  return outputFiles[0].text
}

function onPath(command: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, command)))
}

/** An engine that runs a file from the command line. */
function fromCommand(name: string, command: string, flags: readonly string[]): Engine {
  return {
    name,
    missing: () => (onPath(command) ? undefined : `${command} is not installed`),
    async output(script) {
      const folder = mkdtempSync(join(tmpdir(), 'engine-'))
      const file = join(folder, 'scenes.js')
      writeFileSync(file, script)
      const { stdout } = await run(command, [...flags, file], { maxBuffer: MOST_OUTPUT, timeout: TIME_OUT })
      rmSync(folder, { recursive: true })
      return stdout
    },
  }
}

/** QuickJS, an interpreter, in WebAssembly. */
const quickJs: Engine = {
  name: 'QuickJS',
  missing: () => undefined,
  async output(script) {
    const context = (await getQuickJS()).newContext()
    const lines: string[] = []
    const print = context.newFunction('print', (text) => void lines.push(context.getString(text)))
    context.setProp(context.global, 'print', print)
    const result = context.evalCode(script)
    const failure = result.error === undefined ? undefined : JSON.stringify(context.dump(result.error))
    if (result.error !== undefined) result.error.dispose()
    else result.value.dispose()
    print.dispose()
    context.dispose()
    if (failure !== undefined) throw new Error(failure)
    return lines.join('\n')
  },
}

export const ENGINES: readonly Engine[] = [
  fromCommand('V8', 'node', []),
  fromCommand('V8 without its optimizing compilers', 'node', ['--no-opt', '--no-maglev', '--no-sparkplug']),
  fromCommand('V8 without any compiler', 'node', ['--jitless']),
  fromCommand('SpiderMonkey (gjs)', 'gjs', []),
  fromCommand('JavaScriptCore', 'jsc', []),
  quickJs,
]
