import { fc, test as property } from '@fast-check/vitest'
import { readdirSync } from 'node:fs'
import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { hasScreen } from '../lib/open-browser.js'
import { buildProgress } from '../gallery/build-progress.js'
import { CATALOGUE } from '../gallery/src/catalogue.js'
import { EXHIBITS } from '../gallery/src/exhibits/index.js'
import { Lane } from '../gallery/src/beside/lane.js'
import { BESIDE_SCENES } from '../gallery/src/beside/scenes.js'
import { MOST_TEXT, packText, unpackText } from '../gallery/src/play/link.js'
import { projectOf } from '../gallery/src/play/project.js'
import { Recording } from '../gallery/src/play/recording.js'
import { zeroSurface } from '../gallery/src/zero-surface.js'
import { engine } from '../../bench/rigid/engines/tautline.js'
import { deflateSync, strFromU8, unzipSync } from 'fflate'

test('the catalogue says what the exhibits say, and every scene has its pictures (npm run posters)', () => {
  expect(CATALOGUE.map(({ file: _, ...entry }) => entry)).toEqual(
    EXHIBITS.map(({ id, title, blurb, group }) => ({ id, title, blurb, group })),
  )
  const files = readdirSync(new URL('../gallery/public/posters', import.meta.url))
  expect(files.sort()).toEqual(EXHIBITS.flatMap(({ id }) => [`${id}-dark.webp`, `${id}-light.webp`]).sort())
})

test('every exhibit says what to try', () => {
  for (const { tries } of EXHIBITS) {
    expect(tries.length).toBeGreaterThan(0)
    for (const each of tries) expect(each).toMatch(/^\p{Lu}.*\.$/u)
  }
})

describe('links of the playground', () => {
  property.prop([fc.string({ unit: 'binary', maxLength: 3000 }).filter((text) => text !== '')])(
    'hold any text',
    (text) => {
      const code = packText(text)
      if (code !== undefined) expect(unpackText(code)).toBe(text)
    },
  )

  property.prop([fc.string()])('are nothing, where they hold none', (code) => {
    const text = unpackText(code)
    expect(text === undefined || typeof text === 'string').toBe(true)
  })

  test('what unfolds to too much is given up', () => {
    const bomb = deflateSync(new Uint8Array(50 * MOST_TEXT))
    const code = btoa(String.fromCharCode(...bomb))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
    expect(code.length).toBeLessThan(16_000)
    expect(unpackText(code)).toBeUndefined()
  })
})

test('a project has the text and all that it needs', () => {
  const files = unzipSync(projectOf('export const a = 1\n', '0.187.0'))
  expect(strFromU8(files['tautline-scene/src/scene.ts'])).toBe('export const a = 1\n')
  expect(JSON.parse(strFromU8(files['tautline-scene/package.json']))).toMatchObject({
    dependencies: { three: '0.187.0' },
  })
})

describe('surfaces where a function is 0', () => {
  test('a sphere: vertices on it, closed, its area', () => {
    const radius = 0.79
    const { positions, indices } = zeroSurface(([x, y, z]) => Math.hypot(x, y, z) - radius, [-1, -1, -1], [1, 1, 1], 20)
    for (let k = 0; k < positions.length; k += 3) {
      expect(Math.abs(Math.hypot(...positions.slice(k, k + 3)) - radius)).toBeLessThan(0.01)
    }
    const edges = new Map<string, number>()
    let area = 0
    for (let k = 0; k < indices.length; k += 3) {
      const corners = indices.slice(k, k + 3)
      corners.forEach((a, i) => {
        const b = corners[(i + 1) % 3]
        const key = `${Math.min(a, b)} ${Math.max(a, b)}`
        // Once in each direction: neighbours agree about the side that is seen.
        edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1))
      })
      const [p, q, r] = corners.map((c) => positions.slice(3 * c, 3 * c + 3))
      const [u, v] = [q, r].map((end) => end.map((x, i) => x - p[i]))
      const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
      area += 0.5 * Math.hypot(...normal)
      expect(normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2]).toBeGreaterThanOrEqual(-1e-12)
    }
    expect([...edges.values()].every((sum) => sum === 0)).toBe(true)
    expect(area / (4 * Math.PI * radius * radius)).toBeCloseTo(1, 1)
  })

  test('nothing where it is not finite', () => {
    expect(zeroSurface(() => NaN, [0, 0, 0], [1, 1, 1], 4).indices).toEqual([])
  })
})

