/** Files and shapes of strangers: nothing hangs, and time is linear. */

import { Document } from '@gltf-transform/core'
import { Collisions, heightfield, triangleMesh } from '@tautline/collision'
import { distance } from '@tautline/constraints'
import { fromJSON, World } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import { parseBvh } from '@tautline/ik/bvh'
import { fromGltf } from '@tautline/ik/gltf'
import { parseMjcf } from '@tautline/ik/mjcf'
import { parseUrdf } from '@tautline/ik/urdf'
import { FORMATS } from '../../fuzz/files.js'
import { fuzz } from '../../fuzz/fuzz.js'
import { used } from '../../fuzz/within.js'
import { figure, type ReportRow } from '../report.js'

const SEED = 16
/** A read that takes longer is a hang [ms]: it is a few hundred numbers. */
const HANG = 2000

/** Time of the processor [ms]: what else the machine does is none of it. */
function time(act: () => void): number {
  const start = used()
  act()
  return used() - start
}

const shapes: ReportRow = {
  id: '1.6',
  claim: 'A heightfield of huge heights under a sphere, and a mesh of n equal triangles',
  asked: 'an error or a step that ends; time per triangle at most twice as long at eight times as many',
  scene: 'heights 1e160, 0, 0, 0; 2 000 and 16 000 equal triangles, best of three',
  measure() {
    let refused = ''
    try {
      const world = new World()
      const shape = heightfield({ heights: [1e160, 0, 0, 0], columns: 2, rows: 2, cellX: 1, cellZ: 1 })
      new Collisions(world).addCollider(null, { shape })
      world.step()
    } catch (error) {
      refused = (error as Error).message
    }
    const each = (n: number): number => {
      const triangles = Array.from({ length: 3 * n }, (_, k) => k % 3)
      const runs = [1, 2, 3].map(() => time(() => triangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], triangles)))
      return Math.min(...runs) / n
    }
    const growth = each(16000) / each(2000)
    return { holds: refused !== '' && growth <= 2, figures: `"${refused}"; ${figure(growth)} times as long a triangle` }
  },
}

const long: ReportRow = {
  id: '1.8',
  claim:
    'Long and wrong files: frames miscounted, 1e15 frames, 20 000 joints of one name, a chain of 10 000 links, XML 5000 deep',
  asked: 'read, or refused by a RangeError, each within 2 s',
  scene: 'texts made here',
  measure() {
    const bvh = (joints: number, frames: number): string =>
      `HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n${'JOINT j\n{\nOFFSET 0 1 0\n}\n'.repeat(joints)}}\nMOTION\nFrames: ${frames}\nFrame Time: 1\n1\n2\n`
    const chain = Array.from({ length: 9999 }, (_, k) => k).map(
      (k) =>
        `<link name="${k + 1}"/><joint name="j${k}" type="fixed"><parent link="${k}"/><child link="${k + 1}"/></joint>`,
    )
    const cases: [string, boolean, () => unknown][] = [
      ['one frame more', true, () => parseBvh(bvh(1, 1))],
      ['one frame less', true, () => parseBvh(bvh(1, 3))],
      ['1e15 frames', false, () => parseBvh(bvh(1, 1e15))],
      ['20 000 of one name', true, () => parseBvh(bvh(20000, 2))],
      ['chain', true, () => parseUrdf(`<robot name="r"><link name="0"/>${chain.join('\n')}</robot>`)],
      ['deep', false, () => parseUrdf(`<robot>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</robot>`)],
    ]
    let right = 0
    let worst = 0
    for (const [, isRead, act] of cases) {
      let answer: unknown = 'read'
      const took = time(() => {
        try {
          act()
        } catch (error) {
          answer = error
        }
      })
      worst = Math.max(worst, took)
      if (isRead ? answer === 'read' : answer instanceof RangeError && / got /.test(answer.message)) right++
    }
    return {
      holds: right === cases.length && worst < HANG,
      figures: `${right} of ${cases.length}, the longest ${figure(worst)} ms`,
    }
  },
}

