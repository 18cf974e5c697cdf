/** The pictures of docs/architecture.md, drawn by Graphviz from the sources: which package imports which, and what a substep does. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { instance } from '@viz-js/viz'
import ts from 'typescript'

const PACKAGES = 'packages'
const SCOPE = '@tautline/'
const STEP = 'packages/core/src/step/step.ts'
/** The font whose widths Graphviz knows, and those that a reader may have in its place. */
const MEASURED = 'Arial'
const FONTS = 'Arial, Helvetica, sans-serif'
/** Characters of a line in a box. */
const LINE = 30
const [INK, EDGE, BOX, CORE, PHASE] = ['#14202b', '#808890', '#dfe7ee', '#cfdcf2', '#d5ead6']

/** A package that imports another one. */
export interface Import {
  readonly from: string
  readonly to: string
}

/** A phase of a substep: the function that is called, and what it does. */
export interface Phase {
  readonly name: string
  readonly text: string
}

/** The pictures as SVG, by their files from the root; the same text for the same sources. */
export async function architecturePictures(): Promise<ReadonlyMap<string, string>> {
  const viz = await instance()
  const drawn = (graph: string): string =>
    viz
      .renderString(graph, { format: 'svg' })
      // What depends on Graphviz's version and says nothing.
      .replace(/<\?xml[\s\S]*?(?=<svg)/, '')
      .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
      .replaceAll(`font-family="${MEASURED}"`, `font-family="${FONTS}"`)
  return new Map([
    ['docs/architecture.svg', drawn(packagesGraph(packageImports()))],
    ['docs/substep.svg', drawn(substepGraph(substepPhases(readFileSync(STEP, 'utf8'))))],
  ])
}

/** Imports between packages, as their sources have them; types as well. */
export function packageImports(): Import[] {
  return readdirSync(PACKAGES)
    .sort()
    .flatMap((from) => {
      const folder = join(PACKAGES, from, 'src')
      const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .flatMap((name) => packagesIn(readFileSync(join(folder, name), 'utf8')))
      return [...new Set(named)]
        .filter((to) => to !== from)
        .sort()
        .map((to) => ({ from, to }))
    })
}

/** Packages that a source imports from. */
function packagesIn(text: string): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith(SCOPE))
    .map(({ fileName }) => fileName.slice(SCOPE.length).split('/')[0])
}

/**
 * Phases of a substep: those that the comment at the head of the step names, with what it says of them. Throws `RangeError` where the loop
 * does not call them in this order.
 */
export function substepPhases(source: string): Phase[] {
  const head = source.slice(0, source.indexOf('*/'))
  const phases = [...head.matchAll(/^ \* {5}([a-z]+(?: [a-z]+)?)(?::| {2,})(.*)$/gm)].map(([, words, text]) => ({
    name: words.replace(/ (.)/, (_, letter: string) => letter.toUpperCase()),
    text: text.replace(/\s*\(\d+[^)]*\)$/, '').trim(),
  }))
  const loop = /for \(let substep = 0;[\s\S]*?\n {2}\}/.exec(source)?.[0] ?? ''
  const called = phases.map(({ name }) => loop.search(new RegExp(`\\b${name}\\(world`)))
  const wrong = called.findIndex((at, k) => at < 0 || (k > 0 && at < called[k - 1]))
  if (phases.length === 0 || wrong >= 0) {
    throw new RangeError(`${STEP}: phases must be called as its first comment lists them, got ${phases[wrong]?.name}`)
  }
  return phases
}

/** Imports that no chain of others implies. */
function direct(imports: readonly Import[]): Import[] {
  const reaches = (from: string, to: string, without: Import): boolean =>
    imports.some((each) => each !== without && each.from === from && (each.to === to || reaches(each.to, to, without)))
  return imports.filter((each) => !reaches(each.from, each.to, each))
}

/** A graph of nodes and edges, with what all have in common. */
function graphOf(...lines: readonly string[]): string {
  const font = `fontname="${MEASURED}"`
  return `digraph architecture {
  graph [bgcolor=transparent nodesep=0.15 ranksep=0.3]
  node [${font} fontsize=11 fontcolor="${INK}" shape=box style="filled,rounded" color="${INK}" penwidth=0.7 margin="0.1,0.06"]
  edge [color="${EDGE}" arrowsize=0.6]
  ${lines.join('\n  ')}
}`
}

function packagesGraph(imports: readonly Import[]): string {
  return graphOf(
    ...readdirSync(PACKAGES)
      .sort()
      .map((name) => box(name, roleOf(name), name === 'core' ? CORE : BOX)),
    ...direct(imports).map(({ from, to }) => `"${from}" -> "${to}"`),
  )
}

function substepGraph(phases: readonly Phase[]): string {
  return graphOf(
    ...phases.map(({ name, text }) => box(name, text, PHASE)),
    phases.map(({ name }) => `"${name}"`).join(' -> '),
  )
}

/** What a package is: its description, without the name of what they all build on. */
function roleOf(name: string): string {
  const { description } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as {
    description: string
  }
  return description.replaceAll(/,? (for|of) @tautline\/core/g, '')
}

/** A node with its name above what it does. */
function box(name: string, text: string, colour: string): string {
  const lines = wrapped(text).map((line) => escaped(line))
  return `"${name}" [fillcolor="${colour}" label=<<b>${escaped(name)}</b><br/>${lines.join('<br/>')}>]`
}

/** Lines of a text; what is in brackets stays together. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(/ (?![^(]*\))/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= LINE) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
