import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Members of the workspace, of which a package stands for all. */
const MEMBERS = [
  'examples',
  'examples/hands',
  'bench',
  'bench/engines',
  'bench/opponents',
  'tools',
  'tools/kernels',
  'tools/mutation',
  'site',
  'packages/core',
]
/** In place of npx: notes what it is asked for, and installs nothing unless FAIL is set, when it fails. */
const NPX = `#!/bin/sh
trap 'echo ended > "$NOTE.end"; exit 1' TERM
echo "$@" >> "$NOTE"
sleep "\${SLOW:-0}" >/dev/null 2>&1 &
wait $! # unlike sleep itself, it ends at once when the trap is set off
[ -z "$FAIL" ] || { echo 'ERR_PNPM_OFFLINE no network'; exit 1; }
echo '{"name":"pnpm:stats","added":2}'
echo '{"name":"pnpm:progress","status":"imported"}'
for member in . ${MEMBERS.join(' ')}; do mkdir -p "$member/node_modules"; done
`

let folder = ''
const note = (): string => join(folder, 'note')
const environment = (more: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}`,
  NOTE: note(),
  ...more,
})

/** Runs set-up in the copy. */
function setUp(
  names: readonly string[],
  more: Record<string, string> = {},
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['tools/setup.mjs', ...names], {
    cwd: folder,
    env: environment(more),
    encoding: 'utf8',
  })
}

/** Members that each install asked for. */
function installs(): string[][] {
  if (!existsSync(note())) return []
  const lines = readFileSync(note(), 'utf8').trim().split('\n')
  return lines.map((line) =>
    [...line.matchAll(/--filter (\S+)/g)].map(([, member]) => member.replace('@tautline/', '')),
  )
}

const PACKAGES = ['tautline', 'examples...', 'bench']

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tautline-set-up-'))
  for (const path of ['tools/setup.mjs', 'tools/setup', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  for (const member of MEMBERS) {
    mkdirSync(join(folder, member), { recursive: true })
    cpSync(join(ROOT, member, 'package.json'), join(folder, member, 'package.json'))
  }
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/npx'), NPX)
  chmodSync(join(folder, 'bin/npx'), 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('set-up', () => {
  test('installs what a command needs, once, and keeps what others installed', () => {
    expect(setUp(['test']).status).toBe(0)
    expect(setUp(['test']).stderr).toBe('')
    expect(installs()).toEqual([PACKAGES])
    setUp(['start'])
    setUp(['tools'])
    setUp(['test'])
    expect(installs().slice(1)).toEqual([
      [...PACKAGES, 'bench-engines'],
      [...PACKAGES, 'bench-engines', 'tools'],
    ])
  })

  test('says what it installs and how large it is, on stderr', () => {
    const { stdout, stderr } = setUp(['test'])
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^set-up: installs packages and examples: \d+ MB, once; .*\nset-up: done in \d+ s\n$/)
  })

  test('counts packages in one line on a terminal', () => {
    const terminal = `{ isTTY: true, write: (text) => process.stdout.write(text) }`
    const code = `const { progress } = await import(${JSON.stringify(join(folder, 'tools/setup/progress.mjs'))})
      const bar = progress(${terminal})
      bar.expect(2)
      bar.count()
      setTimeout(() => bar.close(), 300)`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
    expect(stdout).toContain('\r\x1b[Kset-up: 1 of 2 packages, 0 s')
    expect(stdout).not.toContain('\n')
  })

  test('installs everything for a call without names, and refuses unknown names', () => {
    setUp([])
    expect(installs()[0]).toHaveLength(PACKAGES.length + 7)
    const { status, stderr } = setUp(['everything'])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^set-up: arguments must be among all, test, .*, got everything\n$/)
  })

  test('shows what pnpm said when it fails, and tries again the next time', () => {
    const { status, stderr } = setUp(['test'], { FAIL: '1' })
    expect(status).toBe(1)
    expect(stderr).toContain('ERR_PNPM_OFFLINE no network')
    expect(stderr).not.toMatch(/^ {4}at /m)
    expect(setUp(['test']).status).toBe(0)
    expect(installs()).toEqual([PACKAGES, PACKAGES])
  })

  test('installs again all that was there when the lockfile changes or a folder is removed', () => {
    setUp(['start'])
    appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n')
    expect(setUp(['test']).stderr).toContain('set-up: brings packages up to date with the lockfile')
    rmSync(join(folder, 'examples/node_modules'), { recursive: true })
    setUp(['test'])
    expect(installs()).toEqual(Array.from({ length: 3 }, () => [...PACKAGES, 'bench-engines']))
  })

  test('lets a second command wait for the first, also when both need different parts', async () => {
    const first = spawn(process.execPath, ['tools/setup.mjs', 'test'], { cwd: folder, env: environment({ SLOW: '1' }) })
    await once(first.stderr, 'data')
    const { status, stderr } = setUp(['start'])
    expect(status).toBe(0)
    expect(stderr).toMatch(/^set-up: waits for another command that installs\n/)
    expect(installs()).toEqual([PACKAGES, [...PACKAGES, 'bench-engines']])
  })

  test('takes over from a command that was killed', async () => {
    const first = spawn(process.execPath, ['tools/setup.mjs', 'test'], { cwd: folder, env: environment({ SLOW: '1' }) })
    await once(first.stderr, 'data')
    first.kill('SIGKILL')
    await once(first, 'close')
    expect(setUp(['test']).status).toBe(0)
  })

  test('ends pnpm when it is told to end', async () => {
    const child = spawn(process.execPath, ['tools/setup.mjs', 'test'], {
      cwd: folder,
      env: environment({ SLOW: '30' }),
    })
    await expect.poll(() => existsSync(note()), { timeout: 10_000 }).toBe(true)
    child.kill('SIGTERM')
    // By its own exit or, where a second signal comes while it exits, by that.
    expect([
      [143, null],
      [null, 'SIGTERM'],
    ]).toContainEqual(await once(child, 'close'))
    await expect.poll(() => existsSync(`${note()}.end`), { timeout: 10_000 }).toBe(true)
    expect(setUp(['test']).status).toBe(0)
  })
})
