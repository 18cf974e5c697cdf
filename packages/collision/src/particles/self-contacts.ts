/**
 * Contacts of particles with particles, of one set or of two: as balls (`pair-*.ts`), and as surfaces that do not pass each other (`surface-*.ts`).
 * `selfCollision` adds them to collisions.
 */

import { addSolver, type LeanWorld } from '@tautline/core'
import type { vec3 } from 'gl-matrix'
import type { ContactFilter } from '../detect/contact-filter.js'
import type { CollisionSettings } from '../state/options.js'
import type { SelfContactPart } from '../state/particle-part.js'
import { dropUnbounded } from './kept-rows.js'
import { APART, type PairContacts, RECORD, PUSH } from './pair-columns.js'
import { PairFinder } from './pair-finder.js'
import { PairRows } from './pair-rows.js'
import { type ParticleContact, SET, type Touches } from './particle-events.js'
import type { ParticleSets } from './particle-sets.js'
import type { PointRows } from './point-rows.js'
import { SurfaceSolver } from './surface-solver.js'
import type { BodyColumns } from '@tautline/core/kernel'
import { REPAIR } from './point-prepare.js'

export class SelfContacts implements SelfContactPart {
  private readonly world: LeanWorld
  private readonly sets: ParticleSets
  private readonly pairs: PairRows
  private readonly surfaces: SurfaceSolver
  private readonly finder: PairFinder
  /** Substep in hand, from 1. */
  private substep = 0

  constructor(
    world: LeanWorld,
    sets: ParticleSets,
    filter: ContactFilter,
    options: CollisionSettings,
    points: PointRows,
  ) {
    this.world = world
    this.sets = sets
    this.pairs = new PairRows(world, sets, options, points)
    this.surfaces = new SurfaceSolver(world, sets, filter, options)
    this.finder = new PairFinder(world, sets, filter)
  }

  get batch(): PairContacts {
    return this.pairs.batch
  }

  beginStep(): void {
    const { surfaces, sets, world } = this
    if (!world.solvers.includes(surfaces)) {
      if (!sets.records.some((record) => record?.selfCollision === 'surface')) return
      addSolver(world, surfaces)
    }
    surfaces.begin()
  }

  find(dt: number): boolean {
    const { pairs, finder, world } = this
    this.substep = 0
    if (!finder.begin() && pairs.batch.count === 0) return false
    pairs.keep()
    if (finder.count > 0) finder.find(finder.horizon(dt, dt / world.settings.substeps))
    pairs.make(finder, false)
    return finder.woke
  }

  beginSubstep(h: number): void {
    const { pairs, finder } = this
    if (++this.substep > 1 && finder.isFast) {
      pairs.keep()
      finder.find(h)
      pairs.make(finder, true)
    } else pairs.refresh()
    repairPairs(this.world.bodies.columns, pairs.batch, h)
  }

  endStep(): void {
    this.surfaces.endStep()
  }

  gather(out: Touches): void {
    const { generations } = this.sets
    const { batch } = this.pairs
    const { who, touching, impulse } = batch.columns
    for (let row = 0; row < batch.count; row++) {
      const a = who[4 * row]
      const b = who[4 * row + 2]
      if (touching[row] === 0 || a === b) continue
      out.sum(out.add(a, generations[a], SET, b, generations[b], 0), impulse, row)
    }
    this.gatherSurfaces(out)
  }

  /** Adds which sets push each other as surfaces. */
  private gatherSurfaces(out: Touches): void {
    const { generations } = this.sets
    const { impulses, size } = this.surfaces
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        for (const at of [a * size + b, b * size + a]) {
          if (impulses[at] >= 0) out.sum(out.add(a, generations[a], SET, b, generations[b], 0), impulses, at)
        }
      }
    }
  }

  addContacts(id: number, contacts: ParticleContact[]): void {
    const { batch } = this.pairs
    const { who, touching, impulse, body, record } = batch.columns
    const { position: x } = this.world.bodies.columns
    for (let row = 0; row < batch.count; row++) {
      if (touching[row] === 0) continue
      for (let side = 0; side < 2; side++) {
        const other = 1 - side
        if (who[4 * row + 2 * side] !== id) continue
        const [i, j] = [4 * body[2 * row + side], 4 * body[2 * row + other]]
        const d = [x[i] - x[j], x[i + 1] - x[j + 1], x[i + 2] - x[j + 2]]
        const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
        const normal: vec3 = length > 0 ? [d[0] / length, d[1] / length, d[2] / length] : [1, 0, 0]
        const set = who[4 * row + 2 * other]
        const radius = this.sets.records[set]!.radius[who[4 * row + 2 * other + 1]]
        contacts.push({
          particle: who[4 * row + 2 * side + 1],
          other: this.sets.handle(set),
          otherParticle: who[4 * row + 2 * other + 1],
          normal,
          point: [x[j] + radius * normal[0], x[j + 1] + radius * normal[1], x[j + 2] + radius * normal[2]],
          separation: length - record[RECORD * row + APART],
          impulse: impulse[row],
        })
      }
    }
  }

  drop(set: number, body: number): void {
    this.pairs.drop(set, body)
  }

  dropNonFinite(): void {
    dropUnbounded(this.pairs.batch, RECORD)
  }

  save(): number[] {
    return this.surfaces.touching()
  }

  restore(surfaces: readonly number[]): void {
    this.surfaces.setTouching(this.sets.records.length, surfaces)
  }
}

/**
 * Moves overlapping particles apart by mass, without adding velocity: by a share of the overlap and no faster than the push-out of their materials, in a
 * substep of `h` [s]. This runs before prediction: a particle that is moved out of one would otherwise begin the substep within another, which would push it
 * back with velocity.
 */
function repairPairs({ position: x }: BodyColumns, batch: PairContacts, h: number): void {
  const { active, ids } = batch
  const { record } = batch.columns
  for (let row = 0; row < active; row++) {
    const r = RECORD * row
    const i = 4 * ids[2 * row]
    const j = 4 * ids[2 * row + 1]
    const d = record[r + APART]
    const dx = x[i] - x[j]
    const dy = x[i + 1] - x[j + 1]
    const dz = x[i + 2] - x[j + 2]
    const square = dx * dx + dy * dy + dz * dz
    const w = x[i + 3] + x[j + 3]
    if (!(square < d * d) || w === 0) continue
    const length = Math.sqrt(square)
    const most = record[r + PUSH] * h
    const share = REPAIR * (d - length)
    const push = (share < most ? share : most) / w
    // Of two in one place the first goes along x.
    const a = length > 0 ? push / length : push
    const nx = length > 0 ? dx : 1
    const wi = a * x[i + 3]
    const wj = a * x[j + 3]
    x[i] += wi * nx
    x[i + 1] += wi * dy
    x[i + 2] += wi * dz
    x[j] -= wj * nx
    x[j + 1] -= wj * dy
    x[j + 2] -= wj * dz
  }
}
