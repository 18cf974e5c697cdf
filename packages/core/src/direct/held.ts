/**
 * Contacts with what does not move, while a tree is solved again after they pushed its bodies.
 *
 * A sweep pushes a foot out of the ground as light as the foot is, and the tree pushes it in again by all that comes down on it: by turns, a figure of 75 kg
 * whose foot has one stopped within a dozen substeps, 5 cm deep, and went through floors that are thin. So in later passes a contact that pushes is a row of the tree's,
 *
 *   g = M (X ⊖ X̂) + κ n (n·ΔX) − Jᵀλ + b
 *
 * n its gradient on the body, ΔX the way from where the sweep has put it, κ far above all masses: the joints move the others. A contact only pushes: one that would
 * pull by more than its λ is left out, and the pass repeated.
 */

import type { Batch } from '../state/batch.js'
import { type BodyColumns, DYNAMIC, RESTS, ROTATES } from '../state/body-columns.js'
import { rotationBetween } from '../math/rotation.js'
import type { WorldView } from '../define/contract.js'
import { SIX } from './body-block.js'
import type { Held } from './touches.js'
import type { NodeMap } from './touch-gather.js'
import type { Trees } from './trees.js'

/** κ as a multiple of the tree's mass. */
const STIFF = 1e5
/**
 * What a sweep pushes faster than this is struck [m/s]: slower, as where a figure stands, contact and joints come to terms by turns, and friction knows the load.
 */
const STRUCK = 1

const turned = /* @__PURE__ */ new Float64Array(3)

/** Before the first pass of a substep: nothing is held. */
export function beginHeld({ held, nodeCount }: Trees): void {
  held.count = 0
  held.any = false
  if (held.isStruck.length < nodeCount) held.isStruck = new Uint8Array(nodeCount)
  else held.isStruck.fill(0)
}

/** Finds what holds the bodies of tree t now: those that were struck in this substep. */
export function gatherHeld(world: WorldView, map: NodeMap, t: number, trees: Trees): void {
  const { held, mass } = trees
  held.count = 0
  if (isTiedDown(trees)) return
  noteStruck(world.bodies.columns, trees)
  if (!held.any) return
  let total = 0
  for (let n = 0; n < trees.nodeCount; n++) total += mass[n]
  held.stiffness[0] = STIFF * total
  const bodies = world.bodies.columns
  for (let b = 0; b < world.batches.length; b++) {
    const batch = world.batches[b]
    if (batch.type.traits?.transient !== true || batch.arity !== 2) continue
    for (let row = 0; row < batch.active; row++) {
      const i = batch.ids[2 * row]
      const j = batch.ids[2 * row + 1]
      const side = map.tree[i] === t && !moves(bodies, j) ? 0 : map.tree[j] === t && !moves(bodies, i) ? 1 : -1
      if (side < 0) continue
      const body = side === 0 ? i : j
      if (held.isStruck[map.node[body]] === 0 || !pushes(batch, row)) continue
      takeUp(bodies, batch, row, side, map.node[body], held)
    }
  }
}

/** Whether something that does not move, or is led, holds the tree: between that and the ground a limb has nowhere to go, and held by both flips over. */
function isTiedDown({ forest, nodeCount }: Trees): boolean {
  const { parent, firstMember } = forest
  for (let n = 0; n < nodeCount; n++) if (parent[n] < 0 && firstMember[n + 1] > firstMember[n]) return true
  return false
}

/** Notes which bodies that turn others have pushed far since the last pass. */
function noteStruck({ position, flags }: BodyColumns, { held, forest, left, nodeCount, substep }: Trees): void {
  const far = STRUCK * substep[0]
  for (let n = 0; n < nodeCount; n++) {
    if ((flags[forest.body[n]] & ROTATES) === 0) continue
    const i = 4 * forest.body[n]
    const x = position[i] - left[7 * n]
    const y = position[i + 1] - left[7 * n + 1]
    const z = position[i + 2] - left[7 * n + 2]
    if (x * x + y * y + z * z < far * far) continue
    held.isStruck[n] = 1
    held.any = true
  }
}

function moves({ kind, flags }: BodyColumns, i: number): boolean {
  return kind[i] === DYNAMIC && (flags[i] & RESTS) === 0
}

function pushes({ common: { lambda }, type: { multipliers } }: Batch, row: number): boolean {
  for (let k = multipliers * row; k < multipliers * (row + 1); k++) if (lambda[k] !== 0) return true
  return false
}

function takeUp(bodies: BodyColumns, batch: Batch, row: number, side: number, node: number, held: Held): void {
  const { rows, type, common } = batch
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  for (let q = 0; q < rows.groupCount; q++) {
    const { kind, law, lower, upper, start } = rows.groups[q]
    if (kind !== 'scalar' || law !== 'position' || lower !== 0 || upper !== Infinity) continue
    const multiplier = type.multipliers * row + rows.multiplier[start]
    if (!(common.lambda[multiplier] > 0)) continue
    const at = held.add()
    held.node[at] = node
    held.batch[at] = batch
    held.multiplier[at] = multiplier
    const o = SIX * (2 * start + side)
    for (let k = 0; k < SIX; k++) held.n[SIX * at + k] = rows.J[o + k]
  }
}

/** Leaves out contacts that pull their bodies by more than they pushed; whether there are any. */
export function releasePulls(bodies: BodyColumns, trees: Trees): boolean {
  const { held } = trees
  const { count } = held
  measureLoads(bodies, trees)
  held.count = 0
  for (let at = 0; at < count; at++) if (held.load[at] >= 0) held.move(at, held.count++)
  return held.count < count
}

/** What contacts bear [kg m]: λ as the sweep left it, and what holds the way that their bodies have gone since. */
function measureLoads({ position, orientation }: BodyColumns, { held, forest, start }: Trees): void {
  for (let at = 0; at < held.count; at++) {
    const n = held.node[at]
    const i = 4 * forest.body[n]
    const o = 7 * n
    rotationBetween(orientation, i, start, o + 3, turned, 0)
    const x = position[i] - start[o]
    const y = position[i + 1] - start[o + 1]
    const z = position[i + 2] - start[o + 2]
    const way = wayOf(held, at, x, y, z, turned[0], turned[1], turned[2])
    held.load[at] = held.batch[at].common.lambda[held.multiplier[at]] - held.stiffness[0] * way
  }
}

/** n·ΔX of a row, ΔX being that of its node. */
export function wayOf(
  held: Held,
  at: number,
  x: number,
  y: number,
  z: number,
  p: number,
  q: number,
  r: number,
): number {
  const { n } = held
  const o = SIX * at
  return n[o] * x + n[o + 1] * y + n[o + 2] * z + n[o + 3] * p + n[o + 4] * q + n[o + 5] * r
}
