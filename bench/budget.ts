/** How many things of a kind fit into a step of 2 and 4 ms, at default settings, with and without kernels: `npm run bench -- --budget`. */

import { cloth, ragdoll, ragdollAsset, rope, softBody, softBodyAsset } from '@tautline/assemblies'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { type Kernels, World } from '@tautline/core'
import { isSimdSupported, simd } from '@tautline/simd'
import { mannequinBones, mannequinRig } from '../examples/mannequin/skeleton.js'
import { takeBusy, timed } from './harness/clock.js'
import { machineText, watchMachine } from './harness/machine.js'
import { progressBar } from './harness/progress.js'
import { median } from './harness/statistics.js'

/** Times of a step for which the table has columns [ms]. */
const BUDGETS = [2, 4] as const
/** Steps before the measurement, in which things come into contact and code is compiled, and measured steps. */
const WARM_UP = 60
const STEPS = 60
/** Samples that are discarded, while V8 compiles the code of a kind. */
const COMPILING = 3
/** Ratio of each tried count to the one before. */
const GROWTH = 2

interface Thing {
  readonly name: string
  readonly substeps: number
  /** The least count that is tried. */
  readonly first: number
  /** Adds about so many units to a world; returns how many it added. */
  add(world: World, collisions: Collisions, count: number): number
}

/** Places of a square grid on the ground, `apart` [m] from each other. */
function places(count: number, apart: number): [x: number, z: number][] {
  const side = Math.ceil(Math.sqrt(count))
  return Array.from({ length: count }, (_, k) => [apart * (k % side), apart * Math.floor(k / side)])
}

function ragdolls(detail: 11 | 15, substeps: number): Thing {
  return {
    name: `ragdolls of ${detail} parts that fall`,
    substeps,
    first: 1,
    add(world, _collisions, count) {
      const asset = ragdollAsset(mannequinRig(mannequinBones()), { detail })
      for (const [x, z] of places(count, 0.8)) ragdoll(world, asset, { position: [x, 0.1, z] })
      return count
    },
  }
}

/** A square sheet with its vertices 2 cm apart, on a sphere. */
function sheets(substeps: number): Thing {
  return {
    name: 'vertices of cloth on a sphere',
    substeps,
    first: 200,
    add(world, collisions, count) {
      const n = Math.round(Math.sqrt(count))
      const at = (k: number): number => 0.02 * (k - 0.5 * (n - 1))
      const positions = Array.from({ length: n * n }, (_, k) => [at(k % n), 1.01, at(Math.floor(k / n))]).flat()
      const indices = Array.from({ length: (n - 1) ** 2 }, (_, k) => {
        const v = n * Math.floor(k / (n - 1)) + (k % (n - 1))
        return [v, v + n, v + 1, v + 1, v + n, v + n + 1]
      }).flat()
      collisions.addCollider(null, { shape: sphere(0.3), position: [0, 0.7, 0] })
      cloth(world, { positions, indices })
      return n * n
    },
  }
}

const SEGMENTS = 20

function ropes(name: string, hasCrate: boolean): Thing {
  return {
    name,
    substeps: 8,
    first: SEGMENTS,
    add(world, collisions, count) {
      const all = places(Math.max(1, Math.round(count / SEGMENTS)), 3)
      for (const [x, z] of all) {
        const to = [x + 2, 4, z] as const
        const line = rope(world, { from: [x, 4, z], to, start: 'world', segments: SEGMENTS })
        if (hasCrate) line.attachEnd(collisions.addBody({ shape: box([0.1, 0.1, 0.1]), mass: 10, position: to }))
      }
      return SEGMENTS * all.length
    },
  }
}

