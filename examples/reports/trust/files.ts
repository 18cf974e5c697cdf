/** Files and shapes of strangers: nothing hangs, and time is linear. */

import { Collisions, collisionsFromJSON, heightfield, sphere, triangleMesh } from '@tautline/collision'
import { distance } from '@tautline/constraints'
import { type AnyType, fromJSON, World } from '@tautline/core'
import { parseBvh } from '@tautline/ik/bvh'
import { parseUrdf } from '@tautline/ik/urdf'
import { figure, type ReportRow } from '../report.js'

const SEED = 16
/** A read that takes longer is a hang [ms]: it is a few hundred numbers. */
const HANG = 2000

/** Numbers in [0, 1), the same for a seed (Numerical Recipes' generator). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 0x100000000
  }
}

function time(act: () => void): number {
  const start = performance.now()
  act()
  return performance.now() - start
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

/** Values that are put in place of others. */
const WRONG: readonly unknown[] = [null, -1, 1e9, 1e308, 2 ** 31, 'x', [], {}, true, '__proto__', 0]

/** Puts a wrong value in a random place of plain data. */
function mutate(root: object, random: () => number): void {
  let at = root as Record<string, unknown>
  for (;;) {
    const keys = Object.keys(at)
    if (keys.length === 0) return
    const key = keys[Math.floor(random() * keys.length)]
    const next = at[key]
    if (typeof next === 'object' && next !== null && random() > 0.1) at = next as Record<string, unknown>
    else {
      at[key] = WRONG[Math.floor(random() * WRONG.length)]
      return
    }
  }
}

function mutated(count: number, slow: boolean): ReportRow {
  return {
    id: slow ? '4.2' : '4.1',
    claim: `Mutated scenes and motions${slow ? '' : ', a sample'}`,
    asked: '0 hangs, 0 errors of the engine',
    scene: `${count}: scenes of two joined spheres with one value changed, BVH with one character changed; read, and scenes stepped twice; seed ${SEED}`,
    ...(slow ? { slow } : {}),
    measure() {
      const world = new World()
      const collisions = new Collisions(world)
      const [a, b] = [0, 0.9].map((y) => collisions.addBody({ shape: sphere(0.5), position: [0, y, 0] }))
      world.add(distance, { a, b, enableCollision: true })
      world.step()
      const scene = JSON.stringify(world)
      const motion =
        'HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 2\nFrame Time: 1\n1\n2\n'
      const random = randomFrom(SEED)
      const types = [distance] as unknown as AnyType[]
      const counts = { read: 0, refused: 0, internal: 0, hangs: 0 }
      let worst = 0
      for (let k = 0; k < count; k++) {
        const took = time(() => {
          try {
            if (k % 2 === 0) {
              const data = JSON.parse(scene) as object
              mutate(data, random)
              const copy = fromJSON(data, types, { collisions: collisionsFromJSON })
              copy.step()
              copy.step()
            } else {
              const i = Math.floor(random() * motion.length)
              parseBvh(motion.slice(0, i) + String.fromCharCode(32 + Math.floor(random() * 95)) + motion.slice(i + 1))
            }
            counts.read++
          } catch (error) {
            counts[/ got |, got/.test((error as Error).message) ? 'refused' : 'internal']++
          }
        })
        worst = Math.max(worst, took)
        if (took > HANG) counts.hangs++
      }
      return {
        holds: counts.hangs === 0 && counts.internal === 0,
        figures: `${counts.read} read, ${counts.refused} refused, ${counts.internal} other errors, ${counts.hangs} hangs, the longest ${figure(worst)} ms`,
      }
    },
  }
}

export const files: readonly ReportRow[] = [shapes, long, mutated(2000, false), mutated(100000, true)]
