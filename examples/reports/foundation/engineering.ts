/** Rows 12 to 14: speed, size, replays. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { World } from '@tautline/core'
import { fromJSON } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import { gzipped, leftovers } from '../../../tools/bundle.js'
import { EVERY_TYPE, ingredients } from '../../scenes/every-type.js'
import { gridCloth, tetraBlock } from '../../scenes/paper.js'
import { figure, figures, type ReportRow } from '../report.js'

const run = promisify(execFile)

/** What `bench/rows.ts` prints for one type. */
interface RowTimes {
  name: string
  /** ns a row of the product, and of the hand-written loop beside it. */
  product: number
  byHand: number
  /** Median of the ratios, pair by pair. */
  ratio: number
  rows: number
}

async function bench(...args: string[]): Promise<string> {
  const script = new URL('../../../bench/rows.ts', import.meta.url).pathname
  const node = ['--import', 'tsx', '--conditions=@tautline/source', script, ...args]
  return (await run(process.execPath, node)).stdout
}

/** The asked bounds of row 12. */
const OVERHEAD = 1.15
const AGAINST_OBJECTS = 0.5

const speed: ReportRow = {
  id: '12.1',
  claim:
    'Speed: a sweep of every type against a hand-written loop of the same arithmetic (ns a row, product / by hand)',
  asked: `ratio <= ${OVERHEAD}`,
  scene: '20 000 rows, plain Node, a process a type, medians of alternating repeats',
  async measure() {
    const names = JSON.parse(await bench('--list')) as string[]
    const times: RowTimes[] = []
    for (const name of names) times.push(JSON.parse(await bench('--type', name)) as RowTimes)
    return {
      figures: times
        .map(({ name, product, byHand, ratio }) => `${name} ${figure(product)}/${figure(byHand)} = ${figure(ratio)}`)
        .join('; '),
      holds: times.length > 0 && times.every(({ ratio }) => ratio <= OVERHEAD),
    }
  },
}

const objects: ReportRow = {
  id: '12.2',
  claim: 'Speed: distance rows, colour-sorted, against the same rows as one object a constraint',
  asked: `ratio <= ${AGAINST_OBJECTS}`,
  scene: '20 000 rows, plain Node, a process of its own, medians of alternating repeats',
  async measure() {
    const { product, byHand, ratio } = JSON.parse(await bench('--objects')) as RowTimes
    return { figures: `${figure(product)}/${figure(byHand)} ns = ${figure(ratio)}`, holds: ratio <= AGAINST_OBJECTS }
  },
}

const size: ReportRow = {
  id: '13.1',
  claim: 'Size, minified and gzipped: a lean world with every constraint type; one with distance',
  asked: '<= 69 kB; <= 40 kB',
  scene: 'esbuild bundle, gzip level 9, kB of 1000 bytes',
  async measure() {
    const all = await gzipped(`export { LeanWorld } from '@tautline/core'; export * from '@tautline/constraints'`)
    const one = await gzipped(
      `export { LeanWorld } from '@tautline/core'; export { distance } from '@tautline/constraints'`,
    )
    return { figures: `${figures([all / 1000, one / 1000], 4)} kB`, holds: all <= 69_000 && one <= 40_000 }
  },
}

const sideEffects: ReportRow = {
  id: '13.2',
  claim: '`import` is free of side effects',
  asked: 'nothing left of a bare import of core and of constraints',
  scene: 'esbuild bundle that may not rely on the packages’ promise',
  async measure() {
    const left = (await leftovers('@tautline/core')) + (await leftovers('@tautline/constraints'))
    return { figures: `${left.length} characters left`, holds: left === '' }
  },
}

/** Worlds that exercise every type, and one of many rows. */
function replayWorlds(): World[] {
  const worlds = EVERY_TYPE.map(({ add }, k) => {
    const parts = ingredients(k + 1, { gravity: [0, -9.81, 0] })
    add(parts)
    return parts.world
  })
  const block = tetraBlock(3, 1e-3, { substeps: 4 })
  return [...worlds, gridCloth(20, true).world, block.world]
}

function hashes(worlds: readonly World[], steps: number): string[] {
  return worlds.map((world) => {
    for (let step = 0; step < steps; step++) world.step(1 / 60)
    return world.hash()
  })
}

/** The constraint types that a world uses. */
function typesOf(world: World): AnyType[] {
  return [...new Set(world.batches.map(({ type }) => type))]
}

function agreeing(first: readonly string[], second: readonly string[]): number {
  return first.filter((hash, k) => hash === second[k]).length
}

const replay: ReportRow = {
  id: '14',
  claim: 'Replays are bit-equal; snapshot → 600 steps → restore → 600 steps gives the same hash; so does JSON',
  asked: 'every world',
  scene: 'one world for every type, a cloth of 400 nodes, a block of 135 tetrahedra',
  measure() {
    const worlds = replayWorlds()
    const snapshots = worlds.map((world) => world.snapshot())
    const first = hashes(worlds, 600)
    const replayed = agreeing(first, hashes(replayWorlds(), 600))
    worlds.forEach((world, k) => world.restore(snapshots[k]))
    const restored = agreeing(first, hashes(worlds, 600))
    const saved = worlds.map((world) => fromJSON(JSON.stringify(world), typesOf(world)))
    const copied = agreeing(hashes(worlds, 60), hashes(saved, 60))
    return {
      figures: `${replayed}, ${restored} of ${worlds.length}; JSON ${copied} of ${saved.length}`,
      holds: replayed === worlds.length && restored === worlds.length && copied === saved.length,
    }
  },
}

export const engineering: readonly ReportRow[] = [speed, objects, size, sideEffects, replay]
