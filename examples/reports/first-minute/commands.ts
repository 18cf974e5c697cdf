/** Rows 6: what the two commands do at first. */

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { figure, type ReportRow } from '../report.js'
import { ROOT } from './site.js'

/** [s] */
const OPENED = 30

/** Runs `npm start` with a browser that only notes what it is asked to open; `env` is on top. Says what it noted, and what was printed. */
async function start(env: Record<string, string>): Promise<{ opened: string; printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tautline-open-'))
  const note = join(folder, 'note')
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$1" >> ${note}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}`, ...env },
  })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  try {
    const until = Date.now() + 1000 * OPENED
    while (Date.now() < until && !/http:\/\/\S+/.test(printed)) await wait(100)
    // The browser is asked after the address is told.
    for (let k = 0; k < 20 && !existsSync(note); k++) await wait(100)
    return { opened: existsSync(note) ? readFileSync(note, 'utf8').trim() : '', printed }
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }
}

const opens: ReportRow = {
  id: '6.1',
  claim: '`npm start` opens the browser where there is one',
  asked: 'the printed address opened with a screen; none opened, and no error, without one, or where CI is set',
  scene: 'a program in place of the browser that notes the address; DISPLAY=:0, then none, then CI=1',
  async measure() {
    const on = { DISPLAY: ':0', CI: '', BROWSER: '' }
    const { opened, printed } = await start(on)
    const address = /http:\/\/\S+/.exec(printed)?.[0] ?? 'no address'
    const { opened: without } = await start({ ...on, DISPLAY: '', WAYLAND_DISPLAY: '' })
    const { opened: inCi } = await start({ ...on, CI: '1' })
    return {
      figures: `${address} printed, ${opened || 'nothing'} opened; without a screen ${without || 'nothing'}, in CI ${inCi || 'nothing'}`,
      holds: opened === address && without === '' && inCi === '',
    }
  },
}

const help: ReportRow = {
  id: '6.2',
  claim: '`npm run demo -- --help` helps',
  asked: 'names every option and every scene, status 0, within 10 s',
  scene: 'as a process; options looked up: --scene, --mesh, --steps, --json',
  measure() {
    const before = performance.now()
    const { status, stdout } = spawnSync('npm', ['run', '--silent', 'demo', '--', '--help'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const seconds = (performance.now() - before) / 1000
    const unnamed = ['--scene', '--mesh', '--steps', '--json', 'rope', 'cards'].filter((word) => !stdout.includes(word))
    return {
      figures: `status ${status ?? 'none'}, ${stdout.split('\n').length} lines in ${figure(seconds)} s${unnamed.length > 0 ? `; not named: ${unnamed.join(', ')}` : ''}`,
      holds: status === 0 && unnamed.length === 0 && seconds < 10,
    }
  },
}

export const commands: readonly ReportRow[] = [opens, help]
