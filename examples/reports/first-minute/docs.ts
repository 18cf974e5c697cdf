/** Rows 8: the site of the docs, as it is built. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseHTML } from 'linkedom'
import { FILES } from '../../pictures/list.js'
import { DESKTOP, PHONE, verdict } from '../gallery/browser.js'
import { figure, type ReportRow } from '../report.js'
import { BASE, builtSite, foreign, inSite, missing, requests, ROOT, SITE, visit } from './site.js'

/** What the issue names, and a page that has to be about it. */
const GUIDE: Readonly<Record<string, string>> = {
  'first scene': 'first-scene',
  cloth: 'cloth',
  rope: 'rope',
  soft: 'soft-bodies',
  ragdoll: 'ragdolls',
  IK: 'ik',
  contacts: 'collisions',
  'your own constraint': 'adding-a-constraint',
  testing: 'testing',
  networking: 'networking',
  workers: 'workers',
  performance: 'performance',
}
const CONCEPTS = ['architecture', 'conventions', 'method']

function page(path: string): Document {
  return parseHTML(readFileSync(join(builtSite(), path), 'utf8')).document as unknown as Document
}

/** Why a page is no page of the guide. */
function wrongWith(path: string, needsCode: boolean): string | undefined {
  if (!existsSync(join(builtSite(), `${path}.html`))) return 'no page'
  const article = page(`${path}.html`).querySelector('.vp-doc')
  const words = (article?.textContent ?? '').split(/\s+/).length
  if (words < 150) return `${words} words`
  if (needsCode && (article?.querySelectorAll('pre code').length ?? 0) === 0) return 'no code'
  const inMenu =
    page('index.html').documentElement.outerHTML.includes(path) ||
    page('hello.html').querySelector(`.VPSidebar a[href="${BASE}${path}.html"]`) !== null
  return inMenu ? undefined : 'in no menu'
}

const guide: ReportRow = {
  id: '8.1',
  claim: 'A guide has a page for each subject, and concepts have theirs',
  asked: `${Object.keys(GUIDE).join(', ')}; concepts: ${CONCEPTS.join(', ')}`,
  scene: 'the built pages: ≥ 150 words, code in it, led to by the menu',
  measure() {
    const rows = [
      ...Object.entries(GUIDE).map(([scene, path]) => ({ scene, wrong: wrongWith(path, true) })),
      ...CONCEPTS.map((path) => ({ scene: path, wrong: wrongWith(path, false) })),
    ]
    const { figures, holds } = verdict(rows)
    return { figures: figures.replace('scenes', 'subjects'), holds }
  },
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  /** Files that do something when they are imported. */
  readonly sideEffects: false | readonly string[]
}

/** Names that an entry exports. One that begins to work when it is imported is read, not imported: it may export nothing. */
async function exportsOf(folder: string, source: string, { name, sideEffects }: Manifest): Promise<string[]> {
  const file = join(ROOT, 'packages', folder, source)
  if (sideEffects !== false && sideEffects.includes(source)) {
    if (/^export /m.test(readFileSync(file, 'utf8'))) throw new Error(`${name}: ${source} must export nothing`)
    return []
  }
  return Object.keys((await import(file)) as object)
}