describe('side by side', () => {
  test('what is measured is that of the world: a free fall keeps its energy, a start has no gap', () => {
    for (const scene of BESIDE_SCENES) {
      const lane = new Lane(engine, 8, scene)
      expect(lane.gap).toBeLessThan(1e-12)
      expect(lane.energy).toBe(0)
    }
    const [chain] = BESIDE_SCENES
    const lane = new Lane(engine, 8, { ...chain, data: { ...chain.data, joints: [] }, gapOf: () => 0 })
    for (let step = 0; step < 60; step++) lane.step()
    const { bodies } = chain.data
    const fallen = bodies.reduce((sum, { mass }) => sum + mass * 9.81 * 0.5 * 9.81, 0)
    // Velocities are differences of positions over a step.
    expect(Math.abs(lane.energy) / fallen).toBeLessThan(0.03)
  })
})

test.each([
  [{ DISPLAY: ':0' }, 'linux', true],
  [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
  [{}, 'linux', false],
  [{}, 'darwin', true],
  [{}, 'win32', true],
  [{ CI: '1' }, 'darwin', false],
  [{ DISPLAY: ':0', SSH_CONNECTION: 'a b' }, 'linux', false],
  [{ DISPLAY: ':0', BROWSER: 'none' }, 'linux', false],
] as const)('a browser is opened where there is somebody to see it: %j on %s', (env, platform, wanted) => {
  expect(hasScreen(env, platform)).toBe(wanted)
})

describe('a build says what it is at', () => {
  const told = (isTTY: boolean): string => {
    let [text, time] = ['', 0]
    const hooks = buildProgress('a page', { isTTY, write: (part) => (text += part) }, () => time) as unknown as Record<
      string,
      () => void
    >
    hooks.buildStart()
    for (let k = 0; k < 30; k++) {
      time += 50
      hooks.moduleParsed()
    }
    hooks.renderStart()
    hooks.closeBundle()
    return text
  }

  test('a line at its beginning and at its end', () => {
    expect(told(false)).toBe('Builds a page …\nBuilt a page of 30 modules in 1.5 s.\n')
  })

  test('the modules that are read meanwhile, in one line of a terminal', () => {
    const text = told(true)
    expect(text).toContain('\r\x1b[KBuilds a page: 20 modules read …')
    expect(text.match(/\n/g)).toHaveLength(1)
  })
})

describe('what a text does is shown in time', () => {
  const recorded = (steps: number, during: (step: number, world: World) => void = () => undefined) => {
    const world = new World()
    const ball = world.addBody({ position: [0, 5, 0] })
    const recording = new Recording(world)
    const heights: number[] = []
    for (let step = 0; step < steps; step++) {
      during(step, world)
      recording.add()
      heights.push(ball.position[1])
      world.step()
    }
    heights.push(ball.position[1])
    let looks = 0
    recording.rewind(() => looks++)
    return { world, ball, recording, heights, looks }
  }

  test('from before its first step to its end, and on from there', () => {
    const { world, ball, recording, heights, looks } = recorded(30)
    const seen = [ball.position[1]]
    while (recording.play()) seen.push(ball.position[1])
    expect(seen).toEqual(heights)
    expect(looks).toBeGreaterThan(1)
    world.step()
    recording.add()
    expect(recording.play()).toBe(false)
    expect(ball.position[1]).toBeLessThan(heights[30])
  })

  test('from when the last body came, and not at all once it is stopped', () => {
    const { recording } = recorded(10, (step, world) => step === 6 && world.addBody({ position: [1, 5, 0] }))
    let shown = 0
    while (recording.play()) shown++
    expect(shown).toBe(4)
    const { ball, recording: stopped, heights } = recorded(10)
    stopped.stop()
    expect(stopped.play()).toBe(false)
    expect(ball.position[1]).toBe(heights[0])
  })

  test('at its end alone, where it goes on for too long', () => {
    const { ball, recording, heights } = recorded(2000)
    expect(recording.play()).toBe(false)
    expect(ball.position[1]).toBe(heights[2000])
  })
})
