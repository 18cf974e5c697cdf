/** Row 9: the first page of the guide, followed to the letter in an empty folder. */

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findChromium, launchChromium, whyNoChromium } from '../../lib/chromium.js'
import { comparePictures, isBlank } from '../gallery/pictures.js'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'
import { ROOT } from './site.js'

const COMMANDS = 5
const LINES = 12
/** What the page names where the clone lies. */
const CLONE = '~/tautline'
/** Until the server prints its address, and the page is drawn [s]. */
const PATIENCE = 60

/** The commands and the code of docs/first-scene.md. */
function firstScene(): { commands: string[]; code: string } {
  const text = readFileSync(join(ROOT, 'docs/first-scene.md'), 'utf8')
  const fences = [...text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)]
  const of = (language: string): string => fences.find(([, name]) => name === language)?.[2] ?? ''
  const commands = of('sh')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '')
  return { commands, code: of('ts') }
}

/** Lines with something on them; imports are lines. */
function linesOf(code: string): number {
  return code.split('\n').filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line)).length
}

/** What a user's shell has: Vite, having built the gallery in this process, leaves NODE_ENV at production, by which npm installs no tools. */
function shellOf(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { NODE_ENV: _, ...rest } = process.env
  return { ...rest, ...more }
}

/** Runs all commands but the last, which serves; each in a shell, `cd` with effect on the next. */
function setUp(folder: string, commands: readonly string[]): string | undefined {
  const script = commands.map((command) => command.replaceAll(CLONE, ROOT.replace(/\/$/, ''))).join(' && ')
  const made = spawnSync('sh', ['-c', `set -e; ${script} && pwd > ${join(folder, '.where')}`], {
    cwd: folder,
    encoding: 'utf8',
    env: shellOf({ HOME: homedir(), CI: '1', npm_config_yes: 'true' }),
  })
  return made.status === 0
    ? undefined
    : `status ${made.status ?? 'none'}: ${(made.stdout + made.stderr).trim().slice(-300)}`
}

/** Serves the project, opens it, and looks at its picture twice. */
async function look(folder: string, serve: string): Promise<Measured> {
  const server = spawn('sh', ['-c', `exec ${serve.replace('--open', '')} --host 127.0.0.1`], {
    cwd: folder,
    detached: true,
    env: shellOf(),
  })
  let printed = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  const isUp = (): boolean => server.exitCode === null && server.signalCode === null
  const browser = await launchChromium(findChromium() as string)
  try {
    const until = Date.now() + 1000 * PATIENCE
    const coloured = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
    const address = (): string | undefined => /http:\/\/[\d.]+:\d+\S*/.exec(printed.replaceAll(coloured, ''))?.[0]
    while (address() === undefined && isUp() && Date.now() < until) await wait(100)
    if (address() === undefined)
      return {
        figures: `${serve}: no address, ${isUp() ? 'still up' : `ended with ${server.exitCode ?? 'a signal'}`}; ${printed.trim().slice(-200)}`,
        holds: false,
      }
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.addInitScript({ content: 'globalThis.__name = (given) => given' })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(address() ?? 'about:blank')
    await page.locator('canvas').waitFor({ timeout: 1000 * PATIENCE })
    const picture = async (): Promise<string> => `data:image/png;base64,${(await page.screenshot()).toString('base64')}`
    await page.waitForTimeout(1500)
    const before = await picture()
    await page.waitForTimeout(1000)
    const compared = await comparePictures(page, before, await picture())
    const blank = isBlank(compared)
    const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    return {
      figures: `${compared.colours} colours, ${figure(100 * compared.changed, 2)} % changed in 1 s${blank === undefined ? '' : `, BLANK: ${blank}`}${scrolls ? ', the page scrolls sideways' : ''}${errors.length > 0 ? `; ${errors[0]}` : ''}`,
      holds: blank === undefined && compared.changed > 0.0005 && errors.length === 0,
    }
  } finally {
    await browser.close()
    if (server.pid !== undefined && isUp()) process.kill(-server.pid, 'SIGTERM')
  }
}

const followed: ReportRow = {
  id: '9.1',
  claim: 'The first page of the guide, followed in an empty folder, gives a running page with a rope',
  asked: `≤ ${COMMANDS} commands, the packing of archives among them, ≤ ${LINES} lines of code, imports among them; a picture that is not blank and changes, no error; the code passes tsc as the template sets it`,
  scene: 'docs/first-scene.md; npm run archives in place of the registry, Vite and three from it; 1280×800',
  slow: true,
  async measure() {
    const { commands, code } = firstScene()
    if (findChromium() === undefined) return skipped(whyNoChromium())
    const [count, lines] = [commands.length + 1, linesOf(code)]
    const packed = spawnSync('npm', ['run', '--silent', 'archives'], { cwd: ROOT, encoding: 'utf8' })
    if (packed.status !== 0) return { figures: `npm run archives: ${packed.stderr.slice(-200)}`, holds: false }
    const folder = mkdtempSync(join(tmpdir(), 'tautline-first-'))
    try {
      const wrong = setUp(folder, commands.slice(0, -1))
      if (wrong !== undefined) return { figures: wrong, holds: false }
      const project = readFileSync(join(folder, '.where'), 'utf8').trim()
      writeFileSync(join(project, 'src/main.ts'), code)
      const checked = spawnSync('npx', ['tsc', '--noEmit'], { cwd: project, encoding: 'utf8', env: shellOf() })
      const seen = await look(project, commands.at(-1) ?? '')
      const types =
        checked.status === 0
          ? 'types hold'
          : `types: status ${checked.status ?? 'none'}: ${(checked.stdout + checked.stderr).trim().split('\n')[0]}`
      return {
        figures: `${count} commands, ${lines} lines; ${seen.figures}; ${types}`,
        holds: seen.holds && checked.status === 0 && count <= COMMANDS && lines <= LINES,
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const short: ReportRow = {
  id: '9.2',
  claim: 'It is short',
  asked: `≤ ${COMMANDS} commands, the packing of archives among them; ≤ ${LINES} lines of code, imports among them`,
  scene: 'docs/first-scene.md; lines with something on them that are no comment',
  measure() {
    const { commands, code } = firstScene()
    const [count, lines] = [commands.length + 1, linesOf(code)]
    return { figures: `${count} commands, ${lines} lines`, holds: count <= COMMANDS && lines <= LINES && lines > 0 }
  },
}

export const guideRows: readonly ReportRow[] = [followed, short]
