/** Error against time: what an engine gives for more work, and what a bigger scene costs it. */

import * as Plot from '@observablehq/plot'
import { COLOURS, svgOf } from '../../examples/lib/svg.js'
import type { Outcome, Result } from './contest.js'
import { type BenchScene, type FigureName, FIGURES } from './scene.js'
import type { Measured } from './tables.js'

/** Errors below this share of the largest are drawn at it: nobody sees a difference, and ours would be off the page. */
const LEAST = 1e-6

/** Colours go by engine, the same in every plot. */
const ENGINES = ['tautline', 'crashcat', 'cannon-es', 'jolt', 'rapier', 'rapier-simd', 'havok', 'other'] as const

interface Point {
  readonly engine: string
  /** [ms] */
  readonly time: number
  readonly error: number
  /** Written beside it. */
  readonly text: string
}

/** A plot of a scene whose contenders were measured at several settings; none where there are too few points. */
export function workPrecision(scene: BenchScene, outcomes: readonly Outcome[]): string | undefined {
  if (scene.precision === undefined) return undefined
  const { precision } = scene
  const points = outcomes.flatMap((outcome) => pointsOf(outcome, precision, (result) => String(result.work)))
  return points.length < 4 ? undefined : drawn(points, `${scene.name}: ${FIGURES[precision].label}`)
}

/** One line an engine through scenes of growing size, at the first of its settings. */
export function byScene(measured: readonly Measured[], figure: FigureName, label: string): string | undefined {
  const points = measured.flatMap(({ scene, outcomes }) => {
    const firsts = outcomes.filter(({ engine }, k) => outcomes.findIndex((other) => other.engine === engine) === k)
    return firsts.flatMap((outcome) => pointsOf(outcome, figure, () => scene.split('-')[1]))
  })
  return points.length === 0 ? undefined : drawn(points, label)
}

function pointsOf(outcome: Outcome, figure: FigureName, text: (result: Result) => string): Point[] {
  if ('failed' in outcome) return []
  const value = outcome.figures[figure]
  if (value === null || value === undefined || !(value > 0)) return []
  const { engine, median } = outcome
  return [{ engine, time: median, error: value * FIGURES[figure].scale, text: text(outcome) }]
}

function drawn(given: readonly Point[], label: string): string {
  const least = LEAST * Math.max(...given.map(({ error }) => error))
  const points = given
    .map((point) => ({ ...point, error: Math.max(point.error, least) }))
    .sort((p, q) => p.time - q.time)
  const engines = [...new Set(points.map(({ engine }) => engine))]
  const series = { x: 'time', y: 'error', stroke: 'engine' } as const
  return svgOf({
    marginLeft: 60,
    marginRight: 110,
    marginBottom: 45,
    x: { type: 'log', label: 'time of a step [ms]', labelAnchor: 'center', tickFormat: '~g', ticks: 6 },
    y: { type: 'log', label, grid: true, tickFormat: '~g', ticks: 6 },
    color: { domain: engines, range: engines.map(colourOf) },
    marks: [
      Plot.line(points, { ...series, z: 'engine', strokeWidth: 1.5 }),
      Plot.dot(points, { ...series, r: 3, fill: 'engine' }),
      Plot.text(points, { x: 'time', y: 'error', text: 'text', dy: -8, fill: '#666', fontSize: 9 }),
      ...names(points, engines),
    ],
  })
}

function colourOf(engine: string, k: number): string {
  const known = ENGINES.findIndex((name) => name === engine || engine.startsWith(`${name}-`))
  const exact = ENGINES.findIndex((name) => name === engine)
  return COLOURS[
    (exact >= 0 ? exact : known === 0 && engine !== 'tautline-lines' ? 5 : Math.max(known, k)) % COLOURS.length
  ]
}

/** The engines' names at the right edge, moved apart where they would lie on each other. */
function names(points: readonly Point[], engines: readonly string[]): Plot.Markish[] {
  const right = Math.max(...points.map(({ time }) => time))
  const logs = points.map(({ error }) => Math.log10(error))
  const gap = Math.max((Math.max(...logs) - Math.min(...logs)) / 20, 0.02)
  let above = Infinity
  return engines
    .map((engine) => points.filter((point) => point.engine === engine).at(-1))
    .filter((point) => point !== undefined)
    .sort((p, q) => q.error - p.error)
    .map((point) => {
      above = Math.min(Math.log10(point.error), above - gap)
      const at = 10 ** above
      const place = {
        x: () => right,
        y: () => at,
        text: 'engine',
        fill: 'engine',
        dx: 12,
        textAnchor: 'start',
      } as const
      return Plot.text([point], { ...place, clip: false })
    })
}
