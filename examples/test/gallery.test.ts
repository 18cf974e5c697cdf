import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import bunny from 'bunny'
import { packedBunny } from '../gallery/pack-bunny.js'
import { unpackBunny } from '../gallery/unpack-bunny.js'
import { EXHIBITS } from '../gallery/src/exhibits/index.js'
import { setScript, FIRST_TEXT } from '../gallery/src/exhibits/write-your-own.js'
import { Run } from '../gallery/src/run.js'
import { settingsOf } from '../gallery/src/show.js'
import { standard } from '../gallery/src/standard.js'
import { solverOf } from '../gallery/src/stepper.js'
import { decodeText, encodeText, MOST_TEXT } from '../gallery/src/text-link.js'
import {
  admit,
  defaultsOf,
  fromQuery,
  fromSlider,
  type NumberSetting,
  type Setting,
  sliderRange,
  toQuery,
  toSlider,
  type Value,
} from '../gallery/src/settings.js'
import { IS_THOROUGH, thoroughUnless } from '../lib/thorough.js'

/** Any value that a setting allows. */
function valueOf(setting: Setting): fc.Arbitrary<Value> {
  switch (setting.kind) {
    case 'number':
      return fc
        .double({ min: setting.min, max: setting.max, noNaN: true })
        .map((value) => admit(setting, value) as Value)
    case 'choice':
      return fc.constantFrom(...setting.options.map(([value]) => value))
    case 'switch':
      return fc.boolean()
  }
}

/** Names of the settings that most exhibits share. */
const STANDARD = standard().map(({ name }) => name)
/** Steps of an exhibit. */
const STEPS = IS_THOROUGH ? 60 : 5
const exhibits = EXHIBITS.map((exhibit) => [exhibit.id, exhibit] as const)

describe('settings', () => {
  property.prop([
    fc.constantFrom(...EXHIBITS).chain(({ settings }) =>
      fc.record({
        settings: fc.constant(settings),
        values: fc.record(Object.fromEntries(settings.map((setting) => [setting.name, valueOf(setting)]))),
      }),
    ),
  ])('a link holds them', ({ settings, values }) => {
    expect(fromQuery(settings, toQuery(settings, values))).toEqual(values)
  })

  property.prop([fc.constantFrom(...EXHIBITS), fc.webQueryParameters(), fc.string(), fc.string()])(
    'any link gives values that are allowed',
    ({ settings }, query, name, text) => {
      for (const each of [query, `${name}=${text}`, `${settings[0]?.name ?? 'x'}=${text}`]) {
        const values = fromQuery(settings, each)
        for (const setting of settings) expect(admit(setting, values[setting.name])).toBe(values[setting.name])
      }
    },
  )

  test('where nothing was set there is no query', () => {
    for (const exhibit of EXHIBITS) expect(toQuery(settingsOf(exhibit), defaultsOf(settingsOf(exhibit)))).toBe('')
  })

  property.prop([fc.double({ min: 1e-9, max: 1e-2, noNaN: true })])('a slider over decades comes back', (value) => {
    const setting: NumberSetting = {
      kind: 'number',
      name: 'x',
      label: 'x',
      min: 1e-9,
      max: 1e-2,
      scale: 'log',
      zero: true,
      value: 0,
    }
    const { min, max } = sliderRange(setting)
    const at = toSlider(setting, value)
    expect(at).toBeGreaterThanOrEqual(min)
    expect(at).toBeLessThanOrEqual(max)
    // Two hundred marks over seven decades: eight per cent from one to the next.
    expect(Math.abs(Math.log(fromSlider(setting, at) / value))).toBeLessThan(0.05)
    expect(fromSlider(setting, toSlider(setting, 0))).toBe(0)
  })
})

