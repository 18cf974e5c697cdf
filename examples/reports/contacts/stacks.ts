/** Rows 1 and 9: what stands, at the origin and far from it. */

import type { ContactScene } from '../../scenes/contacts/index.js'
import {
  arch,
  cardHouse,
  offsetStack,
  positionsOf,
  pyramid,
  run,
  sidewaysDrift,
  sink,
  stack,
} from '../../scenes/contacts/index.js'
import { figure, type ReportRow } from '../report.js'

/** The asked bound on sideways drift [m], and how long a stack has to stand [s]. */
const DRIFT = 0.01
const STANDS = 60

/** What sank by this has fallen [m]: half a box, a quarter of a card. */
const FALLEN = 0.5
const CARD_FALLEN = 0.1
/** The asked time of the card house, and how long it is watched at most [s]. */
const CARDS_STAND = 10
const CARDS_WATCHED = 60

/** How far from the origin, and how far positions relative to it may then differ [m]. */
const FAR: [number, number, number] = [1e5, -8e4, 6e4]
const SAME = 1e-4

/**
 * Largest sideways drift over the whole time, deepest sink at the end, and when something fell, if it did: a body that sank by
 * half a box more than it `settles`, as gaps close that the scene starts with.
 */
export function standing(
  scene: ContactScene,
  seconds: number = STANDS,
  settles: number = 0,
): { drift: number; sunk: number; fell: number } {
  const starts = positionsOf(scene.bodies)
  let [drift, fell] = [0, Infinity]
  run(scene, seconds, (time) => {
    drift = Math.max(drift, sidewaysDrift(scene.bodies, starts))
    if (sink(scene.bodies, starts) < FALLEN + settles) return true
    fell = time
    return false
  })
  return { drift, sunk: sink(scene.bodies, starts) - settles, fell }
}

const SCENE = '8 substeps of 1 sweep, 60 Hz, no sleep'

function stands(id: string, claim: string, scene: string, make: () => ContactScene, settles: number = 0): ReportRow {
  return {
    id,
    claim,
    asked: `${STANDS} s, sideways drift < 1 cm`,
    scene: `${scene}; ${SCENE}`,
    measure() {
      const { drift, sunk, fell } = standing(make(), STANDS, settles)
      const down = fell < Infinity ? `fell at ${figure(fell)} s, ` : ''
      return {
        figures: `${down}drift ${figure(1e3 * drift)} mm, sink ${figure(1e3 * sunk)} mm`,
        holds: fell === Infinity && drift < DRIFT,
      }
    },
  }
}

const cards: ReportRow = {
  id: '1.5',
  claim: 'Card house of 5 levels stands',
  asked: `>= ${CARDS_STAND} s (the longest, watched for ${CARDS_WATCHED} s)`,
  scene: `40 cards of 0.4 × 0.3 m, 2 mm thick, ± 25°, ν = 0.7; ${SCENE}`,
  measure() {
    const scene = cardHouse(5)
    const starts = positionsOf(scene.bodies)
    let fell = Infinity
    let drift = 0
    run(scene, CARDS_WATCHED, (time) => {
      if (sink(scene.bodies, starts) >= CARD_FALLEN) {
        fell = time
        return false
      }
      drift = sidewaysDrift(scene.bodies, starts)
      return true
    })
    const stood = fell === Infinity ? `${CARDS_WATCHED} s and on` : `${figure(fell)} s`
    return { figures: `${stood}, drift until then ${figure(1e3 * drift)} mm`, holds: fell >= CARDS_STAND }
  },
}

const far: ReportRow = {
  id: '9',
  claim: 'Far away: the stack of 20 stands as it does at the origin',
  asked: `as 1.1; positions relative to the origin within ${1e3 * SAME} mm`,
  scene: `origin at (${FAR.join(', ')}) m, otherwise 1.1`,
  measure() {
    const [near, away] = [stack(20), stack(20, { origin: FAR })]
    standing(near)
    const { drift, sunk, fell } = standing(away)
    const there = positionsOf(away.bodies)
    const apart = Math.max(
      ...positionsOf(near.bodies).map((p, k) => Math.hypot(...p.map((x, axis) => there[k][axis] - FAR[axis] - x))),
    )
    return {
      figures: `drift ${figure(1e3 * drift)} mm, sink ${figure(1e3 * sunk)} mm, apart ${figure(1e3 * apart)} mm`,
      holds: fell === Infinity && drift < DRIFT && apart <= SAME,
    }
  },
}

/** What the gaps of the stack of 15 let its top fall by [m]. */
const OFFSET_GAPS = 0.05 + 14 * 0.1

export const stacks: readonly ReportRow[] = [
  stands('1.1', 'Stack of 20 boxes stands', 'boxes of 1 m and 100 kg, ν = 0.6', () => stack(20)),
  stands('1.2', 'Pyramid of 210 boxes stands', 'base 20, boxes of 1 m and 100 kg, ν = 0.5', () => pyramid(20)),
  stands(
    '1.3',
    'Stack of 15 boxes with ± 1 cm offsets stands',
    'ν = 0.3, gaps of 0.1 m at the start',
    () => offsetStack(),
    OFFSET_GAPS,
  ),
  stands('1.4', 'Arch of 17 voussoirs stands', 'catenary of 10 × 10 m, 1.5 m thick, ν = 0.6, four boxes on top', () =>
    arch(),
  ),
  cards,
  far,
]
