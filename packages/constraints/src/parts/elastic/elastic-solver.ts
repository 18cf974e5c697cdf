/** Soft bodies as a whole: a block solver that the Neo-Hookean type brings along. What is stiff for a substep, and not too large, is no longer swept. */

import { AUTO, type Batch, type BlockSolver, DIRECT, SWEEP, type WorldView } from '@tautline/core/kernel'
import { CORNERS, type ElasticBatch } from './element.js'
import { beginLoads, findLoads, lendMasses, restoreMasses, shareLoads } from './coupling.js'
import type { ElasticCount } from './newton.js'
import { type Piece, pieceOf, piecesOf } from './piece.js'
import { stiffnessOf } from './stiffness.js'
import { solvePiece } from './solve-piece.js'
import { unstrainPieces } from './unstrain.js'

/** Nodes beyond which a piece has to ask: the time of a factor, which a body that bends wants in each step, grows with their square. */
const MOST_NODES = 1000
/**
 * h (h + τ) tr K/tr M [-], K the stiffness at rest and τ its damping, beyond which `auto` solves a piece as a whole. Swept, a hanging cube sags by 1 % more at 0.5, 4 %
 * at 1, 7 % at 1.6 and 20 % at 3.4. As a whole it takes three to five times as long while it touches something.
 */
const STIFF = 1

/** The turn from which on what is strained by its loads is solved again in each: far from where it was, its factor alone is no measure. */
const SOLVED_AFTER = 2

/** What the solver did in the last step, as `world.report.solvers.elastic`. */
export interface ElasticReport {
  /** Pieces that hang together and are solved as a whole. */
  readonly pieces: number
  /** Elements in them. */
  readonly elements: number
  /** Pieces that are stiff for a substep, and swept as they have more than 1000 nodes: softer than their material, unless their `solver` is 'direct'. */
  readonly tooLarge: number
  /** Newton iterations. */
  readonly iterations: number
  /** Factors made. */
  readonly factors: number
  /** Loads that had no solution: a piece kept its shape for the rest of the substep. */
  readonly unsolved: number
  /** Substeps in which a piece was left to sweeps: a node of it was locked, or no solution came near before others pushed. It is softer in these. */
  readonly swept: number
}

export class ElasticSolver implements BlockSolver {
  readonly name = 'elastic'
  /** Struck on an edge, each leaves half of what the one before had left; a stiff cube on its corner goes 14 mm deep in eight, 4 in these. */
  readonly turns = 16
  private readonly type: string
  private batch: ElasticBatch | undefined
  private pieces: Piece[] = []
  private tooLarge = 0
  /** By body: 1 where a row of another type is on it. */
  private marked = new Uint8Array(0)
  /** Turns that others have had in this substep. */
  private turn = 0
  private readonly count: ElasticCount = { iterations: 0, factors: 0, unsolved: 0, swept: 0 }

  /** For the rows of a type, by its name. */
  constructor(type: string) {
    this.type = type
  }

  gather(world: WorldView): void {
    const before = new Map(this.pieces.map((piece) => [piece.slots[0], piece]))
    this.pieces = []
    this.tooLarge = 0
    const { bodies, settings } = world
    const batch = world.batches.find(({ type }) => type.name === this.type)
    this.batch = batch as unknown as ElasticBatch | undefined
    if (batch === undefined || settings.jacobians !== 'fresh') return
    const { common } = batch
    this.mark(world)
    const isTouchable = world.stages.some(({ findContacts }) => findContacts !== undefined)
    for (const rows of piecesOf(bodies, batch, candidates(world, batch))) {
      const asked = settings.solver === 'direct' || rows.some((row) => common.solver[row] === DIRECT)
      if (!asked) {
        const nodes = nodesOf(bodies, batch, rows)
        if (!isStiff(world, batch as unknown as ElasticBatch, rows, nodes)) continue
        if (nodes.size > MOST_NODES) {
          this.tooLarge++
          continue
        }
      }
      const piece = pieceOf(bodies, batch, rows, before.get(common.slot[rows[0]]))
      piece.isCoupled = isTouchable || isTied(world, batch, rows, this.marked)
      this.pieces.push(piece)
      for (const row of rows) common.direct[row] = 1
    }
  }

  locate(): void {
    for (const piece of this.pieces) piece.locate(this.batch as ElasticBatch)
  }

  beginStep(): void {
    const { count, pieces } = this
    count.iterations = count.factors = count.unsolved = count.swept = 0
    for (let k = 0; k < pieces.length; k++) pieces[k].isDue = true
  }

  solve(world: WorldView, h: number, first: boolean): void {
    const { pieces, count } = this
    this.turn = 0
    for (let k = 0; k < pieces.length; k++) {
      solvePiece(world, this.batch as ElasticBatch, pieces[k], h, first, count)
      if (pieces[k].isCoupled) beginLoads(world.bodies.columns, pieces[k])
    }
  }

