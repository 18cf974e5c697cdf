/** Row 13: a world in a worker has the bits of one on its page, and leaves the page its frames; rooms on several threads. */

import type { AnyType } from '@tautline/core/kernel'
import * as constraints from '@tautline/constraints'
import { collisionsFromJSON } from '@tautline/collision'
import { fromJSON } from '@tautline/core'
import { connect } from '@tautline/worker'
import { engineScenes } from '../../engines/scenes.js'
import { findChromium, whyNoChromium } from '../../lib/chromium.js'
import { threadOf } from '../../lib/thread.js'
import { openWorkerPage } from '../../lib/worker-page.js'
import { measureRooms, sceneOf } from '../../rooms/measure.js'
import { ragdollPile } from '../../scenes/ragdoll-pile.js'
import type { FrameCount, WorkerPage } from '../../worker-page/page.js'
import { loadText } from '../bench.js'
import { figure, type Measured, median, type ReportRow, skipped } from '../report.js'

declare const workerPage: WorkerPage

const STEPS = 600
const NAMES = ['attack-2', 'attack-9', 'net-1', 'stack', 'pile', 'card-house', 'heavy-chain', 'adult', 'soft-body']
const WAYS = ['shared', 'transferred'] as const

const exported: readonly unknown[] = Object.values(constraints)
const types = exported.filter(
  (value): value is AnyType => typeof value === 'object' && value !== null && 'multipliers' in value,
)

/** Scenes as they are posted, and the hash of each on this thread. */
function scenes(): { name: string; json: string; hash: string }[] {
  return engineScenes()
    .filter(({ name }) => NAMES.includes(name))
    .map(({ name, json }) => {
      const world = fromJSON(json, types, { collisions: collisionsFromJSON })
      for (let step = 0; step < STEPS; step++) world.step()
      return { name, json, hash: world.hash() }
    })
}

function judged(found: readonly { name: string; same: boolean }[]): Measured {
  const others = found.filter(({ same }) => !same).map(({ name }) => name)
  return {
    figures: `${found.length - others.length} of ${found.length} the same${others.length > 0 ? `; others: ${others.join(', ')}` : ''}`,
    holds: others.length === 0 && found.length === WAYS.length * NAMES.length,
  }
}

const inThread: ReportRow = {
  id: '13.1',
  claim: 'A world in a worker has the bits of one on its page: Node',
  asked: 'every scene, poses shared and transferred',
  scene: `${NAMES.join(', ')}; ${STEPS} steps, out of JSON, in a thread of \`@tautline/worker/worker\``,
  async measure() {
    const found: { name: string; same: boolean }[] = []
    for (const { name, json, hash } of scenes()) {
      for (const poses of WAYS) {
        const thread = threadOf(import.meta.resolve('@tautline/worker/worker'))
        const remote = connect(thread, { scene: json, poses })
        for (let step = 0; step < STEPS; step++) remote.step()
        found.push({ name: `${name} (${poses})`, same: (await remote.hash()) === hash })
        remote.dispose()
      }
    }
    return judged(found)
  },
}

const inBrowser: ReportRow = {
  id: '13.2',
  claim: 'A world in a worker has the bits of one on its page: Chromium',
  asked: 'every scene, poses shared and transferred',
  scene: `the same scenes and steps, in a module worker of a page built by Vite, cross-origin isolated; beside Node`,
  async measure() {
    if (findChromium() === undefined) return skipped(whyNoChromium())
    const { page, close } = await openWorkerPage(true)
    try {
      const found: { name: string; same: boolean }[] = []
      for (const { name, json, hash } of scenes()) {
        for (const poses of WAYS) {
          const there = await page.evaluate(
            ([scene, steps, way]) =>
              workerPage.hash(scene as string, steps as number, way === 'shared' ? 'auto' : 'transferred'),
            [json, STEPS, poses],
          )
          const same = there.hash === hash && there.shared === (poses === 'shared') && there.shown === STEPS
          found.push({ name: `${name} (${poses})`, same })
        }
      }
      return judged(found)
    } finally {
      await close()
    }
  },
}

const twoThreads: ReportRow = {
  id: '13.3',
  claim: 'Two threads on the pile',
  asked: '≥ 1.6 × one',
  scene: 'pile of 100 ragdolls',
  measure: () =>
    skipped(
      'one world on several threads is not built: its columns are plain Float64Arrays, and the pile of 100 is next to one island; docs/performance.md has the bound',
    ),
}

