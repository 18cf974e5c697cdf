/** Rows 2: a scene's page. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DESKTOP, PHONE, verdict } from '../gallery/browser.js'
import type { Measured, ReportRow } from '../report.js'
import { inSite, judged, overSite, ROOT, visit } from './site.js'

const tries: ReportRow = {
  id: '2.1',
  claim: 'A scene leads with what to try',
  asked: 'a list “Try” right under its name, before any setting, in every scene',
  scene: '1280×800; the element after .side h1',
  async measure() {
    const outcomes = await overSite(DESKTOP, ({ page }) =>
      page.evaluate(() => {
        const heading = document.querySelector('.side h1')
        const next = heading?.nextElementSibling
        return { isNext: next?.matches('.try') === true, items: next?.querySelectorAll('li').length ?? 0 }
      }),
    )
    return verdict(
      judged(outcomes, ({ isNext, items }) => (isNext && items > 0 ? undefined : 'no list of what to try')),
    )
  },
}

/** Sources of exhibits and of their scenes, as they are kept. */
function sources(): string {
  const read = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
  return [...read('examples/gallery/src/exhibits'), ...read('examples/scenes')].join('\n')
}

function codeOf(page: Page): Promise<{ text: string; spans: number; colours: number; button: boolean }> {
  return page.evaluate(async () => {
    const panel = document.querySelector<HTMLDetailsElement>('details.code')
    if (panel === null) return { text: '', spans: 0, colours: 0, button: false }
    panel.open = true
    for (let k = 0; k < 100 && panel.querySelector('code span') === null; k++)
      await new Promise((resolve) => setTimeout(resolve, 50))
    const spans = [...panel.querySelectorAll('code span')]
    return {
      text: panel.querySelector('code')?.textContent ?? '',
      spans: spans.length,
      colours: new Set(spans.map((span) => getComputedStyle(span).color)).size,
      button: [...document.querySelectorAll('a, button')].some(
        (each) => each.textContent.trim() === 'Open in the editor',
      ),
    }
  })
}

const code: ReportRow = {
  id: '2.2',
  claim: 'Its code stands beside it, highlighted, with a button that opens it in the editor',
  asked: 'the real source, ≥ 3 colours, “Open in the editor”, in every scene',
  scene: '1280×800; details.code opened; its text looked up in examples/gallery/src/exhibits and examples/scenes',
  async measure() {
    const all = sources()
    const outcomes = await overSite(DESKTOP, ({ page }) => codeOf(page))
    return verdict(
      judged(outcomes, ({ text, colours, button }) => {
        if (text.trim() === '') return 'no code'
        if (!all.includes(text.trim())) return 'not the source'
        if (colours < 3) return `${colours} colours`
        return button ? undefined : 'no button'
      }),
    )
  },
}

/** What the solver's settings are called. */
const SOLVER = ['substeps', 'iterations', 'relaxation', 'solver', 'compliance']

const folded: ReportRow = {
  id: '2.3',
  claim: 'Settings of the solver are folded under “Solver”',
  asked: 'none of them visible before it is unfolded, all of them after, in every scene that has any',
  scene: `1280×800; ${SOLVER.join(', ')}`,
  async measure() {
    const outcomes = await overSite(DESKTOP, ({ page }) =>
      page.evaluate((names) => {
        const controls = names.flatMap((name) => document.getElementById(`set-${name}`) ?? [])
        const fold = [...document.querySelectorAll('details')].find(
          (each) => each.querySelector('summary')?.textContent.trim() === 'Solver',
        )
        const before = controls.filter((control) => control.checkVisibility()).length
        if (fold !== undefined) fold.open = true
        return { count: controls.length, before, after: controls.filter((control) => control.checkVisibility()).length }
      }, SOLVER),
    )
    // Controls by other names would be none in view, and none to be found.
    if (!outcomes.some(({ result }) => (result?.count ?? 0) > 0)) {
      return { figures: 'no scene has a control of these names', holds: false }
    }
    return verdict(
      judged(outcomes, ({ count, before, after }) => {
        if (before > 0) return `${before} of ${count} in view`
        return after === count ? undefined : `${count - after} of ${count} not to be found`
      }),
    )
  },
}

