/** Rows 3: the same scene in other engines, beside each other. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DESKTOP } from '../gallery/browser.js'
import { figure, type ReportRow } from '../report.js'
import { inSite, ROOT, visit } from './site.js'

const ENGINES = ['Tautline', 'Rapier', 'Jolt', 'cannon-es', 'crashcat']
/** Of the clock, after all are there [ms]. */
const WATCHED = 3000

const board: ReportRow = {
  id: '3.1',
  claim: 'The same scene runs side by side in Rapier, Jolt, cannon-es and crashcat',
  asked: `a row for each of ${ENGINES.join(', ')} with gap, energy and time a step as numbers that are finite and change; no error`,
  scene: `1280×800; gallery/#/beside; the rows of table.scoreboard, read twice, ${WATCHED / 1000} s apart`,
  measure: () =>
    visit('gallery/#/beside', DESKTOP, async ({ page, errors }) => {
      await page.locator('table.scoreboard').waitFor({ timeout: 20_000 })
      await page.waitForFunction(
        (count) => document.querySelectorAll('.scoreboard tbody tr.runs').length >= count,
        ENGINES.length,
        {
          timeout: 30_000,
        },
      )
      const read = (): Promise<string[][]> =>
        page
          .locator('.scoreboard tbody tr')
          .evaluateAll((rows) =>
            rows.map((row) => Array.from(row.querySelectorAll('th, td'), (cell) => cell.textContent)),
          )
      await page.waitForTimeout(WATCHED)
      const first = await read()
      await page.waitForTimeout(WATCHED)
      const second = await read()
      const there = ENGINES.filter((name) => second.some(([title]) => title.startsWith(name)))
      const changing = second.filter((row, k) => row.slice(1).join() !== first[k].slice(1).join()).length
      const isNumber = second.every((row) => row.slice(1).every((cell) => /\d/.test(cell)))
      return {
        figures: `${second.map((row) => row.join(' ')).join('; ')}; ${changing} of them change${errors.length > 0 ? `; ${errors[0]}` : ''}`,
        holds: there.length === ENGINES.length && isNumber && changing === second.length && errors.length === 0,
      }
    }),
}

/** Names in scripts that nothing but the engines have. */
const MARKS = [/rapier/i, /jolt/i, /cannon/i, /crashcat/i]

const alone: ReportRow = {
  id: '3.2',
  claim: 'Other engines are loaded only there',
  asked: 'no file with one of them for the first page and #/rope; all of them at #/beside',
  scene: 'names of files that were asked for; each engine in a file of its own',
  async measure() {
    const names = (path: string): Promise<string[]> =>
      visit(path, DESKTOP, async ({ page, loaded }) => {
        await page.waitForTimeout(path.endsWith('beside') ? 8000 : 2000)
        return loaded.map(({ url }) => url)
      })
    const elsewhere = [...(await names('gallery/')), ...(await names('gallery/#/rope'))]
    const there = await names('gallery/#/beside')
    const count = (urls: string[]): number => MARKS.filter((mark) => urls.some((url) => mark.test(url))).length
    return {
      figures: `${count(elsewhere)} of ${MARKS.length} engines elsewhere, ${count(there)} there`,
      holds: count(elsewhere) === 0 && count(there) === MARKS.length,
    }
  },
}

const versions: ReportRow = {
  id: '3.3',
  claim: 'It says which versions are compared',
  asked: 'the versions of package.json, on the page',
  scene: 'gallery/#/beside; bench/engines/package.json',
  measure: () =>
    visit('gallery/#/beside', DESKTOP, async ({ page }) => {
      const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'bench/engines/package.json'), 'utf8')) as {
        devDependencies: Record<string, string>
      }
      await page.locator('table.scoreboard').waitFor({ timeout: 20_000 })
      const text = (await page.locator('main').textContent()) ?? ''
      const wanted = ['@dimforge/rapier3d-compat', 'jolt-physics', 'cannon-es', 'crashcat']
      const shown = wanted.filter((name) => devDependencies[name] !== undefined && text.includes(devDependencies[name]))
      return {
        figures: `${shown.length} of ${figure(wanted.length)} named with their version`,
        holds: shown.length === wanted.length,
      }
    }),
}

export const sideBySide: readonly ReportRow[] = [board, alone, versions].map(inSite)
