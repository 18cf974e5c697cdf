/** Rows 4: the editor of whole scenes. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { unzipSync } from 'fflate'
import { DESKTOP } from '../gallery/browser.js'
import { figure, type ReportRow } from '../report.js'
import { inSite, visit } from './site.js'

const PLAY = 'gallery/#/play'
/** A scene in TypeScript that nobody has seen before. */
const TEXT = `import { World, solidSphere } from '@tautline/core'
import { distance } from '@tautline/constraints'

export const world: World = new World({ substeps: 4 })
const ball = world.addBody({ position: [1, 1, 0], mass: 3, inertia: solidSphere(3, 0.2) })
world.add(distance, { a: ball, b: null, anchorB: [0, 1, 0] })
`
/** The same with a field that there is not. */
const MISSPELT = TEXT.replace('mass: 3', 'mass: 3, freindly: 1')

/** What the page tells of its playground. */
interface Play {
  readonly error: string | null
  readonly step: number
  readonly bodies: number
}

function play(page: Page): Promise<Play | null> {
  return page.evaluate(() => window.gallery.playground?.state() ?? null)
}

async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').waitFor({ timeout: 20_000 })
  await page.evaluate((given) => window.gallery.playground?.write(given), text)
}

const runs: ReportRow = {
  id: '4.1',
  claim: 'A playground runs whole scenes in TypeScript',
  asked: 'a new text with types and imports runs: its bodies, steps that go on, no error',
  scene: '1280×800; gallery/#/play; a pendulum of seven lines, written into the editor',
  measure: () =>
    visit(PLAY, DESKTOP, async ({ page, errors }) => {
      await write(page, TEXT)
      await page.getByRole('button', { name: 'Run' }).click()
      await page.waitForFunction(() => window.gallery.playground?.state()?.bodies === 1, undefined, { timeout: 20_000 })
      const first = await play(page)
      await page.waitForTimeout(1000)
      const second = await play(page)
      return {
        figures: `${second?.bodies ?? 0} body, ${second?.step ?? 0} steps after ${first?.step ?? 0}, error: ${second?.error ?? 'none'}${errors.length > 0 ? `; ${errors[0]}` : ''}`,
        holds: second !== null && second.error === null && second.step > (first?.step ?? 0) && errors.length === 0,
      }
    }),
}

const types: ReportRow = {
  id: '4.2',
  claim: 'Its editor knows the library’s types',
  asked: 'a field that there is not is marked at its line; fields are offered as one types; neither before it is wrong',
  scene: '1280×800; “freindly” in addBody; then completion within addBody({ … }) by Ctrl-Space',
  measure: () =>
    visit(PLAY, DESKTOP, async ({ page }) => {
      await write(page, TEXT)
      await page.waitForTimeout(6000)
      const before = await page.locator('.cm-lintRange-error').count()
      await write(page, MISSPELT)
      await page.locator('.cm-lintRange-error').first().waitFor({ timeout: 20_000 })
      const marked = (await page.locator('.cm-lintRange-error').first().textContent()) ?? ''
      const open = TEXT.replace('mass: 3,', 'mass: 3, ')
      await write(page, open)
      await page.evaluate((at) => window.gallery.playground?.write(undefined, at), open.indexOf('mass: 3, ') + 9)
      await page.keyboard.press('Control+Space')
      const list = page.locator('.cm-tooltip-autocomplete li')
      await list.first().waitFor({ timeout: 20_000 })
      const offered = await list.allTextContents()
      const known = ['gravityScale', 'velocity', 'userData'].filter((name) =>
        offered.some((each) => each.includes(name)),
      )
      return {
        figures: `${before} marks before; “${marked}” marked; ${offered.length} offers, ${known.join(', ') || 'none'} among them`,
        holds: before === 0 && marked.includes('freindly') && known.length > 0,
      }
    }),
}

const link: ReportRow = {
  id: '4.3',
  claim: 'A text is shared by its link, and runs only when the visitor says so',
  asked: 'the link has the text; opened elsewhere it is shown and does not run; “Run” runs it',
  scene: '1280×800; the address after “Copy link”, opened in a browser without storage',
  measure: () =>
    visit(PLAY, DESKTOP, async ({ page }) => {
      await write(page, TEXT)
      await page.getByRole('button', { name: 'Copy link' }).click()
      await page.waitForFunction(() => location.hash.includes('text='), undefined, { timeout: 5000 })
      const hash = new URL(page.url()).hash
      return visit(`gallery/${hash}`, DESKTOP, async ({ page: other }) => {
        await other.locator('.cm-content').waitFor({ timeout: 20_000 })
        await other.waitForTimeout(2000)
        const shown = await other.evaluate(() => window.gallery.playground?.text)
        const waiting = await play(other)
        const frames = await other.locator('iframe').count()
        await other.getByRole('button', { name: 'Run' }).click()
        await other.waitForFunction(() => window.gallery.playground?.state()?.bodies === 1, undefined, {
          timeout: 20_000,
        })
        return {
          figures: `${hash.length} characters; ${shown === TEXT ? 'the same text' : 'ANOTHER TEXT'}; before “Run” ${waiting?.step ?? 0} steps and ${frames} frames, then it runs`,
          holds: shown === TEXT && (waiting?.step ?? 0) === 0 && frames === 0,
        }
      })
    }),
}

