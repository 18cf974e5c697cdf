/** Prints the work per joint of reading many joints of one name, as a share of that of reading an eighth of them. */

import { startCounting, takeCount } from '../../../core/test/support/count-work.js'

startCounting()
const { parseBvh } = await import('../../src/rigs/bvh.js')

const JOINT = 'JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n'

/** Joints side by side, and joints in a chain. */
const FILES: Record<string, (count: number) => string> = {
  flat: (count) => `${JOINT}}\n`.repeat(count),
  chain: (count) => JOINT.repeat(count) + '}\n'.repeat(count),
}

function work(joints: string, count: number): number {
  const head = 'HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\nCHANNELS 0\n'
  takeCount()
  const { bones } = parseBvh(`${head}${joints}}\nMOTION\nFrames: 0\nFrame Time: 1\n`)
  if (new Set(bones.map(({ name }) => name)).size !== count + 1) throw new Error('names must be distinct')
  return takeCount() / count
}

const growth = Object.entries(FILES).map(([name, make]) => [name, work(make(4000), 4000) / work(make(500), 500)])
console.log(JSON.stringify(Object.fromEntries(growth)))
