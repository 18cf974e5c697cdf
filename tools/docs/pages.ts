// Puts tables where they belong: into marked regions of hand-written pages, and all others onto a page a package.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Declared } from './declarations.js'
import { type Handle, handlesPage } from './handles.js'
import { firstSentence, type Link, tableOf } from './table.js'

/** Folder of the pages that are written as a whole. */
export const REFERENCE = 'docs/reference'
const INTRODUCTION =
  'Made from the declarations by `npm run docs:tables`: change the comments there, not this page. Units are SI; what has no unit is ' +
  'a number, a share or a choice.'
const REGION = /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- \/table -->)/g

/** Every page that a reader may open, as a path from the root: README, CONTRIBUTING, docs, READMEs of packages. */
export function allPages(): string[] {
  const roots = readdirSync('.').filter((name) => name.endsWith('.md'))
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name))
  const readmes = readdirSync('packages').map((name) => join('packages', name, 'README.md'))
  return [...roots, ...docs.filter((name) => name.endsWith('.md')), ...readmes.filter((name) => existsSync(name))].map(
    (path) => path.replaceAll('\\', '/'),
  )
}

/** Where a table stands. */
interface Place {
  readonly page: string
  readonly anchor: string
}

/** Where tables stand, by package and name: in a region, or on the page of the package. */
class Places {
  private readonly all: readonly Declared[]
  private readonly places = new Map<Declared, Place>()

  constructor(all: readonly Declared[], texts: ReadonlyMap<string, string>) {
    this.all = all
    for (const [page, text] of texts) {
      for (const match of text.matchAll(REGION)) {
        this.places.set(this.named(page, match[2]), { page, anchor: headingBefore(text, match.index) })
      }
    }
    for (const declared of all) {
      const { name, package: home } = declared
      if (!this.places.has(declared)) {
        this.places.set(declared, { page: `${REFERENCE}/${home}.md`, anchor: slug(name) })
      }
    }
  }

  /** The interface that a region names: the first of that name. */
  named(page: string, name: string): Declared {
    const declared = this.all.find((other) => other.name === name)
    if (declared === undefined) throw new RangeError(`${page}: table must be of an exported interface, got ${name}`)
    return declared
  }

  pageOf(declared: Declared): string {
    return this.places.get(declared)!.page
  }

  linkFrom(from: string): Link {
    return (name, home) => {
      const declared = this.all.find((other) => other.name === name && (home === null || other.package === home))
      if (declared === undefined) return null
      const { page, anchor } = this.places.get(declared)!
      const path = page === from ? '' : relative(dirname(from), page).replaceAll('\\', '/')
      return `[${name}](${path}#${anchor})`
    }
  }
}

/** Pages by path as they ought to read: those with regions, and one a package with the rest, and one with its handles. */
export function writtenPages(all: readonly Declared[], handles: readonly Handle[]): Map<string, string> {
  const byHand = allPages().filter((path) => !path.startsWith(`${REFERENCE}/`))
  const texts = new Map(byHand.map((path) => [path, readFileSync(path, 'utf8')]))
  const places = new Places(all, texts)
  const pages = new Map<string, string>()
  for (const [page, text] of texts) {
    if (text.search(REGION) < 0) continue
    const filled = text.replace(REGION, (_match, open: string, name: string, close: string) => {
      return `${open}\n${tableOf(places.named(page, name), places.linkFrom(page))}\n\n${close}`
    })
    pages.set(page, filled)
  }
  for (const home of new Set(all.map((declared) => declared.package))) {
    const page = `${REFERENCE}/${home}.md`
    pages.set(page, referencePage(home, all, places, hasHandles(handles, home)))
  }
  for (const { package: home } of handles) pages.set(`${REFERENCE}/${home}-handles.md`, handlesPage(home, handles))
  return pages
}

/** Pages that do not read as they ought to, and pages of the reference that are of no package. */
export function stalePages(pages: ReadonlyMap<string, string>): string[] {
  const written = existsSync(REFERENCE) ? readdirSync(REFERENCE).map((name) => `${REFERENCE}/${name}`) : []
  const changed = [...pages].filter(([page, text]) => !existsSync(page) || readFileSync(page, 'utf8') !== text)
  return [...changed.map(([page]) => page), ...written.filter((page) => !pages.has(page))]
}

function hasHandles(handles: readonly Handle[], home: string): boolean {
  return handles.some((handle) => handle.package === home)
}

/** The page of a package: links to tables that stand elsewhere, then the others. */
function referencePage(home: string, all: readonly Declared[], places: Places, isFollowed: boolean): string {
  const page = `${REFERENCE}/${home}.md`
  const link = places.linkFrom(page)
  const own = all.filter((declared) => declared.package === home)
  const here = own.filter((declared) => places.pageOf(declared) === page)
  const elsewhere = own.filter((declared) => places.pageOf(declared) !== page)
  const parts = [`# Fields of @tautline/${home}`, INTRODUCTION]
  if (isFollowed)
    parts.push(`What can be read of handles and called on them: [${home}-handles.md](${home}-handles.md).`)
  if (elsewhere.length > 0) parts.push(`On other pages: ${elsewhere.map(({ name }) => link(name, home)).join(', ')}.`)
  for (const declared of here) {
    const said = firstSentence(declared.doc)
    parts.push(`## ${declared.name}`, ...(said === '' ? [] : [`${said}.`]), tableOf(declared, link))
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Anchor of the last heading before a place. */
function headingBefore(text: string, end: number): string {
  const headings = [...text.slice(0, end).matchAll(/^#+ (.*)$/gm)]
  return slug(headings.at(-1)?.[1] ?? '')
}

/** The anchor that GitHub gives a heading. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
