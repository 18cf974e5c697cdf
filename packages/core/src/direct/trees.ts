/**
 * Joints that are solved together, with the scratch of their solution, and how far the last assembly found them from being solved. The solution is in newton.ts.
 */

import type { WorldView } from '../define/contract.js'
import {
  ANY_ROTATION_LOCK,
  ANY_TRANSLATION_LOCK,
  type BodyColumns,
  LOCK_ROTATION,
  LOCK_TRANSLATION,
  ROTATES,
} from '../state/body-columns.js'
import { Articulated, isArticulated } from './articulated-columns.js'
import { BLOCK, SIX } from './body-block.js'
import type { Border } from './border.js'
import { Bounded } from './bounded.js'
import type { Forest } from './forest.js'
import { Balls, Held, Touches } from './touches.js'

/** All six coordinates of a body. */
export const ALL_FREE = 63

export class Trees implements Border {
  readonly forest: Forest
  /** Its joints are between moving bodies alone and push them by equal and opposite forces: they leave their centre of mass where it is. */
  readonly isFree: boolean
  readonly H: Float64Array
  readonly C: Float64Array
  readonly g: Float64Array
  readonly dX: Float64Array
  /** dX of the last solve. */
  readonly lastStep: Float64Array
  readonly Ji: Float64Array
  readonly Jp: Float64Array
  readonly r: Float64Array
  readonly a: Float64Array
  readonly dl: Float64Array
  readonly S: Float64Array
  readonly rows: Int32Array
  readonly coupled: Uint8Array
  readonly singular: Uint8Array
  /** Rows of a node before those with bounds are placed. */
  readonly plain: Int32Array
  floor = 0
  readonly nodeCount: number
  readonly child: Int32Array
  readonly parent: Int32Array
  readonly firstRow: Int32Array
  readonly bordered: Uint8Array
  readonly width: number
  readonly border: Int32Array
  borderCount = 0
  readonly W: Float64Array
  readonly U: Float64Array
  readonly T: Float64Array
  readonly q: Float64Array
  readonly scale: Float64Array
  readonly error: Float64Array
  readonly redundant: Uint8Array
  /** Geometric stiffness of a body by itself, while it is held against its inertia. */
  readonly K: Float64Array
  /** First number of a node's S. */
  readonly firstPair: Int32Array
  /** M of a node at the predicted pose: mass [kg], inertia (9) [kg m²]; 1 where a coordinate is locked. */
  readonly mass: Float64Array
  readonly inertia: Float64Array
  /** How far a force on an edge moves its bodies, and how far a couple turns them, at most [1/kg, 1/(kg m²)]. */
  readonly inverseMassBound: Float64Array
  /** Which coordinates move, a bit each. */
  readonly free: Uint8Array
  /** X̂ of a node, and b. */
  readonly start: Float64Array
  readonly base: Float64Array
  /**
   * Of a row of the system: its joint and its multiplier among all. Of a row across a ball: the first multiplier of its group, how
   * many that has, and the direction along them; elsewhere `across` is 0.
   */
  readonly joint: Int32Array
  readonly origin: Int32Array
  readonly across: Uint8Array
  readonly direction: Float64Array
  /** Rows with bounds, and groups in balls. */
  readonly bounded: Bounded
  readonly balls: Balls
  /** The system before bounded rows were placed in it: they are placed anew in each pivot. */
  readonly unplaced: Unplaced
  /** Contacts that it takes along in this substep. */
  readonly touches: Touches = new Touches()
  /** Contacts that hold its bodies in later passes. */
  readonly held: Held = new Held()
  /** First multiplier of a joint among all; closed by their number. */
  readonly firstMultiplier: Int32Array
  /** Where λ of a joint stand, in this substep: their column, and the index of the first. */
  readonly lambda: Float64Array[] = []
  readonly place: Int32Array
  /** Of all multipliers: λ as a pass found it. */
  readonly found: Float64Array
  /** Of all multipliers: what is left of c from the start of the substep, to be repaired later and without speed (projection.ts). */
  readonly offset: Float64Array
  hasOffset = false
  /** A repair keeps springs as they are stretched: by the offsets of their rows. */
  holdsSprings = false
  /** Only rows of position are looked at, and the substep has no length: the pose is projected onto them. */
  isProjecting = false
  /** λ°, from which the softness of rows of loops is measured. */
  readonly reference: Float64Array
  /** Poses at the start of the substep, noted when it is repeated in parts; v and ω there, before the prediction. */
  readonly substepPose: Float64Array
  readonly startVelocity: Float64Array
  /** Poses at the start and the end of the substep of what holds the trees and does not belong to them. */
  readonly groundStart: Float64Array
  readonly groundEnd: Float64Array
  /** Poses, velocities and λ at the start of a part of the substep that is repeated in parts (halving.ts). */
  readonly partPose: Float64Array
  readonly partVelocity: Float64Array
  readonly partMultipliers: Float64Array
  /** Of all multipliers, where the substep in hand was repeated `inParts`: their mean over the substep, less those of its last part. */
  readonly partMean: Float64Array
  inParts = false
  /** Poses as the last pass left them. */
  readonly left: Float64Array
  /** Whether that pass met all rows. */
  isMet = false
  /** How far others have pushed bodies since, while that is taken up in shares (push.ts). */
  readonly push: Float64Array
  /** Gradients are those kept by the batches: without curvature, and linear in λ. */
  kept = false
  /** The fast system of a tree whose joints all share points. */
  readonly articulated: Articulated | undefined
  /** h [s], in memory: a number among the arguments of a function that is not inlined would be boxed. */
  readonly substep: Float64Array = new Float64Array(1)
  /** How far joints may be open after a pass [m, rad] (`jointTolerance`). */
  readonly tolerance: Float64Array = new Float64Array(1)
  /** Of the last step: passes over the tree, Newton's solves in them, those repeated in parts, and those left unsolved. */
  passes = 0
  solves = 0
  halved = 0
  unsolved = 0

