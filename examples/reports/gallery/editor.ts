/** Rows 4: the editor takes a constraint that is typed, and says what is wrong with a broken one. */

import type { Page } from 'playwright-core'
import type { GalleryState } from '../../gallery/src/handle.js'
import { figure, type ReportRow } from '../report.js'
import { DESKTOP, inBrowser, withPage } from './browser.js'

/** Beads, and how far they may be from the sphere after two seconds [m]. */
const BEADS = 24
const NEAR = 1e-3
const STEPS = 120

/** Beads on a sphere, thrown sideways. */
const SPHERE = `const onSphere = custom({
  name: 'onSphere',
  bodies: 1,
  error: ([bead]) => Math.hypot(...bead.position) - 1,
})
for (let k = 0; k < ${BEADS}; k++) {
  const a = (2 * Math.PI * k) / ${BEADS}
  const bead = world.addParticle({ position: [Math.cos(a), 0, Math.sin(a)], velocity: [0, 1, 0], mass: 0.1 })
  world.add(onSphere, { bodies: [bead] })
}
`

/** Each with the line that is wrong. */
const BROKEN = [
  { what: 'grammar', line: 4, text: SPHERE.replace('- 1,', '- ,') },
  { what: 'a name that nobody knows', line: 9, text: SPHERE.replace('world.add(onSphere', 'world.add(onSpehre') },
  { what: 'an error function that throws', line: 4, text: SPHERE.replace('bead.position)', 'bead.positions)') },
]

/** Types a text instead of the one that is there, as a person does: select all, insert. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator('.editor textarea').click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

function state(page: Page): Promise<GalleryState> {
  return page.evaluate(() => window.gallery.state() as GalleryState)
}

const accepts: ReportRow = {
  id: '4.1',
  claim: 'The editor accepts a new constraint',
  asked: `no error; the bodies that the text has; each obeys its constraint to ${NEAR} m`,
  scene: `typed: ${BEADS} beads on a sphere by an error function of one line, thrown upward; ${STEPS} steps`,
  measure: () =>
    withPage(DESKTOP, '#/write', async ({ page, errors }) => {
      await type(page, SPHERE)
      await page.waitForFunction((beads) => window.gallery.state()?.bodies === beads, BEADS, { timeout: 10_000 })
      await page.evaluate((steps) => window.gallery.run(steps), STEPS)
      const { bodies, error, step } = await state(page)
      const [mistake, beads] = await page.evaluate(
        () => [window.gallery.editor?.error, window.gallery.draggables().map(({ position }) => position)] as const,
      )
      const farthest = Math.max(...beads.map((position) => Math.abs(Math.hypot(...position) - 1)))
      return {
        figures: `${bodies} bodies, ${figure(farthest)} m off the sphere at most after ${step} steps; ${mistake?.message ?? error ?? 'no error'}`,
        holds: mistake === null && error === null && errors.length === 0 && beads.length === BEADS && farthest <= NEAR,
      }
    }),
}

const refuses: ReportRow = {
  id: '4.2',
  claim: 'The editor shows an error for a broken one',
  asked: 'a message at the line that is wrong, on the page; the scene goes on again when it is mended',
  scene: `typed: the same with ${BROKEN.map(({ what }) => what).join(', ')}`,
  measure: () =>
    withPage(DESKTOP, '#/write', async ({ page }) => {
      const results: string[] = []
      let holds = true
      for (const { what, line, text } of BROKEN) {
        await type(page, text)
        await page.waitForFunction(() => window.gallery.editor?.error, undefined, { timeout: 10_000 })
        const error = await page.evaluate(() => window.gallery.editor?.error)
        const isShown = await page.locator('.editor .mistake').isVisible()
        const marked = await page.locator('.gutter .wrong').allTextContents()
        await type(page, SPHERE)
        await page.waitForFunction(() => window.gallery.editor?.error === null, undefined, { timeout: 10_000 })
        const { step } = await state(page)
        await page.waitForFunction((before) => (window.gallery.state()?.step ?? 0) > before, step, { timeout: 10_000 })
        results.push(`${what}: “${error?.message ?? ''}”, line ${error?.line ?? 'unknown'}`)
        holds &&= isShown && error?.line === line && marked.join() === String(line)
      }
      return { figures: results.join('; '), holds }
    }),
}

/** Each never ends: at once, in its first step, and only after a while. */
const ENDLESS = [
  { what: 'a loop in the text', text: `${SPHERE}for (;;) {}\n` },
  {
    what: 'in the error function',
    text: SPHERE.replace('error: ([bead]) =>', 'error: ([bead]) => { for (;;) {} },\n  other: ([bead]) =>'),
  },
  {
    what: 'in its 500th call',
    text: `let calls = 0\n${SPHERE.replace('error: ([bead]) =>', 'error: ([bead]) => { while (calls >= 500) {} calls++; return Math.hypot(...bead.position) - 1 },\n  other: ([bead]) =>')}`,
  },
]
/** A page that answers within this time does not hang [ms]. */
const PROMPT = 500
/** From the last key to the message [s]. */
const SOON = 5

const guards: ReportRow = {
  id: '4.3',
  claim: 'A text that never ends does not hang the page',
  asked: `a message within ${SOON} s; meanwhile the scene before goes on and the page answers within ${PROMPT} ms; then a text that ends runs`,
  scene: `typed: the same with ${ENDLESS.map(({ what }) => what).join(', ')}`,
  measure: () =>
    withPage(DESKTOP, '#/write', async ({ page }) => {
      const results: string[] = []
      let holds = true
      for (const { what, text } of ENDLESS) {
        const before = await state(page)
        await type(page, text)
        const start = performance.now()
        let slowest = 0
        let message: string | undefined
        while (message === undefined && performance.now() - start < 1000 * SOON) {
          const asked = performance.now()
          message = await page.evaluate(() => window.gallery.editor?.error?.message)
          slowest = Math.max(slowest, performance.now() - asked)
          await page.waitForTimeout(50)
        }
        const seconds = (performance.now() - start) / 1000
        const { step } = await state(page)
        await type(page, SPHERE)
        await page.waitForFunction(() => window.gallery.editor?.error === null, undefined, { timeout: 10_000 })
        results.push(
          `${what}: “${message ?? 'no message'}” after ${figure(seconds)} s, slowest answer ${figure(slowest)} ms`,
        )
        holds &&= message !== undefined && slowest <= PROMPT && step > before.step
      }
      return { figures: results.join('; '), holds }
    }),
}

export const editor: readonly ReportRow[] = [accepts, refuses, guards].map(inBrowser)