const reference: ReportRow = {
  id: '8.2',
  claim: 'The reference has every export, made from TSDoc',
  asked: 'each value that an entry of a package exports has a heading in the reference',
  scene: 'all entries of all packages, imported natively; headings of site/…/api',
  async measure() {
    builtSite()
    const pages = readdirSync(join(SITE, 'api'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.html'),
    )
    const headings = new Set<string>()
    for (const name of pages) {
      for (const heading of page(`api/${name}`).querySelectorAll('h1, h2, h3, h4')) {
        for (const word of (heading.textContent ?? '').match(/[A-Za-z_]\w*/g) ?? []) headings.add(word)
      }
    }
    const lost: string[] = []
    let count = 0
    for (const folder of readdirSync(join(ROOT, 'packages'))) {
      const manifest = JSON.parse(readFileSync(join(ROOT, `packages/${folder}/package.json`), 'utf8')) as Manifest
      for (const [key, entry] of Object.entries(manifest.exports)) {
        if (typeof entry === 'string') continue
        for (const each of await exportsOf(folder, entry['@tautline/source'], manifest)) {
          count++
          if (!headings.has(each)) lost.push(`${join(manifest.name, key)}: ${each}`)
        }
      }
    }
    return {
      figures: `${count - lost.length} of ${count} exports on ${pages.length} pages${lost.length > 0 ? `; not: ${lost.slice(0, 5).join(', ')}` : ''}`,
      holds: count > 0 && lost.length === 0,
    }
  },
}

const RECIPES = 30

const recipes: ReportRow = {
  id: '8.3',
  claim: 'Recipes are live scenes with their code',
  asked: `${RECIPES} of them; each runs in the page when its button is pressed, moves or stands, and shows no error`,
  scene: '1280×800; recipes.html; each “Run” pressed in turn, and what its frame tells after its first picture',
  slow: true,
  measure: () =>
    visit('recipes.html', DESKTOP, async ({ page: browser }) => {
      const count = await browser.locator('.vp-doc h2').count()
      const buttons = browser.locator('.live-code button')
      const wrong: string[] = []
      const lives = await buttons.count()
      for (let k = 0; k < lives; k++) {
        const title = await buttons.nth(k).evaluate((button) => {
          let at: Element | null = button.closest('.live-code')
          while (at !== null && at.tagName !== 'H2') at = at.previousElementSibling
          return at?.textContent.replace(/[^\w ,]/g, '').trim() ?? ''
        })
        await buttons.nth(k).click()
        const frame = browser.frameLocator('.live-code iframe')
        const scene = frame.locator('[data-play="runs"], [data-play^="error"]')
        const state = await scene
          .waitFor({ timeout: 30_000, state: 'attached' })
          .then(() => scene.getAttribute('data-play'))
          .catch(() => 'nothing came')
        if (state !== 'runs') wrong.push(`${title}: ${state ?? ''}`)
      }
      return {
        figures: `${count} recipes, ${lives - wrong.length} of ${lives} run${wrong.length > 0 ? `; not: ${wrong.join('; ')}` : ''}`,
        holds: count >= RECIPES && lives >= RECIPES && wrong.length === 0,
      }
    }),
}

const ORIGINS = ['Rapier', 'cannon-es', 'Jolt', 'Unity', 'Obi', 'Unreal']

const comingFrom: ReportRow = {
  id: '8.4',
  claim: 'Who comes from another engine finds names and differences',
  asked: `a table of names for each of ${ORIGINS.join(', ')}, and what is different`,
  scene: 'coming-from.html: a heading and a table of ≥ 8 rows each',
  measure() {
    const article = page('coming-from.html').querySelector('.vp-doc')
    const rows = ORIGINS.map((scene) => {
      const heading = Array.from(article?.querySelectorAll('h2') ?? []).find((each) =>
        each.textContent?.includes(scene),
      )
      let next = heading?.nextElementSibling
      while (next && next.tagName !== 'TABLE' && next.tagName !== 'H2') next = next.nextElementSibling
      const count = next?.tagName === 'TABLE' ? next.querySelectorAll('tbody tr').length : 0
      return { scene, wrong: count >= 8 ? undefined : `${count} rows` }
    })
    const { figures, holds } = verdict(rows)
    const isDifferent = /different/i.test(article?.querySelector('h2')?.textContent ?? '')
    return { figures: figures.replace('scenes', 'engines'), holds: holds && isDifferent }
  },
}

const troubleshooting: ReportRow = {
  id: '8.5',
  claim: 'Troubleshooting goes by symptom, with pictures',
  asked: 'a picture in every section, which loads and has a text',
  scene: 'troubleshooting.html, 1280×800',
  measure: () =>
    visit('troubleshooting.html', DESKTOP, async ({ page: browser }) => {
      const sections = await browser.evaluate(async () => {
        const headings = [...document.querySelectorAll('.vp-doc h2')]
        const images = [...document.querySelectorAll<HTMLImageElement>('.vp-doc img')]
        for (const image of images) image.loading = 'eager'
        await Promise.all(images.map((image) => image.decode().catch(() => undefined)))
        return headings.map((heading) => {
          const until = headings[headings.indexOf(heading) + 1]
          const own = images.find(
            (image) =>
              (heading.compareDocumentPosition(image) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
              (until === undefined || (until.compareDocumentPosition(image) & Node.DOCUMENT_POSITION_PRECEDING) !== 0),
          )
          const isThere = own !== undefined && own.naturalWidth > 0 && own.alt !== ''
          return {
            scene: heading.textContent.replace(/[^\w ,]/g, '').trim(),
            wrong: isThere ? undefined : 'no picture',
          }
        })
      })
      const { figures, holds } = verdict(sections)
      return { figures: figures.replace('scenes', 'symptoms'), holds }
    }),
}

const equations: ReportRow = {
  id: '8.6',
  claim: 'The method has its equations set',
  asked: 'set by KaTeX, none that it could not read, its letters loaded from this origin',
  scene: 'method.html, 1280×800',
  measure: () =>
    visit('method.html', DESKTOP, async ({ page: browser }) => {
      const [set, wrong, letters] = await browser.evaluate(async () => {
        await document.fonts.ready
        const loaded = [...document.fonts].filter(
          ({ family, status }) => family.includes('KaTeX') && status === 'loaded',
        )
        return [
          document.querySelectorAll('.vp-doc .katex').length,
          document.querySelectorAll('.vp-doc .katex-error').length,
          loaded.length,
        ]
      })
      return {
        figures: `${set} equations, ${wrong} unread, ${letters} fonts`,
        holds: set >= 20 && wrong === 0 && letters > 0,
      }
    }),
}

/** What one would look for, and the page that has to be among the results. */
const QUESTIONS: Readonly<Record<string, string>> = {
  cape: 'cloth',
  winch: 'rope',
  snapshot: 'networking',
  hinge: 'constraints',
}

const search: ReportRow = {
  id: '8.7',
  claim: 'Search needs no network',
  asked: 'once its index is there, with the network off: results for each word, the right page among the first ten',
  scene: `1280×800; ${Object.keys(QUESTIONS).join(', ')}`,
  measure: () =>
    visit('hello.html', DESKTOP, async ({ page: browser, context }) => {
      await browser.locator('.VPNavBarSearch button').first().click()
      const input = browser.locator('.VPLocalSearchBox input')
      await input.fill('world')
      await browser.locator('.VPLocalSearchBox .result').first().waitFor({ timeout: 15_000 })
      await context.setOffline(true)
      const rows = []
      for (const [scene, wanted] of Object.entries(QUESTIONS)) {
        await input.fill(scene)
        await browser.waitForTimeout(700)
        const found = await browser
          .locator('.VPLocalSearchBox .result')
          .evaluateAll((all) => all.slice(0, 10).map((a) => a.getAttribute('href') ?? ''))
        const isThere = found.some((href) => href.includes(wanted))
        rows.push({ scene, wrong: isThere ? undefined : `${found.length} results, none on ${wanted}` })
      }
      const { figures, holds } = verdict(rows)
      return { figures: figures.replace('scenes', 'words'), holds }
    }),
}

const texts: ReportRow = {
  id: '8.8',
  claim: 'The docs are there as plain text',
  asked: 'llms.txt lists every page with a line, and its links hold; llms-full.txt has all of the guide',
  scene: 'files of the built site',
  measure() {
    const folder = builtSite()
    const list = readFileSync(join(folder, 'llms.txt'), 'utf8')
    const whole = readFileSync(join(folder, 'llms-full.txt'), 'utf8')
    const links = [...list.matchAll(/\]\(([^)]+)\)(.*)/g)]
    const dead = links.filter(([, path]) => !existsSync(join(folder, path)))
    const bare = links.filter(([, , text]) => text.replace(/^:/, '').trim() === '')
    const guides = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
    const left = guides.filter((name) => !whole.includes(readFileSync(join(ROOT, 'docs', name), 'utf8').trim()))
    return {
      figures: `${links.length} pages, ${dead.length} dead links, ${bare.length} without a line; ${guides.length - left.length} of ${guides.length} guides in ${figure(whole.length / 1000)} kB`,
      holds: links.length > 0 && dead.length === 0 && bare.length === 0 && left.length === 0,
    }
  },
}

