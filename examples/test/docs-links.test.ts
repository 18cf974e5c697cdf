import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { allLinks, anchorsOf, targetsOf } from '../../tools/docs/links.js'

const home = process.cwd()
const made: string[] = []

/** Goes to a folder with these files. */
function enter(files: Record<string, string>): void {
  const folder = mkdtempSync(join(tmpdir(), 'links-'))
  made.push(folder)
  for (const path of ['docs/comparison', 'packages']) mkdirSync(join(folder, path), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  process.chdir(folder)
}

afterEach(() => {
  process.chdir(home)
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

test('finds a page that nothing links to, and one that only such a page does', () => {
  enter({
    'README.md': '[a](docs/a.md)',
    'docs/a.md': '![](picture.svg)',
    'docs/picture.svg': '',
    'docs/b.md': '[c](c.md)',
    'docs/c.md': '[a](a.md)',
  })
  expect(allLinks()).toMatchObject({ dead: [], unreached: ['docs/b.md', 'docs/c.md'], files: 5 })
})

test('finds links to files and headings that are not there', () => {
  enter({ 'README.md': '[a](docs/a.md#one-two), [b](docs/a.md#three), [c](gone.md)', 'docs/a.md': '## One, `two`' })
  expect(allLinks().dead).toEqual(['README.md: docs/a.md#three', 'README.md: gone.md'])
})

test('a link to a folder shows what is in it', () => {
  enter({ 'README.md': '[all](docs/comparison)', 'docs/comparison/plot.svg': '' })
  expect(allLinks()).toMatchObject({ dead: [], unreached: [] })
})

test('reads links of Markdown and HTML, not those in code or of the web', () => {
  expect(
    targetsOf('[a](x.md) `[b](y.md)` <img src="z.png"> [w](https://example.org)\n```md\n[c](v.md)\n```\n'),
  ).toEqual(['x.md', 'z.png'])
})

test('headings of the same words have anchors of their own', () => {
  expect([...anchorsOf('# Limits\n## Limits\n### Nets, in and out (`core/src/nets.ts`)')]).toEqual([
    'limits',
    'limits-1',
    'nets-in-and-out-coresrcnetsts',
  ])
})
