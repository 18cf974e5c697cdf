/**
 * Keeps surfaces from passing each other: after all sweeps of a substep no vertex has passed a triangle, and no edge an edge.
 *
 *   find       parts that come near on their straight ways through the substep                          (`surface-pairs.ts`)
 *   relax      n̂·Σ w_k x_k >= what is kept of their distance, friction in the plane; and every corner on its side of a plane across n̂
 *   zones      what is left goes along with its neighbours, all by the mean of their ways               (Provot 1997)
 *
 * n̂ is that between the nearest points where the substep began: the places that it allows are a half space that holds the start, so that no push
 * gives energy, and both sides are pushed by mass, which keeps momentum. A zone keeps it too, and takes all motion within it, spin included. As zones
 * grow until none is left that passes, none does.
 */

import type { LeanWorld, ConstraintType } from '@tautline/core'
import { type Batch, type BlockSolver, IMMOVABLE, type WorldView, setRows } from '@tautline/core/kernel'
import type { ContactFilter } from '../detect/contact-filter.js'
import { IntList } from '../detect/broad/int-list.js'
import type { CollisionSettings } from '../state/options.js'
import { combineInto, SURFACE } from '../state/material.js'
import type { ParticleRecord } from './particle-set.js'
import type { ParticleSets } from './particle-sets.js'
import { DIRECTION, DISTANCE, NEAR_FOUND, nearEdges, nearVertex, QUAD } from './surface-nearest.js'
import { EDGES, IDS, KEPT, NUMBERS, SurfacePairs } from './surface-pairs.js'
import { Zones } from './surface-zones.js'
import { outlineSurface } from './outline.js'

/** Looks for what is near, each with passes over what was found; and looks while zones grow. */
const LOOKS = 2
const PASSES = 3
const MOST_ZONES = 40
/** Overlap, as a share of what is kept, that is left; and share of what is kept that every corner keeps. */
const MET = 0.02
const CORNERS_KEEP = 0.1

const weight = /* @__PURE__ */ new Float64Array(4)
const n = /* @__PURE__ */ new Float64Array(3)
/** What a pair is pushed by [kg m], and the gap that is wanted [m]: in memory, as what functions are handed would be boxed. */
const given = /* @__PURE__ */ new Float64Array(2)
const LOAD = 0
const GAP = 1

export class SurfaceSolver implements BlockSolver {
  readonly name = 'particleSurfaces'
  readonly pairs: SurfacePairs
  readonly batch: SurfaceContacts
  /** By two sets: impulse in the step [N s], −1 where they have not pushed. */
  impulses: Float64Array = new Float64Array(0)
  /** Sets there were when the step began. */
  size = 0
  /** Particles that a zone has taken along in the last step. */
  held = 0
  private isActive = false
  /** Corners that were pushed in the substep against corners that do not move. */
  private readonly against = new IntList()
  private readonly world: LeanWorld
  private readonly sets: ParticleSets
  private readonly options: CollisionSettings
  private readonly zones = new Zones()
  /** Who has pushed whom in the step. */
  private readonly joined = new Zones()

  constructor(world: LeanWorld, sets: ParticleSets, filter: ContactFilter, options: CollisionSettings) {
    this.world = world
    this.sets = sets
    this.options = options
    this.pairs = new SurfacePairs(world, sets, filter)
    this.batch = world.batchFor(surfaceContact as never, 2, 0) as Batch as SurfaceContacts
  }

  /** Begins a step, before anything is moved in it. */
  begin(): void {
    const { batch, sets, pairs } = this
    const size = (this.size = sets.records.length)
    if (batch.count > 0) setRows(batch, 0, 0)
    if (this.impulses.length < size * size) this.impulses = new Float64Array(4 * size * size)
    this.impulses.fill(-1, 0, size * size)
    this.held = 0
    this.isActive = pairs.begin()
    if (this.isActive) this.joined.clear(this.world.bodies.count)
  }

  /** Ends a step: the next one finds anew who pushes whom. */
  endStep(): void {
    if (this.batch.count > 0) setRows(this.batch, 0, 0)
  }