const project: ReportRow = {
  id: '4.4',
  claim: 'It is exported as a project',
  asked: 'an archive with package.json, index.html and the text itself; its TypeScript is without a mistake of grammar',
  scene: '1280×800; “Export” pressed, the download unpacked; built by esbuild with packages left outside',
  measure: () =>
    visit(PLAY, DESKTOP, async ({ page }) => {
      await write(page, TEXT)
      const coming = page.waitForEvent('download', { timeout: 10_000 })
      await page.getByRole('button', { name: 'Export' }).click()
      const path = await (await coming).path()
      const folder = mkdtempSync(join(tmpdir(), 'tautline-export-'))
      try {
        const files = unzipSync(readFileSync(path))
        for (const [name, bytes] of Object.entries(files)) {
          if (name.endsWith('/')) continue
          mkdirSync(dirname(join(folder, name)), { recursive: true })
          writeFileSync(join(folder, name), bytes)
        }
        const names = Object.keys(files)
        const has = (end: string): string | undefined => names.find((name) => name.endsWith(end))
        const scene = has('scene.ts')
        const built = spawnSync(
          'npx',
          [
            'esbuild',
            join(folder, has('main.ts') ?? 'main.ts'),
            '--bundle',
            '--format=esm',
            '--packages=external',
            `--outfile=${join(folder, 'out.js')}`,
          ],
          { encoding: 'utf8' },
        )
        const isSame = scene !== undefined && readFileSync(join(folder, scene), 'utf8') === TEXT
        return {
          figures: `${names.join(', ')}; ${isSame ? 'the text is the same' : 'ANOTHER TEXT'}; ${built.status === 0 ? 'builds' : built.stderr.slice(0, 120)}`,
          holds:
            isSame &&
            built.status === 0 &&
            existsSync(join(folder, 'out.js')) &&
            has('package.json') !== undefined &&
            has('index.html') !== undefined,
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }),
}

/** Tries all that a text of somebody else's would like to reach. */
const HOSTILE = `import { World } from '@tautline/core'
const reached: string[] = []
const attempt = (name: string, act: () => unknown) => { try { act(); reached.push(name) } catch { /* refused */ } }
attempt('storage', () => localStorage.setItem('seen', '1'))
attempt('the page', () => (parent as Window).document.title)
attempt('cookies', () => { document.cookie = 'seen=1'; if (document.cookie === '') throw new Error() })
export const world = new World()
world.addBody({ position: [0, 0, 0], name: reached.join(' ') + ' ' + origin })
for (const word of reached) throw new Error('reached ' + word)
if (origin !== 'null') throw new Error('origin ' + origin)
`

const frame: ReportRow = {
  id: '4.5',
  claim: 'What runs is in a sandboxed frame of an origin of its own',
  asked: 'sandbox without allow-same-origin; storage, cookies and the page around it out of reach',
  scene: '1280×800; a text that tries them',
  measure: () =>
    visit(PLAY, DESKTOP, async ({ page }) => {
      await write(page, HOSTILE)
      await page.getByRole('button', { name: 'Run' }).click()
      await page.waitForFunction(
        () => {
          const now = window.gallery.playground?.state()
          return now !== undefined && now !== null && (now.bodies > 0 || now.error !== null)
        },
        undefined,
        { timeout: 20_000 },
      )
      const { error, bodies } = (await play(page)) as Play
      const sandbox = (await page.locator('iframe').getAttribute('sandbox')) ?? 'none'
      return {
        figures: `sandbox="${sandbox}"; ${error === null ? `nothing reached, ${figure(bodies)} body` : error}`,
        holds: error === null && bodies === 1 && !/allow-same-origin|none/.test(sandbox),
      }
    }),
}

/** [s] */
const ENDED = 10

const endless: ReportRow = {
  id: '4.6',
  claim: 'A text that never ends does not hang the page',
  asked: `it is taken away within ${ENDED} s, and says so; the page answers meanwhile, and the next text runs`,
  scene: '1280×800; while (true) {}',
  measure: () =>
    visit(PLAY, DESKTOP, async ({ page }) => {
      const run = page.getByRole('button', { name: 'Run' })
      await write(page, 'while (true) {}')
      await run.click()
      const start = performance.now()
      let slowest = 0
      while (((await play(page))?.error ?? '') === '' && performance.now() - start < 2000 * ENDED) {
        const asked = performance.now()
        await page.evaluate(() => document.title)
        slowest = Math.max(slowest, performance.now() - asked)
        await page.waitForTimeout(100)
      }
      const took = (performance.now() - start) / 1000
      const error = (await play(page))?.error ?? 'nothing said'
      await write(page, "import { World } from '@tautline/core'\nexport const world = new World()\nworld.addBody({})")
      await run.click()
      const next = await page
        .waitForFunction(() => (window.gallery.playground?.state()?.bodies ?? 0) > 0, undefined, { timeout: 20_000 })
        .then(
          () => true,
          () => false,
        )
      return {
        figures: `${figure(took)} s: ${error}; the page answered within ${figure(slowest)} ms; the next text ${next ? 'runs' : 'does not run'}`,
        holds: took <= ENDED && slowest < 1000 && next,
      }
    }),
}

export const playground: readonly ReportRow[] = [runs, types, link, project, frame, endless].map(inSite)
