/** The contest as pictures. */

import * as Plot from '@observablehq/plot'
import { type ComparisonRow, contenders } from '@tautline/impulse-compat'
import { COLOURS, svgOf } from '../lib/svg.js'
import { type Contest, timeOf, updatesOf } from './contest.js'

/** Errors this many times the best of the worst contender ran away: they are drawn there, at the top. */
const AWAY = 30
/** Errors below this share of the top are drawn at it. */
const LEAST = 1e-10

const names = contenders.map(({ name }) => name)

interface Point {
  readonly contender: string
  readonly cost: number
  readonly error: number
}

/** Error against cost: every budget a dot, and for each contender a line along those that nothing cheaper beats. */
export function workPrecision(contest: Contest, by: 'time' | 'updates'): string {
  const cost = by === 'time' ? timeOf : updatesOf
  const points = drawable(contest.rows.map((row) => ({ contender: row.contender, cost: cost(row), error: row.error })))
  const fronts = names.flatMap((name) => front(points.filter(({ contender }) => contender === name)))
  const label = `${contest.scene}: ${contest.about} [${contest.unit}]`
  return draw(label, by === 'time' ? 'time of a step [µs]' : 'row updates a step', points, fronts)
}

/** How far one step is from converged against its sweeps. */
export function sweepsPlot(contest: Contest): string {
  const points = drawable(
    names.flatMap((contender) =>
      (contest.convergence[contender] ?? []).map(({ iterations, distance }) => ({
        contender,
        cost: iterations,
        error: distance,
      })),
    ),
  )
  const label = `${contest.scene}: distance from the converged step [m]`
  return draw(label, 'sweeps of one step of 1/60 s', points, points)
}

/** Points that a logarithmic axis can show. */
function drawable(points: readonly Point[]): Point[] {
  const bests = names.map((name) =>
    Math.min(...points.filter(({ contender }) => contender === name).map(({ error }) => error)),
  )
  const top = AWAY * Math.max(...bests.filter((error) => error < Infinity), Number.MIN_VALUE)
  return points.map((point) => ({ ...point, error: Math.min(Math.max(point.error, LEAST * top), top) }))
}

/** Those that no cheaper point beats, from the cheapest on. */
function front(points: readonly Point[]): Point[] {
  let least = Infinity
  return points
    .slice()
    .sort((p, q) => p.cost - q.cost)
    .filter(({ error }) => {
      if (error >= least) return false
      least = error
      return true
    })
}

function draw(label: string, cost: string, points: readonly Point[], lines: readonly Point[]): string {
  const color = { domain: names, range: COLOURS.slice(0, names.length) }
  return svgOf({
    marginLeft: 60,
    marginRight: 120,
    marginBottom: 45,
    x: { type: 'log', label: cost, labelAnchor: 'center', tickFormat: '~s', ticks: 5 },
    y: {
      type: 'log',
      label,
      grid: true,
      tickFormat: '~g',
      ticks: 6,
    },
    color,
    marks: [
      Plot.dot(points, { x: 'cost', y: 'error', stroke: 'contender', r: 2, strokeOpacity: 0.5 }),
      Plot.line(lines, { x: 'cost', y: 'error', z: 'contender', stroke: 'contender', strokeWidth: 2 }),
      ...labels(lines),
    ],
  })
}

/** The names at the ends of the lines, moved apart where they would lie on each other. */
function labels(lines: readonly Point[]): Plot.Markish[] {
  const ends = names.flatMap((name) => lines.filter(({ contender }) => contender === name).slice(-1))
  const right = Math.max(...ends.map(({ cost }) => cost))
  const logs = lines.map(({ error }) => Math.log10(error))
  const gap = Math.max((Math.max(...logs) - Math.min(...logs)) / 20, 0.02)
  let above = Infinity
  return ends
    .slice()
    .sort((p, q) => q.error - p.error)
    .map((end) => {
      above = Math.min(Math.log10(end.error), above - gap)
      const at = 10 ** above
      return Plot.text([end], {
        x: () => right,
        y: () => at,
        text: 'contender',
        fill: 'contender',
        textAnchor: 'start',
        dx: 12,
        clip: false,
      })
    })
}

/** A row's budget as `substeps × iterations`. */
export function budgetOf({ budget }: ComparisonRow): string {
  return `${budget.substeps}×${budget.iterations}`
}