/** Corners of a cube of 0.4 m, and its triangles. */
const CUBE = {
  positions: Array.from({ length: 8 }, (_, k) => [0.4 * (k & 1), 0.4 * ((k >> 1) & 1), 0.4 * (k >> 2)]).flat(),
  indices: [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
}

const jellies: Thing = {
  name: 'tetrahedra of jellies on a floor',
  substeps: 8,
  first: 200,
  add(world, _collisions, count) {
    const asset = softBodyAsset({ ...CUBE, size: 0.13 })
    const { tetrahedra } = asset.report
    const all = places(Math.max(1, Math.round(count / tetrahedra)), 1)
    for (const [x, z] of all) softBody(world, { asset, youngsModulus: 5e4, density: 1000, position: [x, 0.02, z] })
    return tetrahedra * all.length
  },
}

const STACKED = 5

const boxes: Thing = {
  name: `boxes in stacks of ${STACKED}`,
  substeps: 8,
  first: 4 * STACKED,
  add(_world, collisions, count) {
    const stacks = places(Math.round(count / STACKED), 1)
    const shape = box([0.25, 0.25, 0.25])
    for (const [x, z] of stacks) {
      for (let k = 0; k < STACKED; k++) collisions.addBody({ shape, density: 500, position: [x, 0.25 + 0.5 * k, z] })
    }
    return STACKED * stacks.length
  },
}

const THINGS: readonly Thing[] = [
  ragdolls(15, 8),
  ragdolls(11, 2),
  sheets(8),
  sheets(4),
  ropes(`segments of swinging ropes of ${SEGMENTS}`, false),
  ropes(`segments of swinging ropes of ${SEGMENTS} with a crate each`, true),
  jellies,
  boxes,
]

interface Sample {
  readonly count: number
  /** Median processor time of a step [ms]. */
  readonly time: number
}

/** Measures about so many units. Nothing sleeps. */
function sample({ add, substeps }: Thing, wanted: number, kernels: Kernels | undefined): Sample {
  const world = new World({ substeps, ...(kernels && { kernels }) })
  const collisions = new Collisions(world, { sleeping: false })
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const count = add(world, collisions, wanted)
  for (let step = 0; step < WARM_UP; step++) world.step()
  takeBusy()
  for (let step = 0; step < STEPS; step++) timed(() => world.step())
  return { count, time: median(takeBusy()) }
}

/** Samples of growing counts, up to the first one that is over all budgets. The first samples only compile the code. */
function samples(thing: Thing, kernels: Kernels | undefined): Sample[] {
  for (let k = 0; k < COMPILING; k++) sample(thing, thing.first, kernels)
  const found: Sample[] = []
  const most = Math.max(...BUDGETS)
  for (let count = thing.first; (found.at(-1)?.time ?? 0) <= most; count *= GROWTH) {
    found.push(sample(thing, count, kernels))
  }
  return found
}

/** The count at a time, on the line between the samples around it in logarithms; below the first sample in proportion. */
export function countAt(found: readonly Sample[], time: number): number {
  const over = found.findIndex((one) => one.time > time)
  if (over < 0) return found.at(-1)?.count ?? 0
  const high = found[over]
  if (over === 0) return Math.floor((high.count * time) / high.time)
  const low = found[over - 1]
  const share = Math.log(time / low.time) / Math.log(high.time / low.time)
  return Math.floor(low.count * (high.count / low.count) ** share)
}

/** Two digits: runs on a busy machine differ by more than the third. */
function rounded(count: number): string {
  return String(Number(count.toPrecision(2)))
}

/** Measures all; returns the table, and the date and machine of the run. */
export function budgetText(root: string): string {
  const machine = watchMachine(root)
  const progress = progressBar()
  const kinds = [undefined, ...(isSimdSupported() ? [simd()] : [])]
  const rows = THINGS.map((thing, k) => {
    progress.say(`${k + 1} of ${THINGS.length}, ${thing.name}`)
    const columns = kinds.map((kernels) => samples(thing, kernels))
    const cells = columns.flatMap((found) => BUDGETS.map((time) => rounded(countAt(found, time))))
    return `| ${[thing.name, thing.substeps, ...cells].join(' | ')} |`
  })
  progress.clear()
  const heads = kinds.flatMap((kernels) => BUDGETS.map((time) => `${time} ms${kernels ? ', kernels' : ''}`))
  const head = ['', 'substeps', ...heads]
  const date = new Date().toISOString().slice(0, 10)
  return [
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
    `${date}; ${machineText(machine.close())}`,
  ].join('\n')
}