  /** Marks the bodies of rows of other types. */
  private mark({ batches, bodies }: WorldView): void {
    if (this.marked.length < bodies.count) this.marked = new Uint8Array(2 * bodies.count)
    this.marked.fill(0)
    for (const { type, arity, count, common } of batches) {
      if (type.name === this.type || type.traits?.transient === true) continue
      for (let k = 0; k < arity * count; k++) this.marked[common.body[k]] = 1
    }
  }

  resolveImpacts(world: WorldView, h: number): boolean {
    const { pieces, batch, count } = this
    if (!this.share(world, h)) return false
    for (let k = 0; k < pieces.length; k++) {
      const piece = pieces[k]
      if (!piece.isLoaded) continue
      if (this.turn >= SOLVED_AFTER && piece.isStrained)
        solvePiece(world, batch as ElasticBatch, piece, h, false, count)
      if (piece.isWhole) lendMasses(world.bodies.columns, piece)
    }
    this.turn++
    return true
  }

  finish(world: WorldView, h: number): void {
    const { pieces, batch, count } = this
    this.share(world, h)
    for (let k = 0; k < pieces.length; k++) {
      const { isCoupled, isWhole } = pieces[k]
      if (isCoupled && isWhole) solvePiece(world, batch as ElasticBatch, pieces[k], h, false, count)
    }
  }

  /** Shares out what others have pushed the nodes by; whether another turn is worth it. */
  private share({ bodies: { columns } }: WorldView, h: number): boolean {
    const { pieces } = this
    let goesOn = false
    for (let k = 0; k < pieces.length; k++) {
      const piece = pieces[k]
      if (!piece.isCoupled || !piece.isWhole) continue
      if (findLoads(columns, piece)) goesOn = true
      restoreMasses(columns, piece)
      if (!piece.isPushed) continue
      piece.isLoaded = true
      shareLoads(columns, piece, h)
    }
    return goesOn
  }

  unstrain({ bodies: { columns }, clock }: WorldView, members: Uint8Array, excess: number): number {
    return unstrainPieces(columns, this.batch as ElasticBatch, this.pieces, members, excess, clock.substepLength)
  }

  report(): ElasticReport {
    const { pieces, tooLarge } = this
    const elements = pieces.reduce((sum, { rows }) => sum + rows.length, 0)
    return { pieces: pieces.length, elements, tooLarge, ...this.count }
  }
}

/** Rows that act and that nobody has taken. */
function candidates({ bodies, settings }: WorldView, batch: Batch): number[] {
  const { body, enabled, faults, direct, solver } = batch.common
  const { position } = bodies.columns
  const rows: number[] = []
  for (let row = 0; row < batch.count; row++) {
    const how = solver[row] === AUTO && settings.solver === 'sweep' ? SWEEP : solver[row]
    if (enabled[row] === 0 || faults[row] > 0 || direct[row] !== 0 || how === SWEEP) continue
    let moves = false
    for (let k = CORNERS * row; k < CORNERS * (row + 1); k++) if (position[4 * body[k] + 3] !== 0) moves = true
    if (moves) rows.push(row)
  }
  return rows
}

/** The corners of a piece that move. */
function nodesOf(
  { columns: { position } }: WorldView['bodies'],
  { common }: Batch,
  rows: readonly number[],
): Set<number> {
  const nodes = new Set<number>()
  for (const row of rows) {
    for (let k = CORNERS * row; k < CORNERS * (row + 1); k++)
      if (position[4 * common.body[k] + 3] !== 0) nodes.add(common.body[k])
  }
  return nodes
}

/** Whether sweeps would leave a piece softer than it is, for substeps of the world's own length. */
function isStiff(
  { bodies, settings }: WorldView,
  batch: ElasticBatch,
  rows: readonly number[],
  nodes: Set<number>,
): boolean {
  const { beta } = batch.columns
  const h = settings.dt / settings.substeps
  let damping = 0
  for (const row of rows) damping = Math.max(damping, beta[row])
  // A damper is as stiff as a spring of so much more in a substep.
  return h * (h + damping) * stiffnessOf(bodies.columns, batch, rows, nodes) > STIFF
}

/** Whether rows of other types are on a corner that moves. */
function isTied(
  { bodies }: WorldView,
  { common: { body } }: Batch,
  rows: readonly number[],
  marked: Uint8Array,
): boolean {
  const { position } = bodies.columns
  return rows.some((row) => {
    for (let k = CORNERS * row; k < CORNERS * (row + 1); k++) {
      if (marked[body[k]] === 1 && position[4 * body[k] + 3] !== 0) return true
    }
    return false
  })
}