/** All links and sources of a page that lead into the site, as paths of it. */
function ways(document: Document, path: string): string[] {
  const all = Array.from(document.querySelectorAll('a[href], link[href], script[src], img[src]'))
  return all.flatMap((element) => {
    const to = element.getAttribute('href') ?? element.getAttribute('src') ?? ''
    if (to === '' || /^([a-z]+:|#)/.test(to)) return []
    const url = new URL(to, `http://x${BASE}${path}`)
    return [decodeURIComponent(url.pathname)]
  })
}

const subPath: ReportRow = {
  id: '8.9',
  claim: 'Site, search and gallery work from a plain static server under a sub-path',
  asked:
    'every link and source of every page leads to a file; pages and gallery open with no error and nothing missing',
  scene: `built for ${BASE}; all built pages; then the first page, a guide, the reference, the gallery and a scene of it in the browser, desktop and phone`,
  async measure() {
    const folder = builtSite()
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
    const dead = new Set<string>()
    let count = 0
    for (const path of pages) {
      for (const way of ways(page(path), path)) {
        count++
        const file = join(folder, way.slice(BASE.length))
        const isThere =
          way.startsWith(BASE) &&
          existsSync(file) &&
          (!statSync(file).isDirectory() || existsSync(join(file, 'index.html')))
        if (!isThere) dead.add(`${way} (${relative('.', path)})`)
      }
    }
    missing.clear()
    const wrong: string[] = []
    for (const options of [DESKTOP, PHONE]) {
      for (const path of ['', 'cloth.html', 'api/core/src.html', 'gallery/', 'gallery/#/rope']) {
        const errors = await visit(path, options, async ({ page: browser, errors: all }) => {
          await browser.waitForTimeout(1500)
          return [...all]
        })
        wrong.push(...errors.map((error) => `${path}: ${error}`))
      }
    }
    const lost = [...missing].filter((path) => !path.endsWith('favicon.ico'))
    return {
      figures: `${pages.length} pages, ${count} links, ${dead.size} dead${[...dead]
        .slice(0, 3)
        .map((each) => `; ${each}`)
        .join('')}; ${wrong.length} errors${wrong
        .slice(0, 2)
        .map((each) => `; ${each}`)
        .join('')}; ${lost.length} missing ${lost.slice(0, 2).join(', ')}`,
      holds: dead.size === 0 && wrong.length === 0 && lost.length === 0,
    }
  },
}

const origins: ReportRow = {
  id: '8.10',
  claim: 'No request leaves its own origin',
  asked: 'none, on all pages',
  scene:
    'every page of this run of the report; with --row 8.10 the first page, a guide, the reference, the gallery, a scene, the editor',
  async measure() {
    for (const path of ['', 'method.html', 'api/core/src.html', 'gallery/', 'gallery/#/rope', 'gallery/#/play']) {
      await visit(path, DESKTOP, ({ page: browser }) => browser.waitForTimeout(2000))
    }
    return {
      figures: `${requests.count} requests, ${foreign.size} to others${[...foreign]
        .slice(0, 3)
        .map((url) => `; ${url}`)
        .join('')}`,
      holds: foreign.size === 0 && requests.count > 0,
    }
  },
}

const snippets: ReportRow = {
  id: '8.11',
  claim: 'Every snippet is type-checked and run, every link checked',
  asked: '`npm run docs:check -- --run` ends with 0',
  scene: 'all pages of docs, READMEs',
  slow: true,
  measure() {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'docs:check', '--', '--run'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    return {
      figures: `status ${status ?? 'none'}: ${(stdout + stderr).trim().split('\n').slice(-2).join('; ')}`,
      holds: status === 0,
    }
  },
}

const screenshots: ReportRow = {
  id: '8.12',
  claim: 'Pictures of the docs are made by commands',
  asked:
    'every picture that a page shows is written by a program of this repository that a script of package.json runs',
  scene:
    'docs/**/*.webp and .svg, by the list that `npm run pictures` writes, and by their names in examples and bench; a name that is made of parts counts by its folder',
  measure() {
    const makers = ['examples/pictures.ts', 'examples/comparison', 'bench/harness', 'examples/screenshots.ts', 'tools']
    const text = makers
      .flatMap((path) =>
        path.endsWith('.ts')
          ? [path]
          : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name)),
      )
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(ROOT, path), 'utf8'))
      .join('\n')
    const all = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(webp|svg|png)$/.test(name),
    )
    const byHand = all.filter((name) => {
      if (FILES.includes(name)) return false
      const folder = dirname(name)
      return !text.includes(name.split('/').at(-1) ?? '') && (folder === '.' || !text.includes(`docs/${folder}`))
    })
    return {
      figures: `${all.length - byHand.length} of ${all.length}${byHand.length > 0 ? `; by hand: ${byHand.join(', ')}` : ''}`,
      holds: all.length > 0 && byHand.length === 0,
    }
  },
}

export const docs: readonly ReportRow[] = [
  guide,
  reference,
  ...[recipes].map(inSite),
  comingFrom,
  ...[troubleshooting, equations, search].map(inSite),
  texts,
  ...[subPath, origins].map(inSite),
  snippets,
  screenshots,
]
