/** Rows 5.5 and 5.6: figures fall upon each other, at any setting and at the default one: what breaks contacts that are solved with joints, if anything does. */

import { type Ragdoll, ragdoll, type RagdollAsset, ragdollAsset, restPose } from '@tautline/assemblies'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import { figure, type Measured, type ReportRow } from '../report.js'
import { gapOf, mannequinFigure, overLimits, random, randomTurn } from './figures.js'

const DEGREE = Math.PI / 180
const SCENES = 60
const SECONDS = 3
/** Share of all there was that a substep or a world may gain: round-off and errors of the order of the scheme. */
const GAIN = 0.01
const GROUNDS = ['floor', 'stairs', 'slope', 'crates', 'trough'] as const

interface Scene {
  readonly world: World
  readonly dolls: readonly Ragdoll[]
  readonly hz: number
  /** Upward normal of the floor, which is through the origin. */
  readonly up: readonly [number, number, number]
  readonly isDriven: boolean
  readonly next: () => number
}

interface Outcome {
  /** Of all there was: most that the world had at the end of a step beyond its start and what muscles have worked; and what substeps gained, all together. */
  readonly gain: number
  readonly within: number
  readonly gap: number
  readonly over: readonly number[]
  /** How far a middle of a part was under the floor [m]. */
  readonly sunk: number
}

/** Lays a ground; the upward normal of its floor. */
function lay(collisions: Collisions, ground: (typeof GROUNDS)[number], next: () => number): Scene['up'] {
  const tilt = ground === 'slope' ? 0.2 + 0.5 * next() : 0
  const up = [Math.sin(tilt), Math.cos(tilt), 0] as const
  collisions.addCollider(null, { shape: plane([...up], 0) })
  for (let k = 0; ground === 'stairs' && k < 7; k++) {
    const tall = 0.09 * (7 - k)
    collisions.addCollider(null, { shape: box([2, tall, 0.15]), position: [0, tall, 0.3 * (k + 0.5)] })
  }
  for (let k = 0; ground === 'crates' && k < 8; k++) {
    const position: [number, number, number] = [0.8 * (k % 3) - 0.8, 0.4, 0.8 * Math.floor(k / 3) - 0.8]
    const density = 10 ** (1 + 2.5 * next())
    collisions.addBody({ shape: box([0.2, 0.2, 0.2]), density, position, orientation: randomTurn(next) })
  }
  for (const side of ground === 'trough' ? [-1, 1] : []) {
    const orientation: [number, number, number, number] = [0, 0, Math.sin(0.3 * side), Math.cos(0.3)]
    collisions.addCollider(null, { shape: box([0.1, 1, 1]), position: [1.2 * side, 0.3, 0], orientation })
    collisions.addCollider(null, { shape: box([1, 0.4, 0.1]), position: [0, 0.4, 0.45 * side] })
  }
  return up
}