const FIGURES = 100
/** [s] */
const WATCHED = 10

function shown({ due, dropped, longest, steps }: FrameCount): string {
  return `${dropped} of ${due} dropped, longest ${figure(longest)} ms, ${steps} steps`
}

const frames: ReportRow = {
  id: '13.4',
  claim: 'A page with a world in a worker keeps 60 frames a second while the pile of 100 runs',
  asked: 'no frame dropped',
  scene: `${FIGURES} figures of 11 parts by \`ragdoll()\` fall on each other for ${WATCHED} s; headless Chromium, 1100 objects of three placed and a point drawn for each; beside it an empty page, and the same world on the page`,
  async measure() {
    if (findChromium() === undefined) return skipped(whyNoChromium())
    const { page, close } = await openWorkerPage(true)
    try {
      const scene = JSON.stringify(ragdollPile(FIGURES).world)
      const count = (json: string | null, place: 'worker' | 'page'): Promise<FrameCount> =>
        page.evaluate(
          ([text, seconds, where]) =>
            workerPage.frames(text as string | null, seconds as number, where as 'worker' | 'page'),
          [json, WATCHED, place],
        )
      const empty = await count(null, 'page')
      const worker = await count(scene, 'worker')
      const onPage = await count(scene, 'page')
      return {
        figures: `in a worker ${shown(worker)}; on the page ${shown(onPage)}; empty page ${shown(empty)}; ${loadText()}`,
        holds: worker.dropped === 0 && worker.steps > 0,
      }
    } finally {
      await close()
    }
  },
}

const ROOMS = { rooms: 8, steps: 200, size: 24 }
const ROUNDS = 3
/** Steps of each room before the clock starts: a server's threads have been compiled long since. */
const WARM_UP = 200

const roomBits: ReportRow = {
  id: '13.5',
  claim: 'Rooms on one or two threads have the bits of rooms on none',
  asked: 'every room',
  scene: `${ROOMS.rooms} rooms of ${ROOMS.size} mixed bodies, ${ROOMS.steps} steps; threads of piscina, by examples/rooms`,
  async measure() {
    const wanted = Array.from({ length: ROOMS.rooms }, (_, room) => {
      const world = fromJSON(sceneOf(room, ROOMS.size), types, { collisions: collisionsFromJSON })
      for (let step = 0; step < ROOMS.steps; step++) world.step()
      return world.hash()
    })
    const [one, two] = [await measureRooms({ ...ROOMS, threads: 1 }), await measureRooms({ ...ROOMS, threads: 2 })]
    const same = wanted.filter((hash, room) => hash === one.hashes[room] && hash === two.hashes[room]).length
    return { figures: `${same} of ${ROOMS.rooms} rooms the same`, holds: same === ROOMS.rooms }
  },
}

/** Steps a second on one thread and on two, and their ratio: medians of rounds by turns. */
async function ratioOf(warmUp: number): Promise<{ ratio: number; one: number; two: number }> {
  const rounds: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { stepsPerSecond: one } = await measureRooms({ ...ROOMS, warmUp, threads: 1 })
    const { stepsPerSecond: two } = await measureRooms({ ...ROOMS, warmUp, threads: 2 })
    rounds.push([one, two])
  }
  const [one, two] = [0, 1].map((k) => median(rounds.map((round) => round[k])))
  return { ratio: median(rounds.map(([a, b]) => b / a)), one, two }
}

const roomSpeed: ReportRow = {
  id: '13.6',
  claim: 'Rooms on two threads are served faster than on one',
  asked: '≥ 1.6 × one',
  scene: `the same rooms after ${WARM_UP} steps, ${ROUNDS} rounds by turns, median of the ratios; 10 steps posted at a time; beside it from their first step on, while threads compile`,
  async measure() {
    const cold = await ratioOf(0)
    const warm = await ratioOf(WARM_UP)
    const { ratio, one, two } = warm
    return {
      figures: `${figure(ratio)} × (${figure(one)} and ${figure(two)} steps a second); from the first step on ${figure(cold.ratio)} ×; ${loadText()}`,
      holds: ratio >= 1.6,
    }
  },
}

export const threadRows: readonly ReportRow[] = [inThread, inBrowser, twoThreads, frames, roomBits, roomSpeed]
