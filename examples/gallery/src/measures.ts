/** Parts, figures and plots that several exhibits share. No DOM. */

import type { Constraint, World } from '@tautline/core'
import type { Figure, Scene } from '../../scenes/scene.js'
import type { Plot } from './exhibit.js'

/** Sum of the joints' gaps, share of a length [%]. */
export function gapPercent(joints: readonly Constraint[], length: number): number {
  return (100 * joints.reduce((sum, { error }) => sum + error, 0)) / length
}

/** The widest gap of sets of joints, over time. */
export function choosePlot(title: string, unit: string, sets: Readonly<Record<string, readonly Constraint[]>>): Plot {
  return {
    title,
    unit,
    log: true,
    curves: Object.entries(sets).map(([name, joints]) => ({ name, value: () => widest(joints) })),
  }
}

export function widest(joints: readonly Constraint[]): number {
  return joints.reduce((most, { error }) => Math.max(most, error), 0)
}

/** Total energy of worlds, over time. */
export function energyPlot(worlds: Readonly<Record<string, World>>): Plot {
  return {
    title: 'Energy',
    unit: 'J',
    curves: Object.entries(worlds).map(([name, world]) => ({ name, value: () => world.energy().total })),
  }
}

/** What a scene with a mesh says of itself. */
export function meshFigures(scene: Pick<Scene, 'measure'>): Readonly<Record<string, Figure>> {
  const { stretch, figures } = scene.measure()
  return { 'Largest stretch': { value: 100 * stretch, unit: '%' }, ...capitals(figures) }
}

/** The same with names that begin like a sentence. */
export function capitals(figures: Readonly<Record<string, Figure>>): Record<string, Figure> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name[0].toUpperCase() + name.slice(1), figure]),
  )
}
