/** Long commands: says which step runs, and shows what programs print only when they fail. On stderr, so that stdout has results alone. */

import { spawn } from 'node:child_process'

/** Between two updates of the seconds on a terminal [ms]. */
const PAUSE = 1000

export interface Step {
  /** What it makes, for the line that is shown. */
  readonly what: string
  run(): unknown
}

/** Runs steps one after another, and says which: a line that is updated on a terminal, a line a step elsewhere. */
export async function runSteps(
  name: string,
  steps: readonly Step[],
  out: NodeJS.WriteStream = process.stderr,
): Promise<void> {
  const begun = performance.now()
  const seconds = (): string => `${((performance.now() - begun) / 1000).toFixed(0)} s`
  for (const [k, { what, run }] of steps.entries()) {
    const tell = (): unknown => {
      const text = `${name}: ${what} (${k + 1} of ${steps.length}), ${seconds()}`
      return out.write(out.isTTY ? `\r\x1b[K${text}` : `${text}\n`)
    }
    tell()
    const timer = out.isTTY ? setInterval(tell, PAUSE) : undefined
    try {
      await run()
    } finally {
      clearInterval(timer)
      if (out.isTTY) out.write('\r\x1b[K')
    }
  }
  out.write(`${name}: done in ${seconds()}\n`)
}

/** Runs a program without its output, which the error has when it fails. */
export function runQuietly(command: string, args: readonly string[], cwd = '.'): Promise<void> {
  const child = spawn(command, args, { cwd, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${printed}\n${[command, ...args].join(' ')} failed (${code})`))
    })
  })
}
