import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Result } from '../harness/contest.js'
import { difference } from '../harness/difference.js'
import { entriesOf, readOptions } from '../harness/options.js'
import { digits, summary } from '../harness/tables.js'
import { SCENES } from '../scenes/index.js'

function result(rounds: readonly number[], fields: Partial<Result> = {}): Result {
  const zero = { init: 0, setup: 0, p95: 2, worst: 3, busy: 1, memory: 1, figures: {} }
  return { engine: 'tautline', work: 4, isUsual: true, note: '', median: 1, ...zero, rounds, ...fields }
}

describe('difference', () => {
  const there = result([1, 1, 1, 1])
  it.each([
    ['slower', [1.05, 1.06, 1.04, 1.05]],
    ['faster', [0.9, 0.91, 0.92, 0.9]],
    ['same', [1.01, 0.99, 1.02, 1]],
    ['unsure', [0.7, 0.8, 1.2, 1.3]],
  ] as const)('says %s', (flag, rounds) => {
    expect(difference('scene', result(rounds), there).flag).toBe(flag)
  })

  it('tells of bits and of who did not run', () => {
    expect(difference('scene', result([1], { hash: 'a' }), result([1], { hash: 'b' })).sameBits).toBe(false)
    const failed = { engine: 'tautline', work: 4, isUsual: true, failed: 'gone' }
    expect(difference('scene', result([1]), failed)).toMatchObject({ flag: 'failed', failed: 'there: gone' })
  })
})

describe('options', () => {
  it('takes scenes by how their names begin, or the one that is so called', () => {
    expect(readOptions({ scene: 'chain' }, SCENES).scenes.map(({ name }) => name)).toEqual([
      'chain-1',
      'chain-100',
      'chain-1000',
    ])
    expect(readOptions({ scene: 'chain-1' }, SCENES).scenes).toHaveLength(1)
  })

  it('refuses what there is not', () => {
    expect(() => readOptions({ scene: 'chian' }, SCENES)).toThrow(/scene must be one of .*got chian/)
    expect(() => readOptions({ engine: 'jot' }, SCENES)).toThrow(/engine must be one of .*got jot/)
    expect(() => readOptions({ work: '0' }, SCENES)).toThrow('work must be a whole number >= 1, got 0')
  })

  it('tries more settings for plots alone', () => {
    const at = { tree: '', script: '' }
    const [scene] = readOptions({ scene: 'grid' }, SCENES).scenes
    const few = entriesOf(scene, readOptions({ scene: 'grid' }, SCENES), at)
    const more = entriesOf(scene, readOptions({ scene: 'grid', plots: true }, SCENES), at)
    expect(few.every(({ isUsual }) => isUsual)).toBe(true)
    expect(more.filter(({ isUsual }) => isUsual)).toEqual(few)
    expect(more.length).toBeGreaterThan(few.length)
  })
})

describe('tables', () => {
  it('puts contenders in columns, and leaves out what is only drawn', () => {
    const outcomes = [result([1], { figures: { gap: 0.002 } }), result([1], { work: 8, isUsual: false })]
    const text = summary([{ scene: 'chain-1', outcomes, precision: 'gap' }])
    expect(text).toContain('1 / 2, 2')
    expect(text).not.toContain('tautline 8')
  })

  it('keeps three digits', () => {
    expect([0.012345, 1234.5, 0.00001, 0].map(digits)).toEqual(['0.0123', '1235', '1.0e-5', '0'])
  })
})

describe('scenes', () => {
  it('have names of their own, and a place on the page', () => {
    const names = SCENES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8')
    for (const family of new Set(SCENES.map((scene) => scene.family)))
      expect(page).toContain(`<!-- bench ${family} -->`)
  })
})
