/** The acceptance gate itself: comparison, known failures, options. What it measures is in accept-measures.test.ts. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compareRuns, isLoss } from '../accept/compare.js'
import { withLeastTime } from '../accept/gate.js'
import { judge, knownFailures, rewritten, staleEntries } from '../accept/known.js'
import { isWithinBound, isWorse, type Metric, type SceneResult } from '../accept/metric.js'
import { readOptions } from '../accept/options.js'
import { readRun, runOf, writeRun } from '../accept/saved.js'
import { SCENES } from '../accept/scenes/index.js'
import { Stopwatch } from '../accept/stopwatch.js'
import { differenceTable } from '../accept/table.js'

const folder = mkdtempSync(join(tmpdir(), 'accept-test-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const NAMES = SCENES.map(({ name }) => name)

function metric(value: number | null, more: Partial<Metric> = {}): Metric {
  return {
    name: 'gap',
    unit: 'm',
    value,
    bound: 1,
    tolerance: { relative: 0.1, absolute: 0.01 },
    isTime: false,
    ...more,
  }
}

function result(...metrics: Metric[]): SceneResult {
  return { scene: 'chain', metrics, busy: 1 }
}

describe('metrics', () => {
  it('count as worse beyond the sum of both tolerances', () => {
    const tolerance = { relative: 0.1, absolute: 0.5 }
    expect(isWorse(10, 11.5, tolerance)).toBe(false)
    expect(isWorse(10, 11.6, tolerance)).toBe(true)
    expect(isWorse(10, 1, tolerance)).toBe(false)
  })

  it('that are not finite are worse than any number and outside any bound', () => {
    expect(isWorse(10, null, { relative: 9, absolute: 9 })).toBe(true)
    expect(isWorse(null, 10, { relative: 0, absolute: 0 })).toBe(false)
    expect(isWithinBound(metric(null, { bound: Infinity }))).toBe(false)
  })
})

describe('a comparison', () => {
  it('marks what became worse, better, new and gone, and what failed', () => {
    const before = [result(metric(1), metric(1, { name: 'drift' }), metric(1, { name: 'old' }))]
    const after = [result(metric(1.2), metric(0.5, { name: 'drift' }), metric(1, { name: 'late' }))]
    const differences = compareRuns(before, after)
    expect(differences.map(({ name, change }) => [name, change])).toEqual([
      ['gap', 'worse'],
      ['drift', 'better'],
      ['late', 'new'],
      ['old', 'gone'],
    ])
    expect(differences.filter(isLoss).map(({ name }) => name)).toEqual(['gap'])
    expect(differenceTable(differences)).toMatch(/chain +gap +1 m +1.2 m +WORSE <<</)
    const broken = compareRuns(before, [{ scene: 'chain', metrics: [], busy: 1, failed: 'RangeError' }])
    expect(broken.every(isLoss)).toBe(true)
  })
})

describe('known failures', () => {
  const known = [{ scene: 'chain', metric: 'gap', value: 2, issue: 44 }]
  const standing = (...metrics: Metric[]): string[] => judge([result(...metrics)], known).map((one) => one.standing)

  it('are told from new ones, from worse ones and from mended ones', () => {
    expect(standing(metric(2.1))).toEqual(['known'])
    expect(standing(metric(2.3))).toEqual(['known, worse'])
    expect(standing(metric(0.5))).toEqual(['mended'])
    expect(standing(metric(2, { name: 'drift' }))).toEqual(['fails'])
    expect(standing(metric(0.5, { name: 'drift' }))).toEqual(['holds'])
  })

  it('that are mended are news, but for times, which a faster machine mends', () => {
    const news = (more: Partial<Metric>): boolean => judge([result(metric(0.5, more))], known)[0].isNews
    expect(news({})).toBe(true)
    expect(news({ isTime: true })).toBe(false)
  })

  it('of time allow for another machine', () => {
    expect(standing(metric(3.9, { isTime: true }))).toEqual(['known'])
    expect(standing(metric(4.1, { isTime: true }))).toEqual(['known, worse'])
  })

  it('are written anew without what is mended, and new failures stay out', () => {
    const of = (value: number) => rewritten(judge([result(metric(value), metric(9, { name: 'drift' }))], known), known)
    expect(of(2.05)).toEqual([{ ...known[0], value: 2.05 }])
    expect(of(0.5)).toEqual([])
  })

  it('that name no metric are stale', () => {
    const all = ['chain']
    expect(staleEntries([result(metric(1))], known, all)).toEqual([])
    expect(staleEntries([result(metric(1, { name: 'drift' }))], known, all)).toEqual(known)
    expect(staleEntries([], known, all)).toEqual([])
    expect(staleEntries([], known, [])).toEqual(known)
  })

  it('of the committed list name scenes of the gate, an issue each, and none twice', () => {
    const list = knownFailures()
    for (const { scene, issue } of list) {
      expect(NAMES).toContain(scene)
      expect([44, 45, 46]).toContain(issue)
    }
    expect(new Set(list.map(({ scene, metric: name }) => `${scene} ${name}`)).size).toBe(list.length)
  })
})

describe('options', () => {
  it('take scenes by name, in the order of the gate', () => {
    const { scenes, isWhole } = readOptions(['--scene', NAMES[3], '--scene', NAMES[1]], NAMES)
    expect(scenes).toEqual([NAMES[1], NAMES[3]])
    expect(isWhole).toBe(false)
    expect(readOptions([], NAMES).scenes).toEqual(NAMES)
  })

  it('refuse unknown flags, scenes and values', () => {
    expect(() => readOptions(['--agianst', 'x'], NAMES)).toThrow(TypeError)
    expect(() => readOptions(['file.json'], NAMES)).toThrow(TypeError)
    expect(() => readOptions(['--scene', 'nowhere'], NAMES)).toThrow(/scene must be one of .*, got nowhere/)
    expect(() => readOptions(['--nudge', '-1'], NAMES)).toThrow(TypeError)
    expect(() => readOptions(['--nudge=1.5'], NAMES)).toThrow(/nudge must be a whole number/)
  })
})

describe('saved runs', () => {
  it('are read as they were written', () => {
    const file = join(folder, 'run.json')
    const run = runOf([result(metric(null), metric(0.1 + 0.2))], 2)
    writeRun(file, run)
    expect(readRun(file)).toEqual(run)
  })

  it('of another kind are refused', () => {
    const file = join(folder, 'other.json')
    writeFileSync(file, '{ "version": 99 }')
    expect(() => readRun(file)).toThrow(/version 1, got version 99/)
    writeFileSync(file, 'not JSON')
    expect(() => readRun(file)).toThrow(TypeError)
  })
})

describe('times', () => {
  it('are multiples of the reference loop, medians of blocks in which something was awake', () => {
    let clock = 0
    // Each look at the clock is one tick later, so that the loop takes one.
    const watch = new Stopwatch(480, () => clock++)
    for (let k = 0; k < 480; k++) {
      const isAsleep = k >= 160
      watch.time(
        () => (clock += isAsleep ? 99 : 4),
        () => !isAsleep,
      )
    }
    expect(watch.ratio).toBe(5)
  })

  it('of repeated runs: the least counts, and nothing else changes', () => {
    const first = result(metric(1), metric(5, { name: 'time', isTime: true }))
    const again = (value: number): SceneResult => result(metric(7), metric(value, { name: 'time', isTime: true }))
    expect(withLeastTime(first, again(3)).metrics.map(({ value }) => value)).toEqual([1, 3])
    expect(withLeastTime(first, again(8)).metrics.map(({ value }) => value)).toEqual([1, 5])
  })
})

it('scenes have names of their own and a bound for their time', () => {
  expect(new Set(NAMES).size).toBe(NAMES.length)
  for (const { name, bounds, text, steps } of SCENES) {
    expect(name).toMatch(/^[a-z0-9-]+$/)
    expect(text.length).toBeGreaterThan(10)
    expect(Number.isInteger(steps)).toBe(true)
    expect(bounds.time).toBeGreaterThan(0)
  }
})
