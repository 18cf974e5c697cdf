/**
 * Builds the site: docs, reference and gallery in one static folder, `site/dist`.
 *
 *   npm run site -- [--base /path/] [--repository URL] [--out FOLDER] [--no-reference] [--serve] [--port N]
 *
 *   --base B         the path that the site lies under on its host; `/` where it has a host of its own
 *   --repository U   where files of the source can be seen: links to them lead there; without it they are named
 *   --out F          the folder that is written, from the root; `site/dist` where nothing is said
 *   --no-reference   leaves the reference of exports as it is: it takes the most of the time
 *   --serve          serves the folder and prints the address; Ctrl-C ends it
 *   --port N         with --serve: the first port to try
 */

import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serve } from 'vitepress'
import { endWithParent, fail, freePort, readPort } from '../examples/lib/serving.js'
import { runQuietly, runSteps } from '../tools/steps.js'
import { sitePages, writePages } from './pages.js'
import { writeReference } from './reference.js'
import { writeTexts } from './texts.js'

const PAGES = 'site/.pages'
const REFERENCE = 'site/.reference'
const PORT = '4190'

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        base: { type: 'string', default: '/' },
        repository: { type: 'string' },
        out: { type: 'string', default: 'site/dist' },
        reference: { type: 'boolean', default: true },
        serve: { type: 'boolean', default: false },
        port: { type: 'string', default: PORT },
      },
      allowNegative: true,
    })
    if (!/^\/([^\s]*\/)?$/.test(values.base)) fail(`--base must begin and end with a slash, got ${values.base}`)
    return { ...values, port: readPort(values.port) }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

const { base, repository, out, reference, serve: isServed, port } = readArguments()
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const pages = sitePages()
try {
  await runSteps('site', [
    { what: 'texts', run: writeSources },
    ...(reference || !existsSync(REFERENCE) ? [{ what: 'reference of all exports', run: makeReference }] : []),
    { what: `${pages.length} pages`, run: buildPages },
    { what: 'gallery', run: addGallery },
  ])
} catch (error) {
  fail(`site: ${(error as Error).message}`)
}
console.log(`${out}: ${pages.length} pages, a reference and the gallery, under ${base}`)
if (isServed) {
  endWithParent()
  await serve({ root: 'site', base, port: await freePort(port) })
}

/** The texts that pages are made of. */
function writeSources(): void {
  writePages(PAGES, pages, repository)
  cpSync('site/home.md', `${PAGES}/index.md`)
  // What the first page shows is no link in a text.
  cpSync('docs/scenes.webp', `${PAGES}/public/scenes.webp`)
  writeTexts(`${PAGES}/public`, pages)
}

/** The pages by VitePress, in a process of its own: its output is shown only if it fails. */
async function buildPages(): Promise<void> {
  cpSync(REFERENCE, `${PAGES}/api`, { recursive: true })
  process.env.SITE_BASE = base
  const program = resolve('site/node_modules/vitepress/bin/vitepress.js')
  await runQuietly(process.execPath, [program, 'build', 'site', '--base', base, '--outDir', resolve(out)])
}

/** The reference beside its place first: half of one would pass for all of it. */
async function makeReference(): Promise<void> {
  rmSync(`${REFERENCE}.new`, { recursive: true, force: true })
  await writeReference(`${REFERENCE}.new`)
  rmSync(REFERENCE, { recursive: true, force: true })
  renameSync(`${REFERENCE}.new`, REFERENCE)
}

/** The gallery's own build, in its place. It is relative, and lies anywhere. */
async function addGallery(): Promise<void> {
  const where = ['--docs', '../', ...(repository === undefined ? [] : ['--source', repository])]
  await runQuietly(process.execPath, ['--import', 'tsx', 'examples/gallery/serve.ts', '--build', ...where])
  cpSync('examples/gallery/dist', `${out}/gallery`, { recursive: true })
}
