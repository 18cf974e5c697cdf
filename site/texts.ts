/** The docs as plain text, for readers that are no people: `llms.txt` lists the pages, `llms-full.txt` holds them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { type Page, summaryOf, titleOf, write } from './pages.js'

const INTRODUCTION = `# Tautline

> Mechanical constraints solved by displacement in TypeScript: joints, cloth, ropes, soft bodies, ragdolls, contacts and inverse kinematics on one loop, the same bits on every engine.

Units are SI. Packages: @tautline/core (the world), constraints, collision, assemblies (cloth, rope, ragdoll in one call), ik, impulse-compat, three, worker (a world in a worker), simd (kernels in WebAssembly), fast-check.
`

/** Writes both to a folder. Pages of the changelog and of tables are listed, and left out of the text. */
export function writeTexts(folder: string, pages: readonly Page[]): void {
  const read = pages.map((page) => ({ ...page, text: readFileSync(page.source, 'utf8') }))
  const list = read.map(({ path, text }) => `- [${titleOf(text)}](${html(path)}): ${summaryOf(text)}`)
  write(join(folder, 'llms.txt'), `${INTRODUCTION}\n## Pages\n\n${list.join('\n')}\n`)
  const whole = read.filter(({ path }) => !path.startsWith('reference/') && path !== 'changelog.md')
  const parts = whole.map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}`)
  write(join(folder, 'llms-full.txt'), `${INTRODUCTION}\n${parts.join('\n\n---\n\n')}\n`)
}

function html(path: string): string {
  return path.replace(/\.md$/, '.html')
}
