/**
 * Builds the site: docs, reference and gallery in one static folder, `site/dist`.
 *
 *   npm run site -- [--base /path/] [--repository URL] [--out FOLDER] [--no-reference] [--serve]
 *
 *   --base B         the path that the site lies under on its host; `/` where it has a host of its own
 *   --repository U   where files of the source can be seen: links to them lead there; without it they are named
 *   --out F          the folder that is written, from the root; `site/dist` where nothing is said
 *   --no-reference   leaves the reference of exports as it is: it takes the most of the time
 *   --serve          serves the folder and prints the address; Ctrl-C ends it
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, serve } from 'vitepress'
import { sitePages, writePages } from './pages.js'
import { writeReference } from './reference.js'
import { writeTexts } from './texts.js'

const PAGES = 'site/.pages'
const REFERENCE = 'site/.reference'

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        base: { type: 'string', default: '/' },
        repository: { type: 'string' },
        out: { type: 'string', default: 'site/dist' },
        reference: { type: 'boolean', default: true },
        serve: { type: 'boolean', default: false },
      },
      allowNegative: true,
    })
    if (!/^\/([^\s]*\/)?$/.test(values.base)) fail(`--base must begin and end with a slash, got ${values.base}`)
    return values
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

const { base, repository, out, reference, serve: isServed } = readArguments()
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const pages = sitePages()
writePages(PAGES, pages, repository)
cpSync('site/home.md', `${PAGES}/index.md`)
// What the first page shows is no link in a text.
cpSync('docs/scenes.webp', `${PAGES}/public/scenes.webp`)
writeTexts(`${PAGES}/public`, pages)
if (reference || !existsSync(REFERENCE)) makeReference()
cpSync(REFERENCE, `${PAGES}/api`, { recursive: true })
process.env.SITE_BASE = base
await build('site', { base, outDir: resolve(out) })
addGallery()
console.log(`${out}: ${pages.length} pages, a reference and the gallery, under ${base}`)
if (isServed) await serve({ root: 'site', base })

/** The reference beside its place first: half of one would pass for all of it. */
function makeReference(): void {
  rmSync(`${REFERENCE}.new`, { recursive: true, force: true })
  writeReference(`${REFERENCE}.new`)
  rmSync(REFERENCE, { recursive: true, force: true })
  renameSync(`${REFERENCE}.new`, REFERENCE)
}

/** The gallery's own build, in its place. It is relative, and lies anywhere. */
function addGallery(): void {
  const where = ['--docs', '../', ...(repository === undefined ? [] : ['--source', repository])]
  const built = spawnSync('npm', ['run', '--silent', 'gallery:build', '--', ...where], { stdio: 'inherit' })
  if (built.status !== 0) fail('the gallery could not be built')
  cpSync('examples/gallery/dist', `${out}/gallery`, { recursive: true })
}
