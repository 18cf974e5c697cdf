import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sitePages, summaryOf, titleOf, withLinks } from '../pages.js'

const PLACES = new Map([
  ['docs/rope.md', 'rope.md'],
  ['docs/reference/core.md', 'reference/core.md'],
  ['packages/core/README.md', 'packages/core.md'],
  ['SECURITY.md', 'security.md'],
])
const linked = (text: string, source = 'docs/hello.md', repository?: string): string =>
  withLinks(text, { path: PLACES.get(source) ?? 'hello.md', source }, PLACES, repository)

describe('links of the site', () => {
  test.each([
    ['[rope](rope.md#rod)', 'docs/hello.md', '[rope](rope.md#rod)'],
    ['[`core`](../packages/core/README.md)', 'docs/hello.md', '[`core`](packages/core.md)'],
    ['[core](../packages/core)', 'docs/hello.md', '[core](packages/core.md)'],
    ['[safe](../SECURITY.md)', 'docs/hello.md', '[safe](security.md)'],
    ['[rope](../../docs/rope.md)', 'packages/core/README.md', '[rope](../rope.md)'],
    ['[up](../rope.md), [all](#fields)', 'docs/reference/core.md', '[up](../rope.md), [all](#fields)'],
    ['![a rope](rope.webp)', 'docs/hello.md', '![a rope](./rope.webp)'],
    ['[three](https://threejs.org)', 'docs/hello.md', '[three](https://threejs.org)'],
  ])('%s of %s', (text, source, wanted) => {
    expect(linked(text, source)).toBe(wanted)
  })

  test('what is no page is named, or looked at where the source is', () => {
    expect(linked('[data](../examples/data/adult.ts)')).toBe('data (`examples/data/adult.ts`)')
    expect(linked('[data](../examples/data/adult.ts)', 'docs/hello.md', 'https://host/tree/main')).toBe(
      '[data](https://host/tree/main/examples/data/adult.ts)',
    )
  })

  test('code is left alone, also where a fence stands in a longer one', () => {
    const text = '````md\n```ts\nx[i](rope.md)\n```\n[no](../SECURITY.md)\n````\n[yes](../SECURITY.md)'
    expect(linked(text)).toBe(text.replace('[yes](../SECURITY.md)', '[yes](security.md)'))
  })
})

test('a page has a place of its own, and is made of a file', () => {
  const pages = sitePages()
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
  for (const { source } of pages) expect(existsSync(source)).toBe(true)
})

test('title and summary', () => {
  const text =
    '# The `rope`\n\n![picture](a.webp)\n\n| a |\n| --- |\n\nHangs **things** on\n[bodies](hello.md).\n\nMore.'
  expect(titleOf(text)).toBe('The rope')
  expect(summaryOf(text)).toBe('Hangs things on bodies.')
})
