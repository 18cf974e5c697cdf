/** What the simulation takes, and what the page weighs. */

import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { weights } from '../../gallery/weigh.js'
import { figure, type ReportRow } from '../report.js'
import { built, DESKTOP, GALLERY, inBrowser, overScenes } from './browser.js'

/** [ms] */
const STEP = 8
/** Before, so that the browser has compiled, and of which the median is taken, from the start of the scene. */
const WARM = 60
const STEPS = 240
/** Medians of a scene that is above: a machine that others use is not to be measured with them. */
const TURNS = 3

const time: ReportRow = {
  id: '6',
  claim: 'Every scene with its defaults is quick to simulate',
  asked: `median of a step < ${STEP} ms on this machine`,
  scene: `${STEPS} steps from the start after ${WARM} of warm-up, at once, without drawing; one page and nothing else in the browser; where above, the least of ${TURNS} turns; the clock of a page goes by 0.1 ms`,
  async measure() {
    const outcomes = await overScenes(
      DESKTOP,
      async ({ page }) => {
        let [least, mean] = [Infinity, Infinity]
        for (let turn = 0; turn < TURNS && least >= STEP; turn++) {
          const [now, all] = await page.evaluate(
            ([warm, steps]) => {
              const { gallery } = window
              gallery.run(warm)
              gallery.reset()
              const before = performance.now()
              gallery.run(steps)
              return [gallery.state()?.msPerStep ?? Infinity, (performance.now() - before) / steps]
            },
            [WARM, STEPS],
          )
          least = Math.min(least, now)
          mean = Math.min(mean, all)
        }
        return { least, mean }
      },
      1,
    )
    const texts = outcomes.map(({ scene, result, failed }) =>
      result === undefined ? `${scene} ${failed}` : `${scene} ${figure(result.least, 2)}`,
    )
    const most = Math.max(...outcomes.map(({ result }) => result?.mean ?? Infinity))
    return {
      figures: `${texts.join(', ')} ms; largest mean of a scene, plots included, ${figure(most, 2)} ms`,
      holds: outcomes.length > 0 && outcomes.every(({ result }) => result !== undefined && result.least < STEP),
    }
  },
}

/** [kB], of 1000 bytes. */
const SCRIPT = 400

const size: ReportRow = {
  id: '7',
  claim: "The page's script is small",
  asked: `<= ${SCRIPT} kB gzipped in all`,
  scene: 'every script of the build, each gzipped with the usual level 6; a kB has 1000 bytes',
  async measure() {
    await built()
    const folder = `${GALLERY}dist/`
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?js$/.test(file))
    const sizes = files
      .map((file) => ({
        file: file.split('/').at(-1) ?? file,
        size: gzipSync(readFileSync(folder + file)).length / 1000,
      }))
      .sort((a, b) => b.size - a.size)
    const total = sizes.reduce((sum, { size }) => sum + size, 0)
    const largest = sizes.slice(0, 4).map(({ file, size }) => `${file} ${figure(size)}`)
    return {
      figures: `${figure(total, 5)} kB in ${files.length} ${files.length === 1 ? 'file' : 'files'}, the largest: ${largest.join(', ')}`,
      holds: files.length > 0 && total <= SCRIPT,
    }
  },
}

/** Of a page before a scene is opened [kB]. */
const FIRST = 150

const pages: ReportRow = {
  id: '7.1',
  claim: 'What a page loads is small',
  asked: `<= ${FIRST} kB gzipped before a scene is opened, <= ${SCRIPT} kB for the page of any scene`,
  scene:
    'scripts that the first page with its live scene, and those that each scene with its page need before they run; engines, editor and types are loaded on pages of their own',
  async measure() {
    await built()
    const { first, scenes } = weights(`${GALLERY}dist/`)
    const all = [...scenes].sort((a, b) => b[1] - a[1])
    const [[heaviest, most]] = all
    return {
      figures: `${figure(first / 1000)} kB; ${all.length} scenes, ${figure(all[all.length >> 1][1] / 1000)} kB in the median, ${figure(most / 1000)} at most (${heaviest})`,
      holds: first <= 1000 * FIRST && most <= 1000 * SCRIPT,
    }
  },
}

export const speed: readonly ReportRow[] = [inBrowser(time), size, pages]