  constructor(forest: Forest) {
    this.forest = forest
    this.isFree = forest.ground.length === 0 && forest.batch.every(({ type }) => type.keepsMomenta !== undefined)
    const n = forest.nodeCount
    const edges = forest.edgeCount
    const rows = forest.firstRow[edges]
    this.nodeCount = n
    this.child = forest.child
    this.parent = forest.parent
    this.firstRow = forest.firstRow
    this.bordered = forest.bordered
    this.width = rows - forest.firstRow[n]
    this.border = new Int32Array(this.width)
    this.W = new Float64Array(SIX * this.width * n)
    this.U = new Float64Array(this.width * forest.firstRow[n])
    this.T = new Float64Array(this.width * this.width)
    this.q = new Float64Array(this.width)
    this.scale = new Float64Array(this.width)
    this.H = new Float64Array(BLOCK * n)
    this.C = new Float64Array(BLOCK * n)
    this.K = new Float64Array(BLOCK * n)
    this.g = new Float64Array(SIX * n)
    this.dX = new Float64Array(SIX * n)
    this.lastStep = new Float64Array(SIX * n)
    this.Ji = new Float64Array(SIX * rows)
    this.Jp = new Float64Array(SIX * rows)
    this.r = new Float64Array(rows)
    this.a = new Float64Array(rows)
    this.dl = new Float64Array(rows)
    this.error = new Float64Array(rows)
    this.rows = new Int32Array(edges)
    this.coupled = new Uint8Array(n)
    this.singular = new Uint8Array(edges)
    this.plain = new Int32Array(edges)
    this.firstPair = new Int32Array(n + 1)
    for (let i = 0; i < n; i++) {
      const width = forest.firstRow[i + 1] - forest.firstRow[i]
      this.firstPair[i + 1] = this.firstPair[i] + width * width
    }
    this.S = new Float64Array(this.firstPair[n])
    this.mass = new Float64Array(n)
    this.inertia = new Float64Array(9 * n)
    this.inverseMassBound = new Float64Array(2 * edges)
    this.free = new Uint8Array(n)
    this.start = new Float64Array(7 * n)
    this.base = new Float64Array(SIX * n)
    this.joint = new Int32Array(rows)
    this.origin = new Int32Array(rows)
    this.across = new Uint8Array(rows)
    this.direction = new Float64Array(3 * rows)
    this.bounded = new Bounded(rows)
    this.balls = new Balls(rows)
    this.unplaced = new Unplaced(this)
    const joints = forest.batch.length
    this.firstMultiplier = new Int32Array(joints + 1)
    for (let e = 0; e < joints; e++) {
      this.firstMultiplier[e + 1] = this.firstMultiplier[e] + forest.batch[e].type.multipliers
    }
    this.place = new Int32Array(joints)
    const multipliers = this.firstMultiplier[joints]
    this.found = new Float64Array(multipliers)
    this.reference = new Float64Array(multipliers)
    this.redundant = new Uint8Array(multipliers)
    this.offset = new Float64Array(multipliers)
    this.substepPose = new Float64Array(7 * n)
    this.groundStart = new Float64Array(7 * forest.ground.length)
    this.groundEnd = new Float64Array(7 * forest.ground.length)
    this.startVelocity = new Float64Array(SIX * n)
    this.partPose = new Float64Array(7 * n)
    this.partVelocity = new Float64Array(SIX * n)
    this.partMultipliers = new Float64Array(multipliers)
    this.partMean = new Float64Array(multipliers)
    this.left = new Float64Array(7 * n)
    this.push = new Float64Array(SIX * n)
    this.articulated = isArticulated(forest) ? new Articulated(n, multipliers) : undefined
  }
}

/** A copy of the system's blocks, rows and right sides. */
export class Unplaced {
  readonly H: Float64Array
  readonly C: Float64Array
  readonly g: Float64Array
  readonly Ji: Float64Array
  readonly Jp: Float64Array
  readonly r: Float64Array
  readonly rows: Int32Array

  constructor({ H, C, g, Ji, Jp, r, rows }: Trees) {
    this.H = new Float64Array(H.length)
    this.C = new Float64Array(C.length)
    this.g = new Float64Array(g.length)
    this.Ji = new Float64Array(Ji.length)
    this.Jp = new Float64Array(Jp.length)
    this.r = new Float64Array(r.length)
    this.rows = new Int32Array(rows.length)
  }
}

