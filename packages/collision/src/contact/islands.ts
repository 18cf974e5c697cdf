/**
 * Which manifolds are solved exactly: those of a small island in which something heavy lies on something light, or of a tower
 * (`towers.ts`).
 *
 * A sweep carries the load down one contact at a time, and what is on top sinks by g h² times the ratio of the masses until
 * λ has grown to the load: 8000 to 1 falls through. Its contacts are soft as well, and a tower on them leans over. An exact solve costs the cube of a layer's width, so it is for
 * islands of few bodies, and for those alone that need it.
 */

import { type BodyColumns, DisjointSets } from '@tautline/core/kernel'
import { planOf } from './manifold-plan.js'
import { MOST_BODIES } from './block-matrix.js'
import type { Manifolds } from './manifold-columns.js'

/** What is known of an island: something heavy on something light, a tower, something that joints hold. */
const HEAVY = 1
const TOWER = 2
const HELD = 4
/** Two bodies that meet whose masses differ more than this make an island exact. */
const RATIO = 20
/** Manifolds of an exact island, at most. */
const MOST_MANIFOLDS = 160

const sets = /* @__PURE__ */ new DisjointSets()
/** By root: what is known of it, bodies, manifolds, and the number it gets. */
const grown = /* @__PURE__ */ {
  traits: /* @__PURE__ */ new Uint8Array(0),
  bodies: /* @__PURE__ */ new Int32Array(0),
  manifolds: /* @__PURE__ */ new Int32Array(0),
  number: /* @__PURE__ */ new Int32Array(0),
}

/** Numbers the islands to be solved exactly in the column `island`, from 1, in sweep order; returns how many there are. */
export function findIslands(bodies: BodyColumns, batch: Manifolds, from: number, to: number): number {
  const { points, island, tower } = batch.columns
  const { ids } = batch
  const { position: x } = bodies
  const { joined } = planOf(batch).view
  let any = false
  for (let row = from; row < to; row++) {
    island[row] = 0
    if (points[row] === 0) continue
    if (tower[row] > 0 || isUneven(x, joined, ids[2 * row], ids[2 * row + 1])) any = true
  }
  if (!any) return 0
  reserve(x.length >> 2)
  const { traits, manifolds, number, bodies: members } = grown
  join(x, batch, from, to)
  for (let row = from; row < to; row++) {
    if (points[row] === 0) continue
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    const r = sets.root(x[4 * a + 3] > 0 ? a : b)
    manifolds[r]++
    if (isUneven(x, joined, a, b)) traits[r] |= HEAVY
    if (tower[row] !== 0) traits[r] |= tower[row] > 0 ? TOWER : HELD
  }
  let count = 0
  for (let row = from; row < to; row++) {
    if (points[row] === 0) continue
    const a = ids[2 * row]
    const r = sets.root(x[4 * a + 3] > 0 ? a : ids[2 * row + 1])
    const isExact = (traits[r] & HEAVY) !== 0 || traits[r] === TOWER
    if (!isExact || manifolds[r] > MOST_MANIFOLDS || members[r] > MOST_BODIES) continue
    if (number[r] === 0) number[r] = ++count
    island[row] = number[r]
  }
  return count
}

/**
 * Whether two bodies that both move differ much in mass, the light one being on its own. One that a joint holds bears by what hangs on it as well: a hand under a trunk
 * is no light body, and its tree is solved by turns with the sweep in any case.
 */
function isUneven(x: Float64Array, joined: Uint8Array, a: number, b: number): boolean {
  const w = x[4 * a + 3]
  const v = x[4 * b + 3]
  if (w > RATIO * v) return v > 0 && joined[a] !== 1
  return v > RATIO * w && w > 0 && joined[b] !== 1
}

function reserve(count: number): void {
  if (grown.traits.length >= count) return
  sets.reserve(2 * count)
  grown.traits = new Uint8Array(2 * count)
  grown.bodies = new Int32Array(2 * count)
  grown.manifolds = new Int32Array(2 * count)
  grown.number = new Int32Array(2 * count)
}

/** Joins the moving bodies of each manifold, and counts them by root. */
function join(x: Float64Array, batch: Manifolds, from: number, to: number): void {
  const { points } = batch.columns
  const { ids } = batch
  const { traits, manifolds, number, bodies } = grown
  for (let row = from; row < to; row++) {
    if (points[row] === 0) continue
    for (let side = 0; side < 2; side++) {
      const i = ids[2 * row + side]
      sets.add(i)
      traits[i] = manifolds[i] = number[i] = 0
      bodies[i] = 1
    }
  }
  for (let row = from; row < to; row++) {
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    if (points[row] === 0 || !(x[4 * a + 3] > 0 && x[4 * b + 3] > 0)) continue
    const r = sets.root(a)
    const s = sets.root(b)
    if (r === s) continue
    const joined = bodies[r] + bodies[s]
    bodies[sets.join(r, s)] = joined
  }
}
