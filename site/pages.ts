/** The pages of the site: docs, READMEs of packages and what lies at the root, with links that hold where they end up. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path/posix'

/** A page of the site, and the file that it is made of; both as paths, from the site and from the root. */
export interface Page {
  readonly path: string
  readonly source: string
}

const AT_ROOT = ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
/** What pages show beside their text. */
const PICTURES = new Set(['.svg', '.webp', '.png', '.jpg'])

/** All pages that are made of files, in the order of folders. */
export function sitePages(): Page[] {
  const docs = filesIn('docs').filter((path) => path.endsWith('.md'))
  const packages = readdirSync('packages').filter((name) => existsSync(`packages/${name}/README.md`))
  return [
    ...docs.map((source) => ({ path: relative('docs', source), source })),
    ...packages.map((name) => ({ path: `packages/${name}.md`, source: `packages/${name}/README.md` })),
    ...AT_ROOT.filter((path) => existsSync(path)).map((source) => ({ path: source.toLowerCase(), source })),
  ]
}

/** Writes all pages and their pictures to a folder, which is emptied first. `repository` is the address of a browsable source, if there is one. */
export function writePages(folder: string, pages: readonly Page[], repository: string | undefined): void {
  rmSync(folder, { recursive: true, force: true })
  const places = new Map(pages.map(({ path, source }) => [source, path]))
  for (const page of pages) {
    const text = withoutComments(readFileSync(page.source, 'utf8'))
    write(join(folder, page.path), withLinks(text, page, places, repository))
  }
  for (const path of filesIn('docs')) {
    if (PICTURES.has(extname(path))) copy(path, join(folder, relative('docs', path)))
  }
}

/** Title of a page: its first heading. */
export function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1].replaceAll('`', '') ?? ''
}

/** What a page says first: its first paragraph, without marks. */
export function summaryOf(text: string): string {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/^# .*$/m, '')
  const paragraph = body.split(/\n\s*\n/).find((part) => /^[\p{L}\p{N}`*[]/u.test(part.trim()))
  return (paragraph ?? '')
    .trim()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Marks of tables that a command fills: the site's pages show no HTML. */
function withoutComments(text: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->\n?/g, '')
}

/** Has links lead to pages where these are; those to files that are no page lead to the repository, or nowhere. */
export function withLinks(
  text: string,
  { path, source }: Page,
  places: ReadonlyMap<string, string>,
  repository: string | undefined,
): string {
  return outsideFences(text, (line) =>
    line.replaceAll(
      /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (whole, mark: string, label: string, to: string) => {
        if (/^([a-z]+:|#)/.test(to)) return whole
        const [target, anchor] = to.split('#')
        const file = join(dirname(source), target)
        const place = places.get(file) ?? places.get(join(file, 'README.md'))
        const hash = anchor === undefined ? '' : `#${anchor}`
        if (place !== undefined) return `${mark}[${label}](${relative(dirname(path), place)}${hash})`
        if (PICTURES.has(extname(file)) && file.startsWith('docs/')) {
          return `${mark}[${label}](${besides(relative(dirname(path), relative('docs', file)))})`
        }
        return repository === undefined ? `${label} (\`${file}\`)` : `${mark}[${label}](${repository}/${file}${hash})`
      },
    ),
  )
}

/** A path that is no name of a package. */
function besides(path: string): string {
  return path.startsWith('.') ? path : `./${path}`
}

/** Changes the lines of a page that are no code. */
function outsideFences(text: string, change: (line: string) => string): string {
  let fence: string | undefined
  return text
    .split('\n')
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
      if (fence === undefined && mark !== undefined) fence = mark
      else if (fence !== undefined && mark !== undefined && mark.startsWith(fence)) fence = undefined
      else if (fence === undefined) return change(line)
      return line
    })
    .join('\n')
}

/** All files below a folder, as paths from the root. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name.replaceAll('\\', '/')))
    .filter((path) => statSync(path).isFile())
    .sort()
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}