/** Whether a joint of the tree gives way. */
export function yields({ forest }: Trees): boolean {
  for (let e = 0; e < forest.batch.length; e++) if (forest.batch[e].common.yields[forest.row[e]] !== 0) return true
  return false
}

/** Forgets what the last step counted. */
export function beginCount(trees: Trees): void {
  trees.solves = trees.passes = trees.halved = trees.unsolved = 0
}

/** After rows were put in order: where the multipliers are, and how easily bodies move. */
export function locateTrees(bodies: BodyColumns, trees: Trees): void {
  const { forest, inverseMassBound: w, lambda, place } = trees
  forest.locate()
  for (let e = 0; e < place.length; e++) {
    const batch = forest.batch[e]
    lambda[e] = batch.common.lambda
    place[e] = batch.type.multipliers * forest.row[e]
  }
  for (let n = 0; n < forest.edgeCount; n++) {
    const i = forest.body[forest.child[n]]
    const p = forest.parent[n] < 0 ? i : forest.body[forest.parent[n]]
    w[2 * n] = Math.max(bodies.position[4 * i + 3], bodies.position[4 * p + 3])
    w[2 * n + 1] = Math.max(turning(bodies, i), turning(bodies, p))
  }
}

/** Trace of a body's inverse inertia, from its moments: whatever its orientation, the same bits. */
function turning({ principalInertia: moments, flags }: BodyColumns, i: number): number {
  return (flags[i] & ROTATES) === 0 ? 0 : 1 / moments[3 * i] + 1 / moments[3 * i + 1] + 1 / moments[3 * i + 2]
}

/** M of every node at the predicted pose, and h. */
export function prepareTrees(world: WorldView, trees: Trees, h: number): void {
  const bodies = world.bodies.columns
  trees.kept = world.settings.jacobians !== 'fresh'
  trees.substep[0] = h
  trees.tolerance[0] = world.settings.jointTolerance
  const { forest, inertia, free } = trees
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    free[n] = freeOf(bodies, i)
    invertSymmetric(bodies.inverseInertia, 9 * i, free[n] >> 3, inertia, 9 * n)
  }
  refreshMasses(bodies, trees)
}

/** Takes the masses that bodies have now, which may be lent. */
export function refreshMasses({ position }: BodyColumns, { forest: { body }, mass }: Trees): void {
  for (let n = 0; n < body.length; n++) mass[n] = 1 / position[4 * body[n] + 3]
}

/** Bits of the coordinates that are not locked. */
function freeOf(bodies: BodyColumns, i: number): number {
  const flags = bodies.flags[i]
  if ((flags & (ANY_TRANSLATION_LOCK | ANY_ROTATION_LOCK)) === 0) return (flags & ROTATES) !== 0 ? ALL_FREE : 7
  let free = 0
  for (let axis = 0; axis < 3; axis++) {
    if ((flags & (LOCK_TRANSLATION << axis)) === 0) free |= 1 << axis
    const turns = bodies.inverseInertia[9 * i + 4 * axis] > 0
    if (turns && (flags & (LOCK_ROTATION << axis)) === 0) free |= 8 << axis
  }
  return free
}

/** Inverse on the axes that are free; 1 on the diagonal of the others. */
function invertSymmetric(I: Float64Array, o: number, free: number, out: Float64Array, u: number): void {
  const x = (free & 1) !== 0
  const y = (free & 2) !== 0
  const z = (free & 4) !== 0
  const a = x ? I[o] : 1
  const e = y ? I[o + 4] : 1
  const i = z ? I[o + 8] : 1
  const b = x && y ? 0.5 * (I[o + 1] + I[o + 3]) : 0
  const c = x && z ? 0.5 * (I[o + 2] + I[o + 6]) : 0
  const f = y && z ? 0.5 * (I[o + 5] + I[o + 7]) : 0
  const A = e * i - f * f
  const B = c * f - b * i
  const C = b * f - c * e
  const s = 1 / (a * A + b * B + c * C)
  out[u] = s * A
  out[u + 1] = out[u + 3] = s * B
  out[u + 2] = out[u + 6] = s * C
  out[u + 4] = s * (a * i - c * c)
  out[u + 5] = out[u + 7] = s * (b * c - a * f)
  out[u + 8] = s * (a * e - b * b)
}

/** Rows that are this near [m, rad] are solved. */
export const MET = 1e-9

/** What an assembly leaves to be solved: indices into `RESIDUAL`. */
export const GAP = 0
export const UNBALANCE = 1
export const PUSH = 2
/** Worst |r| [m, rad]; worst |M⁻¹ g| [m, rad], and how far single rows push, at most, to compare it with. */
export const RESIDUAL: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** Takes in the residual of a row [m, rad] and how far its multiplier pushes its bodies. A NaN stays. */
export function noteResidual(gap: number, push: number): void {
  if (!(gap <= RESIDUAL[GAP])) RESIDUAL[GAP] = gap
  if (push > RESIDUAL[PUSH]) RESIDUAL[PUSH] = push
}
