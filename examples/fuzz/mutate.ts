/** Mutations of files: of plain data by its values, of text by its characters, numbers and lines. */

import { EXTREME, pick } from './random.js'

type Random = () => number
type Plain = Record<string, unknown>

/** Values that are put in place of others. */
const WRONG: readonly unknown[] = [null, -1, 1e9, 1e308, 2 ** 31, 'x', [], {}, true, '__proto__', 0]
/** And of texts. */
const WRONG_WORDS = [
  '',
  '-1',
  '1e308',
  '1e-320',
  'NaN',
  'Infinity',
  '1e999',
  '0',
  'x',
  '<',
  '"',
  '}',
  '{',
  '&amp;',
  '__proto__',
]

/** Puts a wrong value in a random place of plain data. */
export function mutateValue(root: object, random: Random): void {
  let at = root as Plain
  for (;;) {
    const keys = Object.keys(at)
    if (keys.length === 0) return
    const key = pick(random, keys)
    const next = at[key]
    if (typeof next === 'object' && next !== null && random() > 0.1) at = next as Plain
    else {
      at[key] = pick(random, WRONG)
      return
    }
  }
}

/** Changes the shape of plain data: an entry goes, comes twice, or moves; a number becomes extreme. */
function mutateShape(root: object, random: Random): void {
  let at = root as Plain
  for (;;) {
    const keys = Object.keys(at)
    if (keys.length === 0) return
    const key = pick(random, keys)
    const next = at[key]
    if (typeof next === 'object' && next !== null && random() > 0.2) {
      at = next as Plain
      continue
    }
    const way = random()
    if (typeof next === 'number' && way < 0.5) at[key] = pick(random, EXTREME)
    else if (Array.isArray(at)) {
      const list = at as unknown as unknown[]
      if (way < 0.7) list.splice(Number(key), 1)
      else list.push(structuredClone(next))
    } else if (way < 0.7) delete at[key]
    else at[pick(random, keys)] = structuredClone(next)
    return
  }
}

/** Some mutations of plain data, as text. */
export function mutateJson(text: string, random: Random): string {
  const data = JSON.parse(text) as object
  for (let n = random(); n < 1; n += 0.6) {
    if (random() < 0.5) mutateValue(data, random)
    else mutateShape(data, random)
  }
  return JSON.stringify(data)
}

/** Some mutations of a text. */
export function mutateText(text: string, random: Random): string {
  let mutated = text
  for (let n = random(); n < 1; n += 0.6) mutated = mutateOnce(mutated, random)
  return mutated
}

function mutateOnce(text: string, random: Random): string {
  const i = Math.floor(random() * text.length)
  const length = 1 + Math.floor(random() * random() * 200)
  switch (Math.floor(random() * 7)) {
    case 0:
      return text.slice(0, i) + String.fromCharCode(32 + Math.floor(random() * 95)) + text.slice(i + 1)
    case 1:
      return text.slice(0, i) + text.slice(i + length)
    case 2:
      return text.slice(0, i) + text.slice(i, i + length).repeat(1 + Math.floor(random() * 3)) + text.slice(i)
    case 3:
      return replaceOne(text, /[-+.\de]*\d[-+.\de]*/g, pick(random, WRONG_WORDS), random)
    case 4:
      return replaceOne(text, /\w+/g, pick(random, text.match(/\w+/g) ?? ['']), random)
    case 5: {
      const lines = text.split('\n')
      const [from, to] = [0, 1].map(() => Math.floor(random() * lines.length))
      const [line] = random() < 0.5 ? lines.splice(from, 1) : [lines[from]]
      lines.splice(to, 0, line)
      return lines.join('\n')
    }
    default:
      return random() < 0.2 ? text.slice(0, i) : replaceOne(text, /"[^"]*"/g, `"${pick(random, WRONG_WORDS)}"`, random)
  }
}

function replaceOne(text: string, pattern: RegExp, word: string, random: Random): string {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return text
  const { 0: old, index } = pick(random, found)
  return text.slice(0, index) + word + text.slice(index + old.length)
}
