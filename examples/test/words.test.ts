/** The check of phrases finds each kind, leaves questions and code alone, and fails where a count has risen. */

import { expect, test } from 'vitest'
import { countIn, risen, wordsOfModule, wordsOfPage } from '../../tools/check-words.js'

test('each kind of phrase is found', () => {
  expect(countIn('Frees what hangs on it. That is no motion. Its speed is lent by turns.')).toEqual({
    headless: 1,
    negated: 1,
    metaphors: 1,
    fillers: 1,
  })
})

test('questions and comparisons are left alone', () => {
  const counts = countIn('What is a substep? What can I afford? There is no more, and it is no longer.')
  expect(counts).toEqual({ headless: 0, negated: 0, metaphors: 0, fillers: 0 })
})

test('comments and errors of a module count, and its other text does not', () => {
  const text =
    "/** Moves what hangs. */\nconst name = 'what hangs'\nthrow new RangeError('what moves must be dynamic')\n"
  expect(countIn(wordsOfModule(text)).headless).toBe(2)
})

test('code of a page does not count', () => {
  expect(countIn(wordsOfPage('`what hangs`\n\n```ts\n// what moves\n```\n')).headless).toBe(0)
})

test('a count that has risen, or is new, is named', () => {
  expect(risen({ docs: { headless: 3 }, core: { fillers: 1 } }, { docs: { headless: 2 } })).toEqual([
    'docs: headless 3, at most 2',
    'core: fillers 1, at most 0',
  ])
  expect(risen({ docs: { headless: 2 } }, { docs: { headless: 2 } })).toEqual([])
})