describe('exhibits', () => {
  test('have ids of their own, and names of settings that differ', () => {
    expect(new Set(EXHIBITS.map(({ id }) => id)).size).toBe(EXHIBITS.length)
    for (const exhibit of EXHIBITS) {
      const settings = settingsOf(exhibit)
      // A link holds the text of the editor beside them.
      expect(settings.map(({ name }) => name)).not.toContain('text')
      expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
      for (const setting of settings) expect(admit(setting, setting.value)).toBe(setting.value)
    }
  })

  test.each(exhibits)('%s runs, stays finite and runs alike', (_, exhibit) => {
    const hashes = [0, 1].map((): string => {
      const run = new Run(exhibit, defaultsOf(exhibit.settings))
      const start = run.hash()
      for (let step = 0; step < STEPS; step++) run.step()
      expect(run.isFinite()).toBe(true)
      expect(run.hash()).not.toBe(start)
      const { figures } = run.statistics()
      for (const { value } of Object.values(figures)) expect(Number.isFinite(value)).toBe(true)
      return run.hash()
    })
    expect(hashes[1]).toBe(hashes[0])
  })

  for (const exhibit of EXHIBITS) {
    // Standard settings are the same for all: they are tried where building is quick.
    const isQuick = ['joints', 'stack', 'write'].includes(exhibit.id)
    test(`${exhibit.id} takes every choice and the ends of every slider`, thoroughUnless(isQuick), async () => {
      for (const setting of exhibit.settings) {
        if (!isQuick && STANDARD.includes(setting.name)) continue
        const values =
          setting.kind === 'choice'
            ? setting.options.map(([value]) => value)
            : setting.kind === 'switch'
              ? [true, false]
              : [setting.zero === true ? 0 : setting.min, setting.max]
        for (const value of values) {
          const wanted = { ...defaultsOf(exhibit.settings), [setting.name]: value }
          await solverOf(wanted)
          const run = new Run(exhibit, wanted)
          run.step()
          run.configure(run.values)
          run.step()
          expect(run.isFinite()).toBe(true)
        }
      }
    })
  }
})

describe('the editor', () => {
  const exhibit = EXHIBITS.find(({ id }) => id === 'write')!
  const build = (text: string): Run => {
    setScript(text)
    try {
      return new Run(exhibit, defaultsOf(exhibit.settings))
    } finally {
      setScript(FIRST_TEXT)
    }
  }

  test('takes a new constraint', () => {
    const run = build(`const level = custom({ name: 'level', bodies: 1, error: ([b]) => b.position[1] - 1 })
world.add(level, { bodies: [world.addParticle({ position: [0, 3, 0] })] })`)
    for (let step = 0; step < 10; step++) run.step()
    expect(run.live.worlds[0].bodies.all()[0].position[1]).toBeCloseTo(1, 9)
  })

  property.prop([fc.string({ unit: 'grapheme', maxLength: 300 })])('gives its text to a link and back', (text) => {
    const code = encodeText(text)!
    expect(code).toMatch(/^[\w-]*$/)
    expect(decodeText(code)).toBe(text)
  })

  property.prop([fc.string()])('takes any link', (code) => {
    expect(['string', 'undefined']).toContain(typeof decodeText(code))
  })

  test('leaves texts out of links that are too long for them', () => {
    expect(encodeText('a'.repeat(MOST_TEXT))).toBeTypeOf('string')
    expect(encodeText('a'.repeat(MOST_TEXT + 1))).toBeUndefined()
    expect(encodeText('é'.repeat(MOST_TEXT / 2 + 1))).toBeUndefined()
  })

  test('says in which line a mistake is', () => {
    expect(() => build('const a = 1\nconst b = world.addParticle({ mass: -1 })')).toThrow(
      expect.objectContaining({ line: 2, message: expect.stringContaining('mass') as string }),
    )
    expect(() => build('const a = ')).toThrow(expect.objectContaining({ name: 'ScriptError' }))
    expect(() => build('')).toThrow(expect.objectContaining({ name: 'ScriptError' }))
  })

  test('says so when an error function throws while it runs', () => {
    const run = build(`const fine = custom({ name: 'fine', bodies: 1, error: ([b]) => {
  if (b.position[1] < -0.1) throw new Error('too low')
  return b.position[0]
} })
world.add(fine, { bodies: [world.addParticle({ position: [1, 0, 0] })] })`)
    expect(() => {
      for (let step = 0; step < 60; step++) run.step()
    }).toThrow(expect.objectContaining({ name: 'ScriptError', message: 'too low', line: 2 }))
  })
})

test('the bunny of the page is the bunny of npm, to the last bit', () => {
  const { cells, positions } = unpackBunny(packedBunny())
  expect(cells).toEqual(bunny.cells)
  expect(positions).toEqual(bunny.positions)
})