  /** By two sets that push each other: both and their impulse. */
  touching(): number[] {
    const { impulses, size } = this
    const out: number[] = []
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) if (impulses[a * size + b] >= 0) out.push(a, b, impulses[a * size + b])
    }
    return out
  }

  /** Back to what `touching` gave, of `size` sets. */
  setTouching(size: number, numbers: readonly number[]): void {
    this.size = size
    if (this.impulses.length < size * size) this.impulses = new Float64Array(4 * size * size)
    this.impulses.fill(-1)
    for (let k = 0; k < numbers.length; k += 3) this.impulses[numbers[k] * size + numbers[k + 1]] = numbers[k + 2]
  }

  gather(): void {}

  solve(): void {}

  report(): { held: number } {
    return { held: this.held }
  }

  listHeld(out: number[]): void {
    const { items, count } = this.against
    for (let k = 0; k < count; k++) out.push(items[k])
  }

  /** Before velocities are those of the poses. */
  endSubstep(world: WorldView, h: number): void {
    const { pairs } = this
    this.against.clear()
    if (!this.isActive || !pairs.isMoving) return
    const { position: x } = world.bodies.columns
    for (let look = 0; look < LOOKS; look++) {
      if (look === 0 || pairs.isStale) pairs.find()
      if (!this.relax(x, h)) break
    }
    this.zones.clear(world.bodies.count)
    for (let look = 0; look < MOST_ZONES; look++) {
      if (pairs.isStale) pairs.find()
      if (!this.holdZones(x)) break
    }
    pairs.noteAll()
    this.writeRows()
  }

  /** Pushes apart what was found, in passes; whether anything was pushed. */
  private relax(x: Float64Array, h: number): boolean {
    const { pairs, size } = this
    let any = false
    for (let pass = 0; pass < PASSES; pass++) {
      let pushed = false
      for (let pair = 0; pair < pairs.count; pair++) {
        this.push(x, pair, pass === 0)
        const load = given[LOAD]
        if (load === 0) continue
        pushed = true
        const o = IDS * pair
        const { ids } = pairs
        const at = ids[o + 5] * size + ids[o + 6]
        this.impulses[at] = Math.max(0, this.impulses[at]) + load / h
        this.noteHeld(x, o)
        for (let k = 1; k < 4; k++) {
          if (x[4 * ids[o] + 3] !== 0 && x[4 * ids[o + k] + 3] !== 0) this.joined.unite(ids[o], ids[o + k])
        }
      }
      if (!pushed) return any
      any = true
    }
    return any
  }

  /** Notes the corners of a pair that has one which does not move. */
  private noteHeld(x: Float64Array, o: number): void {
    const { ids } = this.pairs
    let stands = false
    for (let k = o; k < o + 4; k++) if (x[4 * ids[k] + 3] === 0) stands = true
    if (stands) for (let k = o; k < o + 4; k++) if (x[4 * ids[k] + 3] !== 0) this.against.push(ids[k])
  }

  /** Pushes a pair apart along n̂, at its nearest points and then at the corners that are on the wrong side; `given[LOAD]`: by how much [kg m]. */
  private push(x: Float64Array, pair: number, isFirst: boolean): void {
    const { numbers } = this.pairs
    const r = NUMBERS * pair
    for (let k = 0; k < 3; k++) n[k] = numbers[r + k]
    for (let k = 0; k < 4; k++) weight[k] = numbers[r + 3 + k]
    given[LOAD] = 0
    given[GAP] = numbers[r + KEPT]
    if (this.pushAlong(x, pair)) this.solveFriction(x, pair)
    else if (!isFirst) return
    this.chooseCorners(x, IDS * pair, this.pairs.ids[IDS * pair + 4] === EDGES)
    given[GAP] *= CORNERS_KEEP
    this.pushAlong(x, pair)
  }

  /** Moves the corners until n̂·Σ weight x >= `given[GAP]`, and adds by how much to `given[LOAD]` [kg m]; whether they had to. */
  private pushAlong(x: Float64Array, pair: number): boolean {
    const { ids } = this.pairs
    const o = IDS * pair
    const kept = given[GAP]
    let gap = -kept
    let w = 0
    for (let k = 0; k < 4; k++) {
      const p = 4 * ids[o + k]
      gap += weight[k] * (n[0] * x[p] + n[1] * x[p + 1] + n[2] * x[p + 2])
      w += weight[k] * weight[k] * x[p + 3]
    }
    if (!(gap < -MET * kept) || !(w > IMMOVABLE)) return false
    const load = -gap / w
    for (let k = 0; k < 4; k++) {
      const p = 4 * ids[o + k]
      const way = load * weight[k] * x[p + 3]
      if (way === 0) continue
      x[p] += way * n[0]
      x[p + 1] += way * n[1]
      x[p + 2] += way * n[2]
    }
    given[LOAD] += load
    return true
  }

  /** Friction: takes back what the two have slipped in the substep, no more than ν of the push. */
  private solveFriction(x: Float64Array, pair: number): void {
    const load = given[LOAD]
    const { ids } = this.pairs
    const { startPosition: x0 } = this.world.bodies.columns
    const o = IDS * pair
    const r = (this.sets.records[ids[o + 5]] as ParticleRecord).material
    combineInto(this.options, r, (this.sets.records[ids[o + 6]] as ParticleRecord).material)
    if (SURFACE[0] === 0) return
    let ux = 0
    let uy = 0
    let uz = 0
    let w = 0
    for (let k = 0; k < 4; k++) {
      const i = ids[o + k]
      ux += weight[k] * (x[4 * i] - x0[4 * i])
      uy += weight[k] * (x[4 * i + 1] - x0[4 * i + 1])
      uz += weight[k] * (x[4 * i + 2] - x0[4 * i + 2])
      w += weight[k] * weight[k] * x[4 * i + 3]
    }
    const off = n[0] * ux + n[1] * uy + n[2] * uz
    ux -= off * n[0]
    uy -= off * n[1]
    uz -= off * n[2]
    const slip = Math.sqrt(ux * ux + uy * uy + uz * uz)
    if (slip === 0) return
    const needed = slip / w
    const push = (needed <= SURFACE[0] * load ? needed : Math.min(needed, SURFACE[1] * load)) / slip
    for (let k = 0; k < 4; k++) {
      const p = 4 * ids[o + k]
      const way = push * weight[k] * x[p + 3]
      x[p] -= way * ux
      x[p + 1] -= way * uy
      x[p + 2] -= way * uz
    }
  }

  /** Weights of the two corners, one of either side, that are nearest or farthest past each other along n̂. */
  private chooseCorners(x: Float64Array, o: number, isEdges: boolean): void {
    const { ids } = this.pairs
    const first = isEdges ? 2 : 1
    let least = Infinity
    let most = -Infinity
    let low = 0
    let high = first
    for (let k = 0; k < 4; k++) {
      const p = 4 * ids[o + k]
      const along = n[0] * x[p] + n[1] * x[p + 1] + n[2] * x[p + 2]
      if (k < first && along < least) {
        least = along
        low = k
      } else if (k >= first && along > most) {
        most = along
        high = k
      }
    }
    weight.fill(0)
    weight[low] = 1
    weight[high] = -1
  }

  /** Joins surfaces that would pass each other into zones and moves the zones. Returns whether there was one. */
  private holdZones(x: Float64Array): boolean {
    const { pairs, zones } = this
    const { ids, at } = pairs
    let any = false
    for (let pair = 0; pair < pairs.count; pair++) {
      if (this.isApart(x, pair)) continue
      const o = IDS * pair
      for (let k = 1; k < 4; k++) if (zones.unite(ids[o], ids[o + k])) any = true
      for (let k = 1; k < 4; k++) this.joined.unite(ids[o], ids[o + k])
      this.noteHeld(x, o)
    }
    if (any) this.held += zones.move(x, at)
    return any
  }

  /** Whether a plane has the two on its sides from start to end: across n̂, or across the direction between them at the end. */
  private isApart(x: Float64Array, pair: number): boolean {
    const { ids, numbers, at } = this.pairs
    const o = IDS * pair
    const isEdges = ids[o + 4] === EDGES
    for (let k = 0; k < 3; k++) n[k] = numbers[NUMBERS * pair + k]
    if (this.gapAlong(x, 4, o, isEdges) > 0) return true
    for (let k = 0; k < 4; k++) for (let axis = 0; axis < 3; axis++) QUAD[3 * k + axis] = x[4 * ids[o + k] + axis]
    if (isEdges) nearEdges()
    else nearVertex()
    if (!(NEAR_FOUND[DISTANCE] > 0)) return false
    for (let k = 0; k < 3; k++) n[k] = NEAR_FOUND[DIRECTION + k]
    return this.gapAlong(x, 4, o, isEdges) > 0 && this.gapAlong(at, 3, o, isEdges) > 0
  }

  /** Gap of the two along n̂ where their corners are at `x[stride * body]`. */
  private gapAlong(x: Float64Array, stride: number, o: number, isEdges: boolean): number {
    const { ids } = this.pairs
    const first = isEdges ? 2 : 1
    let least = Infinity
    let most = -Infinity
    for (let k = 0; k < 4; k++) {
      const p = stride * ids[o + k]
      const along = n[0] * x[p] + n[1] * x[p + 1] + n[2] * x[p + 2]
      if (k < first) {
        if (along < least) least = along
      } else if (along > most) most = along
    }
    return least - most
  }

  /** Rows between those who have pushed each other in the step. */
  private writeRows(): void {
    const { batch, joined } = this
    const { links } = joined
    if (links.count / 2 === batch.count) return
    const first = batch.count
    setRows(batch, links.count / 2, links.count / 2)
    const { body, touching } = batch.columns
    for (let k = 2 * first; k < links.count; k++) body[k] = batch.ids[k] = links.items[k]
    for (let row = first; row < batch.count; row++) touching[row] = 1
  }
}

/** Columns and their strides. */
const SURFACE_COLUMNS: { readonly touching: 1 } = {
  /** 1: each of them has pushed. */
  touching: 1,
}

/** Name of a column. */
type SurfaceColumn = keyof typeof SURFACE_COLUMNS

/** A batch of rows that say which particles have pushed each other as surfaces in a step. */
type SurfaceContacts = Batch<SurfaceColumn>

/** Made by `Collisions`: two particles that have shared momentum in the step, so that what hangs together by them is known. */
const surfaceContact: ConstraintType<object, SurfaceColumn> = {
  name: 'particleSurfaceContact',
  order: 5,
  arity: 2,
  multipliers: 1,
  traits: {
    warmStart: false,
    transient: true,
    unordered: true,
  },
  columns: SURFACE_COLUMNS,

  resolve: (def) => def,
  write() {},
  energy: () => 0,
  outline: outlineSurface,
  evaluate() {},
  loop: {
    sweep() {},
  },
}
