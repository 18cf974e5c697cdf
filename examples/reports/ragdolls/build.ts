/** Row 1: what ragdolls are made of. */

import { type RagdollAsset, ragdoll, ragdollAsset, validateAsset } from '@tautline/assemblies'
import { Collisions } from '@tautline/collision'
import { World } from '@tautline/core'
import { SEGMENTS } from '../../data/anthropometry.js'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'
import {
  adultFigure,
  type Figure,
  gapOf,
  handFigure,
  mannequinFigure,
  mocapFigure,
  randomTree,
  robotFigure,
} from './figures.js'

/** Segments of the table [% of the body's mass] that a part stands for, by its role without its side. */
const SHARES: Readonly<Record<string, number>> = {
  hips: SEGMENTS.pelvis.mass + SEGMENTS.abdomen.mass,
  chest: SEGMENTS.thorax.mass,
  head: SEGMENTS.head.mass,
  UpperArm: SEGMENTS.upperArm.mass,
  LowerArm: SEGMENTS.forearm.mass,
  Hand: SEGMENTS.hand.mass,
  UpperLeg: SEGMENTS.thigh.mass,
  LowerLeg: SEGMENTS.shank.mass,
  Foot: SEGMENTS.foot.mass,
}
const TREES = 1000

/** Pairs of parts that touch at rest, of a figure that floats there. */
function contactsAtRest(asset: RagdollAsset): number {
  const world = new World({ gravity: [0, 0, 0] })
  const collisions = new Collisions(world)
  ragdoll(world, asset)
  world.step()
  return collisions.events.filter(({ type }) => type !== 'end').length
}

/** Largest share by which a part's mass is off its segments'. */
function massError({ parts, mass }: RagdollAsset): number {
  return Math.max(
    0,
    ...parts.map(({ role, matter }) => {
      const share = SHARES[role?.replace(/^(left|right)/, '') ?? '']
      return share === undefined ? 0 : Math.abs((100 * matter.mass) / mass / share - 1)
    }),
  )
}

interface Built {
  readonly text: string
  readonly holds: boolean
}

function check(name: string, { source, options }: Extract<Figure, { source: unknown }>): Built {
  const asset = ragdollAsset(source, options)
  const [violated, touching, off] = [validateAsset(asset).length, contactsAtRest(asset), massError(asset)]
  const text = `${name}: ${asset.parts.length} parts, ${figure(asset.mass)} kg, ${violated} limits, ${touching} contacts, masses within ${figure(100 * off)} %`
  return { text, holds: violated === 0 && touching === 0 && off <= 0.15 }
}

async function files(): Promise<Measured> {
  const figures: [string, Figure][] = [
    ['mannequin', await mannequinFigure()],
    ['adult', adultFigure()],
    ['CMU', mocapFigure()],
    ['hand', await handFigure()],
    ...['iiwa14', 'ur5e', 'humanoid'].map((name): [string, Figure] => [name, robotFigure(name)]),
  ]
  const missing = figures.flatMap(([name, it]) => ('missing' in it ? [`${name}: ${it.missing}`] : []))
  if (missing.length > 0) return skipped(missing.join('; '))
  const built = figures.map(([name, it]) => check(name, it as Extract<Figure, { source: unknown }>))
  return { figures: built.map(({ text }) => text).join('; '), holds: built.every(({ holds }) => holds) }
}

function trees(): Measured {
  const failed: string[] = []
  let parts = 0
  for (let seed = 0; seed < TREES; seed++) {
    try {
      const asset = ragdollAsset(randomTree(seed))
      parts += asset.parts.length
      if (validateAsset(asset).length > 0 || contactsAtRest(asset) > 0) failed.push(`${seed}`)
    } catch (error) {
      failed.push(`${seed}: ${String(error)}`)
    }
  }
  const text = `${parts} parts; ${failed.length} trees fail${failed.length > 0 ? ` (${failed.slice(0, 3).join('; ')})` : ''}`
  return { figures: text, holds: failed.length === 0 }
}

/** Gap and stretch of a limb whose hand weighs a share of the rest. */
function ratios(): Measured {
  const texts: string[] = []
  let holds = true
  for (const hand of [0.001, 0.5, 100]) {
    const world = new World({ substeps: 1 })
    const source = adultFigure() as Extract<Figure, { source: unknown }>
    const doll = ragdoll(world, source.source, { masses: { leftHand: hand } })
    doll.setWeights({ pin: 1 }, 'chest')
    let gap = 0
    for (let k = 0; k < 300; k++) {
      world.step()
      gap = Math.max(gap, gapOf(doll))
    }
    holds &&= gap <= 1e-6 && Math.abs(doll.body('leftHand').mass / hand - 1) < 1e-12
    texts.push(`${hand} kg: ${figure(gap)} m`)
  }
  return { figures: texts.join('; '), holds }
}

export const buildRows: readonly ReportRow[] = [
  {
    id: '1.1',
    claim:
      'A ragdoll of any file in one call: no limit violated at bind, no self-contact at bind, masses human where roles are',
    asked: '0 limits, 0 contacts, each segment within 15 % of de Leva 1996; at most 3 lines of user code',
    scene:
      'the mannequin with its skin, the examples’ adult, CMU 01_01, WebXR’s left hand with its skin, iiwa14, ur5e, MuJoCo’s humanoid; defaults; `ragdoll(world, source)` is the code',
    measure: files,
  },
  {
    id: '1.2',
    claim: 'The same of random trees',
    asked: `0 of ${TREES} fail`,
    scene: '2 to 30 bones, any rotations, half with tips; seeds 0 to 999',
    measure: trees,
  },
  {
    id: '1.3',
    claim: 'Masses are never changed for their ratios: joints hold whatever hangs on them',
    asked: 'gaps ≤ 1e-6 m, mass as given',
    scene: 'adult held by the chest, arms fall; a hand of 0.001, 0.5 and 100 kg; 1 substep, 5 s',
    measure: ratios,
  },
]