/** Files by the fuzzer, of all formats by turns. */
function mutated(id: string, count: number, slow: boolean): ReportRow {
  return {
    id,
    claim: `Mutated scenes, motions, robots and skins${slow ? '' : ', a sample'}`,
    asked: '0 hangs, 0 errors of the engine',
    scene: `${count} files of ${FORMATS.join(', ')} by turns, values, numbers, words, lines and characters changed, taken away or doubled; read, rigs made of them, and scenes stepped twice; seed ${SEED}`,
    ...(slow ? { slow } : {}),
    async measure() {
      const { files: tally, failures } = await fuzz({ seed: SEED, files: count })
      const each = FORMATS.map((format) => `${format} ${tally[format].read} read and ${tally[format].refused} refused`)
      const of = (isHang: boolean): number =>
        failures.reduce((sum, { failure, seen }) => sum + ((failure.kind === 'hang') === isHang ? seen : 0), 0)
      const list = failures.map(({ failure }) => `; ${failure.name}`)
      return {
        holds: failures.length === 0,
        figures: `${each.join(', ')}; ${of(false)} other errors, ${of(true)} hangs, the longest ${figure(tally.longest)} ms${list.join('')}`,
      }
    },
  }
}

/** Numbers from 0 to `count`, as texts of something each. */
function listed(count: number, text: (k: number) => string): string {
  return Array.from({ length: count }, (_, k) => text(k)).join('\n')
}

/** Files of n parts, as they come and as one chain. */
const GROWING: readonly [string, (n: number) => () => unknown][] = [
  [
    'BVH frames',
    (n) => {
      const text = `HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: ${n}\nFrame Time: 1\n${listed(n, String)}\n`
      return () => parseBvh(text)
    },
  ],
  [
    'BVH joints',
    (n) => {
      const text = `HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n${listed(n, () => 'JOINT j\n{\nOFFSET 0 1 0\n}')}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1\n`
      return () => parseBvh(text)
    },
  ],
  [
    'URDF links',
    (n) => {
      const joints = listed(
        n,
        (k) =>
          `<link name="${k + 1}"/><joint name="j${k}" type="fixed"><parent link="${k}"/><child link="${k + 1}"/></joint>`,
      )
      const text = `<robot name="r"><link name="0"/>${joints}</robot>`
      return () => parseUrdf(text)
    },
  ],
  [
    'MJCF bodies',
    (n) => {
      const text = `<mujoco><worldbody>${listed(n, (k) => `<body name="${k}"><joint type="ball"/><geom size=".1"/></body>`)}</worldbody></mujoco>`
      return () => parseMjcf(text)
    },
  ],
  [
    'glTF joints',
    (n) => {
      const document = new Document()
      const skin = document.createSkin()
      let parent = document.createNode('0')
      skin.addJoint(parent)
      for (let k = 1; k < n; k++) {
        const node = document.createNode(String(k))
        if (k % 10 !== 0) parent.addChild(node)
        skin.addJoint(node)
        parent = node
      }
      return () => fromGltf(document)
    },
  ],
  [
    'scene bodies',
    (n) => {
      const world = new World()
      const bodies = Array.from({ length: n }, (_, k) => world.addBody({ position: [k, 0, 0] }))
      for (let k = 1; k < n; k++) world.add(distance, { a: bodies[k - 1], b: bodies[k] })
      const text = JSON.stringify(world)
      return () => fromJSON(text, [distance] as unknown as AnyType[])
    },
  ],
]
const SMALL = 500
const TIMES = 8
const ROUNDS = 20
/** Times as long a part at eight times as many: twice is what caches and the engine's own growth cost; n² would be eight. */
const MOST_GROWTH = 2

const linear: ReportRow = {
  id: '4.3',
  claim: `Time to read ${TIMES} times as much`,
  asked: 'linear: per part at most twice as long',
  scene: `${GROWING.map(([name]) => name).join(', ')}: ${SMALL} and ${TIMES * SMALL}, best of ${ROUNDS}, by turns`,
  measure() {
    const found = GROWING.map(([name, make]): [string, number] => {
      const [few, many] = [make(SMALL), make(TIMES * SMALL)]
      let [least, most] = [Infinity, Infinity]
      // By turns, so that compiled code and a busy machine are the same to both; the first rounds compile.
      for (let k = 0; k < ROUNDS; k++) {
        most = Math.min(most, time(many))
        least = Math.min(least, time(few))
      }
      return [name, most / least / TIMES]
    })
    return {
      holds: found.every(([, growth]) => growth <= MOST_GROWTH),
      figures: found.map(([name, growth]) => `${name} ${figure(growth)} times as long each`).join(', '),
    }
  },
}

export const files: readonly ReportRow[] = [
  shapes,
  long,
  mutated('4.1', 3000, false),
  mutated('4.2', 100_000, true),
  linear,
]