const plots: ReportRow = {
  id: '2.4',
  claim: 'Plots come on demand',
  asked:
    'no plot before “Plots” is pressed, and no script for it loaded; plots with samples after, where a scene has any',
  scene: '1280×800; #/rope, and every scene before',
  measure: () =>
    visit('gallery/#/rope', DESKTOP, async ({ page, loaded }) => {
      const count = (): Promise<number> => page.locator('.plots canvas').count()
      const before = await count()
      const early = loaded.filter(({ url }) => /plot/i.test(url)).length
      const button = page.getByRole('button', { name: 'Plots' })
      if ((await button.count()) === 0) return { figures: `${before} plots at once, and no button`, holds: false }
      await button.click()
      await page.locator('.plots canvas').first().waitFor({ timeout: 5000 })
      await page.waitForTimeout(600)
      const samples = await page.evaluate(() => Math.max(0, ...Object.values(window.gallery.state()?.plots ?? {})))
      return {
        figures: `${before} before, ${early} scripts; ${await count()} after, ${samples} samples`,
        holds: before === 0 && early === 0 && samples > 1,
      }
    }),
}

const neighbours: ReportRow = {
  id: '2.5',
  claim: 'Next and previous lead through all scenes',
  asked: 'next from the first visits all and ends where it began; previous goes back',
  scene: '1280×800; links by their names',
  measure: () =>
    visit('gallery/', DESKTOP, async ({ page }) => {
      const scenes = await page.evaluate(() => window.gallery.scenes)
      await page.evaluate((id) => window.gallery.open(id), scenes[0])
      const follow = async (name: string): Promise<string> => {
        const before = page.url()
        await page.getByRole('link', { name }).click()
        await page.waitForFunction(
          (old) => location.href !== old && window.gallery.state()?.scene === location.hash.slice(2),
          before,
        )
        return page.url().split('#/')[1]
      }
      const seen: string[] = []
      for (let k = 0; k < scenes.length; k++) seen.push(await follow('Next scene'))
      const back = await follow('Previous scene')
      const all = new Set(seen).size
      return {
        figures: `${all} of ${scenes.length} by “next”, the last is ${seen.at(-1) ?? ''}; “previous” then leads to ${back}`,
        holds: all === scenes.length && seen.at(-1) === scenes[0] && back === scenes.at(-1),
      }
    }),
}

/** Share of the picture that has to stay in view, and least height of it [css px]. */
const STAYS = 0.95
const HIGH = 200

const phone: ReportRow = {
  id: '2.6',
  claim: 'On a phone the picture stays in view while controls move',
  asked: `≥ ${100 * STAYS} % of it, and ≥ ${HIGH} px, with every control scrolled to, none hidden behind it`,
  scene: '390×844; all folds open; every control of every scene scrolled to its end',
  async measure(): Promise<Measured> {
    const outcomes = await overSite(PHONE, ({ page }) =>
      page.evaluate(
        ([stays, high]) => {
          for (const fold of document.querySelectorAll('details')) if (!fold.matches('.code')) fold.open = true
          const stage = document.querySelector('.stage') as HTMLElement
          for (const control of document.querySelectorAll<HTMLElement>('.setting input, .setting select')) {
            control.scrollIntoView({ block: 'center' })
            const picture = stage.getBoundingClientRect()
            const seen = Math.min(innerHeight, picture.bottom) - Math.max(0, picture.top)
            if (seen < stays * picture.height || seen < high) return `${control.id}: ${Math.round(seen)} px in view`
            const { left, top, width, height } = control.getBoundingClientRect()
            const hit = document.elementFromPoint(left + width / 2, top + height / 2)
            if (hit !== null && stage.contains(hit)) return `${control.id} is behind the picture`
          }
          return ''
        },
        [STAYS, HIGH] as const,
      ),
    )
    return verdict(judged(outcomes, (wrong) => wrong || undefined))
  },
}

export const scenePage: readonly ReportRow[] = [tries, code, folded, plots, neighbours, phone].map(inSite)
