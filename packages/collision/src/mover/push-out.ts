/**
 * Moves a character out of what it is in: the least way d for which nᵢ·d >= s/2 − gᵢ of all near contacts, by projected Gauss–Seidel, then
 * the contacts where that leads. g are gaps, s is the skin: within it casts keep the whole, so that only what moved by itself is nearer.
 *
 * It goes there by casts, so that nothing pushes it through a floor or a wall: where they leave no room it stays, crushed.
 */

import { lengthOf, type Move, NONE } from './move.js'

const PASSES = 12
const SWEEPS = 24
/** Share of the skin that is kept from what came near. */
const KEPT = 0.5
/** Share of the skin at which its way out stops: less than is kept, so that a way along what is near is free. */
const STOP = 0.25
/** Shares of the skin within which contacts count. */
const AROUND = 4
/** What is nearer than wanted by less than this share of the skin is near enough. */
const ENOUGH = 1e-3

/** Returns how deep it stays [m]; 0 for not at all. `gather` finds what is within a length more than a move reaches [m]. */
export function pushOut(move: Move, gather: (more: number) => void): number {
  const { near, T, skin } = move
  let gap = near.findContacts(T, AROUND * skin)
  for (let pass = 0; pass < PASSES && gap < (KEPT - ENOUGH) * skin; pass++) {
    solve(move)
    const length = lengthOf(shift)
    if (!near.covers(T, AROUND * skin + length)) gather(length)
    const share = near.cast(T, shift, STOP * skin, NONE) ? near.hit.time : 1
    for (let k = 0; k < 3; k++) T[k] += share * shift[k]
    gap = near.findContacts(T, AROUND * skin)
  }
  if (gap < 0) near.noteCrush()
  else near.forgetCrush()
  return gap < 0 ? -gap : 0
}

function solve({ near, skin }: Move): void {
  const { normal, gap, count } = near
  shift.fill(0)
  pushed.fill(0)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let k = 0; k < count; k++) {
      const along = normal[3 * k] * shift[0] + normal[3 * k + 1] * shift[1] + normal[3 * k + 2] * shift[2]
      const before = pushed[k]
      pushed[k] = Math.max(0, before + KEPT * skin - gap[k] - along)
      for (let i = 0; i < 3; i++) shift[i] += (pushed[k] - before) * normal[3 * k + i]
    }
  }
}

const shift = /* @__PURE__ */ new Float64Array(3)
const pushed = /* @__PURE__ */ new Float64Array(64)
