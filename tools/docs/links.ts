// Finds links between pages that lead nowhere, and pages that no link leads to.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { allPages, slug } from './pages.js'

/** Where a reader begins. */
const START = 'README.md'

/** What `allLinks` found. */
export interface Links {
  /** Links to files and headings that are not there: `page: target`. */
  readonly dead: readonly string[]
  /** Files of docs, and pages elsewhere, that no chain of links from the README reaches. */
  readonly unreached: readonly string[]
  /** How many files must be reached. */
  readonly files: number
  readonly links: number
}

/** A page without its code: what looks like a link there is none. */
function prose(text: string): string {
  return text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, 'code')
}

/** Relative targets of links and pictures, Markdown's and HTML's. */
export function targetsOf(text: string): string[] {
  const found = prose(text).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)
  return [...found].map(([, link, source]) => link ?? source).filter((target) => !/^[a-z]+:/i.test(target))
}

/** Anchors of the headings of a page: of the same heading twice, the second ends in -1. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  const withoutCode = text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '')
  for (const [, heading] of withoutCode.matchAll(/^#+ (.*)$/gm)) {
    const base = slug(heading)
    let anchor = base
    for (let k = 1; anchors.has(anchor); k++) anchor = `${base}-${k}`
    anchors.add(anchor)
  }
  return anchors
}

const posix = (path: string): string => normalize(path).replaceAll('\\', '/')

/** What a link shows: a file, or all that is in a folder. */
function shown(target: string): string[] {
  if (!existsSync(target) || !statSync(target).isDirectory()) return [target]
  return readdirSync(target).map((name) => posix(join(target, name)))
}

/** Follows all links of all pages. */
export function allLinks(): Links {
  const pages = allPages()
  const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]))
  const dead: string[] = []
  const next = new Map<string, string[]>()
  let links = 0
  for (const [page, text] of texts) {
    const targets: string[] = []
    for (const target of targetsOf(text)) {
      links++
      const [path, anchor] = target.split('#')
      const file = path === '' ? page : posix(join(dirname(page), path))
      const isThere = existsSync(file) && (anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).has(anchor))
      if (!isThere) dead.push(`${page}: ${target}`)
      targets.push(file)
    }
    next.set(page, targets)
  }

  const reached = new Set([START])
  for (const page of reached)
    for (const target of next.get(page) ?? []) for (const file of shown(target)) reached.add(file)
  const files = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .map((name) => posix(join('docs', name)))
    .filter((name) => statSync(name).isFile())
  const wanted = [...new Set([...files, ...pages])].sort()
  return { dead, unreached: wanted.filter((file) => !reached.has(file)), files: wanted.length, links }
}
