/**
 * Counts phrases that make a reader stop (CONTRIBUTING.md, "How to write"), in docs, comments and error messages, by area. The counts of `tools/known-words.json` may fall
 * and never rise: `--update` writes lower ones.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = resolve(import.meta.dirname, '..')
const KNOWN = join(ROOT, 'tools/known-words.json')

/** Phrases by kind. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  // "what hangs on it" for "attached bodies"; questions and headings keep their "what".
  headless: /\bwhat(?:ever)? (?!is a\b|are\b|can\b|do\b|does\b|you\b|I\b)[a-z]+/gi,
  negated: /\b(?:is|are|was|were) (?:no|none)\b(?! (?:longer|more|less))/gi,
  metaphors:
    /\b(?:owed?|owes|owing|paid|pays|pay|lent|lends?|wound up|worth|told|tells|borne|taken back|takes back|gives? way|gave way)\b/gi,
  fillers:
    /\b(?:by turns|in hand|let be|but for|goes on|go on|comes of it|as it were|without a word|without more ado)\b/gi,
}

/** Counts by area and kind. */
type Counts = Record<string, Record<string, number>>

function filesOf(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.includes('node_modules') && !file.endsWith('binary.ts'))
    .map((file) => join(ROOT, folder, file))
}

/** Comments and the text of thrown errors in a module. */
export function wordsOfModule(text: string): string {
  const parts: string[] = []
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true)
  const seen = new Set<number>()
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
      if (seen.has(pos)) continue
      seen.add(pos)
      parts.push(text.slice(pos, end))
    }
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) parts.push(node.getText())
    ts.forEachChild(node, visit)
  }
  visit(source)
  return parts.join('\n')
}

/** Text of a page without code. */
export function wordsOfPage(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`]*`/g, '')
}

/** How often each kind of phrase is in a text. */
export function countIn(text: string): Record<string, number> {
  return Object.fromEntries(
    Object.entries(PATTERNS).map(([kind, pattern]) => [kind, [...text.matchAll(pattern)].length]),
  )
}

/** Counts of all areas: each package, and the docs. */
export function countAll(): Counts {
  const areas: [string, string][] = readdirSync(join(ROOT, 'packages')).map((name) => [
    `packages/${name}`,
    filesOf(`packages/${name}/src`, '.ts')
      .map((file) => wordsOfModule(readFileSync(file, 'utf8')))
      .join('\n'),
  ])
  const pages = [...filesOf('docs', '.md'), join(ROOT, 'README.md')].filter((file) => !file.includes('/reference/'))
  areas.push(['docs', pages.map((file) => wordsOfPage(readFileSync(file, 'utf8'))).join('\n')])
  return Object.fromEntries(areas.map(([area, text]) => [area, countIn(text)]))
}

/** What has risen, a line each. */
export function risen(now: Counts, known: Counts): string[] {
  return Object.entries(now).flatMap(([area, kinds]) =>
    Object.entries(kinds)
      .filter(([kind, count]) => count > (known[area]?.[kind] ?? 0))
      .map(([kind, count]) => `${area}: ${kind} ${count}, at most ${known[area]?.[kind] ?? 0}`),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const now = countAll()
  const known = JSON.parse(readFileSync(KNOWN, 'utf8')) as Counts
  const lines = risen(now, known)
  const sum = Object.values(now).reduce((all, kinds) => all + Object.values(kinds).reduce((a, b) => a + b, 0), 0)
  if (process.argv.includes('--update')) writeFileSync(KNOWN, `${JSON.stringify(now, undefined, 2)}\n`)
  else for (const line of lines) console.error(line)
  console.log(`${sum} phrases to rewrite, ${lines.length} counts have risen`)
  if (lines.length > 0 && !process.argv.includes('--update')) process.exitCode = 1
}
