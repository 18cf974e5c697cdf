/** Row 8: momentum, for every constraint type. */

import type { Constraint, World } from '@tautline/core'
import { EVERY_TYPE, ingredients } from '../../scenes/every-type.js'
import { figure, type ReportRow } from '../report.js'

const SEEDS = Array.from({ length: 50 }, (_, k) => k + 1)

function magnitude(world: World): number {
  return world.bodies.all().reduce((sum, body) => sum + body.mass * Math.hypot(...body.velocity), 0)
}

/**
 * Largest change of linear momentum over 120 steps of a free system, as a share of the largest Σ m |v| on the way: the
 * constraints start violated, and what the first substep repairs flies.
 */
function linearDrift(name: string): number {
  const scene = EVERY_TYPE.find((entry) => entry.name === name)
  let worst = 0
  for (const seed of SEEDS.slice(0, 5)) {
    const parts = ingredients(seed)
    scene?.add(parts)
    const { world } = parts
    let scale = magnitude(world)
    const before = world.momentum().linear
    for (let step = 0; step < 120; step++) {
      world.step(1 / 60)
      scale = Math.max(scale, magnitude(world))
    }
    const after = world.momentum().linear
    worst = Math.max(worst, Math.hypot(...after.map((p, k) => p - before[k])) / scale)
  }
  return worst
}

/**
 * Σ x × ∂c/∂x + ∂c/∂θ of every correction, as a share of its largest term: the angular momentum that ΔX = M⁻¹Jᵀλ gives
 * per λ. A `line` group corrects along its error, the others along each row.
 */
function angularImpulse(world: World, { batch }: Constraint): number {
  const { rows, type, arity } = batch
  const { position } = world.bodies.columns
  rows.clear()
  world.refreshOrder()
  type.evaluate(world.bodies.columns, batch, 0, rows)
  let worst = 0
  for (let g = 0; g < rows.groupCount; g++) {
    const { kind, start, size } = rows.groups[g]
    const directions =
      kind === 'line'
        ? [Array.from({ length: size }, (_, k) => rows.c[start + k])]
        : Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, k) => (k === row ? 1 : 0)))
    for (const direction of directions) {
      const sum = [0, 0, 0]
      let largest = 0
      const add = (axis: number, value: number): void => {
        sum[axis] += value
        largest = Math.max(largest, Math.abs(value))
      }
      direction.forEach((share, k) => {
        for (let b = 0; b < arity; b++) {
          const o = 6 * (arity * (start + k) + b)
          const p = 4 * batch.common.body[b]
          for (let axis = 0; axis < 3; axis++) {
            const [i, j] = [(axis + 1) % 3, (axis + 2) % 3]
            add(axis, share * position[p + i] * rows.J[o + j])
            add(axis, -share * position[p + j] * rows.J[o + i])
            add(axis, share * rows.J[o + 3 + axis])
          }
        }
      })
      if (largest > 0) worst = Math.max(worst, Math.hypot(...sum) / largest)
    }
  }
  return worst
}

/** Types by figure, worst first. */
function worstOf(values: readonly (readonly [string, number])[]): string {
  const [name, value] = [...values].sort((r, s) => s[1] - r[1])[0]
  return `${figure(value, 2)} (${name})`
}

const linear: ReportRow = {
  id: '8.1',
  claim: 'Linear momentum of free systems, for every constraint type',
  asked: 'kept to 1e-12 of Σ m |v|; by differences to their own accuracy, 1e-8',
  scene: 'every type and form on free bodies, 5 seeds, 120 steps of 8 substeps',
  measure() {
    const all = EVERY_TYPE.map(({ name, byDifferences }) => ({ name, byDifferences, drift: linearDrift(name) }))
    const exact = all.filter(({ byDifferences }) => byDifferences !== true)
    const rest = all.filter(({ byDifferences }) => byDifferences === true)
    return {
      figures: `${exact.length} types and forms, worst ${worstOf(exact.map(({ name, drift }) => [name, drift]))}; by differences, worst ${worstOf(rest.map(({ name, drift }) => [name, drift]))}`,
      holds: exact.every(({ drift }) => drift <= 1e-12) && rest.every(({ drift }) => drift <= 1e-8),
    }
  },
}

const angular: ReportRow = {
  id: '8.2',
  claim: 'Angular momentum that one correction gives, for every type whose constraint turns with the frame',
  asked: '<= 1e-12 of its largest term',
  scene: 'every type and form, both of ballSocket, 50 seeds each',
  measure() {
    const measured: [string, number][] = []
    for (const { name, add } of EVERY_TYPE) {
      let worst = 0
      let turns = true
      for (const seed of SEEDS) {
        const parts = ingredients(seed)
        const constraint = add(parts)
        turns &&= constraint.batch.type.traits?.rotatesWithFrame !== false
        worst = Math.max(worst, angularImpulse(parts.world, constraint))
      }
      if (turns) measured.push([name, worst])
    }
    return {
      figures: `${measured.length} types and forms, worst ${worstOf(measured)}`,
      holds: measured.length > 0 && measured.every(([, worst]) => worst <= 1e-12),
    }
  },
}

export const conservation: readonly ReportRow[] = [linear, angular]