/** A seed whose numbers are not like those of its neighbours: the finaliser of MurmurHash3 (Appleby, 2008). */
function mixed(seed: number): number {
  let h = seed + 1
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** One to three figures of 5 to 500 kg, each part thrown by itself, over a ground, and up to three balls and bricks of 0.3 to 300 kg that hit them at up to 20 m/s. */
function scene(source: (mass: number) => RagdollAsset, seed: number, isDefault: boolean): Scene {
  const next = random(mixed(seed))
  const substeps = 1 + Math.floor(8 * next())
  const world = new World({ energyLedger: true, ...(!isDefault && { substeps }) })
  const rate = [30, 60, 90, 144][Math.floor(4 * next())]
  const hz = isDefault ? Math.round(1 / world.settings.dt) : rate
  const collisions = new Collisions(world)
  const ground = GROUNDS[Math.floor(GROUNDS.length * next())]
  const up = lay(collisions, ground, next)
  const asset = source(10 ** (0.7 + 2 * next()))
  // What begins in the ground is pushed out of it, and nothing pays for that.
  const low = ground === 'stairs' ? 2.6 : 2
  const dolls = Array.from({ length: 1 + Math.floor(3 * next()) }, (_, k) =>
    ragdoll(world, asset, { position: [0.3 * next(), low + 2.2 * k, 0.3 * next()], orientation: randomTurn(next) }),
  )
  for (const doll of dolls) {
    const speed = 8 * next()
    for (const body of doll.bodies)
      body.setVelocity([speed * (next() - 0.5), speed * (next() - 0.7), speed * (next() - 0.5)])
  }
  for (let k = Math.floor(4 * next()); k > 0; k--) {
    const shape = next() < 0.5 ? sphere(0.1 + 0.2 * next()) : box([0.2, 0.1, 0.15])
    const position: [number, number, number] = [4 * next() - 2, 1 + 3 * next(), -3]
    const velocity: [number, number, number] = [4 * next() - 2, 0, 4 + 16 * next()]
    collisions.addBody({ shape, mass: 10 ** (3 * next() - 0.5), position, velocity })
  }
  return { world, dolls, hz, up, isDriven: next() < 0.4, next }
}

/** Muscles of any strength pull to the rest pose, and change twice a second. */
function drive({ dolls, next }: Scene): void {
  for (const doll of dolls) {
    doll.setWeights({ muscle: next() })
    doll.driveTo(restPose(doll.asset.skeleton))
  }
}

function run(made: Scene): Outcome {
  const { world, dolls, hz, isDriven, up } = made
  const start = world.energy()
  const over: number[] = []
  let [gain, gap, sunk] = [0, 0, 0]
  for (let k = 0; k < SECONDS * hz; k++) {
    if (isDriven && k % Math.floor(hz / 2) === 0) drive(made)
    world.step(1 / hz)
    const { total, ledger } = world.energy()
    gain = Math.max(gain, total - start.total - (ledger?.drives ?? 0) - (ledger?.user ?? 0))
    for (const doll of dolls) {
      gap = Math.max(gap, gapOf(doll))
      over.push(overLimits(doll))
      for (const { position } of doll.bodies) sunk = Math.max(sunk, -up[0] * position[0] - up[1] * position[1])
    }
  }
  const weight = dolls.reduce((sum, { bodies }) => sum + bodies.reduce((all, { mass }) => all + mass, 0), 0)
  // At least what all of it gains by falling for a metre.
  const all = Math.max(start.kinetic, 9.81 * weight)
  return { gain: gain / all, within: (world.energy().ledger?.gained ?? 0) / all, gap, over, sunk }
}

async function heaps(isDefault: boolean): Promise<Measured> {
  const man = await mannequinFigure()
  const source = (mass: number): RagdollAsset => ragdollAsset(man.source, { ...man.options, mass })
  const all = Array.from({ length: SCENES }, (_, seed) => ({ seed, ...run(scene(source, seed, isDefault)) }))
  const most = (of: (outcome: Outcome) => number): number => Math.max(...all.map(of))
  const over = all.flatMap((one) => one.over).sort((r, s) => r - s)
  const p99 = over[Math.floor(0.99 * over.length)]
  const within = all.filter((one) => one.within > GAIN)
  const which = within.map((one) => `seed ${one.seed}: ${figure(100 * one.within)} %`)
  return {
    figures: `above its start and the work of muscles at most ${figure(100 * most((one) => one.gain))} %; ${within.length} with a substep that gained${which.length > 0 ? ` (${which.join('; ')})` : ''}; gaps ${figure(most((one) => one.gap))} m; limits p99 ${figure(p99 / DEGREE)}°, worst ${figure(over[over.length - 1] / DEGREE)}°; middles of parts ${figure(1000 * most((one) => one.sunk))} mm under the floor`,
    holds:
      most((one) => one.gain) <= 1e-3 &&
      within.length === 0 &&
      most((one) => one.gap) <= 1e-6 &&
      p99 < DEGREE &&
      most((one) => one.sunk) <= 0,
  }
}

const THROWN = `${SCENES} random scenes: one to three mannequins of 5 to 500 kg, every part thrown by itself, on a floor, stairs, a slope, crates or a trough, hit by up to three things of 0.3 to 300 kg at up to 20 m/s; muscles of two in five switched twice a second`

const ASKED = `no world above its start and what muscles have worked by 0.1 %, no substep that gains ${100 * GAIN} %; gaps ≤ 1e-6 m, limits < 1° over at p99, no middle of a part under the floor`

export const heapRows: readonly ReportRow[] = [
  {
    id: '5.5',
    claim: 'Figures that fall upon each other gain nothing, at any setting',
    asked: ASKED,
    scene: `${THROWN}; 1 to 8 substeps at 30 to 144 Hz, ${SECONDS} s`,
    measure: () => heaps(false),
  },
  {
    id: '5.6',
    claim: 'The same at default settings',
    asked: ASKED,
    scene: `${THROWN}; ${SECONDS} s`,
    measure: () => heaps(true),
  },
]
