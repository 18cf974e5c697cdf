/** The cards of a house. */

import { cos, sin } from '@tautline/core/kernel'
import type { Triple } from './layouts.js'

/** Of a card: half its length, thickness and width [m], its lean, and the gap between two that lie end to end. */
export const CARD = { length: 0.2, thickness: 0.001, width: 0.15, lean: (25 * Math.PI) / 180, gap: 2e-4 } as const

/** A card of a house: its centre, and its turn about z from upright. */
export interface CardPlace {
  readonly centre: Triple
  readonly angle: number
}

/**
 * Where the cards of a house stand: pairs that lean against each other, `levels` of them in the lowest storey and one fewer in
 * each, and between storeys cards that lie from ridge to ridge.
 *
 * A card of half length l and half thickness d that leans by θ is ± (l sin θ + d cos θ) wide and ± (l cos θ + d sin θ) high
 * about its centre. Two that lean against each other touch along one edge, in their plane of symmetry, when their centres
 * are half a width from it. Their highest edges, on which the lying cards rest, are 2 d cos θ to either side of it. As lying cards
 * must not overlap, neighbouring pairs are a card's length apart, and a gap; every touch is then exact and nothing overlaps.
 */
export function cardPlaces(levels: number): CardPlace[] {
  const { length: l, thickness: d, lean, gap } = CARD
  const halfWidth = l * sin(lean) + d * cos(lean)
  const halfHeight = l * cos(lean) + d * sin(lean)
  const pitch = 2 * l + gap
  const places: CardPlace[] = []
  let floor = 0
  for (let pairs = levels; pairs > 0; pairs--) {
    const ridge = (k: number): number => pitch * (k - 0.5 * (pairs - 1))
    for (let k = 0; k < pairs; k++) {
      places.push({ centre: [ridge(k) - halfWidth, floor + halfHeight, 0], angle: -lean })
      places.push({ centre: [ridge(k) + halfWidth, floor + halfHeight, 0], angle: lean })
    }
    floor += 2 * halfHeight
    for (let k = 0; k + 1 < pairs; k++) {
      places.push({ centre: [0.5 * (ridge(k) + ridge(k + 1)), floor + d, 0], angle: 0.5 * Math.PI })
    }
    floor += 2 * d
  }
  return places
}
